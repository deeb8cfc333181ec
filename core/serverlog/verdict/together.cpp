// Measured totals of all streams.
#include "core/serverlog/verdict/together.h"

#include "core/base/statistics.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace loadline {
namespace {

template <typename Value>
OverTime overTime(std::vector<const ObservedRate*> rates, const Value& valueOf) {
    constexpr double tenth = 0.1;
    if (rates.empty()) {
        return {};
    }
    const auto value = [&](const ObservedRate* rate) { return valueOf(*rate); };
    std::ranges::stable_sort(rates, {}, value);
    const auto quantile = [&](double share) {
        const auto [lower, upper] = placesByTime(rates, share);
        return (value(rates[lower]) + value(rates[upper])) / 2;
    };
    return {quantile(0.5), quantile(tenth), quantile(1 - tenth)};
}

OverTime togetherOfLines(const std::vector<const ObservedRate*>& lines) {
    return overTime(lines, [](const ObservedRate& line) { return line.tokensPerS * line.streams; });
}

/// Returns the tokens a second of all requests together; not told if more than a tenth of the requests lack a
/// first token, an end or an output.
OverTime togetherOfRequests(const ServerLog& log) {
    constexpr double nearlyAll = 0.9;
    std::vector<std::pair<double, double>> spans;
    double tokens = 0;
    double all = 0;
    for (const LogRequest& request : log.requests) {
        all += request.generates ? 1 : 0;
        if (request.generates && request.endS > request.firstTokenS && request.outputTokens > 0) {
            spans.emplace_back(request.firstTokenS, request.endS);
            tokens += request.outputTokens;
        }
    }
    if (spans.empty() || static_cast<double>(spans.size()) < nearlyAll * all) {
        return {};
    }
    std::ranges::sort(spans);
    double seconds = 0;
    double toS = spans.front().first;
    for (const auto& [from, to] : spans) {
        seconds += std::max(to - std::max(from, toS), 0.0);
        toS = std::max(toS, to);
    }
    return {seconds > 0 ? tokens / seconds : notTold, notTold, notTold};
}

OverTime togetherOfSteps(const std::vector<const ObservedRate*>& steps) {
    double tokens = 0;
    double seconds = 0;
    for (const ObservedRate* step : steps) {
        tokens += step->streams;
        seconds += 1 / step->tokensPerS;
    }
    return {seconds > 0 ? tokens / seconds : notTold, notTold, notTold};
}

} // namespace

OverTime streamsOf(const std::vector<const ObservedRate*>& rates) {
    return overTime(rates, [](const ObservedRate& rate) { return rate.streams; });
}

std::string withoutPromptsWords(const std::vector<ObservedRate>& rates) {
    std::vector<double> without;
    for (const ObservedRate& rate : rates) {
        if (!rate.atLeast && rate.filled && rate.source == RateSource::Interval) {
            without.push_back(rate.tokensPerS);
        }
    }
    constexpr std::size_t enough = 3;
    return without.size() < enough ? std::string()
                                   : fmt::format("; {} in the {} without", formatReal(medianOf(without), 3),
                                                 formatExact(std::ssize(without)));
}

OverTime togetherOf(const ServerLog& log, const std::vector<const ObservedRate*>& rates) {
    const auto from = [&rates](RateSource source) {
        std::vector<const ObservedRate*> taken;
        std::ranges::copy_if(rates, std::back_inserter(taken),
                             [source](const ObservedRate* rate) { return rate->source == source; });
        return taken;
    };
    if (const auto lines = from(RateSource::Interval); !lines.empty()) {
        return togetherOfLines(lines);
    }
    if (const auto steps = from(RateSource::Step); !steps.empty()) {
        return togetherOfSteps(steps);
    }
    return togetherOfRequests(log);
}

} // namespace loadline
