// Medians, typical rates and words that several findings need.
#include "core/serverlog/verdict/log_evidence.h"

#include "core/base/statistics.h"
#include "core/serverlog/verdict/together.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>

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

std::string shareWords(std::size_t some, std::size_t all, std::string_view what) {
    return fmt::format("{} of {} {}{}", formatExact(static_cast<std::int64_t>(some)),
                       formatExact(static_cast<std::int64_t>(all)), what, all == 1 ? "" : "s");
}

int logStepOf(double value, double width, double shift) {
    return static_cast<int>(std::lround(std::log(value) / std::log(width) + shift));
}

int likeBatchOf(double streams) {
    return logStepOf(streams, likeStreams);
}

namespace {

/// " of vllm.log.1"; "" of a single file.
std::string fileWords(const ServerLog& log, const LogLine& where) {
    if (log.files.size() < 2 || where.file >= log.files.size()) {
        return "";
    }
    const std::string& path = log.files[where.file];
    return " of " + path.substr(path.find_last_of('/') + 1);
}

std::string lineNumber(const LogLine& where) {
    return formatExact(static_cast<std::int64_t>(where.line));
}

} // namespace

std::string lineWords(const ServerLog& log, const LogLine& where) {
    return "line " + lineNumber(where) + fileWords(log, where);
}

std::string linesWords(const ServerLog& log, const LogLine& first, const LogLine& last,
                       std::string_view joint) {
    return first == last ? lineWords(log, first)
           : first.file != last.file
               ? fmt::format("{} {} {}", lineWords(log, first), joint, lineWords(log, last))
               : fmt::format("lines {} {} {}{}", lineNumber(first), joint, lineNumber(last),
                             fileWords(log, last));
}

std::string streamsWords(double streams) {
    const std::string words = formatReal(streams, 3);
    return words + (words == "1" ? " stream" : " streams");
}

namespace {

/// Returns the middle between two rates: the median of an even number.
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

namespace {

/// True if the rates that are no lower bounds are what streams typically have: not where nearly all lines
/// hold prompts, of which users wait as well, and those without are its ends.
bool isTypicalAlone(const std::vector<ObservedRate>& rates) {
    return 2 * std::ranges::count(rates, false, &ObservedRate::atLeast) >= std::ssize(rates);
}

/// True if lines that begin with none running are most of these: requests are shorter than lines are apart.
bool filledInPart(const std::vector<const ObservedRate*>& rates) {
    const auto part = std::ranges::count_if(rates, [](const ObservedRate* rate) { return !rate->filled; });
    return 2 * static_cast<std::size_t>(part) > rates.size();
}

/// Seconds that each observation stands for. Many that tell no time of their own share a second with the one
/// before, which counts it; a few (first lines) count as the others do in the middle.
std::vector<double> secondsOfEach(const std::vector<const ObservedRate*>& rates) {
    constexpr std::size_t few = 8;
    std::vector<double> spans;
    for (const ObservedRate* rate : rates) {
        if (rate->spanS > 0) {
            spans.push_back(rate->spanS);
        }
    }
    const double other = spans.empty() ? 1 : rates.size() - spans.size() <= few ? medianOf(spans) : 0;
    std::vector<double> seconds;
    for (const ObservedRate* rate : rates) {
        seconds.push_back(rate->spanS > 0 ? rate->spanS : other);
    }
    return seconds;
}

} // namespace

std::pair<std::size_t, std::size_t> placesByTime(const std::vector<const ObservedRate*>& sorted,
                                                 double share) {
    const std::vector<double> seconds = secondsOfEach(sorted);
    const double before = share * std::accumulate(seconds.begin(), seconds.end(), 0.0);
    constexpr double nothing = 1e-9; // of rounding, relative
    double below = 0;
    std::size_t lower = sorted.size();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        below += seconds[i];
        lower = lower == sorted.size() && below >= before * (1 - nothing) ? i : lower;
        if (below > before * (1 + nothing)) {
            return {lower, i};
        }
    }
    return {sorted.size() - 1, sorted.size() - 1};
}

namespace {

/// Two levels, or a course between them, have no middle that was observed.
void tellSpread(TypicalRate& typical) {
    constexpr std::size_t enough = 6;
    constexpr double near = 0.1;
    constexpr double tenth = 0.1;
    const auto count = static_cast<double>(typical.of.size());
    const double middle = typical.rate.tokensPerS;
    const auto isNear = [&](const ObservedRate* rate) {
        return std::abs(rate->tokensPerS - middle) <= near * middle;
    };
    const auto nearIt = static_cast<double>(std::ranges::count_if(typical.of, isNear));
    if (typical.of.size() < enough || nearIt >= tenth * count) {
        return;
    }
    const auto at = static_cast<std::size_t>(tenth * (count - 1));
    typical.low = typical.of[at]->tokensPerS;
    typical.high = typical.of[typical.of.size() - 1 - at]->tokensPerS;
}

/// Precondition: not empty.
TypicalRate medianOfRates(std::vector<const ObservedRate*> sorted) {
    std::ranges::stable_sort(sorted, {}, [](const ObservedRate* rate) { return rate->tokensPerS; });
    const auto [lower, upper] = placesByTime(sorted, 0.5);
    const ObservedRate& below = *sorted[lower];
    const ObservedRate& above = *sorted[upper];
    TypicalRate typical{.rate = below, .where = {below.where}, .of = std::move(sorted)};
    if (&below != &above) {
        typical.rate = meanOf(below, above);
        typical.where.push_back(above.where);
    }
    tellSpread(typical);
    return typical;
}

/// `alone`: of the rates that are no lower bounds.
std::optional<TypicalRate> medianRate(const std::vector<ObservedRate>& rates, bool alone) {
    std::vector<const ObservedRate*> taken;
    for (const ObservedRate& rate : rates) {
        if (!rate.atLeast || !alone) {
            taken.push_back(&rate);
        }
    }
    if (taken.empty() || (!alone && filledInPart(taken))) {
        return std::nullopt;
    }
    TypicalRate typical = medianOfRates(std::move(taken));
    typical.rate.atLeast = !alone; // of all: most hold prompts
    return typical;
}

/// Returns the median of lines within which as many streams ran throughout; nothing of fewer than three.
std::optional<TypicalRate> rateInWaves(const std::vector<ObservedRate>& rates) {
    constexpr std::size_t enough = 3;
    std::vector<const ObservedRate*> taken;
    for (const ObservedRate& rate : rates) {
        if (!rate.atLeast && rate.filled && rate.streamsTold) {
            taken.push_back(&rate);
        }
    }
    if (taken.size() < enough) {
        return std::nullopt;
    }
    TypicalRate typical = medianOfRates(std::move(taken));
    typical.rate.atLeast = false;
    typical.inWaves = true;
    return typical;
}

} // namespace

std::optional<TypicalRate> typicalRate(const std::vector<ObservedRate>& rates) {
    return medianRate(rates, isTypicalAlone(rates));
}

std::optional<TypicalRate> typicalRate(const ServerLog& log, const std::vector<ObservedRate>& rates) {
    constexpr double unlike = 1.16;  // times; a median and a mean of one rate are closer
    constexpr double noBound = 0.95; // a median that is more is no lower bound of what streams have
    constexpr double prompts = 0.25;
    constexpr double several =
        1.5; // a stream that is alone waits for its own prompts, and decodes behind them
    const std::optional<TypicalRate> median = typicalRate(rates);
    const bool byLines = median && std::ranges::all_of(rates, [](const ObservedRate& rate) {
                             return rate.source == RateSource::Interval;
                         });
    const std::optional<StreamRate> overTime = byLines ? streamRateOf(log) : std::nullopt;
    if (overTime && overTime->inStep) {
        return rateInWaves(rates);
    }
    if (!overTime || isTold(median->low)) {
        return median;
    }
    const double times = overTime->tokensPerS / median->rate.tokensPerS;
    const bool others = streamsOf(median->of).high >= several && overTime->withPrompts >= prompts;
    // Prompts in lines of their own are known to have been in that time.
    const double margin = isTold(overTime->together) ? 1 / noBound : unlike;
    const bool far =
        median->rate.atLeast ? times >= unlike || times <= noBound : times * margin <= 1 && others;
    if (!far || !overTime->isNear()) {
        std::optional<TypicalRate> between = median;
        if (far && !median->rate.atLeast) {
            between->betweenPrompts = overTime;
        }
        return between;
    }
    std::optional<TypicalRate> typical = medianRate(rates, false);
    if (!typical) {
        return median;
    }
    typical->rate.tokensPerS = overTime->tokensPerS;
    typical->low = typical->high = notTold;
    typical->overTime = overTime;
    return typical;
}

} // namespace loadline
