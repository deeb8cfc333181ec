// Every command of the window, once: menus, keys, palette and shortcut sheet are made from this list.
#pragma once

#include "app/page/room.h"
#include "ui/panel/palette/command_palette.h"
#include "ui/panel/palette/shortcut_sheet.h"
#include "ui/theme/theme.h"

#include <QAction>

#include <array>
#include <vector>

namespace loadline::app {

enum class ActionId {
    OpenFolder,
    OpenFiles,
    AddFolder,
    OpenSample,
    OpenLog,
    Reload,
    StopLoading,
    CloseFiles,
    ExportPng,
    ExportSvg,
    ExportPdf,
    ExportCsv,
    ExportPage,
    ExportAs,
    ExportVerdict,
    CopyChart,
    CopyVerdict,
    Quit,
    Undo,
    Redo,
    ClearScope,
    FindSession,
    FindAnything,
    EditKernels,
    EditShapes,
    PasteVllm,
    CopyVllm,
    PinSimulation,
    UnpinSimulation,
    MeasureKernels,
    ImportKernels,
    OpenProfile,
    SaveProfile,
    UseProfile,
    DockSessions,
    DockEvidence,
    DockDiagnostics,
    ShowTable,
    NextPage,
    PreviousPage,
    NextTab,
    PreviousTab,
    ZoomIn,
    ZoomOut,
    ZoomFit,
    ThemeSystem,
    ThemeLight,
    ThemeDark,
    LocalTime,
    ReopenLast,
    Manual,
    Shortcuts,
    About,
};
inline constexpr std::size_t actionCount = static_cast<std::size_t>(ActionId::About) + 1;

/// The window's actions, owned by `window` and reachable by their keys in all of it.
class Actions {
public:
    explicit Actions(QWidget& window);

    [[nodiscard]] QAction* operator[](ActionId id) const { return actions_[static_cast<std::size_t>(id)]; }

    /// Shows the page.
    [[nodiscard]] QAction* operator[](Page page) const { return pageActions_[indexOf(page)]; }

    /// Shows the room, as it was left.
    [[nodiscard]] QAction* operator[](Room room) const {
        return roomActions_[static_cast<std::size_t>(room)];
    }

    void setIcons(const ui::Theme& theme);
    /// Returns the entries of the palette (Ctrl K): "command" and "page" entries; the id is the command's
    /// number, or the page's key.
    [[nodiscard]] std::vector<ui::PaletteEntry> paletteEntries() const;
    /// Runs the command of a palette entry; false when the id is none of ours.
    bool trigger(const QString& paletteId) const;
    /// All keys, those of the charts included.
    [[nodiscard]] std::vector<ui::ShortcutGroup> shortcutGroups() const;

private:
    std::array<QAction*, actionCount> actions_{};
    std::vector<QAction*> pageActions_, roomActions_;
};

} // namespace loadline::app
