// The steps behind a curve over users, for every change of what they take.
#include "core/simulate/study/same_steps.h"

#include "core/simulate/run/simulate.h"
#include "core/simulate/study/crossover.h"
#include "core/simulate/study/format_pair.h"

namespace loadline {

Result<SameSteps> SameSteps::of(const SimulationInputs& inputs, const std::vector<std::int64_t>& users,
                                const std::stop_token& stop) {
    SameSteps steps;
    for (const std::int64_t count : users) {
        SimulationInputs one = inputs;
        one.arrivals.users = count;
        one.goal = roughGoal();
        if (comparesFormats(one)) {
            const auto pair = serveFormats(one, 0, stop);
            if (!pair) {
                return pair.error();
            }
            if (stop.stop_requested() || !pair->turnsPerS) {
                break;
            }
            steps.users_.push_back(count);
            steps.rows_.push_back(pairedRowsOf(pair->own.all, pair->against.all));
            continue;
        }
        const auto runs = simulate(one, 0, stop);
        if (!runs) {
            return runs.error();
        }
        if (stop.stop_requested()) {
            break;
        }
        const SimulationResult all = pooled(runs->replicas);
        steps.users_.push_back(count);
        steps.rows_.push_back(rowsOf(all));
    }
    return steps;
}

CurveOutcome SameSteps::outcome(const GemmRates& rates, const GemmRates* other, double restShare) const {
    std::vector<double> ratios;
    for (const ReplicaRows& rows : rows_) {
        ReplicaRows rest = rows;
        rest.restUs *= restShare;
        rest.restFp16Us *= restShare;
        ratios.push_back(rest.ratio(gemmTimeOf(rows, rates, other)));
    }
    CurveOutcome outcome;
    const std::vector<Crossing> crossings = crossingsOf(users_, ratios);
    outcome.crossing = crossings.empty() ? std::nullopt : std::optional(crossings.front().users);
    outcome.fasterAtFirst = !ratios.empty() && ratios.front() < 1;
    outcome.crossingKnown = !ratios.empty();
    return outcome;
}

} // namespace loadline
