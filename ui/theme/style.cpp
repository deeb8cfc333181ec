// Fusion with ticks that are seen on every ground.
#include "ui/theme/style.h"

#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QDockWidget>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr double radius = 3;
constexpr int extensionExtent = 20; ///< pixels: what stands for the rest of a tool bar is seen

/// Empty: an outline. Ticked: filled with the accent, the tick in the colour of text on it.
void drawBox(const QStyleOption& option, QPainter& painter) {
    const QPalette& palette = option.palette;
    const bool on = (option.state & (QStyle::State_On | QStyle::State_NoChange)) != 0;
    const bool focus = (option.state & QStyle::State_HasFocus) != 0;
    const double side = std::min(option.rect.width(), option.rect.height()) - 1.0;
    const QRectF box(option.rect.left() + 0.5, option.rect.top() + 0.5, side, side);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if ((option.state & QStyle::State_Enabled) == 0) {
        painter.setOpacity(painter.opacity() * 0.5);
    }
    const QColor accent = palette.color(QPalette::Active, QPalette::Highlight);
    painter.setPen(QPen(on || focus ? accent : palette.color(QPalette::PlaceholderText), 1));
    painter.setBrush(on ? accent : palette.color(QPalette::Base));
    painter.drawRoundedRect(box, radius, radius);
    if (focus) { // a ring of its own, apart from the fill
        painter.setPen(QPen(palette.color(QPalette::WindowText), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(box, radius, radius);
    }
    painter.setPen(QPen(palette.color(QPalette::Active, QPalette::HighlightedText), std::max(1.5, side / 7),
                        Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const auto at = [&](double x, double y) { return QPointF(box.left() + x * side, box.top() + y * side); };
    if ((option.state & QStyle::State_On) != 0) {
        painter.drawPolyline(QPolygonF({at(0.22, 0.53), at(0.43, 0.74), at(0.78, 0.3)}));
    } else if (on) {
        painter.drawLine(at(0.25, 0.5), at(0.75, 0.5)); // some of what it stands for
    }
    painter.restore();
}

} // namespace

Style::Style() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
    if (element == PE_IndicatorCheckBox && option != nullptr) {
        drawBox(*option, *painter);
        return;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    if (metric == PM_ToolBarExtensionExtent) {
        return extensionExtent;
    }
    return QProxyStyle::pixelMetric(metric, option, widget);
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                     QStyleHintReturn* returned) const {
    if (hint == SH_DialogButtonBox_ButtonsHaveIcons) {
        return 0;
    }
    return QProxyStyle::styleHint(hint, option, widget, returned);
}

/// Docks float and close by our own icons: those of Fusion are bitmaps of one grey, coarse where pixels are
/// scaled.
QIcon Style::standardIcon(StandardPixmap standard, const QStyleOption* option, const QWidget* widget) const {
    if (qobject_cast<const QDockWidget*>(widget) != nullptr) {
        const Theme& theme = Theme::of(Theme::systemKind(widget->palette()));
        if (standard == SP_TitleBarCloseButton) {
            return icon(QStringLiteral("close"), theme);
        }
        if (standard == SP_TitleBarNormalButton) {
            return icon(QStringLiteral("float"), theme);
        }
    }
    return QProxyStyle::standardIcon(standard, option, widget);
}

} // namespace loadline::ui
