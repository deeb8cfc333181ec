// A histogram as numbers to draw: bars over a log2 axis, ticks, marks and the published outline.
#pragma once

#include "core/workload/distribution/distribution_figure.h"
#include "core/workload/scope/scope.h"

#include <QPointF>
#include <QSizeF>
#include <QString>

#include <optional>
#include <vector>

namespace loadline::ui {

enum class TurnQuantity { Input, Output };

/// A bar over [left, right] in log2(tokens); heights in the measure's unit (turns, or shares from 0 to 1).
struct DistributionBar {
    double left = 0, right = 0;
    double exact = 0; ///< part whose counts are exact; from here to `total` they are lower bounds
    double hit = 0;   ///< part behind the brush
    double total = 0;
};

struct AxisTick {
    double at = 0;
    QString label;
    bool operator==(const AxisTick&) const = default;
};

struct DistributionMark {
    double at = 0; ///< log2(tokens)
    QString name;  ///< "p50"
    QString value; ///< "1.2 k", with ">=" where counts are lower bounds
};

struct DistributionGeometry {
    Measure measure = Measure::Share;
    std::vector<DistributionBar> bars; ///< one per bin of the histogram
    double xMin = 0, xMax = 1;         ///< log2(tokens), xMin < xMax
    double yMax = 1;                   ///< > 0
    double yStep = 1;
    std::vector<AxisTick> xTicks; ///< at powers of two; labels are thinned when drawn
    std::vector<AxisTick> yTicks; ///< from 0 to yMax
    std::vector<DistributionMark> marks;
    std::vector<QPointF> referenceOutline; ///< empty: no reference shown
    std::uint64_t inexact = 0;             ///< turns whose count is a lower bound
    bool about = false;                    ///< some counts are estimates: DistributionFigure::aboutInputTurns
    bool brushed = false;                  ///< some turn is not behind the brush
};

/// `reference` may be null; it is used for power-of-two bins alone.
DistributionGeometry distributionGeometry(const DistributionFigure& figure, TurnQuantity quantity,
                                          const BucketFrequencies* reference);

/// Input counts are exact in every log: only output can be a lower bound.
std::uint64_t lowerBoundsIn(const Bin& bin, TurnQuantity quantity);

const Histogram& histogramOf(const DistributionFigure& figure, TurnQuantity quantity);

/// Whether both plots fit beside each other, or go one above the other.
inline bool distributionsSideBySide(QSizeF size) {
    return size.width() >= 420 && size.width() >= 1.1 * size.height();
}

/// Index of the bar over `x` (log2 tokens), -1 outside all bars.
int barAt(const DistributionGeometry& geometry, double x);

/// Bins [first, last] as token counts; any order of the two.
TokenRange rangeOfBins(const Histogram& histogram, int first, int last);
/// The bins that lie wholly inside the range; empty when there is none.
std::optional<std::pair<int, int>> binsInRange(const Histogram& histogram, const TokenRange& range);

/// "91 to 181 tokens: 1 234 turns, 5.1 %, 63.2 % up to here, 12 are lower bounds (≥)".
QString describeBin(const Histogram& histogram, TurnQuantity quantity, int bin);
/// The lines of the read-out box: the range, the turns with their share, the cumulative share and so on.
QStringList readOut(const Histogram& histogram, TurnQuantity quantity, int bin);
/// Summary in words for screen readers.
QString describeHistogram(const DistributionFigure& figure, TurnQuantity quantity);

/// Steps of 1, 2 or 5 times a power of ten: about `count` of them up to `maximum` (> 0).
double niceStep(double maximum, int count);

} // namespace loadline::ui
