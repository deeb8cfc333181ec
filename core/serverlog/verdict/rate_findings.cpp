// Whether rates fall, were divided wrongly, or are what this model can reach.
#include "core/cost/estimate/hardware.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double decay = 0.1;
constexpr double steady = 0.05;
constexpr std::size_t enoughRates = 6;

std::string rateWords(double tokensPerS) {
    return formatReal(tokensPerS, 3) + " tokens/s";
}

/// Rates by time, each freed of what context and batch explain where a ceiling is known.
struct RateCourse {
    std::vector<double> values;
    std::vector<LogLine> where;
    bool freed = true; ///< of the context's influence
    bool contextAtLeast = false;
    double contextGrew = 1;
};

double contextOf(const ObservedRate& rate) {
    return isTold(rate.contextHigh) ? (rate.contextLow + rate.contextHigh) / 2 : rate.contextLow;
}

RateCourse courseOf(const LogEvidence& evidence) {
    RateCourse course;
    double firstContext = notTold;
    double lastContext = notTold;
    for (const ObservedRate& rate : evidence.rates) {
        if (rate.atLeast) {
            continue;
        }
        const double context = contextOf(rate);
        const bool explained = evidence.light && isTold(context) && !rate.contextAtLeast;
        course.freed = course.freed && explained;
        course.contextAtLeast = course.contextAtLeast || rate.contextAtLeast;
        course.values.push_back(
            explained ? rate.tokensPerS / evidence.light->ceiling(context, rate.streams, rate.tokensPerStep)
                      : rate.tokensPerS);
        course.where.push_back(rate.where);
        firstContext = isTold(firstContext) ? firstContext : context;
        lastContext = isTold(context) ? context : lastContext;
    }
    if (isTold(firstContext) && firstContext > 0) {
        course.contextGrew = lastContext / firstContext;
    }
    return course;
}

/// How full the KV cache was where rates were: at the first and last of them. It grows with the context.
std::pair<double, double> kvUseEnds(const ServerLog& log) {
    std::pair<double, double> ends{notTold, notTold};
    for (const LogInterval& interval : log.intervals) {
        if (isTold(interval.kvUse) && isTold(interval.outputTokensPerS) && interval.outputTokensPerS > 0) {
            ends.first = isTold(ends.first) ? ends.first : interval.kvUse;
            ends.second = interval.kvUse;
        }
    }
    return ends;
}

double thirdMedian(const std::vector<double>& values, bool last) {
    const auto third = static_cast<std::ptrdiff_t>(std::max<std::size_t>(values.size() / 3, 1));
    return medianOf(last ? std::vector<double>(values.end() - third, values.end())
                         : std::vector<double>(values.begin(), values.begin() + third));
}

std::vector<LogLine> ends(const std::vector<LogLine>& lines) {
    return lines.size() < 2 ? lines : std::vector<LogLine>{lines.front(), lines.back()};
}

/// The events that print a rate of a whole request.
std::vector<const LogEvent*> reportedRates(const ServerLog& log) {
    std::vector<const LogEvent*> reported;
    for (const LogEvent& event : log.events) {
        if (event.kind == LogEventKind::ReportedRate && event.tokens > 0 && event.seconds > 0) {
            reported.push_back(&event);
        }
    }
    return reported;
}

/// What no stream decodes faster than, as far as is known.
struct RateBound {
    double tokensPerS = notTold;
    std::string words;
};

RateBound boundOf(const LogEvidence& evidence) {
    constexpr double several = 3;
    if (evidence.light) {
        const double ceiling = evidence.light->ceiling(0);
        return {ceiling, fmt::format("the {} that the bandwidth allows", rateWords(ceiling))};
    }
    if (const std::optional<TypicalRate> typical = typicalRate(evidence.rates)) {
        const double rate = typical->rate.tokensPerS;
        return {several * rate, fmt::format("three times the {} observed in decoding", rateWords(rate))};
    }
    return {};
}

/// Lowest and highest rate that published points let expect of a rate's own context, from the longest to the
/// shortest that it may have had.
struct Expected {
    double atLongest[2] = {0, 0};
    double atShortest[2] = {0, 0};
};

Expected expectedOf(const SpeedOfLight& light, const ObservedRate& rate) {
    const double low = isTold(rate.contextLow) ? rate.contextLow : 0;
    const double high = isTold(rate.contextHigh) ? rate.contextHigh : low;
    const double longest = light.ceiling(high, rate.streams, rate.tokensPerStep);
    const double shortest = light.ceiling(low, rate.streams, rate.tokensPerStep);
    const EfficiencyBand& band = light.band();
    return {{longest * band.low, longest * band.high}, {shortest * band.low, shortest * band.high}};
}

/// "The model is not", "Model and device are not".
std::string untoldWords(const ServedOn& served) {
    const bool device = served.bandwidthGBs == 0 && findHardware(served.device) == nullptr;
    return served.model != nullptr ? "The device is not"
           : device                ? "Model and device are not"
                                   : "The model is not";
}

} // namespace

Finding thermalDecay(const LogEvidence& evidence) {
    Finding finding{.key = "thermal_decay", .claim = "The device slows down as it heats up (throttling)"};
    finding.weight = 3;
    const RateCourse course = courseOf(evidence);
    if (clockGoesBack(evidence.log) && course.values.size() > 1) {
        finding.reason =
            "The clock of the log goes back: which rates came first is not told, so they are not "
            "compared over time.";
        finding.decide = "Read the lines before and after the clock was set as logs of their own.";
        finding.evidence = ends(course.where);
        return finding;
    }
    finding.decide =
        "Log the rate every few seconds, and the device's clock, for five minutes at one context.";
    if (course.values.size() < enoughRates) {
        finding.reason =
            course.values.empty()
                ? "The log tells no rate over time."
                : fmt::format("{} too few to tell a trend.",
                              course.values.size() == 1 ? std::string("One rate is")
                                                        : counted(course.values.size(), "rate") + " are");
        finding.evidence = ends(course.where);
        if (course.values.size() < 2) {
            return finding;
        }
    }
    const double first = thirdMedian(course.values, false);
    const double last = thirdMedian(course.values, true);
    const double fall = first > 0 ? 1 - last / first : 0;
    finding.evidence = ends(course.where);
    const auto [kvFirst, kvLast] = kvUseEnds(evidence.log);
    const std::string change = fmt::format("From the first third to the last the rate {} by {}",
                                           fall >= 0 ? "falls" : "rises", formatShare(std::abs(fall)));
    if (course.values.size() >= enoughRates && fall < steady) {
        finding.verdict = Verdict::Excluded;
        finding.decide.clear();
        finding.reason = change + (course.freed ? ", with the growing context taken out." : ".");
    } else if (course.values.size() >= enoughRates && fall > decay && course.freed) {
        finding.verdict = Verdict::Supported;
        finding.decide.clear();
        finding.reason = change + " at equal context (each rate over its ceiling).";
    } else if (!course.freed && isTold(kvFirst) && kvLast > kvFirst) {
        finding.reason =
            change + fmt::format(" while the KV cache fills from {} to {}: context alone may explain "
                                 "it.",
                                 formatShare(kvFirst), formatShare(kvLast));
    } else if (!course.freed && course.contextGrew > 1 + decay) {
        finding.reason =
            change + fmt::format(" while the context grows {}{} times: {}",
                                 course.contextAtLeast ? "at most " : "", formatReal(course.contextGrew, 2),
                                 course.contextAtLeast ? "with the prompt's length it could be taken out."
                                                       : "with a model and a device it can be taken out.");
    } else {
        finding.reason = change + (course.freed ? " at equal context." : "; the context is not told.");
    }
    return finding;
}

Finding rateArithmetic(const LogEvidence& evidence) {
    Finding finding{.key = "rate_arithmetic", .claim = "A rate divides prompt and output by the whole time"};
    finding.weight = 8;
    const std::vector<const LogEvent*> reported = reportedRates(evidence.log);
    const RateBound bound = boundOf(evidence);
    for (const LogEvent* event : reported) {
        const double rate = event->tokens / event->seconds;
        if (rate <= bound.tokensPerS || !isTold(bound.tokensPerS) ||
            finding.evidence.size() >= mostEvidence) {
            continue;
        }
        finding.verdict = Verdict::Supported;
        finding.reason += fmt::format(
            "{} tokens in {} are {}, of which at most {} can be outputs of one stream at {}. ",
            formatExact(static_cast<std::int64_t>(event->tokens)), formatSeconds(event->seconds),
            rateWords(rate), formatExact(static_cast<std::int64_t>(bound.tokensPerS * event->seconds)),
            bound.words);
        finding.evidence.push_back(event->where);
    }
    if (finding.verdict == Verdict::Supported) {
        finding.reason += "So prompts and outputs are divided by wall time: no rate of decoding.";
        return finding;
    }
    if (reported.empty()) {
        finding.verdict = Verdict::Excluded;
        finding.reason = "No line prints a rate of a whole request.";
        return finding;
    }
    finding.evidence.push_back(reported.front()->where);
    if (isTold(bound.tokensPerS)) {
        finding.verdict = Verdict::Excluded;
        finding.reason = "Printed rates are within " + bound.words + ".";
    } else {
        finding.reason = "Rates are printed; what they divide is not said.";
        finding.decide = "Log output tokens and the time from the first to the last of them.";
    }
    return finding;
}

Finding modelOrQuantisation(const LogEvidence& evidence) {
    Finding finding{.key = "model_or_quantisation", .claim = "This model or its quantisation is slow here"};
    finding.weight = 9;
    const std::optional<TypicalRate> typical = typicalRate(evidence.rates);
    if (!typical) {
        finding.reason = "The log tells no rate of decoding.";
        finding.decide = "Log output tokens and decode time of each request.";
        finding.weight = 12;
        return finding;
    }
    const ObservedRate* rate = &typical->rate;
    finding.evidence = typical->where;
    if (evidence.light && rate->streams > 1) {
        finding.reason = fmt::format("Published rates are of one stream; {} shared these steps.",
                                     formatReal(rate->streams, 1));
        finding.decide = "Time one request alone: its rate can be held against published ones.";
        return finding;
    }
    if (!evidence.light || evidence.light->band().points.empty()) {
        finding.reason = evidence.light ? "No published rate of like hardware and quantisation is known."
                                        : untoldWords(evidence.served) + " said.";
        finding.decide = evidence.light
                             ? "Run a small model of the same format on the same device for comparison."
                             : "Say which model serves and on which device: the bandwidth's ceiling follows.";
        finding.weight = 12;
        return finding;
    }
    const Expected expected = expectedOf(*evidence.light, *rate);
    const EfficiencyBand& band = evidence.light->band();
    const double low = expected.atLongest[0];
    const double high = expected.atShortest[1];
    const std::string shares = formatShare(band.low) == formatShare(band.high)
                                   ? "The published rate of like hardware is " + formatShare(band.low)
                                   : fmt::format("Published rates of like hardware are {} to {}",
                                                 formatShare(band.low), formatShare(band.high));
    const std::string range = fmt::format(
        "{} of the ceiling: {}{} here", shares,
        formatReal(low, 3) == formatReal(high, 3) ? "" : formatReal(low, 3) + " to ", rateWords(high));
    if (rate->tokensPerS >= expected.atShortest[0]) {
        finding.verdict = Verdict::Excluded;
        finding.reason = range + fmt::format("; observed {}.", rateWords(rate->tokensPerS));
    } else if (rate->tokensPerS >= expected.atLongest[0]) {
        finding.reason =
            range + fmt::format("; observed {}: expected if the context is as long as it may be, slow if it "
                                "is as short.",
                                rateWords(rate->tokensPerS));
        finding.decide =
            "Log the tokens in the cache of each request; decode the same prompt with a small model.";
    } else {
        finding.verdict = rate->atLeast || !rate->streamsTold ? Verdict::NotExcluded : Verdict::Supported;
        finding.reason = range + fmt::format("; observed {}{}.", rate->atLeast ? "at least " : "",
                                             rateWords(rate->tokensPerS));
        finding.decide =
            finding.verdict == Verdict::Supported
                ? ""
                : "Time decoding alone: from the first token to the last, one request at a time.";
    }
    return finding;
}

} // namespace loadline
