// How many runs a preview takes, and how long they are.
#include "core/simulate/study/preview_runs.h"

#include "core/simulate/loop/rows.h"
#include "core/simulate/study/users_curve.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr std::int64_t mostSteps = 10'000; // of a run step by step
constexpr std::int64_t fastReplicas = 8;
constexpr std::int64_t fastCurveReplicas = 2;
constexpr std::int64_t fastCurveTurns = 500;     // a run ends there, if not before
constexpr std::int64_t fastCurveTurnsOfEach = 8; // but not before so many turns of each user

} // namespace

SimulationInputs previewOf(SimulationInputs inputs) {
    if (goesFast(inputs)) {
        inputs.replicas = fastReplicas;
        return inputs;
    }
    inputs.replicas = 1;
    inputs.length.iterations = std::min(inputs.length.iterations.value_or(mostSteps), mostSteps);
    return inputs;
}

SweepInputs previewCurveOf(const SimulationInputs& inputs, const std::vector<std::int64_t>& users) {
    SweepInputs curve;
    curve.base = previewOf(inputs);
    curve.users = users;
    if (!goesFast(inputs)) {
        curve.users = firstUsers(inputs, users);
        return curve;
    }
    curve.base.replicas = fastCurveReplicas;
    curve.base.warmStart = true;
    curve.base.length.turns = std::min(inputs.length.turns.value_or(fastCurveTurns), fastCurveTurns);
    curve.turnsPerUser = fastCurveTurnsOfEach;
    return curve;
}

} // namespace loadline
