// Turns that are under way when a run begins.
#pragma once

#include "core/simulate/run/result.h"
#include "core/workload/source/turn_table.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace loadline {

/// A turn that is there when a run begins.
struct Beginning {
    bool isUnderWay = false; ///< it is met in its answer
    std::size_t place = 0;   ///< Replayed: of its session, among those with turns
    std::size_t turn = 0;    ///< Replayed: in that session
    DrawnTurn drawn;         ///< Sampled, under way
    Tokens answered = 0;     ///< tokens of its answer that are there already, and belong to its prompt now
};

struct Beginnings {
    std::vector<Beginning> turns; ///< closed loop: one of each user
    bool fillMemory = false;      ///< with more memory more would be under way
};

/// Seconds of a step in which so many sequences decode, with so many tokens of context together, and so many
/// prompt tokens are computed.
using StepTime = std::function<double(double decodes, double context, double promptTokens)>;

/// Returns the beginnings of a run, by the seed. Closed loop: as many users as the server answers at once are
/// met in an answer, a long one more likely, by its length, at any token of it; the others wait with a turn
/// like any other. Those who think between turns are met in a pause, by how long it is, and none in an
/// answer. `sessions`: those with turns; `gapsS`: the pauses that thinking users draw from. At a rate: as
/// many answers are under way as come in the time that one takes (Little's law), by `stepS`. Precondition:
/// isSettling(inputs).
Beginnings beginningsOf(const SimulationInputs& inputs, const TurnTable& table,
                        std::span<const std::size_t> sessions, std::span<const double> gapsS,
                        const StepTime& stepS, std::uint64_t seed);

/// evenSpread from a place that the seed chooses.
double turnedSpread(std::uint64_t seed, std::int64_t index);

} // namespace loadline
