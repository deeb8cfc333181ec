// Binomial loads, the routing kernel's steps, and swap-AB over the groups.
#include "core/cost/analytic/expert_step.h"

#include "core/cost/analytic/reference_counts.h"
#include "core/cost/analytic/swap_ab_time.h"
#include "core/cost/estimate/roofline.h"

#include <algorithm>
#include <cmath>

namespace loadline {

double expectedGroups(const LayerGemm& gemm, std::int64_t rowsM, int rowsPerGroup) {
    const double top = std::clamp<double>(gemm.expertsPerRow, 1, gemm.experts);
    const double chosen = top / gemm.experts;
    if (chosen >= 1) {
        return gemm.experts * std::ceil(static_cast<double>(rowsM) / rowsPerGroup);
    }
    double groups = 0;
    for (std::int64_t n = 1; n <= rowsM; ++n) {
        const auto all = static_cast<double>(rowsM);
        const auto those = static_cast<double>(n);
        const double log = std::lgamma(all + 1) - std::lgamma(those + 1) - std::lgamma(all - those + 1) +
                           those * std::log(chosen) + (all - those) * std::log1p(-chosen);
        groups += std::exp(log) * std::ceil(those / rowsPerGroup);
    }
    return gemm.experts * groups;
}

double routingUs(const GpuFacts& gpu, int experts, double assignments, const ModelAssumptions& assumed) {
    const GpuArchitecture& architecture = architectureOf(gpu);
    const double rounds = std::ceil(assignments / routingThreads);
    const double turns = std::ceil(static_cast<double>(experts) / routingExperts);
    // Choices come, and counters of experts rise; one warp sums over experts, every instruction waiting for
    // the one before; groups are written; choices come again, and rows get their places.
    const double cycles = rounds * (architecture.memoryCycles + assumed.sharedCycles) +
                          turns * routingLoop(architecture.counted).issued * assumed.dependentCycles +
                          2 * assumed.sharedCycles +
                          rounds * (architecture.cacheCycles + assumed.sharedCycles) +
                          4 * assumed.barrierCycles;
    return assumed.nodeUs + cycles / gpu.clockMhz;
}

std::optional<ExpertStep> expertStep(const GpuFacts& gpu, const LayerGemm& gemm, std::int64_t rowsM,
                                     int kBits, const ModelAssumptions& assumed) {
    if (!gemm.grouped()) {
        return std::nullopt;
    }
    ExpertStep step;
    step.rowsM = rowsM;
    step.load = expertLoad(gemm, static_cast<double>(rowsM));
    const auto even = modelledTime(gpu, Kernel::GroupedSwapAb, gemm.size, step.load.rowsPerExpert, kBits,
                                   step.load.activeExperts, assumed);
    if (!even) {
        return std::nullopt;
    }
    step.evenUs = even->us;
    const ModelledDevice device{gpu, architectureOf(gpu), *findHardware(gpu.hardware), assumed};
    const double assignments = step.load.rowsPerExpert * step.load.activeExperts;
    for (const int rows : groupRows) {
        const double groups = expectedGroups(gemm, rowsM, rows);
        const auto time = swapAbTime(
            device,
            {.size = gemm.size,
             .groups = groups,
             .rowsM = static_cast<double>(std::min<std::int64_t>(rows, rowsM)),
             .kBits = kBits,
             .routed = true,
             .bytes = workOf(Kernel::GroupedSwapAb, gemm.size, groups, assignments / groups, kBits).bytes});
        if (time && (step.unevenUs == 0 || time->us < step.unevenUs)) {
            step.unevenUs = time->us;
            step.rowsPerGroup = rows;
            step.groups = groups;
        }
    }
    step.routingUs = routingUs(gpu, gemm.experts, assignments, assumed);
    return step;
}

} // namespace loadline
