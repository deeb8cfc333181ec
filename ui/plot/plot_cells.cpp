// Cells in shades.
#include "ui/plot/plot_cells.h"

#include "ui/chart/paint_help.h"
#include "ui/plot/plot_marks.h"
#include "ui/plot/plot_shapes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace loadline::ui {
namespace {

/// The ends of a scale of shades: the least and the most, or half and twice of the middle.
std::pair<double, double> shadesOf(const SceneMark& cells) {
    if (cells.mark->middle) {
        return {*cells.mark->middle / 2, *cells.mark->middle * 2};
    }
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const double shade : cells.shade) {
        least = std::isnan(shade) ? least : std::min(least, shade);
        most = std::isnan(shade) ? most : std::max(most, shade);
    }
    return {least, most};
}

QColor shadeOf(const SceneMark& cells, double shade, const std::pair<double, double>& ends,
               const Theme& theme) {
    if (cells.mark->middle) { // the ground is the middle itself
        constexpr double least = 0.12;
        const double depth = std::clamp(std::log2(std::max(shade / *cells.mark->middle, 1e-3)), -1.0, 1.0);
        const double share = depth == 0 ? 0 : least + (1 - least) * std::abs(depth);
        return tinted(depth < 0 ? theme.cacheWrite : theme.output, theme.plotGround, share);
    }
    const auto [low, high] = ends;
    const double share = high > low ? (shade - low) / (high - low) : 1; // 1 of no shades
    return tinted(colourOf(cells, 0, theme), theme.plotGround, share);
}

} // namespace

void paintCells(QPainter& painter, const SceneMark& mark, const PlotAxes& axes, const Theme& theme) {
    const std::pair<double, double> ends = shadesOf(mark);
    painter.setRenderHint(QPainter::Antialiasing, false); // cells have no seams
    for (const PlotBox& box : boxesOf(mark, axes, pixelOf(painter))) {
        if (mark.mark->dashed) {
            hatch(painter, box.rect, theme.grid, 6, 1);
        } else {
            painter.fillRect(box.rect,
                             shadeOf(mark, mark.shade.empty() ? 0 : mark.shade[box.row], ends, theme));
        }
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

double paintShades(QPainter& painter, const QRectF& place, const SceneMark& cells, const Theme& theme) {
    const std::pair<double, double> ends = shadesOf(cells);
    const auto column = std::ranges::find(cells.table->columns, cells.mark->value, &ask::Column::key);
    const ask::Form form = column == cells.table->columns.end() ? ask::Form::Plain : column->form;
    const auto colourAt = [&](double share) {
        const double shade = cells.mark->middle ? *cells.mark->middle * std::exp2(2 * share - 1)
                                                : ends.first + share * (ends.second - ends.first);
        return shadeOf(cells, shade, ends, theme);
    };
    return paintColours(painter, place, QString::fromStdString(ask::wordsOf(ends.first, form)),
                        QString::fromStdString(ask::wordsOf(ends.second, form) + " " + cells.mark->legend),
                        colourAt, theme);
}

} // namespace loadline::ui
