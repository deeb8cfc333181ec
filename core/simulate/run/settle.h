// Runs that last until what they say of the settled system is sure enough.
#pragma once

#include "core/simulate/run/measured.h"
#include "core/simulate/run/settle_judge.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

struct SettledRuns {
    std::vector<SimulationResult> replicas; ///< parts of the measured spans, run by run; none when stopped
    RunReport report;
};

/// inputs.replicas / partsOf(inputs.replicas) runs, which advance together in rounds of twice the length
/// each. After a round every run goes on, with its load, until the turns that began in its measured span are
/// answered; the first quarter of a run is warm-up and left out. It ends once the runs are settled, or a
/// queue is seen to grow, or the goal's bounds are met. `turns`: by run, of turnsFor. The answer does not
/// depend on threads. Precondition: isSettling(inputs).
Result<SettledRuns> settle(const SimulationInputs& inputs, const GemmRates& rates,
                           std::span<const std::vector<DrawnTurn>> turns, const SettleGoal& goal,
                           unsigned threads, const std::stop_token& stop = {});

/// Turns that a run to this goal takes at most, for turnsFor; none where the fast way does not apply.
std::size_t turnsToSettle(const SimulationInputs& inputs, const SettleGoal& goal);
/// Steps of one run at which `goal` ends.
std::int64_t longestRunOf(const SettleGoal& goal, std::int64_t runs);

} // namespace loadline
