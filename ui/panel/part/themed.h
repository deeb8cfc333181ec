// How a panel follows the theme: from its palette, again whenever that changes.
#pragma once

#include "ui/theme/theme.h"

#include <QString>
#include <QWidget>

#include <functional>

class QLabel;
class QToolBar;
class QToolButton;

namespace loadline::ui {

/// The theme that the widget's palette asks for.
const Theme& themeOf(const QWidget& widget);

/// Calls `apply` now and after each change of the widget's theme, for what a palette cannot carry (icons,
/// text colours). Lives as long as the widget.
void followTheme(QWidget* widget, std::function<void(const Theme&)> apply);

/// A label in muted ink, as the style sheet draws role="muted".
QLabel* mutedLabel(const QString& text, QWidget* parent);

/// A button that the keys reach too; the tip is its accessible name.
QToolButton* toolButton(const QString& text, const QString& tip);

/// The button at the end of a tool bar for what it has no room for, in the theme's ink: Qt's own is black.
void inkExtension(QToolBar& bar);

/// Text cut in its middle to fit `width`, as file paths need.
QString middleElided(const QString& text, const QFont& font, int width);

} // namespace loadline::ui
