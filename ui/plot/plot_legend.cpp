// Names of lines: at their ends, in the legend, beside the lines that can be dragged.
#include "ui/plot/plot_legend.h"

#include "ui/chart/paint_help.h"
#include "ui/plot/plot_cells.h"
#include "ui/plot/plot_marks.h"
#include "ui/plot/plot_shapes.h"

#include <algorithm>
#include <map>

namespace loadline::ui {
namespace {

using ask::Basis;
using ask::Kind;

constexpr std::size_t mostDirectNames = 8;
constexpr double nameShare = 0.6; ///< of a line's colour in its name

/// True if the names of its series stand at the ends of its lines rather than in the legend.
bool hasDirectNames(const SceneMark& mark) {
    return mark.mark->kind == Kind::Line &&
           (!mark.labels.empty() || (mark.mark->legend == "{}" && mark.seriesNames.size() > 1 &&
                                     mark.seriesNames.size() <= mostDirectNames));
}

/// True if the scale of its shades stands in the legend's place.
bool hasScale(const SceneMark& mark) {
    return mark.mark->kind == Kind::Cells && !mark.mark->dashed && !mark.mark->legend.empty() &&
           !mark.mark->value.empty();
}

/// A line's name and where the line ends.
struct EndName {
    QString text;
    QColor color;
    QPointF at;
};

void addNamesOf(std::vector<EndName>& names, const SceneMark& mark, const PlotAxes& axes,
                const Theme& theme) {
    std::map<std::size_t, QPointF> ends; // by series
    for (const PlotLine& line : linesOf(mark, axes)) {
        if (!line.points.isEmpty()) {
            ends[line.series] = line.points.back();
        }
    }
    for (const auto& [series, at] : ends) {
        std::string name = mark.seriesNames[series];
        for (std::size_t row = 0; row < mark.labels.size(); ++row) {
            name = mark.seriesAt(row) == series ? mark.labels[row] : name;
        }
        names.push_back(
            {QString::fromStdString(name), tinted(colourOf(mark, series, theme), theme.text, nameShare), at});
    }
}

LegendEntry entryOf(const SceneMark& mark, std::size_t series, const Theme& theme) {
    const Kind kind = mark.mark->kind;
    const bool isLine = kind == Kind::Line || kind == Kind::Step;
    QString text = QString::fromStdString(mark.mark->legend);
    text.replace(QStringLiteral("{}"), QString::fromStdString(mark.seriesNames[series]));
    const QColor color = colourOf(mark, series, theme);
    const Basis basis = mark.mark->basis;
    return {.color = kind == Kind::Cells && mark.mark->dashed ? theme.grid
                     : mark.mark->background && !isLine       ? faded(color, paleShare)
                     : kind == Kind::Area                     ? faded(color, areaShare)
                                                              : color,
            .hatched = !isLine && (basis == Basis::Published || mark.mark->dashed),
            .line = !isLine                                      ? Qt::NoPen
                    : mark.mark->background || mark.mark->dashed ? Qt::DashLine
                                                                 : lineOf(basis),
            .text = text,
            .ring = kind == Kind::Points && isHollow(basis)};
}

} // namespace

void paintDirectNames(QPainter& painter, const PlotAxes& axes, const Theme& theme) {
    std::vector<EndName> names;
    for (const SceneMark& mark : axes.scene().marks) {
        if (hasDirectNames(mark)) {
            addNamesOf(names, mark, axes, theme);
        }
    }
    const QFont font = fontOf(0.82);
    const QRectF& plot = axes.plot();
    const double height = heightOf(font);
    std::vector<double> wanted;
    for (const EndName& name : names) {
        wanted.push_back(name.at.y() - height / 2 - 2); // above the end of its line
    }
    const std::vector<double> middles = spreadMiddles(wanted, height, plot.top(), plot.bottom());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const double width = widthOf(font, names[i].text) + 2;
        const bool isLong = width > 0.4 * plot.width(); // it may stand over its line
        const double left = std::clamp(names[i].at.x() - (isLong ? width : width / 2), plot.left(),
                                       std::max(plot.left(), plot.right() - width - 2));
        drawText(painter, QRectF(left, middles[i] - height / 2, width, height), leftMiddle, font,
                 names[i].color, names[i].text);
    }
}

std::vector<LegendEntry> legendOf(const PlotScene& scene, const Theme& theme) {
    std::vector<LegendEntry> entries;
    for (const SceneMark& mark : scene.marks) {
        if (mark.mark->legend.empty() || mark.rows() == 0 || hasScale(mark) ||
            (hasDirectNames(mark) && mark.mark->legend == "{}")) {
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
    for (const SceneMark& mark : axes.scene().marks) {
        if (hasScale(mark)) {
            room.setLeft(room.left() + paintShades(painter, room, mark, theme));
        }
    }
    if (const QRectF place = axes.legendRoom(); !place.isNull()) {
        const std::vector<LegendEntry> entries = legendOf(axes.scene(), theme);
        const bool isBeside = place.top() == room.top();
        paintLegend(painter, isBeside ? room : place, entries, theme);
        room.setLeft(std::min(room.left() + (isBeside ? legendWidth(entries) : 0), room.right()));
    }
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
