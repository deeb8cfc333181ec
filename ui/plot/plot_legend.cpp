// Names of lines: at their ends, in the legend, beside the lines that can be dragged.
#include "ui/plot/plot_legend.h"

#include "ui/chart/paint_help.h"
#include "ui/plot/plot_marks.h"
#include "ui/plot/plot_shapes.h"

#include <algorithm>

namespace loadline::ui {
namespace {

using ask::Basis;
using ask::Kind;

constexpr double backgroundLegend = 0.45, areaLegend = 0.22; ///< as pale as the marks
constexpr std::size_t mostDirectNames = 8;
constexpr double nameShare = 0.6; ///< of a line's colour in its name

/// True if the names of its series stand at the ends of its lines rather than in the legend.
bool hasDirectNames(const SceneMark& mark) {
    return mark.mark->kind == Kind::Line && mark.mark->legend == "{}" && mark.seriesNames.size() > 1 &&
           mark.seriesNames.size() <= mostDirectNames;
}

void paintNamesOf(QPainter& painter, const SceneMark& mark, const PlotAxes& axes, const Theme& theme) {
    const QFont font = fontOf(0.82);
    std::vector<double> wanted;
    std::vector<std::size_t> series;
    for (const PlotLine& line : linesOf(mark, axes)) {
        if (line.points.isEmpty()) {
            continue;
        }
        if (!series.empty() && series.back() == line.series) {
            wanted.back() = line.points.back().y();
        } else {
            series.push_back(line.series);
            wanted.push_back(line.points.back().y());
        }
    }
    const double height = heightOf(font);
    for (double& y : wanted) {
        y -= height / 2 + 2; // above the end of its line
    }
    const std::vector<double> middles =
        spreadMiddles(wanted, height, axes.plot().top(), axes.plot().bottom());
    for (std::size_t i = 0; i < series.size(); ++i) {
        const QString name = QString::fromStdString(mark.seriesNames[series[i]]);
        const QRectF place(axes.plot().left(), middles[i] - height / 2, axes.plot().width() - 4, height);
        drawText(painter, place, rightMiddle, font,
                 tinted(colourOf(mark, series[i], theme), theme.text, nameShare), name);
    }
}

LegendEntry entryOf(const SceneMark& mark, std::size_t series, const Theme& theme) {
    const Kind kind = mark.mark->kind;
    const bool isLine = kind == Kind::Line || kind == Kind::Step;
    QString text = QString::fromStdString(mark.mark->legend);
    text.replace(QStringLiteral("{}"), QString::fromStdString(mark.seriesNames[series]));
    const QColor color = colourOf(mark, series, theme);
    const Basis basis = mark.mark->basis;
    return {.color = mark.mark->background && !isLine ? faded(color, backgroundLegend)
                     : kind == Kind::Area             ? faded(color, areaLegend)
                                                      : color,
            .hatched = !isLine && basis == Basis::Published,
            .line = !isLine                 ? Qt::NoPen
                    : mark.mark->background ? Qt::DashLine
                                            : lineOf(basis),
            .text = text,
            .ring = kind == Kind::Points && basis > Basis::Measured};
}

} // namespace

void paintDirectNames(QPainter& painter, const PlotAxes& axes, const Theme& theme) {
    for (const SceneMark& mark : axes.scene().marks) {
        if (hasDirectNames(mark)) {
            paintNamesOf(painter, mark, axes, theme);
        }
    }
}

std::vector<LegendEntry> legendOf(const PlotScene& scene, const Theme& theme) {
    std::vector<LegendEntry> entries;
    for (const SceneMark& mark : scene.marks) {
        if (mark.mark->legend.empty() || mark.rows() == 0 || hasDirectNames(mark)) {
            continue;
        }
        for (std::size_t series = 0; series < mark.seriesNames.size(); ++series) {
            LegendEntry entry = entryOf(mark, series, theme);
            const bool isNew = std::ranges::none_of(
                entries, [&](const LegendEntry& other) { return other.text == entry.text; });
            if (isNew) {
                entries.push_back(std::move(entry));
            }
        }
    }
    return entries;
}

void paintHead(QPainter& painter, const PlotAxes& axes, const Theme& theme) {
    const QFont font = fontOf(0.82);
    QRectF room = axes.headRoom();
    const std::vector<LegendEntry> entries = legendOf(axes.scene(), theme);
    paintLegend(painter, room, entries, theme);
    room.setLeft(std::min(room.left() + legendWidth(entries), room.right()));
    const QString corner = QString::fromStdString(axes.scene().plot->corner);
    if (!corner.isEmpty() && room.width() > 5 * spacing) {
        const bool fits = widthOf(font, corner) <= room.width();
        drawText(painter, room, Qt::AlignRight | Qt::AlignTop, font, theme.textMuted,
                 fits ? corner : corner.section(u',', 0, 0)); // the rest stands in the sentence
    }
}

std::vector<QRectF> placesOfNames(const QRectF& plot, const std::vector<double>& lines,
                                  const std::vector<QSizeF>& sizes) {
    std::vector<QRectF> places;
    const auto isFree = [&](const QRectF& place) {
        return place.left() >= plot.left() && place.right() <= plot.right() &&
               std::ranges::none_of(places, [&](const QRectF& other) { return other.intersects(place); });
    };
    const auto isCrossed = [&](const QRectF& place) {
        return std::ranges::any_of(lines,
                                   [&](double line) { return line > place.left() && line < place.right(); });
    };
    for (std::size_t i = 0; i < lines.size(); ++i) {
        QRectF best;
        bool isDone = false;
        for (double y = plot.top() + 4; !isDone && y + sizes[i].height() <= plot.bottom();
             y += sizes[i].height()) {
            for (const double left : {lines[i] - sizes[i].width() - 4, lines[i] + 6}) {
                const QRectF place(QPointF(left, y), sizes[i]);
                if (!isDone && isFree(place)) {
                    isDone = !isCrossed(place);
                    best = best.isNull() || isDone ? place : best;
                }
            }
        }
        places.push_back(best);
    }
    return places;
}

} // namespace loadline::ui
