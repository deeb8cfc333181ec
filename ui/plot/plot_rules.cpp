// Lines and bands that cannot be dragged.
#include "ui/plot/plot_rules.h"

#include "ui/chart/paint_help.h"
#include "ui/plot/plot_cut.h"
#include "ui/plot/plot_marks.h"

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr double bandShare = 0.14;

/// Points of y = factor * x, curved where one axis alone is logarithmic.
QPolygonF diagonal(const PlotAxes& axes, double factor) {
    constexpr int pieces = 64;
    QPolygonF line;
    for (int i = 0; i <= pieces; ++i) {
        const double x = axes.valueAtX(axes.plot().left() + axes.plot().width() * i / pieces);
        line << QPointF(axes.x(x), axes.y(x * factor));
    }
    return line;
}

void paintDiagonal(QPainter& painter, const ask::Rule& rule, const PlotAxes& axes, const Theme& theme) {
    const QColor color = colourOf(rule.ink, theme);
    QPolygonF line = diagonal(axes, *rule.at);
    if (rule.to) {
        const QColor soft = faded(color, bandShare);
        QPolygonF back = diagonal(axes, *rule.to);
        std::ranges::reverse(back);
        painter.setPen(Qt::NoPen);
        painter.setBrush(soft);
        painter.drawPolygon(cutPolygon(line + back, axes.plot()));
        return;
    }
    painter.setPen(QPen(color, 1, Qt::DashLine));
    PlotLine one{0, line, std::vector<ask::Basis>(static_cast<std::size_t>(line.size()))};
    for (const PlotLine& piece : cutOff({one}, axes.plot())) {
        painter.drawPolyline(piece.points);
    }
}

/// A line or band that cannot be dragged.
void paintRule(QPainter& painter, const ask::Rule& rule, const PlotAxes& axes, const Theme& theme) {
    if (rule.across == ask::Rule::Across::Diagonal) {
        return paintDiagonal(painter, rule, axes, theme);
    }
    const QRectF& plot = axes.plot();
    const bool isX = rule.across == ask::Rule::Across::X;
    const auto placeOf = [&](double value) { return isX ? axes.x(value) : axes.y(value); };
    const double at = placeOf(*rule.at);
    const double low = isX ? plot.left() : plot.top(), high = isX ? plot.right() : plot.bottom();
    const QColor color = colourOf(rule.ink, theme);
    if (rule.to) {
        const double from = std::clamp(at, low, high), to = std::clamp(placeOf(*rule.to), low, high);
        const QRectF bandRect = isX ? QRectF(QPointF(from, plot.top()), QPointF(to, plot.bottom()))
                                    : QRectF(QPointF(plot.left(), from), QPointF(plot.right(), to));
        painter.fillRect(bandRect.normalized(), faded(color, bandShare));
    } else if (at < low - 0.5 || at > high + 0.5) {
        return;
    } else {
        painter.setPen(QPen(color, 1, Qt::DashLine));
        painter.drawLine(isX ? QLineF(at, plot.top(), at, plot.bottom())
                             : QLineF(plot.left(), at, plot.right(), at));
    }
}

/// The name of a line or band, at its foot or above its left end.
void paintName(QPainter& painter, const ask::Rule& rule, const PlotAxes& axes, const Theme& theme) {
    const QRectF& plot = axes.plot();
    const bool isX = rule.across == ask::Rule::Across::X;
    const double at = isX ? axes.x(*rule.at) : axes.y(*rule.at);
    const QFont font = fontOf(0.82);
    const QString name = QString::fromStdString(rule.label);
    const double width = widthOf(font, name) + 2, height = heightOf(font);
    const QRectF place = isX ? QRectF(at + 4, plot.bottom() - height - 2, width, height)
                             : QRectF(plot.left() + 4, at - height, width, height);
    if (plot.contains(place)) {
        painter.fillRect(place, faded(theme.plotGround, 0.8));
        drawText(painter, place, leftMiddle, font, theme.text, name);
    }
}

void paintStill(QPainter& painter, const PlotAxes& axes, const Theme& theme, bool bands) {
    for (const ask::Rule& rule : axes.scene().plot->rules) {
        if (rule.field.empty() && rule.at && rule.to.has_value() == bands) {
            paintRule(painter, rule, axes, theme);
        }
    }
}

} // namespace

void paintStillBands(QPainter& painter, const PlotAxes& axes, const Theme& theme) {
    paintStill(painter, axes, theme, true);
}

void paintStillLines(QPainter& painter, const PlotAxes& axes, const Theme& theme) {
    paintStill(painter, axes, theme, false);
}

void paintStillNames(QPainter& painter, const PlotAxes& axes, const Theme& theme) {
    for (const ask::Rule& rule : axes.scene().plot->rules) {
        if (rule.field.empty() && rule.at && !rule.label.empty() &&
            rule.across != ask::Rule::Across::Diagonal) {
            paintName(painter, rule, axes, theme);
        }
    }
}

} // namespace loadline::ui
