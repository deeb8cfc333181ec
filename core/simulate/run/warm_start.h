// A closed loop that begins amid its turns: for runs too short to outlive the crowd of their opening.
#pragma once

#include "core/simulate/run/rows.h"

#include <span>
#include <vector>

namespace loadline {

/// The turns to put before `turns`: the users who decode in the steady state are found amid an output, a long
/// one more likely by its length, with the rest of it to come and a prompt of one token. Where prompts take
/// longer than outputs the others queue, as they would. A pure function of its inputs; for more users it only
/// adds turns. Latencies of the first `users` turns are not of the steady state.
std::vector<DrawnTurn> warmTurns(const RowsSetup& setup, std::span<const DrawnTurn> turns);

} // namespace loadline
