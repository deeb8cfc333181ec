// The table of commands: words, keys, icons.
#include "app/page/actions.h"

#include "app/page/page_spec.h"
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
    {C::OpenLog, Group::File, "Open a server &log\u2026", "Ctrl+Alt+L", "server-log",
     "The log of an inference server: is it slow, and why"},
    {C::Reload, Group::File, "&Reload", "F5", "refresh", "Read the same files again"},
    {C::StopLoading, Group::File, "S&top loading", "Ctrl+.", "stop", "Keep what was read so far"},
    {C::CloseFiles, Group::File, "&Close", "Ctrl+W", "close", "Back to the start page"},
    {C::ExportPng, Group::File, "Picture as &PNG\u2026", "Ctrl+E", "image",
     "Save the chart of this page as PNG"},
    {C::ExportSvg, Group::File, "Picture as S&VG\u2026", "", "image", "Save the chart of this page as SVG"},
    {C::ExportPdf, Group::File, "Picture as P&DF\u2026", "", "image", "Save the chart of this page as PDF"},
    {C::ExportCsv, Group::File, "&Numbers as CSV\u2026", "Ctrl+Alt+E", "table",
     "Save the numbers of this chart as CSV"},
    {C::ExportPage, Group::File, "&Whole page as PNG\u2026", "", "image",
     "Save all charts of this page as one picture"},
    {C::ExportAs, Group::File, "&Export\u2026", "Ctrl+Shift+E", "export",
     "Choose size, scale and theme, with a preview"},
    {C::ExportVerdict, Group::File, "&Verdict as Markdown\u2026", "", "export",
     "Save what the Server log page says, with the lines that say so"},
    {C::CopyChart, Group::Edit, "&Copy chart", "Ctrl+Shift+C", "copy",
     "The picture and its numbers, to the clipboard"},
    {C::CopyVerdict, Group::Edit, "Copy the ver&dict", "", "copy",
     "What the Server log page says, as Markdown, to the clipboard"},
    {C::Quit, Group::File, "&Quit", "Ctrl+Q", "", ""},
    {C::Undo, Group::Edit, "&Undo", "Ctrl+Z", "undo", ""},
    {C::Redo, Group::Edit, "&Redo", "Ctrl+Shift+Z", "redo", ""},
    {C::ClearScope, Group::Edit, "C&lear the scope", "Ctrl+Backspace", "filter",
     "Speak of everything that is loaded"},
    {C::FindSession, Group::Edit, "&Find a session", "Ctrl+F", "search", ""},
    {C::FindAnything, Group::Edit, "Find &anything", "Ctrl+K", "search",
     "Pages, commands, sessions, settings"},
    {C::EditKernels, Group::Edit, "Edit &kernels by M\u2026", "Ctrl+G", "edit",
     "Which kernel serves which M (rows of a step): ranges to edit, simulated at once"},
    {C::EditShapes, Group::Edit, "Edit s&hapes\u2026", "Ctrl+Shift+G", "edit",
     "The model's matrix products and attention, simulated at once"},
    {C::PasteVllm, Group::Edit, "Paste a &vLLM command\u2026", "Ctrl+L", "engine",
     "Paste a vllm serve command line or an engine's config: the sliders follow"},
    {C::CopyVllm, Group::Edit, "Copy as vllm &serve options", "Ctrl+Shift+L", "copy",
     "The present policy as a command line, to the clipboard"},
    {C::PinSimulation, Group::Edit, "&Pin to compare", "Ctrl+P", "pin",
     "Keep this simulation: what follows is drawn against it"},
    {C::UnpinSimulation, Group::Edit, "&Unpin", "Ctrl+Shift+P", "", "Draw simulations alone again"},
    {C::MeasureKernels, Group::Edit, "&Measure kernels", "Ctrl+M", "measure",
     "Time the kernels of the chosen device, or cancel the run"},
    {C::ImportKernels, Group::File, "&Import kernels\u2026", "Ctrl+Alt+K", "add",
     "Bring your own kernel: its times from a CSV or NVBench's JSON, with a preview"},
    {C::OpenProfile, Group::File, "Open a &profile\u2026", "Ctrl+Alt+P", "open",
     "Kernel times: a profile, a CSV of timings, or NVBench's JSON"},
    {C::SaveProfile, Group::File, "Save the pro&file as\u2026", "Ctrl+Shift+S", "export",
     "Write the shown profile to a file"},
    {C::UseProfile, Group::Edit, "&Use for the simulation", "Ctrl+Shift+U", "crossover",
     "Simulator, Crossover and What pays take these kernel times"},
    {C::DockSessions, Group::View, "Session &list", "Ctrl+1", "", "", true},
    {C::DockEvidence, Group::View, "&Evidence", "Ctrl+2", "evidence", "", true},
    {C::DockDiagnostics, Group::View, "D&iagnostics", "Ctrl+3", "diagnostics", "What was odd in which file",
     true},
    {C::ShowTable, Group::View, "Numbers as a ta&ble", "Ctrl+T", "table", "The table twin of the chart",
     true},
    {C::NextPage, Group::View, "Ne&xt page", "Ctrl+PgDown", "", "In the order of the View menu"},
    {C::PreviousPage, Group::View, "Pre&vious page", "Ctrl+PgUp", "", "In the order of the View menu"},
    {C::NextTab, Group::View, "Next ta&b", "Ctrl+Tab", "", "The next page of this room"},
    {C::PreviousTab, Group::View, "Previous tab", "Ctrl+Shift+Tab", "", "The page of this room before it"},
    {C::ZoomIn, Group::View, "Zoom &in", "Ctrl++", "zoom-in", ""},
    {C::ZoomOut, Group::View, "Zoom &out", "Ctrl+-", "zoom-out", ""},
    {C::ZoomFit, Group::View, "&Fit", "Ctrl+0", "fit", "Show everything"},
    {C::ThemeSystem, Group::View, "Colours like the s&ystem", "", "", "", true},
    {C::ThemeLight, Group::View, "&Light colours", "", "light", "", true},
    {C::ThemeDark, Group::View, "Da&rk colours", "", "dark", "", true},
    {C::LocalTime, Group::View, "Local ti&me", "", "", "Times on this machine's clock, or in UTC", true},
    {C::ReopenLast, Group::File, "Reopen the last &folders at the start", "", "", "", true},
    {C::Manual, Group::Help, "&Manual", "Ctrl+F1", "help",
     "How to use Loadline, how far its answers can be trusted, which formats it reads"},
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

/// Its entry in the palette.
QString idOf(const PageSpec& page) {
    return QStringLiteral("page:") + QString::fromStdString(page.key);
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
          {translated("L / click a name"), translated("select an agent's lane; Ctrl adds one")},
          {translated("double click a name"), translated("fold its lane")},
          {"W / S / A / D", translated("zoom and pan")},
          {"Esc", translated("let go of range, pin and lanes")}}},
        {translated("Bars, tables and lists of sessions"),
         {{translated("click / Space"), translated("select a row: it is summed below")},
          {translated("Ctrl+click / Shift+click"), translated("select several")},
          {translated("double click / Enter"), translated("open it, or show nothing else")},
          {translated("click a column's head"), translated("sort by it")},
          {"Esc", translated("select no rows")}}},
        {translated("Distributions"),
         {{translated("click / drag"), translated("select the turns of a bin or a range")},
          {"\u2190 / \u2192", translated("walk the bins")},
          {translated("Enter, Shift extends"), translated("select them")},
          {"Esc", translated("clear the selection")}}},
        {translated("Server log"),
         {{translated("wheel / Shift+wheel"), translated("zoom at the cursor, pan")},
          {translated("drag"), translated("pan what is zoomed")},
          {translated("click a bar, point or mark"), translated("show its line")},
          {"\u2190 / \u2192", translated("walk from line to line")},
          {translated("double click a chart"), translated("show it alone, and back")},
          {"Esc", translated("let go of the line")}}},
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

QAction* make(QWidget& window, const char* words, const char* keys, const char* tip, bool checkable) {
    auto* action = new QAction(translated(words), &window);
    action->setObjectName(plain(translated(words)));
    if (*keys) {
        action->setShortcut(QKeySequence(QString(keys), QKeySequence::PortableText));
    }
    if (*tip) {
        ui::setTip(action, translated(tip));
    }
    action->setStatusTip(translated(tip));
    action->setCheckable(checkable);
    window.addAction(action);
    return action;
}

/// "Kernel times: measured here, and published (5)".
QString tipWithKeys(const QAction& action, const char* tip) {
    const QString keys = action.shortcut().toString(QKeySequence::NativeText);
    return keys.isEmpty() ? translated(tip) : QStringLiteral("%1 (%2)").arg(translated(tip), keys);
}

ui::ShortcutGroup::Line lineOf(const QAction& action) {
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts()) {
        keys << key.toString(QKeySequence::NativeText);
    }
    return {keys.join(" / "), plain(action.text())};
}

} // namespace

Actions::Actions(QWidget& window) {
    const auto exclusive = [&](const auto& actions) {
        auto* group = new QActionGroup(&window);
        for (QAction* action : actions) {
            group->addAction(action);
        }
        actions.front()->setChecked(true);
    };
    for (const PageSpec& page : pageSpecs()) {
        QAction* action = make(window, page.words.c_str(), page.keys.c_str(), page.tip.c_str(), true);
        ui::setTip(action, tipWithKeys(*action, page.tip.c_str()));
        pageActions_.push_back(action);
    }
    exclusive(pageActions_);
    for (const RoomSpec& room : roomSpecs()) {
        const std::optional<int> number = numberOf(room.room);
        const std::string keys = number ? std::to_string(*number) : std::string();
        QAction* action = make(window, room.words, keys.c_str(), room.tip, true);
        ui::setTip(action, tipWithKeys(*action, room.tip));
        roomActions_.push_back(action);
    }
    exclusive(roomActions_);
    for (const Spec& spec : specs) {
        actions_[static_cast<std::size_t>(spec.command)] =
            make(window, spec.text, spec.keys, spec.tip, spec.checkable);
    }
    exclusive(std::array{(*this)[C::ThemeSystem], (*this)[C::ThemeLight], (*this)[C::ThemeDark]});
    (*this)[C::Redo]->setShortcuts({QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")});
    (*this)[C::ZoomIn]->setShortcuts({QKeySequence("Ctrl++"), QKeySequence("Ctrl+=")});
    (*this)[C::Shortcuts]->setShortcuts({QKeySequence("?"), QKeySequence("F1")});
}

void Actions::setIcons(const ui::Theme& theme) {
    for (const PageSpec& page : pageSpecs()) {
        (*this)[page.page]->setIcon(ui::icon(QString::fromStdString(page.icon), theme));
    }
    for (const RoomSpec& room : roomSpecs()) {
        (*this)[room.room]->setIcon(ui::icon(room.icon, theme));
    }
    for (const Spec& spec : specs) {
        if (*spec.icon) {
            (*this)[spec.command]->setIcon(ui::icon(spec.icon, theme));
        }
    }
}

std::vector<ui::PaletteEntry> Actions::paletteEntries() const {
    std::vector<ui::PaletteEntry> entries;
    const auto add = [&](const QAction& action, const QString& id, const char* tip, const QString& kind) {
        if (action.isEnabled()) {
            entries.push_back({id, plain(action.text()), *tip ? kind + ": " + translated(tip) : kind,
                               action.shortcut().toString(QKeySequence::NativeText)});
        }
    };
    for (const PageSpec& page : pageSpecs()) {
        add(*(*this)[page.page], idOf(page), page.tip.c_str(), translated("page"));
    }
    for (const Spec& spec : specs) {
        if (spec.command != C::FindAnything) {
            add(*(*this)[spec.command], QString("command:%1").arg(static_cast<int>(spec.command)), spec.tip,
                spec.group == Group::View ? translated("view") : translated("command"));
        }
    }
    return entries;
}

bool Actions::trigger(const QString& paletteId) const {
    for (const PageSpec& page : pageSpecs()) {
        if (paletteId == idOf(page)) {
            (*this)[page.page]->trigger();
            return true;
        }
    }
    if (!paletteId.startsWith("command:")) {
        return false;
    }
    const auto number = paletteId.mid(8).toUInt();
    if (number >= actionCount) {
        return false;
    }
    actions_[number]->trigger();
    return true;
}

std::vector<ui::ShortcutGroup> Actions::shortcutGroups() const {
    std::vector<ui::ShortcutGroup> groups;
    for (const Group group : {Group::View, Group::Edit, Group::File, Group::Help}) {
        ui::ShortcutGroup lines{nameOf(group), {}};
        if (group == Group::View) {
            for (const RoomSpec& room : roomSpecs()) {
                if (numberOf(room.room)) {
                    lines.lines.push_back(lineOf(*(*this)[room.room]));
                }
            }
            for (const QAction* page : pageActions_) {
                if (!page->shortcut().isEmpty()) {
                    lines.lines.push_back(lineOf(*page));
                }
            }
        }
        for (const Spec& spec : specs) {
            if (spec.group == group && *spec.keys) {
                lines.lines.push_back(lineOf(*(*this)[spec.command]));
            }
        }
        groups.push_back(std::move(lines));
    }
    for (ui::ShortcutGroup& group : chartGroups()) {
        groups.push_back(std::move(group));
    }
    return groups;
}

} // namespace loadline::app
