// Bars, ticks and marks of a histogram in axis units.
#include "ui/chart/distribution/distribution_geometry.h"

#include "ui/chart/xy_axes.h"
#include "ui/theme/format.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace loadline::ui {

namespace {

double log2Of(double n) {
    return std::log2(std::max(n, 0.5));
}

/// Power-of-two bins are centred on their label: they hold what rounds to it.
std::pair<double, double> edgesOf(const Bin& bin, BinKind kind) {
    if (kind == BinKind::PowerOfTwo) {
        const double centre = log2Of(static_cast<double>(bin.label));
        return {centre - 0.5, centre + 0.5};
    }
    return {log2Of(static_cast<double>(bin.low)), log2Of(static_cast<double>(bin.high) + 1)};
}

void addBars(DistributionGeometry& geometry, const Histogram& histogram, TurnQuantity quantity,
             Measure measure) {
    const auto n = static_cast<double>(std::max<std::uint64_t>(histogram.summary.n, 1));
    const double unit = measure == Measure::Count ? 1 : 1 / n;
    double exact = 0;
    double hit = 0;
    for (std::size_t i = 0; i < histogram.bins.size(); ++i) {
        const Bin& bin = histogram.bins[i];
        if (measure != Measure::Cumulative) {
            exact = 0;
            hit = 0;
        }
        exact += static_cast<double>(bin.count - lowerBoundsIn(bin, quantity));
        hit += static_cast<double>(bin.countHit);
        const auto [left, right] = edgesOf(bin, histogram.kind);
        geometry.bars.push_back({left, right, exact * unit, hit * unit, barHeight(histogram, i, measure)});
        geometry.inexact += lowerBoundsIn(bin, quantity);
        geometry.brushed = geometry.brushed || bin.countHit != bin.count;
    }
}

void addReference(DistributionGeometry& geometry, const Histogram& histogram, Measure measure,
                  const BucketFrequencies& reference) {
    const double unit = measure == Measure::Count ? static_cast<double>(histogram.summary.n) : 1;
    double sum = 0;
    double last = -1;
    const auto step = [&](double x, double y) { geometry.referenceOutline.emplace_back(x, y * unit); };
    for (const auto& [label, share] : reference.frequency) {
        const double left = log2Of(static_cast<double>(label)) - 0.5;
        const double right = left + 1;
        const double before = measure == Measure::Cumulative ? sum : 0;
        if (geometry.referenceOutline.empty() || left > last + 1e-9) { // buckets without turns between
            if (!geometry.referenceOutline.empty()) {
                step(last, before);
            }
            step(left, before);
        }
        sum += share;
        const double height = measure == Measure::Cumulative ? sum : share;
        step(left, height);
        step(right, height);
        last = right;
    }
    if (measure != Measure::Cumulative && !geometry.referenceOutline.empty()) {
        step(last, 0);
    }
}

void addExtent(DistributionGeometry& geometry) {
    double left = 0;
    double right = 1;
    double top = 0;
    bool first = true;
    const auto include = [&](double from, double to, double height) {
        left = first ? from : std::min(left, from);
        right = first ? to : std::max(right, to);
        top = std::max(top, height);
        first = false;
    };
    for (const DistributionBar& bar : geometry.bars) {
        include(bar.left, bar.right, bar.total);
    }
    for (const QPointF& point : geometry.referenceOutline) {
        include(point.x(), point.x(), point.y());
    }
    // At least four octaves, so that a lone bin is a bar and not a wall.
    const double missing = std::max(0.0, 4 - (right - left));
    geometry.xMin = left - 0.25 - missing / 2;
    geometry.xMax = right + 0.25 + missing / 2;
    const double maximum = top > 0 ? top : 1;
    if (geometry.measure == Measure::Cumulative) {
        geometry.yMax = 1;
        geometry.yStep = 0.2;
        return;
    }
    geometry.yMax = maximum * 1.08; // room for the mark above the highest bar
    geometry.yStep = niceStep(maximum, 6);
    if (geometry.measure == Measure::Count) {
        geometry.yStep = std::max(geometry.yStep, 1.0);
    }
}

void addTicks(DistributionGeometry& geometry) {
    for (int power = std::max(0, static_cast<int>(std::ceil(geometry.xMin))); power <= geometry.xMax;
         ++power) {
        const QString label = countText(std::exp2(power)); // k is 1000 here as in every other number
        geometry.xTicks.push_back({static_cast<double>(power), label});
    }
    for (int i = 0; i * geometry.yStep <= geometry.yMax * (1 + 1e-9); ++i) {
        const double value = i * geometry.yStep;
        geometry.yTicks.push_back({value, geometry.measure == Measure::Count
                                              ? countText(value)
                                              : QString::number(value * 100, 'g', 3) + QStringLiteral(" %")});
    }
}

void addMarks(DistributionGeometry& geometry, const Histogram& histogram) {
    const Summary& summary = histogram.summary;
    if (summary.n == 0) {
        return;
    }
    const QString bound = geometry.inexact > 0 ? QStringLiteral("≥ ")
                          : geometry.about     ? QStringLiteral("≈ ")
                                               : QString();
    const auto add = [&](const QString& name, double value) {
        geometry.marks.push_back({log2Of(value), name, bound + countText(value)});
    };
    add(QStringLiteral("p50"), summary.p50);
    add(QStringLiteral("mean"), summary.mean);
    add(QStringLiteral("p90"), summary.p90);
    add(QStringLiteral("p99"), summary.p99);
    std::ranges::stable_sort(geometry.marks, {}, &DistributionMark::at);
}

QString turnsText(std::uint64_t n) {
    return n == 1 ? QStringLiteral("1 turn")
                  : exactText(static_cast<std::int64_t>(n)) + QStringLiteral(" turns");
}

QString rangeText(const Bin& bin) {
    if (bin.low == bin.high) {
        return bin.low == 1 ? QStringLiteral("1 token") : exactText(bin.low) + QStringLiteral(" tokens");
    }
    return exactText(bin.low) + QStringLiteral(" to ") + exactText(bin.high) + QStringLiteral(" tokens");
}

} // namespace

double niceStep(double maximum, int count) {
    return niceAbove(maximum / count, {1, 2, 5});
}

std::uint64_t lowerBoundsIn(const Bin& bin, TurnQuantity quantity) {
    return quantity == TurnQuantity::Output ? bin.countInexact : 0;
}

const Histogram& histogramOf(const DistributionFigure& figure, TurnQuantity quantity) {
    return quantity == TurnQuantity::Input ? figure.input : figure.output;
}

DistributionGeometry distributionGeometry(const DistributionFigure& figure, TurnQuantity quantity,
                                          const BucketFrequencies* reference) {
    const Histogram& histogram = histogramOf(figure, quantity);
    DistributionGeometry geometry;
    geometry.measure = figure.options.measure;
    geometry.about = quantity == TurnQuantity::Input && figure.aboutInputTurns > 0;
    addBars(geometry, histogram, quantity, geometry.measure);
    if (reference && histogram.kind == BinKind::PowerOfTwo) {
        addReference(geometry, histogram, geometry.measure, *reference);
    }
    addExtent(geometry);
    addTicks(geometry);
    addMarks(geometry, histogram);
    return geometry;
}

int barAt(const DistributionGeometry& geometry, double x) {
    for (std::size_t i = 0; i < geometry.bars.size(); ++i) {
        if (geometry.bars[i].left <= x && x < geometry.bars[i].right) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

TokenRange rangeOfBins(const Histogram& histogram, int first, int last) {
    const auto [low, high] = std::minmax(first, last);
    return {histogram.bins[static_cast<std::size_t>(low)].low,
            histogram.bins[static_cast<std::size_t>(high)].high};
}

std::optional<std::pair<int, int>> binsInRange(const Histogram& histogram, const TokenRange& range) {
    std::optional<std::pair<int, int>> bins;
    for (int i = 0; i < static_cast<int>(histogram.bins.size()); ++i) {
        const Bin& bin = histogram.bins[static_cast<std::size_t>(i)];
        if (range.low <= bin.low && bin.high <= range.high) {
            bins = bins ? std::pair(bins->first, i) : std::pair(i, i);
        }
    }
    return bins;
}

QStringList readOut(const Histogram& histogram, TurnQuantity quantity, int bin) {
    const Bin& entry = histogram.bins[static_cast<std::size_t>(bin)];
    const auto index = static_cast<std::size_t>(bin);
    QStringList lines{rangeText(entry),
                      turnsText(entry.count) + QStringLiteral(", ") +
                          shareText(barHeight(histogram, index, Measure::Share)),
                      shareText(barHeight(histogram, index, Measure::Cumulative)) +
                          QStringLiteral(" up to here")};
    if (const std::uint64_t bounds = lowerBoundsIn(entry, quantity); bounds > 0) {
        lines << exactText(static_cast<std::int64_t>(bounds)) + QStringLiteral(" are lower bounds (≥)");
    }
    if (entry.countHit != entry.count) {
        lines << exactText(static_cast<std::int64_t>(entry.countHit)) + QStringLiteral(" selected");
    }
    return lines;
}

QString describeBin(const Histogram& histogram, TurnQuantity quantity, int bin) {
    QStringList lines = readOut(histogram, quantity, bin);
    const QString range = lines.takeFirst();
    return range + QStringLiteral(": ") + lines.join(QStringLiteral(", "));
}

QString describeHistogram(const DistributionFigure& figure, TurnQuantity quantity) {
    const Histogram& histogram = histogramOf(figure, quantity);
    const Summary& summary = histogram.summary;
    if (summary.n == 0) {
        return QStringLiteral("No turns in scope.");
    }
    const bool bounds = quantity == TurnQuantity::Output && figure.inexactOutputTurns > 0;
    QString text =
        QStringLiteral("%1: median %2, mean %3, 90 % below %4, 99 % below %5 tokens, from %6 to %7.")
            .arg(turnsText(summary.n), countText(summary.p50), countText(summary.mean),
                 countText(summary.p90), countText(summary.p99), exactText(summary.min),
                 exactText(summary.max));
    if (quantity == TurnQuantity::Input && figure.aboutInputTurns > 0) {
        text += QStringLiteral(" %1 counts are estimates, as their logs record no cache.")
                    .arg(exactText(static_cast<std::int64_t>(figure.aboutInputTurns)));
    }
    if (bounds) {
        text += QStringLiteral(" %1 counts are lower bounds.")
                    .arg(exactText(static_cast<std::int64_t>(figure.inexactOutputTurns)));
    }
    return text;
}

} // namespace loadline::ui
