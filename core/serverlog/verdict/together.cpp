// Measured totals of all streams.
#include "core/serverlog/verdict/together.h"

#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace loadline {
namespace {

struct Weighted {
    double value = 0;
    double weight = 0;
};

/// The value below which `share` of the weight lies, between two where it falls on their border.
double quantileOf(std::vector<Weighted> values, double share) {
    std::ranges::sort(values, {}, &Weighted::value);
    double all = 0;
    for (const Weighted& one : values) {
        all += one.weight;
    }
    constexpr double nothing = 1e-9; // of rounding, relative
    double below = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        below += values[i].weight;
        if (below > share * all * (1 + nothing)) {
            return values[i].value;
        }
        if (below > share * all * (1 - nothing) && i + 1 < values.size()) {
            return (values[i].value + values[i + 1].value) / 2;
        }
    }
    return values.empty() ? notTold : values.back().value;
}

/// Quantiles by time; lines that do not tell theirs count as much as the others do in the middle.
template <typename Value>
Together quantilesByTime(const std::vector<const ObservedRate*>& lines, const Value& valueOf) {
    constexpr double tenth = 0.1;
    std::vector<double> spans;
    for (const ObservedRate* line : lines) {
        if (line->spanS > 0) {
            spans.push_back(line->spanS);
        }
    }
    const double usual = spans.empty() ? 1 : medianOf(spans);
    std::vector<Weighted> values;
    for (const ObservedRate* line : lines) {
        values.push_back({valueOf(*line), line->spanS > 0 ? line->spanS : usual});
    }
    return {quantileOf(values, 0.5), quantileOf(values, tenth), quantileOf(values, 1 - tenth)};
}

Together togetherOfLines(const std::vector<const ObservedRate*>& lines) {
    return quantilesByTime(lines, [](const ObservedRate& line) { return line.tokensPerS * line.streams; });
}

/// Not told where more than a tenth of the requests lack a first token, an end or an output.
Together togetherOfRequests(const ServerLog& log) {
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

Together togetherOfSteps(const std::vector<const ObservedRate*>& steps) {
    double tokens = 0;
    double seconds = 0;
    for (const ObservedRate* step : steps) {
        tokens += step->streams;
        seconds += 1 / step->tokensPerS;
    }
    return {seconds > 0 ? tokens / seconds : notTold, notTold, notTold};
}

} // namespace

Together streamsOf(const std::vector<const ObservedRate*>& rates) {
    return quantilesByTime(rates, [](const ObservedRate& rate) { return rate.streams; });
}

std::string withoutPromptsWords(const std::vector<ObservedRate>& rates) {
    std::vector<double> without;
    for (const ObservedRate& rate : rates) {
        if (!rate.atLeast && rate.filled && rate.source == RateSource::Interval) {
            without.push_back(rate.tokensPerS);
        }
    }
    return without.empty() ? std::string()
                           : fmt::format("; {} in the {} without", formatReal(medianOf(without), 3),
                                         formatExact(std::ssize(without)));
}

Together togetherOf(const ServerLog& log, const std::vector<const ObservedRate*>& rates) {
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
