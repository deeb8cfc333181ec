// Any bytes as tables of attention, decode and prefill: every time that is found is a time.
#include "core/cost/estimate/attention_table.h"

#include "tests/fuzz/check.h"

namespace {

using namespace loadline;
using namespace loadline::fuzz;

void checkLookups(const std::map<AttentionHeads, AttentionTable::ByBatch>& times) {
    for (const auto& [heads, byBatch] : times) {
        check(heads.qHeads >= 1 && heads.kvHeads >= 1 && heads.headDim >= 1 && !byBatch.empty());
        for (const auto& [first, curve] : byBatch) {
            check(first >= 1 && !curve.empty());
            for (const double batch : {1.0, 1.5, static_cast<double>(first), first + 0.5, 1e9}) {
                for (const double tokens : {1.0, curve.points().front().x, curve.points().back().x * 1.5}) {
                    const auto value = timeIn(times, heads, batch, tokens);
                    check(!value || (isTime(value->y) && isTime(value->error)));
                    const auto edge = edgeIn(times, heads, batch, tokens);
                    check(edge && isTime(edge->time.y) && edge->batch >= 1 && edge->tokens >= 1);
                }
            }
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto parts = partsOf(fuzz::textOf(data, size), 2);
    for (const auto& [decode, prefill] : {std::pair(parts[0], parts[1]), std::pair(parts[1], parts[0])}) {
        const auto table = attentionTableFromCsv(decode, prefill, "source", "device");
        if (!table) {
            checkError(table.error());
            continue;
        }
        checkLookups(table->decode);
        checkLookups(table->prefill);
    }
    return 0;
}
