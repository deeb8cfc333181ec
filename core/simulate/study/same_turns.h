// The same turns at two settings: what one of them saves of the time, and how sure that is.
#pragma once

#include "core/simulate/run/result.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// The first turns that are answered in each of some runs; of runs until they are settled, as many turns as
/// are asked for, at the settled pace.
struct SameTurns {
    double us = 0;             ///< of a run on average
    std::vector<double> runUs; ///< of each run
    double preemptions = 0;    ///< a run
    double tokensIn = 0;       ///< prompt tokens computed in a run
    double ttftP50S = 0;
    double tpotP99S = 0;
};

/// Runs of inputs.seed, inputs.seed + 1, ..., each until `turns` turns are answered; where the length is left
/// open, until they are settled, to curveGoal(), a single one to roughGoal(). Nothing where that
/// cannot be simulated.
std::optional<SameTurns> sameTurnsOf(SimulationInputs inputs, std::int64_t turns, std::int64_t replicas,
                                     const std::stop_token& stop);

/// The same of settled runs that are there, on these inputs.
SameTurns sameTurnsOf(const SimulationReplicas& runs, const SimulationInputs& inputs, std::int64_t turns);
/// The same of runs of the seeds and the length of settled ones, whose plan is `plan`: comparable with these
/// run by run. Nothing where that cannot be simulated.
std::optional<SameTurns> sameTurnsOf(SimulationInputs inputs, const RunPlan& plan, std::int64_t turns,
                                     const std::stop_token& stop);

/// The share of the time of `now` that `best` saves; its band is that of the runs. None of a single run.
std::optional<Banded> savedBy(const SameTurns& best, const SameTurns& now);

/// "0.3 preemptions instead of 165, ..."; "" where preemptions are not what differs.
std::string whyLess(const SameTurns& best, const SameTurns& now);

} // namespace loadline
