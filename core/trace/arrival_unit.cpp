#include "core/trace/arrival_unit.h"

#include "core/trace/trace_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace loadline {
namespace {

/// Output tokens a second of one request: the record on GPUs is 1,038 (NVIDIA, Llama 4 Maverick on a DGX
/// B200, May 2025). Most requests of a trace do not reach it, the less with the pause before the next one.
constexpr double fastestTokensPerS = 1000;

constexpr const char* sayOtherwise = "; arrivals as text are nanoseconds in any case";

void readAsSeconds(std::vector<TraceRequest>& requests, double perSecond) {
    for (TraceRequest& request : requests) {
        request.arrivalS *= perSecond;
    }
}

} // namespace

ContinuedIntervals continuedIntervals(const std::vector<TraceRequest>& requests,
                                      const std::vector<std::vector<std::int64_t>>& blocks,
                                      Tokens blockTokens) {
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return requests[i].arrivalS; });
    constexpr std::size_t nobody = static_cast<std::size_t>(-1);
    std::unordered_map<std::int64_t, std::size_t> endsWith; // block: the request that it was new in, and last
    ContinuedIntervals found;
    for (const std::size_t i : order) {
        const TraceRequest& now = requests[i];
        const auto whole = static_cast<std::size_t>(now.input / std::max<Tokens>(blockTokens, 1));
        std::size_t before = nobody;
        for (std::size_t at = 0; at < blocks[i].size(); ++at) {
            const auto [entry, isNew] = endsWith.try_emplace(blocks[i][at], nobody);
            before = entry->second != nobody ? entry->second : before;
            if (isNew && at + 1 == whole) {
                entry->second = i;
            }
        }
        if (before == nobody || before == i || now.input < requests[before].input + requests[before].output) {
            continue;
        }
        const double intervalS = now.arrivalS - requests[before].arrivalS;
        ++found.all;
        found.tooShort +=
            static_cast<double>(requests[before].output) > intervalS * fastestTokensPerS ? 1 : 0;
    }
    return found;
}

std::optional<std::string> decideArrivalUnit(std::vector<TraceRequest>& requests,
                                             const ContinuedIntervals& intervals, bool anyFraction,
                                             double perSecond) {
    const auto [first, last] = std::ranges::minmax(requests, {}, &TraceRequest::arrivalS);
    const bool canBeSeconds = last.arrivalS * perSecond <= mostTraceSeconds;
    if (canBeSeconds && 2 * intervals.tooShort > intervals.all) {
        readAsSeconds(requests, perSecond);
        return fmt::format("time stamps are read as seconds: as milliseconds, {} of {} requests would go on "
                           "from an answer given at more than {:g} tokens/s{}",
                           intervals.tooShort, intervals.all, fastestTokensPerS, sayOtherwise);
    }
    if (!anyFraction) {
        return std::nullopt;
    }
    if (intervals.all > 0) {
        return fmt::format("time stamps with fractions are read as milliseconds{}", sayOtherwise);
    }
    // Requests a second. Mooncake's conversations have 3.4, Azure's code trace 2.6: either unit is perSecond
    // times the other, so a bound well above these tells both apart.
    constexpr double mostPerSecond = 50;
    const double spanS = last.arrivalS - first.arrivalS;
    const double rate = static_cast<double>(requests.size()) / std::max(spanS, 1e-9);
    if (!canBeSeconds || rate <= mostPerSecond || rate > mostPerSecond * perSecond) {
        return fmt::format("time stamps with fractions are read as milliseconds{}", sayOtherwise);
    }
    readAsSeconds(requests, perSecond);
    return fmt::format("time stamps with fractions are read as seconds: as milliseconds {} requests would "
                       "arrive in a second{}",
                       std::llround(rate), sayOtherwise);
}

} // namespace loadline
