// Any bytes as a dispatch rule: what is read serves every M, and its text reads back serving the same.
#include "core/cost/kernel/dispatch_text.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace loadline;
    using namespace loadline::fuzz;
    const Result<DispatchRule> rule = dispatchRuleFromText(fuzz::textOf(data, size));
    if (!rule) {
        checkError(rule.error());
        return 0;
    }
    check(!problemOf(*rule));
    const auto again = dispatchRuleFromText(loadline::textOf(*rule));
    check(again && *again == *rule);
    if (!rule->fastest) {
        const auto ranges = dispatchRuleFromText(rangesTextOf(*rule));
        check(ranges && ranges->dense == rule->dense && ranges->grouped == rule->grouped);
        check(!wordsOf(rule->dense).empty());
        for (const double m : {0.0, 1.0, 4.5, 17.0, 1e9}) {
            check(!isGrouped(kernelFor(*rule, false, m)) && isGrouped(kernelFor(*rule, true, m)));
        }
    }
    return 0;
}
