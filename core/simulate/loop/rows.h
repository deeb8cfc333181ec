// The fast way: a closed loop without think time or bound on KV, advanced from event to event.
#pragma once

#include "core/simulate/loop/rows_tally.h"
#include "core/simulate/run/result.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

/// What the fast way needs of a setting.
struct RowsSetup {
    Policy policy = Policy::SinglePrefill; ///< one that has a loop
    std::int64_t users = 1;
    Tokens chunkTokens = 512; ///< 0: none (VllmV1)
    Tokens budgetTokens = 8192;
    std::int64_t maxSeqs = 256;
    bool chunkedPrefill = true; ///< VllmV1
    StudyFit fit;               ///< SinglePrefill
    RunLength length;
    bool warmStart = false; ///< SimulationInputs::warmStart
    bool hasHead = false;   ///< the model's: its rows are counted, and timed where there is a clock
    bool operator==(const RowsSetup&) const = default;
};

/// Whether it applies: closed loop, no think time, sampled turns, GEMMs only; a policy that has a loop, with
/// choices that the loop knows.
bool goesFast(const SimulationInputs& inputs);
RowsSetup rowsSetupOf(const SimulationInputs& inputs);
/// Turns that a run takes at most; they may be fewer, then they start over (a run of more turns than that has
/// seen every one of them).
std::size_t turnsNeeded(const RowsSetup& setup);

/// Steps with `rows` rows, and forwards whose head had so many.
struct RowsCount {
    std::int32_t rows = 0;
    std::int64_t steps = 0;
    std::int64_t decodeOnly = 0; ///< of them
    std::int64_t headSteps = 0;
    bool operator==(const RowsCount&) const = default;
};

/// Each M of both tallies once, then each number of the head's rows; in no order.
std::vector<RowsCount> countsOf(const RowsTally& mixed, const RowsTally& decodeOnly, const RowsTally& head);
/// The same into `counts`, which keeps its memory.
void putCounts(std::vector<RowsCount>& counts, const RowsTally& mixed, const RowsTally& decodeOnly,
               const RowsTally& head);

struct RowsRun {
    std::vector<RowsCount> counts; ///< each M once, then each number of the head's rows once; in no order
    std::int64_t iterations = 0;
    std::int64_t decodeOnly = 0;
    std::int64_t turns = 0; ///< answered
    std::int64_t tokensIn = 0;
    std::int64_t tokensOut = 0;

    [[nodiscard]] RowsHistogram histogram() const;
};

/// Latencies of a run by the time of each step.
struct RowsTimes {
    double simulatedS = 0;
    ThinnedSample ttftS, tpotS,
        e2eS; ///< of answered turns, by answer; tpotS of those with two tokens or more
};

/// Runs settings one after the other on the same memory.
///
/// Single prefill, the published study's words: a step holds one token of everyone who decodes and one chunk
/// of the one prompt that is prefilled, as much of it as the budget leaves. Who is answered queues again at
/// once, first come first served; all begin in the queue. A turn of n output tokens decodes in n steps.
/// vLLM V1: spec/schedulers 1.2 with unlimited blocks; the step that ends a prompt emits its first token.
/// The k-th prompt that begins is turns[k % size], whatever the setting: common random numbers; of a warm
/// start, the k-th after warmTurns.
class RowsEngine {
public:
    /// Preconditions: problemOf finds nothing in the setup's values; turns are not empty and every input and
    /// output is 1 or more. Valid until the next run. When stopped, what there is so far.
    const RowsRun& run(const RowsSetup& setup, std::span<const DrawnTurn> turns,
                       const std::stop_token& stop = {});
    /// The same with a clock: a step takes what its rows take.
    const RowsRun& run(const RowsSetup& setup, std::span<const DrawnTurn> turns, const TimesByRows& usByRows,
                       RowsTimes& times, const std::stop_token& stop = {});

private:
    std::span<const DrawnTurn> begin(const RowsSetup& setup, std::span<const DrawnTurn> turns);
    const RowsRun& end();

    RowsRun run_;
    std::vector<DrawnTurn> warmed_;
    RowsTally mixed_;      ///< steps that prefill
    RowsTally decodeOnly_; ///< the others
    RowsTally head_;       ///< forwards by the rows of the head, where there is one
};

} // namespace loadline
