// The order is stable, so that equal rows keep the usual order.
#include "core/cache/composition/composition_order.h"

#include "core/text/enum_words.h"

#include <algorithm>

namespace loadline {
namespace {

/// Returns the value to sort by; larger values come first.
double rankOf(const CompositionRow& row, CompositionOrder order) {
    switch (order) {
    case CompositionOrder::HitRate:
        return row.hitRate;
    case CompositionOrder::HitRatePerRequest:
        return row.hitRatePerRequest;
    case CompositionOrder::ReadWrite:
        return row.readWriteRatio;
    case CompositionOrder::AllTokens:
        return static_cast<double>(row.totals.usage.context() + row.totals.usage.output);
    case CompositionOrder::Usual:
    case CompositionOrder::Name:
        break;
    }
    return 0;
}

} // namespace

std::string_view keyOf(CompositionOrder order) {
    return wordOf(order, {"usual", "name", "tokens", "hit-rate", "hit-rate-per-request", "read-write"});
}

void sortRows(Composition& composition, CompositionOrder order, bool reversed) {
    if (order == CompositionOrder::Usual || composition.group == CompositionGroup::Day) {
        return;
    }
    std::ranges::stable_sort(composition.rows, [&](const CompositionRow& a, const CompositionRow& b) {
        const CompositionRow& first = reversed ? b : a;
        const CompositionRow& second = reversed ? a : b;
        return order == CompositionOrder::Name ? first.label < second.label
                                               : rankOf(first, order) > rankOf(second, order);
    });
}

} // namespace loadline
