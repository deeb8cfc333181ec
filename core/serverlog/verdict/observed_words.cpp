// The rate of the headline, and what stands in its place where none is told.
#include "core/serverlog/verdict/observed_words.h"

#include "core/base/statistics.h"
#include "core/serverlog/verdict/prompt_rates.h"
#include "core/serverlog/verdict/together.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double nearlyOne = 1.05; ///< streams on average: the stamps of one after the other meet

std::string rangeWords(double low, double high) {
    const std::string from = formatReal(low, 3);
    const std::string to = formatReal(high, 3);
    return from == to ? to : from + " to " + to;
}

/// "; 8 engines 1 102 together, up to 1 115 with 64 running": their sum, which the streams of one do not
/// tell.
std::string engineSumWords(const LogVerdict& verdict) {
    const SumFigures output = figuresOf(verdict.engineSums, &LogSum::outputTokensPerS);
    if (!isTold(output.median)) {
        return "";
    }
    const auto most = std::ranges::find(verdict.engineSums, output.most, &LogSum::outputTokensPerS);
    const bool knowsRunning = most != verdict.engineSums.end() && isTold(most->running);
    return fmt::format("; {} engines {} together, up to {}{}", engineCountOf(verdict.engines),
                       formatReal(output.median, 3), formatReal(output.most, 3),
                       knowsRunning ? fmt::format(" with {} running", formatReal(most->running, 1))
                                    : std::string());
}

/// "4", "2 to 4": as many as ran in most of the time, a range in whole numbers; "" of one.
std::string severalWords(const OverTime& streams) {
    if (!(streams.high > nearlyOne)) {
        return "";
    }
    const std::string words = streams.low < streams.high
                                  ? rangeWords(std::round(streams.low), std::round(streams.high))
                                  : formatReal(streams.high, 3);
    return words == "1" ? std::string() : words;
}

/// ", 1 102 together"; of several streams of one engine.
std::string togetherWords(const ServerLog& log, const LogVerdict& verdict, const TypicalRate& typical) {
    if (severalWords(streamsOf(typical.of)).empty() || !verdict.engineSums.empty()) {
        return "";
    }
    OverTime together = togetherOf(log, typical.of);
    const std::optional<StreamRate>& all = typical.overTime ? typical.overTime : typical.betweenPrompts;
    if (all && isTold(all->together)) {
        together = {.typical = all->together};
    }
    const bool spread = isTold(typical.low) && isTold(together.low);
    return !isTold(together.typical)
               ? std::string()
               : fmt::format(", {} together", spread ? rangeWords(together.low, together.high)
                                                     : formatReal(together.typical, 3));
}

/// "Each of 4 streams", "Each of 2 to 4 streams of an engine", "A stream".
std::string streamWords(const LogVerdict& verdict, const TypicalRate& typical) {
    const std::string several = severalWords(streamsOf(typical.of));
    return several.empty() ? std::string("A stream")
                           : fmt::format("Each of {} streams{}", several,
                                         verdict.engineSums.empty() ? "" : " of an engine");
}

/// ", 95 % interval 93.4 to 165"; "" of a narrow one.
std::string intervalWords(const StreamRate& rate) {
    constexpr double narrow = 0.05;
    constexpr double normal = 1.96; // 95 % of a normal distribution
    return rate.error < narrow ? std::string()
                               : fmt::format(", 95 % interval {} to {}",
                                             formatReal(rate.tokensPerS * (1 - normal * rate.error), 3),
                                             formatReal(rate.tokensPerS * (1 + normal * rate.error), 3));
}

double medianTime(const std::vector<LogRequest>& requests) {
    std::vector<double> seconds;
    for (const LogRequest& request : requests) {
        if (request.generates && isTold(request.endS - request.arrivalS)) {
            seconds.push_back(request.endS - request.arrivalS);
        }
    }
    return medianOf(std::move(seconds));
}

double outputMedian(const ServerLog& log) {
    std::vector<double> outputs;
    for (const LogInterval& interval : log.intervals) {
        if (interval.outputTokensPerS > 0) {
            outputs.push_back(interval.outputTokensPerS);
        }
    }
    return medianOf(std::move(outputs));
}

} // namespace

std::string observedWords(const ServerLog& log, const LogVerdict& verdict, const TypicalRate& typical) {
    const ObservedRate& rate = typical.rate;
    const bool byTime = typical.overTime.has_value();
    std::string words = fmt::format(
        "{} decodes at {}{} tokens/s{}", streamWords(verdict, typical), byTime ? "about " : "",
        isTold(typical.low) ? rangeWords(typical.low, typical.high) : formatReal(rate.tokensPerS, 3),
        rate.atLeast && !byTime ? " or more" : "");
    if (typical.betweenPrompts) {
        words += fmt::format(" between prompts, which are in {} of the streams' time",
                             formatShare(typical.betweenPrompts->withPrompts));
    }
    words += togetherWords(log, verdict, typical);
    if (typical.inWaves) {
        words +=
            fmt::format(" (median of {} within which as many ran: waves of requests meet the lines at the "
                        "same moment)",
                        counted(typical.of.size(), "line"));
    } else if (byTime) {
        words += fmt::format(" (tokens over the time of all streams, {}{}{})",
                             counted(typical.overTime->lines, "line"), intervalWords(*typical.overTime),
                             withoutPromptsWords(verdict.rates));
    } else if (verdict.rates.size() > 1) {
        const auto alone =
            static_cast<std::uint64_t>(std::ranges::count(verdict.rates, false, &ObservedRate::atLeast));
        const std::uint64_t all = verdict.rates.size();
        const std::uint64_t used = rate.atLeast ? all : alone;
        words += fmt::format(" ({}{}{})",
                             isTold(typical.low) ? "most of "
                             : used > 1          ? "median of "
                                                 : "",
                             counted(used, "observation"),
                             used < all ? std::string(" without prompts")
                             : rate.atLeast && alone > 0
                                 ? ", most with prompts" + withoutPromptsWords(verdict.rates)
                                 : std::string());
    } else {
        words += !rate.atLeast                             ? ""
                 : rate.source == RateSource::WholeRequest ? " (output over the request's whole time)"
                                                           : " (prompts took a part of the time)";
    }
    return words + engineSumWords(verdict);
}

std::string otherwiseWords(const ServerLog& log, const LogVerdict& verdict) {
    std::string words = "The log tells no rate of decoding.";
    const std::vector<double> prompts = promptRates(log);
    if (!prompts.empty()) {
        words += fmt::format(" Prompts are computed at {} tokens/s (median of {}).",
                             formatReal(medianOf(prompts), 3), counted(prompts.size(), "observation"));
    }
    const bool partly =
        std::ranges::any_of(verdict.rates, [](const ObservedRate& rate) { return !rate.filled; });
    const std::optional<StreamRate> overTime = partly ? streamRateOf(log) : std::nullopt;
    if (overTime && overTime->inStep) {
        words =
            fmt::format("A stream decodes at {} tokens/s or more while it runs ({}): waves of requests meet "
                        "the lines at the same moment.",
                        formatReal(overTime->atLeast, 3), counted(overTime->lines, "line"));
    } else if (overTime && overTime->isNear()) {
        words = fmt::format(
            "A stream decodes at about {} tokens/s while it runs (tokens over the time of all "
            "streams, {}{}): requests are shorter than the lines are apart.",
            formatReal(overTime->tokensPerS, 3), counted(overTime->lines, "line"), intervalWords(*overTime));
    } else if (partly) {
        words =
            fmt::format("Requests are shorter than the lines of the log are apart: no rate of one is told. "
                        "{} tokens/s of output are the median of lines that have any, each a mean over "
                        "its time with idle parts in it.",
                        formatReal(outputMedian(log), 3));
    }
    const std::vector<double> offered = offeredRates(log);
    if (prompts.empty() && !offered.empty()) {
        words += fmt::format(" Prompts of {} tokens/s came in (median of {}).",
                             formatReal(medianOf(offered), 3), counted(offered.size(), "line"));
    }
    const double whole = medianTime(log.requests);
    if (isTold(whole) && prompts.empty()) {
        const MostAtOnce atOnce(concurrencyOf(log).atLeast);
        words += fmt::format(" Requests take {} (median), up to {} at once.", formatSeconds(whole),
                             formatReal(atOnce.between(0, log.lengthS + 1), 1));
    }
    return words == "The log tells no rate of decoding."
               ? words + " What it tells of requests, cache and queue stands below."
               : words;
}
} // namespace loadline
