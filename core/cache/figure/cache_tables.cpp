// The numbers of the charts of caches.
#include "core/cache/figure/cache_words.h"
#include "core/text/table_columns.h"

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

/// A last column that says so where hits are lower bounds.
Table marked(Table table, bool least) {
    if (least) {
        addColumn(table, "hits_at_least", Cell(std::string("true")));
    }
    return table;
}

} // namespace

Table splitTable(const CacheFigure& figure, const CacheSettings& settings) {
    Table table = tableWith("case hit_rate prefill_work_left gpus gpus_freed speed_up bound prefill_gpus "
                            "decode_gpus");
    const auto add = [&](const char* name, double hitRate, const PrefillDecodeSplit& split) {
        table.rows.push_back({std::string(name), hitRate, split.workLeft, settings.fleet.gpus,
                              split.gpusFreed, split.speedUp, split.bound, split.prefillGpus,
                              split.decodeGpus});
    };
    const SplitHit hit = splitHitOf(figure, settings);
    add("before", 0, splitWith(settings.fleet, 1));
    add("linear", hit.rate, splitWith(settings.fleet, 1 - hit.rate));
    add("with_attention", hit.rate, splitWithAttention(figure, settings));
    add("limit", 1, splitWith(settings.fleet, 0));
    return marked(std::move(table), hit.least);
}

} // namespace loadline
