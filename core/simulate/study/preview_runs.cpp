// How many runs a preview takes, and how long they are.
#include "core/simulate/study/preview_runs.h"

#include "core/simulate/run/kernel_draws.h"
#include "core/simulate/run/rows.h"
#include "core/simulate/study/preview_words.h"
#include "core/simulate/study/users_curve.h"

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

constexpr std::int64_t mostSteps = 10'000; // of a run step by step
constexpr std::int64_t presentReplicas = 8;
constexpr std::int64_t fewReplicas = 4; // step by step
constexpr double shortlyFollowed = 0.25;

/// Runs in closed form that begin warm.
struct ShortRuns {
    std::int64_t replicas = 1;
    std::int64_t turns = 0;       ///< a run ends there, if not before
    std::int64_t turnsOfUser = 0; ///< but not before so many turns of each user
};
constexpr ShortRuns ofCurve{2, 500, 8};
constexpr ShortRuns ofMap{1, 300, 3};

SweepInputs shortened(SimulationInputs inputs, const ShortRuns& runs) {
    inputs.replicas = runs.replicas;
    inputs.warmStart = true;
    inputs.length.turns = std::min(inputs.length.turns.value_or(runs.turns), runs.turns);
    SweepInputs sweep;
    sweep.base = std::move(inputs);
    sweep.turnsPerUser = runs.turnsOfUser;
    return sweep;
}

} // namespace

SimulationInputs previewOf(SimulationInputs inputs) {
    const bool fast = goesFast(inputs);
    inputs.replicas = fast ? presentReplicas : fewReplicas;
    if (isSettling(inputs)) {
        inputs.goal.emplace().mostSteps = inputs.replicas * (fast ? 1 << 14 : 1 << 12);
        inputs.goal->followed = shortlyFollowed;
        return inputs;
    }
    if (!fast) {
        inputs.replicas = 1;
        inputs.length.iterations = std::min(inputs.length.iterations.value_or(mostSteps), mostSteps);
    }
    return inputs;
}

SweepInputs previewCurveOf(const SimulationInputs& inputs, const std::vector<std::int64_t>& users) {
    SweepInputs curve;
    if (goesFast(inputs)) {
        curve = shortened(inputs, ofCurve);
    } else {
        curve.base = previewOf(inputs);
        if (curve.base.goal) { // of half as many runs, half as long: nine points in the time of one setting
            curve.base.replicas = fewReplicas / 2;
            curve.base.goal->mostSteps = curve.base.replicas << 11;
            curve.base.goal->leastOfRun = 1 << 11;
        }
    }
    curve.users = firstUsers(inputs, users); // the present ones among them
    return curve;
}

std::optional<SweepInputs> previewMapOf(const SimulationInputs& inputs,
                                        const std::vector<std::int64_t>& users,
                                        const std::vector<Tokens>& chunks) {
    if (!goesFast(inputs)) {
        return std::nullopt;
    }
    SweepInputs map = shortened(inputs, ofMap);
    map.users = users;
    map.chunks = chunks;
    return map;
}

bool isRough(const SweepPoint& point) {
    return point.isPreview && point.answersOfUser > 0 && point.answersOfUser < fewAnswers;
}

void markPreview(SweepResult& curve, const SimulationInputs& inputs) {
    for (SweepPoint& point : curve.points) {
        point.isPreview = true;
        if (goesFast(inputs)) {
            continue;
        }
        const double deviation = isRough(point) ? fewAnswersError : shortRunsError;
        if (point.against) {
            point.against->pace = withKernelError(point.against->pace, deviation);
            point.against->turnsPerS = withKernelError(point.against->turnsPerS, deviation);
        } else {
            point.timeVsFp16 = withKernelError(point.timeVsFp16, deviation);
        }
    }
}

} // namespace loadline
