// Settings restored at the next start: window, recent folders, choices.
#pragma once

#include "app/workbench/workbench_state.h"
#include "ui/theme/theme.h"

#include <QByteArray>
#include <QList>
#include <QSize>
#include <QString>
#include <QStringList>

#include <map>
#include <optional>

namespace loadline::app {

/// Follow the system, or always light or dark.
enum class ThemeChoice { System, Light, Dark };

/// How charts leave the program.
struct ExportChoices {
    QString folder;         ///< last used; "": the user's documents or pictures
    QString format = "png"; ///< "png", "svg", "pdf" or "csv"
    QSize size{1600, 900};
    double scale = 1.0;
    ui::ThemeKind theme = ui::ThemeKind::Light;
    bool operator==(const ExportChoices&) const = default;
};

struct Settings {
    QByteArray geometry, windowState; ///< as Qt's windows make them
    QString sessionColumns;           ///< as SessionPanel makes it
    bool diagnosticsByHand = true; ///< in windowState their dock is as the user left it, not as an odd file
    bool evidenceByHand = false;   ///< the same of the Evidence dock and a click in a chart
    bool moreParameters = false;   ///< the less used ones of simulations are shown
    std::map<Page, QList<int>> parts; ///< PageView::parts of pages
    QStringList recentFolders;        ///< newest first
    QStringList lastPaths;            ///< what was open at the end
    Scope scope;                      ///< of the last paths
    std::optional<ChosenRows> rows;   ///< of the last paths
    QStringList openRows;             ///< keys of the session list's rows that were open, of the last paths
    bool reopenLast = false;          ///< open them at the start, instead of offering it
    ThemeChoice theme = ThemeChoice::System;
    Page page = Page::Sessions;
    Asked asked;
    Questions questions;
    SimulationRequest simulation = firstRequest();
    std::optional<SimulationRequest> against;
    ExportChoices exports;
    bool operator==(const Settings&) const = default;
};

inline constexpr qsizetype maxRecentFolders = 8;

/// `loadline/loadline.ini` in the user's configuration folder ($XDG_CONFIG_HOME).
QString settingsPath();

struct SettingsRead {
    Settings settings;
    QStringList damaged; ///< keys of values that could not be used; a sentence where it is the whole file
};

/// Reads what it can: a missing, broken or foreign file, or one of another version, gives defaults for
/// everything it does not hold in a usable form.
SettingsRead readSettings(const QString& path);
Settings loadSettings(const QString& path);
/// False when the file cannot be written.
bool saveSettings(const Settings& settings, const QString& path);

/// Puts `paths` first in the recent folders, each once, and forgets the oldest.
void remember(Settings& settings, const QStringList& paths);

} // namespace loadline::app
