// Keys of a shortcut drawn as small caps: [Ctrl] [K].
#pragma once

#include "ui/theme/theme.h"

#include <QFont>
#include <QRect>
#include <QString>
#include <QStringList>

class QPainter;

namespace loadline::ui {

/// "Ctrl+K / Ctrl++" -> {"Ctrl", "K", "/", "Ctrl", "+"}; "/" separates alternatives.
QStringList keysOf(const QString& shortcut);
/// Width that drawKeyCaps takes.
int keyCapsWidth(const QString& shortcut, const QFont& font);
/// Right-aligned within `area`, centred vertically; returns the left edge.
int drawKeyCaps(QPainter& painter, const QString& shortcut, const QRect& area, const Theme& theme,
                const QFont& font);

} // namespace loadline::ui
