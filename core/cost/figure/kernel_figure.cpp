// Makes the curves of one shape from a profile.
#include "core/cost/figure/kernel_figure.h"

#include "core/base/statistics.h"
#include "core/cost/analytic/modelled_words.h"
#include "core/cost/estimate/served_time.h"
#include "core/cost/figure/kernel_crossings.h"
#include "core/cost/profile/time_bar.h"
#include "core/cost/profile/unsteady.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace loadline {
namespace {

constexpr double leastMost = 16;   // M that an axis reaches at least
constexpr double beyondFactor = 2; // how far a curve is drawn beyond its points
constexpr int samplesPerOctave = 8;
constexpr std::int64_t everyRowDrawnTo = 64; // steps of tiles are seen

bool isOf(const ProfilePoint& point, const TimedShape& shape) {
    return point.size == shape.size && point.experts == shape.experts;
}

bool isOf(const ProfilePoint& point, Kernel kernel, int kBits) {
    return point.kernel == kernel && (!readsKBits(kernel) || point.kBits == kBits);
}

/// Returns the kernels drawn for a shape: those that serve it, and those that serve none.
std::vector<Kernel> kernelsFor(const TimedShape& shape) {
    std::vector<Kernel> kernels;
    for (const Kernel kernel : profiledKernels) {
        if (!specOf(kernel).serves || canServe(kernel, shape.experts > 1)) {
            kernels.push_back(kernel);
        }
    }
    return kernels;
}

/// The largest M that was timed; 0: none was.
std::int64_t lastTimed(const Profile& profile, const TimedShape& shape, Kernel kernel, int kBits) {
    std::int64_t last = 0;
    for (const ProfilePoint& point : profile.points) {
        if (isOf(point, shape) && isOf(point, kernel, kBits)) {
            last = std::max({last, point.rowsM, std::int64_t{1}});
        }
    }
    return last;
}

/// The least M that was timed; 0: none was.
std::int64_t firstTimed(const Profile& profile, const TimedShape& shape, Kernel kernel, int kBits) {
    std::int64_t first = 0;
    for (const ProfilePoint& point : profile.points) {
        if (isOf(point, shape) && isOf(point, kernel, kBits)) {
            const std::int64_t rowsM = std::max(point.rowsM, std::int64_t{1});
            first = first == 0 ? rowsM : std::min(first, rowsM);
        }
    }
    return first;
}

/// Returns the least M that was timed; for a pair, of the pair itself or of its part that depends on M.
std::int64_t firstServed(const Profile& profile, const TimedShape& shape, Kernel kernel, int kBits) {
    const KernelParts parts = partsOf(kernel);
    const std::int64_t own = firstTimed(profile, shape, kernel, kBits);
    if (!parts.second || firstTimed(profile, shape, parts.first, kBits) == 0) {
        return own;
    }
    const std::int64_t part = firstTimed(profile, shape, *parts.second, kBits);
    return own == 0 ? part : part == 0 ? own : std::min(own, part);
}

/// True if our model calculated all that is drawn of this kernel, so that it knows what takes longest.
bool isOurModel(const Profile& profile, const TimedShape& shape, Kernel kernel, int kBits) {
    bool any = false;
    for (const ProfilePoint& point : profile.points) {
        if (isOf(point, shape) && isOf(point, kernel, kBits)) {
            any = true;
            if (!isUnvalidated(point) || !point.name.empty()) {
                return false;
            }
        }
    }
    return any;
}

/// Returns the largest M that was timed; for a pair, of the pair itself or of its part that depends on M.
std::int64_t lastServed(const Profile& profile, const TimedShape& shape, Kernel kernel, int kBits) {
    const KernelParts parts = partsOf(kernel);
    const std::int64_t own = lastTimed(profile, shape, kernel, kBits);
    if (!parts.second || lastTimed(profile, shape, parts.first, kBits) == 0) {
        return own;
    }
    return std::max(own, lastTimed(profile, shape, *parts.second, kBits));
}

std::vector<double> rowsTo(double most, const std::vector<KernelMark>& marks) {
    std::set<double> rows;
    for (std::int64_t m = 1; m <= everyRowDrawnTo && static_cast<double>(m) <= most; ++m) {
        rows.insert(static_cast<double>(m));
    }
    for (int i = 0;; ++i) {
        const double m = std::round(std::exp2(static_cast<double>(i) / samplesPerOctave));
        if (m > most) {
            break;
        }
        rows.insert(m);
    }
    for (const KernelMark& mark : marks) {
        rows.insert(mark.rowsM);
    }
    rows.insert(most);
    return {rows.begin(), rows.end()};
}

std::vector<KernelMark> marksOf(const Profile& profile, const KernelTimes& times, const TimedShape& shape,
                                Kernel kernel, int kBits, const std::optional<KernelBounds>& bounds) {
    std::vector<KernelMark> marks;
    for (std::size_t i = 0; i < profile.points.size(); ++i) {
        const ProfilePoint& point = profile.points[i];
        if (!isOf(point, shape) || !isOf(point, kernel, kBits)) {
            continue;
        }
        KernelMark mark;
        mark.point = i;
        mark.rowsM = static_cast<double>(std::max<std::int64_t>(point.rowsM, 1));
        mark.us = point.timeUs;
        const TimeBar bar = barOf(point);
        mark.low = bar.low;
        mark.high = bar.high;
        if (bounds) {
            const BoundTime bound = boundOf(*bounds, kernel, shape, mark.rowsM, point.kBits);
            mark.boundUs = bound.us;
            mark.fraction = mark.us > 0 ? bound.us / mark.us : 0;
            mark.byArithmetic = bound.byArithmetic;
        }
        const KernelSeries* const series = times.series(kernel, shape.size, shape.experts, kBits);
        if (series != nullptr && series->overParts.covers(mark.rowsM)) {
            const double ratio = series->overParts.at(mark.rowsM).y;
            mark.partsUs = mark.us / ratio;
            const CurveValue factor = series->factor.at(mark.rowsM);
            const bool corrects = factor.exact && (factor.y != 1 || ratio == 1); // KernelSeries::factor
            mark.factor = corrects ? factor.y : 0;
        }
        marks.push_back(mark);
    }
    std::ranges::sort(marks, {}, &KernelMark::rowsM);
    return marks;
}

void addCurves(KernelFigure& figure, int index, const Profile& profile, const KernelTimes& times) {
    const auto& [shape, kBits] = std::pair(figure.inputs.shape, figure.inputs.kBits);
    const std::optional<KernelBounds> measured = measuredBounds(profile);
    const std::optional<KernelBounds> bounds = measured ? measured : datasheetBounds(profile);
    for (const Kernel kernel : kernelsFor(shape)) {
        KernelCurve curve;
        curve.kernel = kernel;
        curve.profile = index;
        curve.lastM = lastServed(profile, shape, kernel, kBits);
        if (curve.lastM == 0) {
            continue;
        }
        curve.firstM = firstServed(profile, shape, kernel, kBits);
        curve.marks = marksOf(profile, times, shape, kernel, kBits, bounds);
        const double most = !specOf(kernel).serves
                                ? figure.mostRows
                                : std::min(figure.mostRows, beyondFactor * static_cast<double>(curve.lastM));
        for (const double m : rowsTo(most, curve.marks)) {
            if (const auto time = servedTime(times, kernel, shape.size, shape.experts, m, kBits)) {
                curve.line.push_back({m, time->sum()});
            }
        }
        figure.curves.push_back(std::move(curve));
    }
}

double mostRowsOf(const Profile& profile, const TimedShape& shape, int kBits) {
    double most = leastMost;
    for (const Kernel kernel : kernelsFor(shape)) {
        most = std::max(most, static_cast<double>(lastTimed(profile, shape, kernel, kBits)));
    }
    return most;
}

/// Median of time / other time over the points of this shape that both have.
std::vector<KernelComparison> comparisonsOf(const KernelFigure& figure) {
    std::vector<KernelComparison> all;
    for (const KernelCurve& mine : figure.curves) {
        for (const KernelCurve& other : figure.curves) {
            if (mine.profile != 0 || other.profile != 1 || mine.kernel != other.kernel) {
                continue;
            }
            const Profile& ours = *figure.inputs.profile;
            const Profile& theirs = *figure.inputs.compared;
            std::vector<double> logs;
            std::vector<double> errors;
            bool any = false;
            for (const KernelMark& a : mine.marks) {
                for (const KernelMark& b : other.marks) {
                    if (a.rowsM != b.rowsM || !(b.us > 0) || !(a.us > 0)) {
                        continue;
                    }
                    any = true;
                    const ProfilePoint& one = ours.points[a.point];
                    const ProfilePoint& two = theirs.points[b.point];
                    if (!isFlagged(one) && !isFlagged(two) && isWarm(one) == isWarm(two)) {
                        logs.push_back(std::log(a.us / b.us));
                        errors.push_back(std::hypot(relativeErrorOf(one), relativeErrorOf(two)));
                    }
                }
            }
            if (any) {
                all.push_back({mine.kernel, logs.empty() ? 1 : std::exp(medianOf(logs)),
                               static_cast<int>(logs.size()), errors.empty() ? 0 : medianOf(errors)});
            }
        }
    }
    return all;
}

std::vector<BoundLine> boundLines(const Profile& profile, const KernelFigureInputs& inputs, double mostRows) {
    std::vector<BoundLine> lines;
    const Kernel fp16 = fp16Kernel(inputs.shape.experts > 1);
    const Kernel kBit = formOf(Kernel::Mma, inputs.shape.experts > 1);
    for (const bool measured : {false, true}) {
        std::optional<KernelBounds> bounds = measured ? measuredBounds(profile) : datasheetBounds(profile);
        if (!bounds) {
            continue;
        }
        if (!measured) {
            bounds->gemmTflopS = 0; // the byte floor
        }
        for (const Kernel kernel : {kBit, fp16}) {
            BoundLine line{kernel == fp16, measured, {}};
            for (const double m : rowsTo(mostRows, {})) {
                line.line.emplace_back(m, boundOf(*bounds, kernel, inputs.shape, m, inputs.kBits).us);
            }
            lines.push_back(std::move(line));
        }
    }
    return lines;
}

} // namespace

KernelFigure kernelFigure(const KernelFigureInputs& inputs) {
    KernelFigure figure;
    figure.inputs = inputs;
    const Profile& profile = *inputs.profile;
    figure.mostRows = mostRowsOf(profile, inputs.shape, inputs.kBits);
    if (inputs.compared) {
        figure.mostRows = std::max(figure.mostRows, mostRowsOf(*inputs.compared, inputs.shape, inputs.kBits));
    }
    const KernelTimes times(profile, nullptr);
    addCurves(figure, 0, profile, times);
    for (const KernelCurve& curve : figure.curves) {
        const KernelSeries* const series =
            times.series(curve.kernel, inputs.shape.size, inputs.shape.experts, inputs.kBits);
        const bool isOfShape =
            series != nullptr && series->size == inputs.shape.size && series->experts == inputs.shape.experts;
        figure.passedBy += isOfShape ? series->passedBy : 0;
    }
    const KernelEnvelope envelope = envelopeOf(figure.curves, times, inputs.shape, inputs.kBits);
    figure.crossings = envelope.crossings;
    figure.fp16Spans = envelope.fp16Spans;
    figure.fp16Starts = envelope.fp16Starts;
    figure.fp16Wins = envelope.fp16Wins;
    figure.fastestFirst = envelope.first;
    figure.fp16FromM = envelope.fp16FromM;
    figure.fp16ToM = envelope.fp16ToM;
    if (inputs.compared) {
        addCurves(figure, 1, *inputs.compared, KernelTimes(*inputs.compared, nullptr));
        figure.comparisons = comparisonsOf(figure);
    }
    figure.bounds = boundLines(profile, inputs, figure.mostRows);
    const GpuFacts* const gpu = findGpu(profile.hardware);
    if (gpu != nullptr) {
        const auto& [size, experts] = inputs.shape;
        figure.againstModel = againstModel(profile, size, experts, inputs.kBits);
        const Kernel swapAb = formOf(Kernel::SwapAb, experts > 1);
        figure.limits = isOurModel(profile, inputs.shape, swapAb, inputs.kBits)
                            ? limitsText(*gpu, size, experts, inputs.kBits)
                            : "";
    }
    const std::optional<KernelBounds> measured = measuredBounds(profile);
    const std::optional<KernelBounds> bounds = measured ? measured : datasheetBounds(profile);
    figure.boundSource = bounds ? bounds->source : "";
    figure.provenance = provenanceLines(profile);
    if (inputs.compared) {
        for (const std::string& line : provenanceLines(*inputs.compared)) {
            figure.provenance.push_back("compared: " + line);
        }
    }
    figure.sentence = kernelSentence(figure);
    return figure;
}

} // namespace loadline
