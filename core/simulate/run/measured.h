// The measured part of a run that goes on: what its steps hold, and the turns that begin in it.
#pragma once

#include "core/simulate/run/course.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

/// Runs a course by a plan: through its warm-up, its measured steps, and on until every turn that began in
/// these is answered, or RunPlan::followed ends it. A result for each part of the plan; its turns and
/// latencies are those that arrived in it and are answered. Precondition: the course is at its beginning.
Result<std::vector<SimulationResult>> measured(Course& course, const RunPlan& plan,
                                               const std::stop_token& stop);

/// Turns that arrived in [fromS, toS), by arrival.
std::vector<TurnRecord> arrivedIn(std::span<const TurnRecord> turns, double fromS, double toS);
/// Returns the turns, of `turns` by arrival, that arrived in [fromS, toS).
std::span<const TurnRecord> turnsBetween(std::span<const TurnRecord> turns, double fromS, double toS);
/// Sets the latencies of a result, and keeps all of them beside it, so that results can be pooled.
void putTurns(SimulationResult& result, std::span<const TurnRecord> turns);

/// A course of these inputs, by whichever way applies. `turns` of turnsFor; where they are empty, or the
/// setting needs it, the exact way draws its own from `seed`. All that is given outlives the course.
std::unique_ptr<Course> beginCourse(const SimulationInputs& inputs, const GemmRates& rates,
                                    std::span<const DrawnTurn> turns, std::uint64_t seed);

} // namespace loadline
