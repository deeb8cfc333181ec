// Keys of a shortcut drawn as small caps.
#include "ui/panel/palette/key_caps.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace loadline::ui {

namespace {

constexpr int gap = 4;
constexpr int capPadding = 6;

QFont capFont(const QFont& font) {
    QFont small = font;
    if (font.pixelSize() > 0) {
        small.setPixelSize(std::max(9, font.pixelSize() - 2));
    } else {
        small.setPointSizeF(font.pointSizeF() * 0.88);
    }
    small.setBold(false);
    return small;
}

int capWidth(const QString& key, const QFontMetrics& metrics) {
    const int text = metrics.horizontalAdvance(key);
    return key == u"/" ? text : std::max(text + 2 * capPadding, metrics.height() + 4);
}

} // namespace

QStringList keysOf(const QString& shortcut) {
    QStringList keys;
    const QStringList alternatives = shortcut.split(QStringLiteral(" / "), Qt::SkipEmptyParts);
    for (const QString& alternative : alternatives) {
        if (!keys.isEmpty()) {
            keys << QStringLiteral("/");
        }
        QString rest = alternative;
        // A plus that is itself a key stands at the end: "Ctrl++".
        const bool plus = rest.endsWith(u'+');
        if (plus) {
            rest.chop(rest.endsWith(QStringLiteral("++")) ? 2 : 1);
        }
        keys << rest.split(u'+', Qt::SkipEmptyParts);
        if (plus) {
            keys << QStringLiteral("+");
        }
    }
    return keys;
}

int keyCapsWidth(const QString& shortcut, const QFont& font) {
    const QFontMetrics metrics(capFont(font));
    int width = 0;
    for (const QString& key : keysOf(shortcut)) {
        width += capWidth(key, metrics) + (width > 0 ? gap : 0);
    }
    return width;
}

int drawKeyCaps(QPainter& painter, const QString& shortcut, const QRect& area, const Theme& theme,
                const QFont& font) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(capFont(font));
    const QFontMetrics metrics = painter.fontMetrics();
    const int height = metrics.height() + 4;
    const int left = area.right() + 1 - keyCapsWidth(shortcut, font);
    int x = left;
    for (const QString& key : keysOf(shortcut)) {
        const QRect cap(x, area.center().y() - height / 2, capWidth(key, metrics), height);
        if (key != u"/") {
            painter.setPen(QPen(theme.border, 1));
            painter.setBrush(theme.panel);
            painter.drawRoundedRect(QRectF(cap).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        }
        painter.setPen(theme.textMuted);
        painter.drawText(cap, Qt::AlignCenter, key);
        x += cap.width() + gap;
    }
    painter.restore();
    return left;
}

} // namespace loadline::ui
