// The fast way: a closed loop without think time or bound on KV, advanced from event to event.
#pragma once

#include "core/base/thinned_sample.h"
#include "core/simulate/loop/rows_run.h"
#include "core/simulate/setup/inputs.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

/// True if the fast way applies: closed loop, no think time, sampled turns, GEMMs only; a policy that has a
/// loop, with choices that the loop knows.
bool goesFast(const SimulationInputs& inputs);
RowsSetup rowsSetupOf(const SimulationInputs& inputs);
/// Turns that a run takes at most; they may be fewer, then they start over (a run of more turns than that has
/// seen every one of them).
std::size_t turnsNeeded(const RowsSetup& setup);

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
    /// Runs with a clock: a step takes the time of its rows.
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
