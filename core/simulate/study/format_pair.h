// One setting served in two formats, each with its own weights, KV room and runs: what is served, and its
// ratio.
#pragma once

#include "core/simulate/answer/memory_fit.h"
#include "core/simulate/run/simulate.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace loadline {

/// True if each format is a run of its own: for whole steps. GEMMs alone, as the published study counts,
/// compare the time of the same batches.
bool comparesFormats(const SimulationInputs& inputs);

/// A ratio over runs that are paired by seed.
struct PairedRatio {
    double value = 0; ///< of all runs together
    /// 95 %, by Student's t over the logarithms of the runs' ratios; none of fewer than two runs.
    std::optional<double> low, high;

    /// True if 1 lies in the interval.
    [[nodiscard]] bool isEven() const { return low && high && *low <= 1 && *high >= 1; }

    bool operator==(const PairedRatio&) const = default;
};

/// `own` and `against` by run, as long as each other; runs without a ratio are left out of the interval.
PairedRatio pairedRatioOf(double value, std::span<const double> own, std::span<const double> against);

/// What one format needs and serves.
struct ServedFormat {
    Format format;
    MemoryFit memory;
    bool fits = true;             ///< its weights, and at least one turn beside them
    std::int64_t kvBlocks = 0;    ///< 0: nothing bounds them, or they are not counted
    Tokens longestRequest = 0;    ///< its KV room allows no longer one; at most PolicySetup::maxModelLen
    double refusedShare = 0;      ///< of the workload's turns: longer than that
    double servedOutputShare = 1; ///< of the workload's output tokens
    SimulationReplicas runs;      ///< on the turns that both serve; none where it does not fit
    SimulationResult all;         ///< these runs, pooled
};

struct FormatPair {
    ServedFormat own, against;
    Tokens longestRequest = 0; ///< of the turns compared: the smaller of the two, where both fit
    double refusedShare = 0;   ///< of the workload's turns: not compared, as one of the two refuses them
    bool isOneCourse = false;  ///< of a trace at its own times: without chance, so without intervals
    std::optional<PairedRatio> turnsPerS; ///< own / against; above 1: own serves more. None unless both fit
    std::optional<ServedFormat> whole;    ///< of serveWhole(): runs on all turns that its own room holds

    /// own / against of any figure of a run; none unless both fit and both have it.
    [[nodiscard]] std::optional<PairedRatio>
    ratioOf(const std::function<double(const SimulationResult&)>& figure) const;
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

/// "k = 4 serves 12 % more turns per second than fp16; TTFT p50 0.14 s against 9.3 s." Of a preview in fewer
/// digits.
std::string servingSentenceOf(const FormatPair& pair, bool isPreview = false);

/// "12 % more", "as many" where 1 lies in the interval, "1.9 times as many" from half more on.
std::string moreTurnsText(const PairedRatio& ratio, bool isPreview = false);

/// Figures of both formats as rows: name, own, against, ratio with its interval; numbers in words.
struct PairedFigure {
    std::string name; ///< "TTFT p50"
    std::string own, against, ratio;
};
std::vector<PairedFigure> pairedFiguresOf(const FormatPair& pair);

/// What both formats are compared on: "turns of at most 54 384 tokens: 99.9 % of them; fp16 refuses 0.1 %, k
/// = 4 0 %"; "" where neither refuses any.
std::string comparedOnText(const FormatPair& pair);

} // namespace loadline
