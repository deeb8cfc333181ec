// Courses by plan, and latencies of the turns of a span.
#include "core/simulate/run/measured.h"

#include "core/base/radix_sort.h"
#include "core/simulate/run/rows_course.h"

#include <algorithm>
#include <utility>

namespace loadline {

Result<std::vector<SimulationResult>> measured(Course& course, const RunPlan& plan,
                                               const std::stop_token& stop) {
    constexpr std::int64_t looks = 64; // for turns that are still on their way
    const std::int64_t end = plan.warmUpSteps + plan.measuredSteps;
    if (auto problem = course.advance(plan.warmUpSteps, stop)) {
        return *problem;
    }
    course.take();
    std::vector<SimulationResult> parts;
    std::vector<double> bordersS = {course.mark().timeS};
    std::uint64_t answered = course.mark().answered;
    for (std::int64_t part = 0; part < plan.parts; ++part) {
        if (auto problem = course.advance(plan.endOf(part), stop)) {
            return *problem;
        }
        parts.push_back(course.take());
        const CourseMark mark = course.mark();
        bordersS.push_back(mark.timeS);
        parts.back().served = mark.answered - std::exchange(answered, mark.answered);
    }
    const std::int64_t grain = std::max<std::int64_t>(end / looks, 1);
    const std::int64_t last = end + static_cast<std::int64_t>(plan.followed * static_cast<double>(end));
    for (std::int64_t step = end + grain; step <= last && !stop.stop_requested() && !course.isOver() &&
                                          course.unfinishedIn(bordersS.front(), bordersS.back()) > 0;
         step += grain) {
        if (auto problem = course.advance(step, stop)) {
            return *problem;
        }
    }
    const std::vector<TurnRecord> turns = course.takeTurns();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        putTurns(parts[i], arrivedIn(turns, bordersS[i], bordersS[i + 1]));
    }
    return parts;
}

std::vector<TurnRecord> arrivedIn(std::span<const TurnRecord> turns, double fromS, double toS) {
    std::vector<TurnRecord> found;
    std::ranges::copy_if(turns, std::back_inserter(found), [&](const TurnRecord& turn) {
        return turn.arrivalS >= fromS && turn.arrivalS < toS;
    });
    radixSort(found, &TurnRecord::arrivalS);
    return found;
}

std::span<const TurnRecord> turnsBetween(std::span<const TurnRecord> turns, double fromS, double toS) {
    const auto begin = std::ranges::lower_bound(turns, fromS, {}, &TurnRecord::arrivalS);
    const auto end = std::ranges::lower_bound(turns, toS, {}, &TurnRecord::arrivalS);
    return {begin, end};
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
        radixSort(*values);
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
