// Any bytes as tiers of memory: what is read can be used, and is written so that it reads back equal.
#include "core/cache/tier/cache_tiers.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace loadline;
    using namespace loadline::fuzz;
    const Result<CacheTiers> tiers = cacheTiersFromText(fuzz::textOf(data, size), 100);
    if (!tiers) {
        checkError(tiers.error());
        return 0;
    }
    check(problemOf(*tiers).empty());
    const Result<CacheTiers> again = cacheTiersFromText(textOf(*tiers));
    check(again.hasValue() && *again == *tiers);
    return 0;
}
