// Words for figures of which a log leaves one end open, or both.
#include "core/cache/figure/cache_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline {
namespace {

/// "64.6–94.2 %"
std::string rangeOf(double low, double high) {
    const std::string from = formatShare(low);
    return from.substr(0, from.find_last_of("0123456789") + 1) + "\u2013" + formatShare(high);
}

} // namespace

std::string leastShare(double share, bool least) {
    return std::string(leastWord(least)) + formatShare(share);
}

std::string leastCell(double share, bool least) {
    return (least ? "\u2265 " : "") + formatShare(share);
}

std::string_view leastWord(bool least) {
    return least ? "at least " : "";
}

bool isRange(const Ends& share) {
    return share.least && share.high && *share.high - share.low > namedFrom;
}

Ends endsOf(std::span<const TierRow> rows, std::span<const TierRow> most, double TierHits::*share,
            std::size_t row, bool least) {
    return {rows[row].hits.*share, most.empty() ? std::nullopt : std::optional(most[row].hits.*share), least};
}

std::string cellOfAgain(const Ends& hits) {
    const double again = 1 - hits.low;
    return isRange(hits)             ? rangeOf(1 - *hits.high, again)
           : hits.least && again > 0 ? "\u2264 " + formatShare(again)
                                     : formatShare(again);
}

std::string wordsOfEnds(const Ends& share) {
    return leastShare(share.low, share.least) +
           (isRange(share) ? ", perhaps " + formatShare(*share.high) : std::string());
}

std::string cellOfEnds(const Ends& share) {
    return isRange(share) ? rangeOf(share.low, *share.high)
                          : leastCell(share.low, share.least && share.low > 0);
}

std::string cellOfTimes(double slowest, std::optional<double> fastest, const Ends& share) {
    return isRange(share) && fastest ? formatSeconds(*fastest) + " to " + formatSeconds(slowest)
           : share.least             ? "\u2264 " + formatSeconds(slowest)
                                     : formatSeconds(slowest);
}

std::string wordsOfFreed(const SplitFleet& fleet, const Ends& hit) {
    const std::string low = fmt::format("{:.1f}", splitWith(fleet, 1 - hit.low).gpusFreed);
    return std::string(leastWord(hit.least)) + low +
           (isRange(hit) ? fmt::format(", perhaps {:.1f}", splitWith(fleet, 1 - *hit.high).gpusFreed)
                         : std::string());
}

} // namespace loadline
