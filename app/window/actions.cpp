// The table of commands: words, keys, icons.
#include "app/window/actions.h"

#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QKeySequence>
#include <QWidget>

namespace loadline::app {
namespace {

enum class Group { File, Edit, View, Help };

struct Spec {
    ActionId command{};
    Group group{};
    const char* text = "";
    const char* keys = ""; ///< portable text
    const char* icon = "";
    const char* tip = "";
    bool checkable = false;
};

using C = ActionId;

constexpr Spec specs[] = {
    {C::OpenFolder, Group::File, "&Open folder\u2026", "Ctrl+O", "open",
     "Read a folder of sessions instead of what is loaded"},
    {C::OpenFiles, Group::File, "Open &files\u2026", "Ctrl+Shift+O", "open", "Read single session files"},
    {C::AddFolder, Group::File, "&Add folder\u2026", "Ctrl+Alt+O", "add",
     "Read another folder beside what is loaded"},
    {C::OpenSample, Group::File, "Open the &sample", "", "", "Made-up sessions that show every view"},
    {C::Reload, Group::File, "&Reload", "F5", "refresh", "Read the same files again"},
    {C::StopLoading, Group::File, "S&top loading", "Ctrl+.", "stop", "Keep what was read so far"},
    {C::CloseFiles, Group::File, "&Close", "Ctrl+W", "close", "Back to the start page"},
    {C::ExportPng, Group::File, "Picture as &PNG\u2026", "Ctrl+E", "image",
     "Save the chart of this page as PNG"},
    {C::ExportSvg, Group::File, "Picture as S&VG\u2026", "", "image", "Save the chart of this page as SVG"},
    {C::ExportPdf, Group::File, "Picture as P&DF\u2026", "", "image", "Save the chart of this page as PDF"},
    {C::ExportCsv, Group::File, "&Numbers as CSV\u2026", "Ctrl+Alt+E", "table",
     "Save the numbers of this chart as CSV"},
    {C::ExportAs, Group::File, "&Export\u2026", "Ctrl+Shift+E", "export",
     "Choose size, scale and theme, with a preview"},
    {C::CopyChart, Group::Edit, "&Copy chart", "Ctrl+Shift+C", "copy",
     "The picture and its numbers, to the clipboard"},
    {C::Quit, Group::File, "&Quit", "Ctrl+Q", "", ""},
    {C::Undo, Group::Edit, "&Undo", "Ctrl+Z", "undo", ""},
    {C::Redo, Group::Edit, "&Redo", "Ctrl+Shift+Z", "redo", ""},
    {C::ClearScope, Group::Edit, "C&lear the scope", "Ctrl+Backspace", "filter",
     "Speak of everything that is loaded"},
    {C::FindSession, Group::Edit, "&Find a session", "Ctrl+F", "search", ""},
    {C::FindAnything, Group::Edit, "Find &anything", "Ctrl+K", "search",
     "Pages, commands, sessions, settings"},
    {C::EditKernels, Group::Edit, "Edit &kernels by M\u2026", "Ctrl+G", "edit",
     "Which kernel serves which M: ranges to edit, simulated at once"},
    {C::EditShapes, Group::Edit, "Edit s&hapes\u2026", "Ctrl+Shift+G", "edit",
     "The model's matrix products and attention, simulated at once"},
    {C::SpeakVllm, Group::Edit, "Speaks &vLLM\u2026", "Ctrl+L", "engine",
     "Paste a vllm serve command line or an engine's config: the sliders follow"},
    {C::CopyVllm, Group::Edit, "Copy as vllm &serve options", "Ctrl+Shift+L", "copy",
     "The present policy as a command line, to the clipboard"},
    {C::PinSimulation, Group::Edit, "&Pin to compare", "Ctrl+P", "pin",
     "Keep this simulation: what follows is drawn against it"},
    {C::UnpinSimulation, Group::Edit, "&Unpin", "Ctrl+Shift+P", "", "Draw simulations alone again"},
    {C::MeasureKernels, Group::Edit, "&Measure kernels", "Ctrl+M", "measure",
     "Time the kernels of the chosen device, or cancel the run"},
    {C::OpenProfile, Group::File, "Open a &profile\u2026", "Ctrl+Alt+P", "open",
     "Kernel times: a profile, a CSV of timings, or NVBench's JSON"},
    {C::SaveProfile, Group::File, "Save the pro&file as\u2026", "Ctrl+Shift+S", "export",
     "Write the shown profile to a file"},
    {C::UseProfile, Group::Edit, "&Use for the simulation", "Ctrl+Shift+U", "crossover",
     "Simulator, Crossover and What pays take these kernel times"},
    {C::PageSessions, Group::View, "&Sessions", "1", "sessions", "Who used what", true},
    {C::PageDistributions, Group::View, "&Distributions", "2", "distributions", "Tokens per turn", true},
    {C::PageTimeline, Group::View, "&Timeline", "3", "timeline", "One session over time", true},
    {C::PageComposition, Group::View, "&Composition", "4", "composition", "What prompts are made of", true},
    {C::PageSimulator, Group::View, "Si&mulator", "5", "simulator", "What batching makes of a workload",
     true},
    {C::PageCrossover, Group::View, "C&rossover", "6", "crossover",
     "From how many users on quantised kernels lose", true},
    {C::PageWhatPays, Group::View, "&What pays", "7", "pays", "What a faster kernel would buy", true},
    {C::PageBatch, Group::View, "&Batch view", "Alt+5", "batch", "Simulated steps, one by one", true},
    {C::PagePublished, Group::View, "&Published", "Alt+6", "published",
     "The study's tables beside what we get", true},
    {C::PageSelfCheck, Group::View, "Self-chec&k", "8", "self-check",
     "How close the simulation comes to a recorded engine", true},
    {C::PageKernels, Group::View, "&Kernels", "9", "kernels",
     "Time the kernels of this machine, compare profiles", true},
    {C::DockSessions, Group::View, "Session &list", "Ctrl+1", "", "", true},
    {C::DockEvidence, Group::View, "&Evidence", "Ctrl+2", "evidence", "", true},
    {C::DockDiagnostics, Group::View, "D&iagnostics", "Ctrl+3", "diagnostics", "What was odd in which file",
     true},
    {C::ShowTable, Group::View, "Numbers as a ta&ble", "Ctrl+T", "table", "The table twin of the chart",
     true},
    {C::ZoomIn, Group::View, "Zoom &in", "Ctrl++", "zoom-in", ""},
    {C::ZoomOut, Group::View, "Zoom &out", "Ctrl+-", "zoom-out", ""},
    {C::ZoomFit, Group::View, "&Fit", "Ctrl+0", "fit", "Show everything"},
    {C::ThemeSystem, Group::View, "Colours like the s&ystem", "", "", "", true},
    {C::ThemeLight, Group::View, "&Light colours", "", "light", "", true},
    {C::ThemeDark, Group::View, "Da&rk colours", "", "dark", "", true},
    {C::ReopenLast, Group::File, "Reopen the last &folders at the start", "", "", "", true},
    {C::Shortcuts, Group::Help, "&Keyboard shortcuts", "?", "help", ""},
    {C::About, Group::Help, "&About Loadline", "", "", ""},
};
static_assert(std::size(specs) == actionCount);

QString translated(const char* text) {
    return QCoreApplication::translate("Actions", text);
}

QString plain(QString text) {
    return text.remove('&').remove(QChar(0x2026));
}

QString nameOf(Group group) {
    switch (group) {
    case Group::File:
        return translated("Files and export");
    case Group::Edit:
        return translated("Edit and find");
    case Group::View:
        return translated("View");
    case Group::Help:
        return translated("Help");
    }
    return {};
}

/// Keys that the charts handle themselves.
std::vector<ui::ShortcutGroup> chartGroups() {
    return {
        {translated("Timeline"),
         {{translated("wheel"), translated("zoom at the cursor")},
          {translated("Shift+wheel / drag"), translated("pan")},
          {translated("double click / 0"), translated("fit")},
          {translated("Ctrl+drag / Shift+drag"), translated("select a range of time")},
          {"\u2190 / \u2192 / \u2191 / \u2193", translated("walk from item to item")},
          {translated("Enter / click"), translated("pin: show the evidence")},
          {"W / S / A / D", translated("zoom and pan")},
          {"Esc", translated("let go of range and pin")}}},
        {translated("Distributions"),
         {{translated("click / drag"), translated("select the turns of a bin or a range")},
          {"\u2190 / \u2192", translated("walk the bins")},
          {translated("Enter, Shift extends"), translated("select them")},
          {"Esc", translated("clear the selection")}}},
        {translated("Batch view"),
         {{translated("drag in the strip"), translated("scrub through the steps")},
          {"\u2190 / \u2192", translated("one step")},
          {translated("Page Up / Page Down"), translated("a hundred steps")},
          {translated("Home / End"), translated("first and last step")}}},
        {translated("Simulator"),
         {{translated("drag the marker"), translated("change the users in the chart itself")},
          {translated("\u2191 / \u2193 in a field"), translated("one step of its slider")},
          {translated("double click a name"), translated("back to the default")},
          {translated("double click a chart"), translated("show it alone, and back")}}},
        {translated("Kernels"),
         {{translated("click a point"), translated("its samples, clocks and flags")},
          {"\u2190 / \u2192", translated("walk from point to point")},
          {"Esc", translated("let go of the point")}}},
    };
}

} // namespace

Actions::Actions(QWidget& window) {
    for (const Spec& spec : specs) {
        auto* action = new QAction(translated(spec.text), &window);
        action->setObjectName(plain(translated(spec.text)));
        if (*spec.keys)
            action->setShortcut(QKeySequence(QString(spec.keys), QKeySequence::PortableText));
        if (*spec.tip)
            ui::setTip(action, translated(spec.tip));
        action->setStatusTip(translated(spec.tip));
        action->setCheckable(spec.checkable);
        window.addAction(action);
        actions_[static_cast<std::size_t>(spec.command)] = action;
    }
    (*this)[C::Redo]->setShortcuts({QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")});
    (*this)[C::ZoomIn]->setShortcuts({QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")});
    (*this)[C::Shortcuts]->setShortcuts({QKeySequence("?"), QKeySequence("F1")});
    const auto exclusive = [&](std::initializer_list<ActionId> commands) {
        auto* group = new QActionGroup(&window);
        for (const ActionId command : commands)
            group->addAction((*this)[command]);
    };
    auto* pageGroup = new QActionGroup(&window);
    for (const Page page : pages)
        pageGroup->addAction((*this)[commandOf(page)]);
    exclusive({C::ThemeSystem, C::ThemeLight, C::ThemeDark});
    (*this)[C::PageSessions]->setChecked(true);
    (*this)[C::ThemeSystem]->setChecked(true);
}

void Actions::setIcons(const ui::Theme& theme) {
    for (const Spec& spec : specs)
        if (*spec.icon)
            (*this)[spec.command]->setIcon(ui::icon(spec.icon, theme));
}

std::vector<ui::PaletteEntry> Actions::paletteEntries() const {
    std::vector<ui::PaletteEntry> entries;
    const auto add = [&](const Spec& spec, const QString& kind) {
        const QAction* action = (*this)[spec.command];
        if (!action->isEnabled() || spec.command == C::FindAnything)
            return;
        const QString hint = *spec.tip ? kind + ": " + translated(spec.tip) : kind;
        entries.push_back({QString("command:%1").arg(static_cast<int>(spec.command)), plain(action->text()),
                           hint, action->shortcut().toString(QKeySequence::NativeText)});
    };
    const auto isPage = [](ActionId c) {
        return c >= C::PageSessions && c <= commandOf(pages[pageCount - 1]);
    };
    for (const Spec& spec : specs)
        if (isPage(spec.command))
            add(spec, translated("page"));
    for (const Spec& spec : specs)
        if (!isPage(spec.command))
            add(spec, spec.group == Group::View ? translated("view") : translated("command"));
    return entries;
}

bool Actions::trigger(const QString& paletteId) const {
    if (!paletteId.startsWith("command:"))
        return false;
    const auto number = paletteId.mid(8).toUInt();
    if (number >= actionCount)
        return false;
    actions_[number]->trigger();
    return true;
}

std::vector<ui::ShortcutGroup> Actions::shortcutGroups() const {
    std::vector<ui::ShortcutGroup> groups;
    for (const Group group : {Group::View, Group::Edit, Group::File, Group::Help}) {
        ui::ShortcutGroup lines{nameOf(group), {}};
        for (const Spec& spec : specs) {
            if (spec.group != group || !*spec.keys)
                continue;
            QStringList keys;
            for (const QKeySequence& key : (*this)[spec.command]->shortcuts())
                keys << key.toString(QKeySequence::NativeText);
            lines.lines.push_back({keys.join(" / "), plain((*this)[spec.command]->text())});
        }
        groups.push_back(std::move(lines));
    }
    for (ui::ShortcutGroup& group : chartGroups())
        groups.push_back(std::move(group));
    return groups;
}

} // namespace loadline::app
