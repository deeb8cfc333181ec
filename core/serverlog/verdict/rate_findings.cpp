// Finds whether rates were divided wrongly, or are what this model can reach.
#include "core/cost/device/hardware.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/worst_span.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

std::string rateWords(double tokensPerS) {
    return formatReal(tokensPerS, 3) + " tokens/s";
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

/// Rate that no stream exceeds, as far as is known.
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
    if (const std::optional<TypicalRate> typical = typicalRate(evidence.log, evidence.rates)) {
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
    const std::optional<TypicalRate> typical = typicalRate(evidence.log, evidence.rates);
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
    const RateSpan slowest = slowestSpan(evidence);
    if (rate->tokensPerS >= expected.atShortest[0] && slowest.rate < band.low) {
        finding.reason = range + fmt::format("; observed {} (median), but only {} of the ceiling in {}.",
                                             rateWords(rate->tokensPerS), formatShare(slowest.rate),
                                             spanWords(evidence.log, slowest));
        finding.evidence.insert(finding.evidence.end(), {slowest.first, slowest.last});
        finding.decide = "Read the lines of the slow span as a log of their own.";
    } else if (rate->tokensPerS >= expected.atShortest[0]) {
        finding.verdict = Verdict::Excluded;
        finding.reason =
            range + fmt::format("; observed {}{}.", rateWords(rate->tokensPerS),
                                !isTold(slowest.rate)
                                    ? std::string()
                                    : fmt::format(" and at least {} of the ceiling in every span",
                                                  formatShare(slowest.rate)));
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
