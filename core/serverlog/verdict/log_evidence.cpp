// What several findings need.
#include "core/serverlog/verdict/log_evidence.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

std::string_view wordOf(Verdict verdict) {
    switch (verdict) {
    case Verdict::Supported:
        return "supported";
    case Verdict::Excluded:
        return "excluded";
    case Verdict::NotExcluded:
        return "not excluded";
    }
    return "";
}

ObservedTime observedTimeOf(const LogEvidence& evidence) {
    ObservedTime time;
    const auto take = [&time](double fromS, double toS) {
        if (isTold(fromS) && isTold(toS)) {
            time.fromS = isTold(time.fromS) ? std::min(time.fromS, fromS) : fromS;
            time.toS = isTold(time.toS) ? std::max(time.toS, toS) : toS;
        }
    };
    for (const ObservedRate& rate : evidence.rates) {
        take(rate.timeS, rate.timeS);
    }
    for (const LogRequest& request : evidence.log.requests) {
        if (request.generates && isTold(request.outputTokens)) {
            take(request.arrivalS, request.endS);
        }
    }
    return time;
}

double medianOf(std::vector<double> values) {
    if (values.empty()) {
        return notTold;
    }
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

std::string shareWords(std::size_t some, std::size_t all, std::string_view what) {
    return fmt::format("{} of {} {}{}", formatExact(static_cast<std::int64_t>(some)),
                       formatExact(static_cast<std::int64_t>(all)), what, all == 1 ? "" : "s");
}

const ObservedRate* typicalRate(const std::vector<ObservedRate>& rates) {
    std::vector<const ObservedRate*> sorted;
    for (const bool bounds : {false, true}) {
        for (const ObservedRate& rate : rates) {
            if (rate.atLeast == bounds) {
                sorted.push_back(&rate);
            }
        }
        if (!sorted.empty()) {
            break;
        }
    }
    if (sorted.empty()) {
        return nullptr;
    }
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::ranges::nth_element(sorted, middle, {}, [](const ObservedRate* rate) { return rate->tokensPerS; });
    return *middle;
}

} // namespace loadline
