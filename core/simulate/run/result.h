// Result of a simulation: steps by their rows M, time by kernel, latencies, with their spread over replicas.
#pragma once

#include "core/base/result.h"
#include "core/base/statistics.h"
#include "core/simulate/loop/rows_run.h"
#include "core/simulate/setup/inputs.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadline {

/// The GEMM time of steps: the sum over M of steps x table.
struct GemmTime {
    double us = 0;
    double fp16Us = 0;
    double modelledUs = 0;     ///< of us, what stands on models rather than on timings of these shapes
    double modelledFp16Us = 0; ///< of fp16Us
    std::array<double, kernelCount> kernelUs{}; ///< by serving kernel
    GemmTime& operator+=(const GemmTime& more);
    [[nodiscard]] double ratio() const { return fp16Us > 0 ? us / fp16Us : 0; }
    bool operator==(const GemmTime&) const = default;
};

/// Latencies of all turns of a measured span, ascending: runs are pooled by them.
struct LatencySample {
    std::vector<double> ttftS, tpotS, e2eS;
};

/// One run, or several as one. Of a run that is measured after a warm-up: of its measured span, and of the
/// turns that began in it.
struct SimulationResult {
    std::int64_t runs = 1;
    std::int64_t users = 0;
    RowsHistogram rows;
    GemmTime gemm;                  ///< of all steps
    double wholeUs = 0;             ///< WholeStep: k-bit weights; else as gemm.us
    double wholeFp16Us = 0;         ///< the same steps with fp16 weights
    double attentionModelledUs = 0; ///< of both, attention that an engine's tables do not hold; no engine: 0
    double simulatedS = 0;          ///< the run's clock, idle time included
    std::uint64_t turns = 0;        ///< answered
    /// Answers that ended in the measured span of a run that has a warm-up. Above what can be
    /// served these are fewer than the turns that began in it.
    std::optional<std::uint64_t> served;
    std::uint64_t refusedTurns = 0;  ///< prompts beyond PolicySetup::maxModelLen
    std::uint64_t waitingTurns = 0;  ///< open loop: for their first token, when the run ends
    std::uint64_t growingQueues = 0; ///< open loop: runs whose turns came faster than they were answered
    bool isWholeTrace = false;       ///< of a trace at its own times that was answered to its end
    std::uint64_t tokensIn = 0;      ///< prompt tokens computed
    std::uint64_t tokensOut = 0;     ///< emitted
    Quantiles ttftS;                 ///< of turns answered: from the turn's arrival to its first token
    Quantiles tpotS;                 ///< (last - first) / (output - 1), of turns with two tokens or more
    Quantiles e2eS;
    std::shared_ptr<const LatencySample> latencies; ///< null: not kept, as runs of a given length are
    std::uint64_t preemptions = 0;
    std::uint64_t cachedTokens = 0;    ///< prompt tokens found in the prefix cache
    std::int64_t peakKvBlocks = 0;     ///< 0 where blocks are not counted
    std::int64_t peakBesideBlocks = 0; ///< of them, beside tokens (BlocksBeside)

    [[nodiscard]] double averageM() const { return rows.averageRows(); }
    [[nodiscard]] double decodeOnlyFraction() const;
    /// k-bit time / fp16 time of the same steps, in the scope that was asked for.
    [[nodiscard]] double timeVsFp16() const { return wholeFp16Us > 0 ? wholeUs / wholeFp16Us : 0; }
    [[nodiscard]] double throughputTokensPerS() const; ///< emitted tokens over the run's clock
    [[nodiscard]] double turnsPerS() const;            ///< answers that ended over the run's clock
    /// True if the queue of most runs grew for as long as turns came.
    [[nodiscard]] bool queueGrows() const { return 2 * growingQueues > static_cast<std::uint64_t>(runs); }
    /// True if waits measure how long the runs were: not of a trace that was answered to its end.
    [[nodiscard]] bool waitsGrow() const { return queueGrows() && !isWholeTrace; }
};

/// Shares of a GEMM time that stand on models rather than on timings of these shapes.
struct ModelledShares {
    double kBit = 0;
    double fp16 = 0;
    /// True if a ratio of the two stands on models more than on timings.
    [[nodiscard]] bool isMost() const { return kBit > 0.5 || fp16 > 0.5; }
    bool operator==(const ModelledShares&) const = default;
};
ModelledShares modelledSharesOf(const GemmTime& gemm);
/// "Modelled, not timed at these shapes and M: 49.3 % of the k-bit time, 30.1 % of fp16's."; "" where nothing
/// is.
std::string modelledShareSentence(const ModelledShares& shares);
/// The same; "" of an engine's kernels, whose share of the whole time whatCounts() tells.
std::string modelledSentenceOf(const SimulationInputs& inputs, const ModelledShares& shares);

/// "Turns come faster than they are answered: 1 234 wait at the end of a run, and latencies grow with its
/// length."; of a trace that was answered to its end, that TTFT grows through it; "" where the queue does not
/// grow.
std::string queueSentenceOf(const SimulationResult& result);

/// A value with its band.
struct Banded {
    double value = 0;
    double low = 0;
    double high = 0;
    bool operator==(const Banded&) const = default;
};

/// 95 % intervals of a latency: mean and quantiles of the settled system. An end that is not bounded is
/// infinite.
struct LatencyIntervals {
    Banded mean, p50, p90, p99;
    bool operator==(const LatencyIntervals&) const = default;
};

/// The limit that kept runs from going on until they were settled.
enum class RunBound : std::uint8_t { None, Steps, Turns };
std::string_view keyOf(RunBound bound); ///< "none", "steps", "turns"

/// How runs that last until they are settled ended. Times, steps and turns are of all runs together.
struct RunReport {
    bool settled = false; ///< every figure that is judged (settle.h) is as sure as it was asked to be
    RunBound bound = RunBound::None;
    RunPlan plan;                    ///< of each run
    std::uint64_t steps = 0;         ///< warm-up and the way to the last answer included
    double warmUpS = 0;              ///< simulated, left out
    double measuredS = 0;            ///< simulated
    std::uint64_t turnsStarted = 0;  ///< in the measured span
    std::uint64_t turnsFinished = 0; ///< of them
    std::uint64_t turnsInFlight = 0; ///< of them, those that were still under way at the end
    double inSystem = 0;             ///< turns that are not answered yet, over time on average
    double little = 0;               ///< turns a second x mean end-to-end time / inSystem: 1 by Little's law
    bool drifts = false;     ///< the second half of the span differs from the first by more than chance
    bool queueGrows = false; ///< open loop: turns come faster than they are answered
    Banded throughputTokensPerS, turnsPerS, timeVsFp16;
    LatencyIntervals ttftS, tpotS, e2eS;
    bool operator==(const RunReport&) const = default;
};

/// "Not settled after 2.1 M steps: TTFT p50 217 s \u00b1 40 %.", with the figure that is least sure, of
/// latencies only if there are any; "" where runs are settled, or had a given length, or a queue grows
/// (queueSentenceOf).
std::string unsettledSentenceOf(const std::optional<RunReport>& run, bool tellsLatencies,
                                bool isPreview = false);

/// Replicas of one setting: runs with seeds seed, seed + 1, ..., or RunPlan::parts of each.
struct SimulationReplicas {
    std::vector<SimulationResult> replicas;
    std::optional<RunReport> run; ///< of runs that ended by themselves; none where their length was given
    std::vector<std::string> provenance; ///< of times and workload
    ModelledShares modelled;
    double wallS = 0;        ///< what computing it took
    std::uint64_t steps = 0; ///< of all replicas
};

} // namespace loadline
