// One setting served in two formats, each with its own weights, KV room and runs: what is served, and its
// ratio.
#pragma once

#include "core/simulate/fit/kv_need.h"
#include "core/simulate/fit/memory_fit.h"
#include "core/simulate/run/kernel_draws.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/served_figure.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace loadline {

/// Share of a workload's turns that may be left aside without a word.
inline constexpr double fewRefused = 0.05;

/// True if each format is a run of its own: for whole steps. GEMMs alone, as the published study counts,
/// compare the time of the same batches.
bool comparesFormats(const SimulationInputs& inputs);

/// A ratio over runs that are paired by seed.
struct PairedRatio {
    double value = 0; ///< of all runs together
    /// 95 %, by Student's t over the logarithms of the runs' ratios; none of fewer than two runs.
    std::optional<double> low, high;
    /// The same by the runs' chance alone, where low and high hold the error of kernel times as well.
    std::optional<double> runsLow = {}, runsHigh = {};

    /// The ratio with the interval of the runs' chance alone.
    [[nodiscard]] PairedRatio ofRuns() const {
        return {.value = value, .low = runsLow ? runsLow : low, .high = runsHigh ? runsHigh : high};
    }
    /// True if 1 lies in the interval of the runs' chance: they do not tell the formats apart.
    [[nodiscard]] bool isEven() const { return ofRuns().isEvenAtMost(); }
    /// True if 1 lies in the whole interval: the error of kernel times may turn the order round.
    [[nodiscard]] bool isEvenAtMost() const { return low && high && *low <= 1 && *high >= 1; }

    bool operator==(const PairedRatio&) const = default;
};

/// `own` and `against` by run, as long as each other; runs without a ratio are left out of the interval.
PairedRatio pairedRatioOf(double value, std::span<const double> own, std::span<const double> against);

/// The interval with the error of kernel times beside the runs' chance; unchanged where there is none.
PairedRatio withKernelError(const PairedRatio& runs, double deviation);

/// How far the error of kernel times moves the figures of one setting.
struct KernelErrors {
    KernelError timeVsFp16; ///< on the same batches
    /// Error of the ratio of the formats' turns and tokens a second; none if turns come at a rate that both
    /// keep whatever their steps take, and if formats are not compared.
    std::optional<KernelError> vsAgainst;
    KernelError clock, againstClock; ///< of each format's own turns and tokens a second
    bool operator==(const KernelErrors&) const = default;
};

/// Error of the ratio of two formats' turns a second: `both` where the kernels set the pace of both, the
/// other's own where one of them serves turns as fast as they come; none where both do.
std::optional<KernelError> ratioErrorOf(const KernelError& own, const KernelError& against,
                                        const KernelError& both);

/// Returns the errors of runs in the format of `inputs` and in the other; `against`: null if the other has no
/// runs of its own.
KernelErrors kernelErrorsOf(const KernelDraws& draws, const SimulationInputs& inputs,
                            const SimulationResult& own, const SimulationResult* against);
/// The same with draws made for it. The Error names a kernel that has no time.
Result<KernelErrors> kernelErrorsOf(const SimulationInputs& inputs, const SimulationResult& own,
                                    const SimulationResult* against, unsigned threads = 0,
                                    const std::stop_token& stop = {});

/// Memory need and served figures of one format.
struct ServedFormat {
    Format format;
    MemoryFit memory;
    /// Its weights, and at least one turn beside them; all that its requests hold at once, where the memory
    /// does not bound them: of a policy that counts no blocks, or of blocks that are given.
    bool fits = true;
    std::int64_t kvBlocks = 0;    ///< 0: nothing bounds them, or they are not counted
    Tokens longestRequest = 0;    ///< its KV room allows no longer one; at most PolicySetup::maxModelLen
    double refusedShare = 0;      ///< of the workload's turns: longer than that
    double servedOutputShare = 1; ///< of the workload's output tokens
    std::optional<KvNeed> kvNeed; ///< only where the policy counts no blocks and the memory is known
    SimulationReplicas runs;      ///< on the turns that both serve; none where it does not fit
    SimulationResult all;         ///< these runs, pooled
};

struct FormatPair {
    ServedFormat own, against;
    Tokens longestRequest = 0; ///< of the turns compared: the smaller of the two, where both fit
    double refusedShare = 0;   ///< of the workload's turns: not compared, as one of the two refuses them
    bool isOneCourse = false;  ///< of a trace at its own times: without chance, so without intervals
    bool isAtRate = false;     ///< turns come at a rate, which both keep unless a queue grows
    double arrivingPerS = 0; ///< turns a second of the trace, while they arrive; 0: all at once, or no trace
    double contextLeftOut = 0;            ///< contextLeftOutOf()
    std::optional<PairedRatio> turnsPerS; ///< own / against; above 1: own serves more. None unless both fit
    /// In the intervals of turns and tokens a second, once setKernelErrors was called.
    std::optional<KernelErrors> kernelErrors = {};
    std::optional<ServedFormat> whole = {}; ///< of serveWhole(): runs on all turns that its own room holds

    /// True if how long turns wait for one of the formats, and until they end, tells how long its runs were.
    [[nodiscard]] bool waitsGrow() const { return own.all.waitsGrow() || against.all.waitsGrow(); }

    /// own / against, with kernelErrors in the interval of a rate; none unless both fit and both have it, and
    /// none of a wait where waits grow.
    [[nodiscard]] std::optional<PairedRatio> ratioOf(ServedFigure figure) const;
    /// Puts them into turnsPerS as well.
    void setKernelErrors(const KernelErrors& errors);
};

/// The inputs of both formats, on the turns that both serve. An `own` or `against` that does not fit leaves
/// the other's as it would be alone.
struct PairedInputs {
    SimulationInputs own, against;
    bool ownFits = true, againstFits = true;
    Tokens longestRequest = 0;
};
PairedInputs pairedInputsOf(const SimulationInputs& inputs);

/// Both formats, with the same seeds. Errors of simulate(), but memory that is too small for a format, which
/// is an answer. Precondition: comparesFormats(inputs).
Result<FormatPair> serveFormats(const SimulationInputs& inputs, unsigned threads = 0,
                                const std::stop_token& stop = {});

/// The format of the two that takes a good part more of the workload's turns; null: both take about the same.
const ServedFormat* takesMoreOf(const FormatPair& pair);

/// Sets pair.whole: one simulation more, of takesMoreOf() on its whole workload. Does nothing without one.
Status serveWhole(FormatPair& pair, const SimulationInputs& inputs, unsigned threads = 0,
                  const std::stop_token& stop = {});

} // namespace loadline
