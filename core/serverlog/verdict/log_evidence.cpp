// What several findings need.
#include "core/serverlog/verdict/log_evidence.h"

#include "core/base/statistics.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

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
    std::ranges::sort(values);
    return quantileOfSorted(std::span<const double>(values), 0.5);
}

std::string shareWords(std::size_t some, std::size_t all, std::string_view what) {
    return fmt::format("{} of {} {}{}", formatExact(static_cast<std::int64_t>(some)),
                       formatExact(static_cast<std::int64_t>(all)), what, all == 1 ? "" : "s");
}

std::string streamsWords(double streams) {
    return formatReal(streams, 3) + (streams == 1 ? " stream" : " streams");
}

namespace {

/// What lies in the middle between two rates, as a median of an even number does.
ObservedRate meanOf(const ObservedRate& a, const ObservedRate& b) {
    ObservedRate mean = a;
    for (double ObservedRate::*field :
         {&ObservedRate::tokensPerS, &ObservedRate::streams, &ObservedRate::contextLow,
          &ObservedRate::contextHigh, &ObservedRate::contextGrows, &ObservedRate::tokensPerStep}) {
        mean.*field = (a.*field + b.*field) / 2;
    }
    mean.source = a.source == b.source ? a.source : RateSource::Decode;
    mean.atLeast = a.atLeast || b.atLeast;
    mean.contextAtLeast = a.contextAtLeast || b.contextAtLeast;
    mean.streamsTold = a.streamsTold && b.streamsTold;
    return mean;
}

} // namespace

bool standsAlone(const std::vector<ObservedRate>& rates) {
    constexpr std::size_t enough = 30;
    constexpr std::size_t oneIn = 10;
    const auto alone = static_cast<std::size_t>(std::ranges::count(rates, false, &ObservedRate::atLeast));
    return alone >= enough || (alone > 0 && alone * oneIn >= rates.size());
}

std::optional<TypicalRate> typicalRate(const std::vector<ObservedRate>& rates) {
    std::vector<const ObservedRate*> sorted;
    const bool alone = standsAlone(rates);
    for (const ObservedRate& rate : rates) {
        if (!rate.atLeast || !alone) {
            sorted.push_back(&rate);
        }
    }
    if (sorted.empty()) {
        return std::nullopt;
    }
    std::ranges::stable_sort(sorted, {}, [](const ObservedRate* rate) { return rate->tokensPerS; });
    const ObservedRate& below = *sorted[(sorted.size() - 1) / 2];
    const ObservedRate& above = *sorted[sorted.size() / 2];
    TypicalRate typical{below, {below.where}};
    if (&below != &above) {
        typical = {meanOf(below, above), {below.where, above.where}};
    }
    typical.rate.atLeast = !alone; // of all: most hold prompts
    return typical;
}

} // namespace loadline
