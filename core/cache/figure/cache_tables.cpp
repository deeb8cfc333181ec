// The numbers of the charts of caches.
#include "core/cache/figure/cache_words.h"
#include "core/text/table_columns.h"

#include <algorithm>
#include <utility>

namespace loadline {
namespace {

Cell whole(std::uint64_t n) {
    return static_cast<std::int64_t>(n);
}

/// A last column that says so where hits are lower bounds.
Table marked(Table table, bool least) {
    if (least) {
        addColumn(table, "hits_at_least", Cell(std::string("true")));
    }
    return table;
}

Cell timeOf(const RequestParts& request) {
    return isKnown(request.time) ? Cell(formatIso8601(request.time)) : Cell();
}

} // namespace

Table sharedTable(const CacheFigure& figure, const CacheSettings& settings) {
    Table table = tableWith("sessions capacity_blocks kv_bytes hit_blocks hit_blocks_alone");
    if (figure.caches.shared.empty()) {
        return marked(std::move(table), figure.caches.leastHits);
    }
    const double blockBytes =
        static_cast<double>(figure.caches.blockTokens) * layoutOf(settings).bytesPerToken();
    for (const std::uint64_t blocks : capacitiesOf(figure.caches.shared.back().contiguous, 40)) {
        for (const SharedCurve& curve : figure.caches.shared) {
            table.rows.push_back({whole(curve.sessions), whole(blocks),
                                  static_cast<double>(blocks) * blockBytes, curve.contiguous.hit(blocks),
                                  curve.contiguousAlone.hit(blocks)});
        }
    }
    return marked(std::move(table), figure.caches.leastHits);
}

Table requestsTable(const CacheFigure& figure, std::span<const RequestParts> requests) {
    Table table = tableWith("request start_utc start_s cached_tokens new_input_tokens output_tokens "
                            "tokens_paid_again cause evidence cached_from");
    const std::string from = figure.ofProvider()   ? "provider"
                             : figure.ofSessions() ? "estimated"
                                                   : "unlimited";
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const RequestParts& one = requests[i];
        const bool lost = one.lost != nullptr;
        table.rows.push_back({whole(i + 1), timeOf(one), one.startS, one.cached, one.newInput, one.output,
                              lost ? Cell(one.lost->paidAgain) : Cell(),
                              lost ? Cell(std::string(keyOf(one.lost->cause()))) : Cell(),
                              lost ? Cell(one.lost->reasons.front().evidence) : Cell(), from});
    }
    return table;
}

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
