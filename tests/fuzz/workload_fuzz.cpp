// Any bytes as a workload: a value from which turns can be drawn, or a sentence.
#include "core/workload/source/read_workload.h"
#include "tests/fuzz/check.h"

namespace {

using namespace loadline;
using namespace loadline::fuzz;

void checkDistribution(std::string_view text) {
    const Result<TokenDistribution> distribution = distributionFromJson(text, "x");
    if (!distribution) {
        return checkError(distribution.error());
    }
    for (const BucketFrequencies* part : {&distribution->input, &distribution->output}) {
        double sum = 0;
        for (const auto& [bucket, share] : part->frequency) {
            check(bucket >= 1 && (bucket & (bucket - 1)) == 0 && share >= 0 && share <= 1);
            sum += share;
        }
        check(part->frequency.empty() || std::abs(sum - 1) < 0.01);
    }
    const auto again = distributionFromJson(toJson(*distribution), "x");
    check(again.hasValue());
    checkEqual(toJson(*again), toJson(*distribution));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    checkDistribution(text);
    const Result<Workload> workload = workloadFromText(text, "x");
    if (!workload) {
        checkError(workload.error());
        return 0;
    }
    check(!problemOf(*workload));
    const WorkloadSummary summary = summaryOf(*workload);
    check(isTime(summary.meanInput) && isTime(summary.meanOutput));
    for (const double gap : gapsS(*workload)) {
        check(isTime(gap));
    }
    const Workload other = resampled(*workload, size);
    check(!problemOf(other));
    for (const Workload* each : {&*workload, &other}) {
        const std::vector<DrawnTurn> turns = drawTurns(*each, 32, 1);
        check(turns.size() == 32);
        for (const DrawnTurn& turn : turns) {
            check(turn.input >= 1 && turn.output >= 1);
        }
        const std::vector<DrawnTurn> fewer = drawTurns(*each, 16, 1);
        check(std::equal(fewer.begin(), fewer.end(), turns.begin()));
    }
    return 0;
}
