// Words on times whose weights came from a cache.
#include "core/cost/figure/warm_words.h"

#include "core/cost/estimate/least_time.h"
#include "core/cost/figure/fp16_words.h"
#include "core/cost/figure/kernel_crossings.h"
#include "core/cost/profile/unsteady.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace loadline {
namespace {

std::size_t warmMarks(const KernelFigure& figure) {
    std::size_t warm = 0;
    for (const KernelCurve& curve : figure.curves) {
        for (const KernelMark& mark : curve.marks) {
            warm += curve.profile == 0 && isWarm(figure.inputs.profile->points[mark.point]) ? 1 : 0;
        }
    }
    return warm;
}

/// The figure with what its kernels' order is where warm times are held to the floor.
KernelFigure orderedAtFloor(const KernelFigure& figure) {
    const auto& [shape, kBits] = std::pair(figure.inputs.shape, figure.inputs.kBits);
    const KernelTimes times(heldToFloor(*figure.inputs.profile), nullptr);
    std::vector<KernelCurve> curves;
    for (const KernelCurve& curve : figure.curves) {
        if (curve.profile == 0) {
            curves.push_back(curve);
        }
    }
    KernelEnvelope envelope = envelopeOf(curves, times, shape, kBits);
    KernelFigure held;
    held.inputs = figure.inputs;
    held.fp16Spans = std::move(envelope.fp16Spans);
    held.fp16Starts = std::move(envelope.fp16Starts);
    held.fp16Wins = envelope.fp16Wins;
    held.fp16FromM = envelope.fp16FromM;
    held.fp16ToM = envelope.fp16ToM;
    return held;
}

} // namespace

std::string warmSentenceOf(const KernelFigure& figure, const std::string& timedWord) {
    const std::size_t warm = warmMarks(figure);
    if (warm == 0) {
        return "";
    }
    const std::string text =
        fmt::format(" {} {} warm, below the byte floor:", counted(warm, "time"), warm == 1 ? "is" : "are");
    const KernelFigure atFloor = orderedAtFloor(figure);
    const std::string held = againstFp16Text(atFloor, timedWord);
    if (held.empty() || held == againstFp16Text(figure, timedWord)) {
        return text + " from a cache.";
    }
    return atFloor.fp16Wins
               ? text + fmt::format(" held to it, {} is faster from M = {}.",
                                    nameOf(fp16Kernel(figure.inputs.shape.experts > 1), namingOf(figure, 0)),
                                    crossingText(*atFloor.fp16Wins))
               : text + " from a cache. Held to it:" + held;
}

} // namespace loadline
