// A plot of a report, its columns read once into plain numbers: what painting and the hand need.
#pragma once

#include "core/ask/report.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadline::ui {

/// One mark with a value for each row of its table. NaN: there is none, or the axis cannot show it.
struct SceneMark {
    const ask::Mark* mark = nullptr;
    const ask::Table* table = nullptr;
    std::vector<double> x, y;
    std::vector<double> x2, y2;           ///< empty: the mark has no such column; of stacked bars their foot
    std::vector<double> shade;            ///< of cells
    std::vector<std::uint32_t> series;    ///< index into seriesNames; empty: there is one series
    std::vector<std::string> seriesNames; ///< of one series without a column: ""
    std::vector<std::string> labels;      ///< empty: the mark has no such column
    std::vector<ask::Basis> basis;        ///< empty: ask::Mark::basis of all rows

    [[nodiscard]] std::size_t rows() const { return x.size(); }

    /// True if the row has a place: a flag without a y stands at the top.
    [[nodiscard]] bool isPlaced(std::size_t row) const {
        return !std::isnan(x[row]) && (!std::isnan(y[row]) || mark->kind == ask::Kind::Flags);
    }

    [[nodiscard]] std::size_t seriesAt(std::size_t row) const { return series.empty() ? 0 : series[row]; }

    [[nodiscard]] ask::Basis basisAt(std::size_t row) const {
        return basis.empty() ? mark->basis : basis[row];
    }
};

/// One axis as it is drawn. `low` is below `high`, both above 0 where it is logarithmic.
struct SceneAxis {
    const ask::Axis* axis = nullptr;
    double low = 0;
    double high = 1;
    double wholeLow = 0, wholeHigh = 1; ///< the ends without a zoom
    std::vector<std::string> names;     ///< of categories, which lie at 0, 1, ..

    [[nodiscard]] bool isLog() const { return axis->scale == ask::Scale::Log; }

    [[nodiscard]] bool hasNames() const { return axis->scale == ask::Scale::Category; }
};

/// Never changed once it is made: painted on any thread. Categories on the y axis count from below, the first
/// one is the highest.
struct PlotScene {
    std::shared_ptr<const ask::Report> report; ///< whose plot and tables the pointers point to
    const ask::Plot* plot = nullptr;
    const ask::Table* drawn = nullptr; ///< painted as a table instead of marks
    std::vector<SceneMark> marks;
    SceneAxis x, y;
    std::optional<SceneAxis> right;

    [[nodiscard]] const SceneAxis& yAxisOf(const SceneMark& mark) const {
        return mark.mark->onRight && right ? *right : y;
    }

    /// The table of its CSV and its twin in the window; null: there is none.
    [[nodiscard]] const ask::Table* table() const;
};

/// Reads the columns. `held`: extentsOf() a scene before this one, below which axes do not shrink. May be
/// called on any thread. Precondition: the report has that plot.
std::shared_ptr<const PlotScene> plotSceneOf(std::shared_ptr<const ask::Report> report, std::size_t plot = 0,
                                             const std::vector<double>& held = {});

/// How far axes reach, the larger the further: atLeast() of two such lists is the extents of an axis that
/// only grows.
std::vector<double> extentsOf(const PlotScene& scene);

/// True if both have the same answer layer: all but lines that can be dragged and words that are not painted.
bool paintsSame(const PlotScene& a, const PlotScene& b);

/// Returns the y of a line where it passes an x, on the straight line that the axes draw between its rows;
/// NaN: it does not pass. Of the first series.
double lineAt(const PlotScene& scene, const SceneMark& line, double x);

} // namespace loadline::ui
