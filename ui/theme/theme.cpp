// The two palettes, fonts and the style sheet.
#include "ui/theme/theme.h"

#include <QFontInfo>
#include <QGuiApplication>

#include <algorithm>
#include <cmath>

namespace loadline::ui {

namespace {

// Okabe and Ito's hues ("Color Universal Design"), moved in lightness until every fill has a contrast of 3
// to the plot's ground and neighbours in a stack stay apart for protan, deutan and tritan eyes.
Theme makeLight() {
    Theme t;
    t.kind = ThemeKind::Light;
    t.window = QColor("#F3F4F7");
    t.panel = QColor("#FAFBFC");
    t.plotGround = QColor("#FFFFFF");
    t.border = QColor("#D6DAE1");
    t.grid = QColor("#E7EAEE");
    t.text = QColor("#1B212B");
    t.textMuted = QColor("#5B6472");
    t.textOnAccent = QColor("#FFFFFF");
    t.accent = QColor("#6C4FE0");
    t.accentSoft = QColor("#E6E0FB");
    t.cacheRead = QColor("#3A9BD9");
    t.cacheWrite = QColor("#00578F");
    t.uncachedInput = QColor("#D08C00");
    t.output = QColor("#C14A00");
    t.newInput = QColor("#5F7BA6");
    t.cublas = QColor("#8A8F98");
    t.scalarGemv = QColor("#009E73");
    t.mma = QColor("#AA4499");
    t.dequantCublas = QColor("#D08C00");
    t.rest = QColor("#2B2785");
    t.model = QColor("#882255");
    t.tools = QColor("#3A9E8F");
    t.human = QColor("#A48C22");
    t.idle = QColor("#D9DDE3");
    t.prompt = QColor("#7D6A12");
    t.compaction = QColor("#332288");
    t.error = QColor("#B3261E");
    t.warning = QColor("#9A6400");
    t.good = QColor("#2E7D32");
    t.reference = QColor("#1B212B");
    return t;
}

Theme makeDark() {
    Theme t;
    t.kind = ThemeKind::Dark;
    t.window = QColor("#15181D");
    t.panel = QColor("#1B1F26");
    t.plotGround = QColor("#1E2229");
    t.border = QColor("#343B46");
    t.grid = QColor("#2B313A");
    t.text = QColor("#E8EBF0");
    t.textMuted = QColor("#A3ACBA");
    t.textOnAccent = QColor("#14101F");
    t.accent = QColor("#A794FF");
    t.accentSoft = QColor("#3A3360");
    t.cacheRead = QColor("#6CC3F5");
    t.cacheWrite = QColor("#2B86CC");
    t.uncachedInput = QColor("#F2B738");
    t.output = QColor("#EF7330");
    t.newInput = QColor("#A9B6CB");
    t.cublas = QColor("#878D98");
    t.scalarGemv = QColor("#2DBE94");
    t.mma = QColor("#D67AC6");
    t.dequantCublas = QColor("#F2B738");
    t.rest = QColor("#5566E8");
    t.model = QColor("#C2528C");
    t.tools = QColor("#6CCFBD");
    t.human = QColor("#D6C25A");
    t.idle = QColor("#373E49");
    t.prompt = QColor("#E3D27A");
    t.compaction = QColor("#9D8FF0");
    t.error = QColor("#FF8A80");
    t.warning = QColor("#F2B738");
    t.good = QColor("#7BC67E");
    t.reference = QColor("#E8EBF0");
    return t;
}

} // namespace

const Theme& Theme::light() {
    static const Theme theme = makeLight();
    return theme;
}

const Theme& Theme::dark() {
    static const Theme theme = makeDark();
    return theme;
}

ThemeKind Theme::systemKind(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < 128 ? ThemeKind::Dark : ThemeKind::Light;
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, plotGround);
    p.setColor(QPalette::AlternateBase, panel);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::Button, panel);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::BrightText, error);
    p.setColor(QPalette::ToolTipBase, panel);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::PlaceholderText, textMuted);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, textOnAccent);
    p.setColor(QPalette::Link, accent);
    p.setColor(QPalette::LinkVisited, accent);
    const bool dark = kind == ThemeKind::Dark;
    p.setColor(QPalette::Light, dark ? QColor("#3E4651") : QColor("#FFFFFF"));
    p.setColor(QPalette::Midlight, dark ? QColor("#323944") : QColor("#ECEEF2"));
    p.setColor(QPalette::Mid, border);
    p.setColor(QPalette::Dark, dark ? QColor("#0E1014") : QColor("#AEB4BE"));
    p.setColor(QPalette::Shadow, dark ? QColor("#000000") : QColor("#7E8591"));
    QColor pale = textMuted;
    pale.setAlphaF(0.55F);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, pale);
    }
    p.setColor(QPalette::Disabled, QPalette::Highlight, border);
    p.setColor(QPalette::Disabled, QPalette::HighlightedText, textMuted);
    return p;
}

QString Theme::styleSheet() const {
    // Few rules: what Fusion draws well is left to Fusion.
    const QString sheet = QStringLiteral(R"(
QToolTip { background: @panel; color: @text; border: 1px solid @border; padding: 4px 6px; }
QMainWindow::separator { background: @border; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QDockWidget { color: @muted; }
QDockWidget::title { background: @window; padding: 6px 8px; }
QStatusBar { background: @window; color: @muted; border-top: 1px solid @border; }
QStatusBar::item { border: none; }
QMenuBar { background: @window; }
QToolBar { background: @window; border: none; padding: 4px; spacing: 4px; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @border; }
QSlider::sub-page:horizontal { border-radius: 2px; background: @accent; }
QSlider::sub-page:horizontal:disabled { background: @border; }
QSlider::handle:horizontal { width: 12px; margin: -5px 0; border: 1px solid @muted; border-radius: 7px; background: @panel; }
QSlider::handle:horizontal:hover { background: @hover; }
QSlider::handle:horizontal:focus { border: 2px solid @accent; width: 10px; }
QSlider::handle:horizontal:disabled { border-color: @border; }
QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 4px; color: @text; }
loadline--ui--Rail { spacing: 2px; }
loadline--ui--Rail QToolButton { padding: 2px; }
QToolButton[popupMode="1"] { padding-right: 18px; }
QToolButton::menu-button { border: none; width: 16px; }
QToolButton#qt_toolbar_ext_button { padding: 0; }
QToolButton:hover { background: @hover; }
QToolButton:pressed, QToolButton:checked { background: @accentSoft; }
QToolButton:disabled { color: @faint; }
QToolButton:focus { border-color: @accent; }
QToolButton[segment] { border: 1px solid @border; border-radius: 0; padding: 3px 7px; background: @panel; }
QToolButton[segment="middle"], QToolButton[segment="last"] { border-left: none; }
QToolButton[segment="first"] { border-top-left-radius: 5px; border-bottom-left-radius: 5px; }
QToolButton[segment="last"] { border-top-right-radius: 5px; border-bottom-right-radius: 5px; }
QToolButton[segment]:hover { background: @hover; }
QToolButton[segment]:checked { background: @accentSoft; }
QToolButton[segment]:focus { border: 1px solid @accent; }
QToolButton[segment]:disabled { color: @muted; }
#banner { background: @panel; border-bottom: 1px solid @border; border-left: 4px solid @warning; }
QHeaderView { background: @plotGround; }
QHeaderView::section { background: @plotGround; color: @muted; border: none;
    border-bottom: 1px solid @border; padding: 5px 4px; }
QHeaderView::up-arrow, QHeaderView::down-arrow { subcontrol-origin: border; subcontrol-position: top center;
    width: 9px; height: 7px; }
QTableView, QTreeView, QListView { background: @plotGround; border: none; gridline-color: @grid;
    selection-background-color: @accentSoft; selection-color: @text; outline: none; }
QTreeView::item, QListView::item { padding: 2px 4px; }
QTreeView::item:hover, QListView::item:hover { background: @hover; }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected {
    background: @accentSoft; color: @text; }
QTableView::item:focus { background: @accentSoft; color: @text; border: none; }
QSplitter::handle { background: @border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QLineEdit { background: @plotGround; color: @text; border: 1px solid @border; border-radius: 5px;
    padding: 3px 6px; selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit:focus { border-color: @accent; }
QLabel[role="sentence"] { color: @text; }
QLabel[role="muted"] { color: @muted; }
QWidget[role="plot"] { background: @plotGround; }
QPushButton { background: @panel; color: @text; border: 1px solid @border; border-radius: 5px;
    padding: 5px 14px; }
QPushButton:hover { background: @hover; }
QPushButton:focus { border-color: @accent; }
QPushButton:disabled { color: @muted; }
QPushButton:default, QPushButton[role="primary"] { background: @accent; color: @onAccent;
    border-color: @accent; }
QPushButton:default:disabled { background: @panel; color: @muted; border-color: @border; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: @scroll; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)");
    const bool isDark = kind == ThemeKind::Dark;
    const std::pair<const char*, QColor> names[] = {
        {"@accentSoft", accentSoft},
        {"@accent", accent},
        {"@onAccent", textOnAccent},
        {"@window", window},
        {"@panel", panel},
        {"@plotGround", plotGround},
        {"@border", border},
        {"@grid", grid},
        {"@muted", textMuted},
        {"@warning", warning},
        {"@text", text},
        {"@hover", isDark ? QColor("#272D37") : QColor("#E9EBF1")},
        {"@faint", isDark ? QColor("#5C6573") : QColor("#A6ADB8")},
        {"@scroll", isDark ? QColor("#475060") : QColor("#C3C9D2")},
    };
    QString result = sheet;
    for (const auto& [name, color] : names) {
        result.replace(QLatin1String(name), color.name());
    }
    return result;
}

QFont fontOf(double relativeSize, bool bold) {
    // Sizes in pixels: a picture's text must scale with the picture, whatever the paint device's resolution.
    QFont font = QGuiApplication::font();
    const int base = std::max(QFontInfo(font).pixelSize(), 12);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(base * relativeSize))));
    font.setBold(bold);
    font.setStyleHint(QFont::SansSerif);
    return font;
}

} // namespace loadline::ui
