// Runs of the exact scheduler: whole, recorded, or as a course that goes on.
#include "core/simulate/run/exact.h"

#include "core/simulate/run/exact_course.h"
#include "core/simulate/run/measured.h"

#include <memory>

namespace loadline {
namespace {

constexpr std::int64_t unbounded = std::int64_t{1} << 40;  // blocks counted alone cost no memory
constexpr std::int64_t mostCached = std::int64_t{1} << 20; // blocks with identity do

const ExactObserver nobody;

} // namespace

Result<SimulationResult> runExact(const SimulationInputs& inputs, const GemmRates& rates, std::uint64_t seed,
                                  const std::stop_token& stop, const ExactObserver& observer) {
    return withPolicy(inputs.policy.policy, [&]<typename P>(P) {
        return ExactCourse<P>(inputs, &rates, seed, observer, nullptr).run(stop);
    });
}

std::unique_ptr<Course> beginExact(const SimulationInputs& inputs, const GemmRates& rates,
                                   std::uint64_t seed) {
    return withPolicy(inputs.policy.policy, [&]<typename P>(P) -> std::unique_ptr<Course> {
        return std::make_unique<ExactCourse<P>>(inputs, &rates, seed, nobody, nullptr);
    });
}

Result<ScheduleRecord> recordExact(const SimulationInputs& inputs, std::uint64_t seed,
                                   const std::stop_token& stop) {
    return withPolicy(inputs.policy.policy, [&]<typename P>(P) -> Result<ScheduleRecord> {
        ScheduleRecord record;
        ExactCourse<P> course(inputs, nullptr, seed, nobody, &record);
        if (inputs.plan) {
            auto parts = measured(course, *inputs.plan, stop);
            if (!parts) {
                return parts.error();
            }
            course.noteBound();
            record.sums = std::move(*parts);
            record.plan = inputs.plan;
        } else {
            auto sums = course.run(stop);
            if (!sums) {
                return sums.error();
            }
            record.sums = {std::move(*sums)};
        }
        for (SimulationResult& sums : record.sums) {
            sums.rows = {};
            sums.ttftS = sums.tpotS = sums.e2eS = {};
            sums.latencies = nullptr;
        }
        record.forwards.shrink_to_fit();
        record.attentionUs.shrink_to_fit();
        record.turns.shrink_to_fit();
        return record;
    });
}

std::int64_t blocksInForce(const SimulationInputs& inputs) {
    if (!specOf(inputs.policy.policy).paged) {
        return 0;
    }
    return kvBlocksOf(inputs).value_or(sharesPrefixes(inputs) ? mostCached : unbounded);
}

} // namespace loadline
