// Simulates a setting and its curve over users.
#include "core/simulate/study/curve_outcome.h"

#include "core/simulate/run/replica.h"
#include "core/simulate/study/crossover.h"
#include "core/simulate/study/format_pair.h"
#include "core/simulate/study/sweep_misfits.h"

namespace loadline {

bool hasCurve(const SimulationInputs& inputs, const std::vector<std::int64_t>& users) {
    return inputs.arrivals.kind == ArrivalKind::Closed && !users.empty();
}

Result<CurveOutcome> outcomeOf(const SimulationInputs& inputs, const std::vector<std::int64_t>& users,
                               const std::stop_token& stop) {
    if (comparesWithNothing(inputs)) {
        return CurveOutcome{};
    }
    SweepInputs one;
    one.base = inputs;
    const auto present = sweep(one, stop);
    if (!present) {
        return present.error();
    }
    CurveOutcome outcome;
    if (present->points.empty()) {
        return outcome; // stopped
    }
    outcome.timeVsFp16 = present->points.front().timeVsFp16.value;
    if (!hasCurve(inputs, users)) {
        return outcome;
    }
    SweepInputs all;
    all.base = inputs;
    all.users = users;
    const auto curve = sweep(all, stop);
    if (!curve) {
        return curve.error();
    }
    if (curve->points.empty()) {
        return CurveOutcome{}; // stopped
    }
    const SweepResult fitting = withoutMisfits(*curve);
    if (fitting.points.empty() || (comparesFormats(inputs) && !fitting.points.front().against)) {
        outcome.crossingKnown = false;
        return outcome;
    }
    outcome.fasterAtFirst = fitting.points.front().pace().value < 1;
    const std::vector<Crossover> crossovers = crossoversOf(fitting, inputs.scope);
    if (!crossovers.front().crossings.empty()) {
        outcome.crossing = crossovers.front().crossings.front().users;
    }
    return outcome;
}

} // namespace loadline
