// Courses by plan, and latencies of the turns of a span.
#include "core/simulate/run/measured.h"

#include "core/simulate/loop/rows_course.h"

#include <algorithm>

namespace loadline {

Result<MeasuredCourse> measured(Course& course, const RunPlan& plan, const std::stop_token& stop) {
    constexpr std::int64_t looks = 64; // for turns that are still on their way
    const std::int64_t end = plan.warmUpSteps + plan.measuredSteps;
    MeasuredCourse result;
    if (auto problem = course.advance(plan.warmUpSteps, stop)) {
        return *problem;
    }
    course.take();
    result.from = course.mark();
    if (auto problem = course.advance(end, stop)) {
        return *problem;
    }
    result.sums = course.take();
    result.to = course.mark();
    const auto open = [&] { return course.unfinishedIn(result.from.timeS, result.to.timeS); };
    const std::int64_t grain = std::max<std::int64_t>(end / looks, 1);
    for (std::int64_t step = end + grain;
         step <= 2 * end && !stop.stop_requested() && !course.isOver() && open() > 0; step += grain) {
        if (auto problem = course.advance(step, stop)) {
            return *problem;
        }
    }
    result.turns = arrivedIn(course.takeTurns(), result.from.timeS, result.to.timeS);
    result.inFlight = open();
    putTurns(result.sums, result.turns);
    return result;
}

std::vector<TurnRecord> arrivedIn(std::span<const TurnRecord> turns, double fromS, double toS) {
    std::vector<TurnRecord> found;
    std::ranges::copy_if(turns, std::back_inserter(found), [&](const TurnRecord& turn) {
        return turn.arrivalS >= fromS && turn.arrivalS < toS;
    });
    std::ranges::stable_sort(found, {}, &TurnRecord::arrivalS);
    return found;
}

void putTurns(SimulationResult& result, std::span<const TurnRecord> turns) {
    auto all = std::make_shared<LatencySample>();
    all->ttftS.reserve(turns.size());
    all->e2eS.reserve(turns.size());
    for (const TurnRecord& turn : turns) {
        all->ttftS.push_back(turn.ttftS);
        all->e2eS.push_back(turn.e2eS);
        if (turn.tpotS >= 0) {
            all->tpotS.push_back(turn.tpotS);
        }
    }
    for (std::vector<double>* values : {&all->ttftS, &all->tpotS, &all->e2eS}) {
        std::ranges::sort(*values);
    }
    result.turns = turns.size();
    result.ttftS = quantilesOf(all->ttftS);
    result.tpotS = quantilesOf(all->tpotS);
    result.e2eS = quantilesOf(all->e2eS);
    result.latencies = std::move(all);
}

std::unique_ptr<Course> beginCourse(const SimulationInputs& inputs, const GemmRates& rates,
                                    std::span<const DrawnTurn> turns, std::uint64_t seed) {
    return goesFast(inputs) && !turns.empty() ? beginRows(inputs, rates, turns)
                                              : beginExact(inputs, rates, seed);
}

} // namespace loadline
