// The verdict: two sentences, the findings, what to try next.
#include "core/serverlog/format/log_pattern.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/prompt_rates.h"
#include "core/serverlog/verdict/together.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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
    const SumFigures running = figuresOf(verdict.engineSums, &LogSum::running);
    return fmt::format("; {} engines {} together, up to {}{}", engineCountOf(verdict.engines),
                       formatReal(output.median, 3), formatReal(output.most, 3),
                       isTold(running.most) ? fmt::format(" with {} running", formatReal(running.most, 1))
                                            : std::string());
}

/// ", 1 102 together"; of several streams of one engine.
std::string togetherWords(const ServerLog& log, const LogVerdict& verdict, const TypicalRate& typical) {
    if (!(streamsOf(typical.of).high > nearlyOne) || !verdict.engineSums.empty()) {
        return "";
    }
    const OverTime together = togetherOf(log, typical.of);
    const bool spread = isTold(typical.low) && isTold(together.low);
    return !isTold(together.typical)
               ? std::string()
               : fmt::format(", {} together", spread ? rangeWords(together.low, together.high)
                                                     : formatReal(together.typical, 3));
}

/// "Each of 4 streams", "Each of 2 to 4 streams of an engine", "A stream": as many as ran in most of the
/// time.
std::string streamWords(const LogVerdict& verdict, const TypicalRate& typical) {
    const OverTime streams = streamsOf(typical.of);
    if (!(streams.high > nearlyOne)) {
        return "A stream";
    }
    return fmt::format("Each of {}{}",
                       streams.low < streams.high ? rangeWords(streams.low, streams.high) + " streams"
                                                  : streamsWords(streams.high),
                       verdict.engineSums.empty() ? "" : " of an engine");
}

/// "A stream decodes at 25.5 tokens/s" and on what that stands.
std::string observedWords(const ServerLog& log, const LogVerdict& verdict, const TypicalRate& typical) {
    const ObservedRate& rate = typical.rate;
    std::string words = fmt::format("{} decodes at {} tokens/s{}", streamWords(verdict, typical),
                                    isTold(typical.low) ? rangeWords(typical.low, typical.high)
                                                        : formatReal(rate.tokensPerS, 3),
                                    rate.atLeast ? " or more" : "");
    words += togetherWords(log, verdict, typical);
    if (verdict.rates.size() > 1) {
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

/// Where no rate of decoding is told: what is.
std::string otherwiseWords(const ServerLog& log, const LogVerdict& verdict) {
    std::string words = "The log tells no rate of decoding.";
    const std::vector<double> prompts = promptRates(log);
    if (!prompts.empty()) {
        words += fmt::format(" Prompts are computed at {} tokens/s (median of {}).",
                             formatReal(medianOf(prompts), 3), counted(prompts.size(), "observation"));
    }
    if (std::ranges::any_of(verdict.rates, [](const ObservedRate& rate) { return !rate.filled; })) {
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

/// Contexts while a rate was observed, and the shares of the ceiling there.
struct ContextShares {
    double from = 0;
    double to = 0;
    double shareFrom = 0;
    double shareTo = 0;

    [[nodiscard]] double middle() const { return (shareFrom + shareTo) / 2; }
};

ContextShares sharesAt(const SpeedOfLight& light, const ObservedRate& rate, double from, double to) {
    const auto share = [&](double context) {
        return rate.tokensPerS / light.ceiling(context, rate.streams, rate.tokensPerStep);
    };
    return {from, to, share(from), share(to)};
}

/// "48.6 to 52 %"
std::string shareRange(const ContextShares& shares) {
    constexpr double wide = 1.01;
    return shares.shareTo > wide * shares.shareFrom
               ? formatReal(shares.shareFrom * 100, 3) + " to " + formatShare(shares.shareTo)
               : formatShare(shares.shareFrom);
}

std::string contextRange(const ContextShares& shares) {
    const auto exact = [](double tokens) { return formatExact(static_cast<std::int64_t>(tokens)); };
    return shares.to > shares.from ? exact(shares.from) + " to " + exact(shares.to) : exact(shares.from);
}

/// Where shares lie beside those that are published of like hardware.
std::string placeOf(const EfficiencyBand& band, const ContextShares& shares) {
    if (band.points.empty()) {
        return "";
    }
    const double share = shares.middle();
    if (share > band.high) {
        return " (above published rates of like hardware)";
    }
    return share >= band.low ? " (as published rates of like hardware)"
                             : fmt::format(" ({} below the lowest published rate of like hardware)",
                                           formatShare(1 - share / band.low));
}

/// How many times slower than the best published rate.
std::string slowness(const EfficiencyBand& band, const ContextShares& shares) {
    constexpr double several = 2;
    const double times = band.high / shares.shareFrom; // as the range of what is expected says it
    if (times >= several) {
        return fmt::format(" It is {} times slower than the best published rate of like hardware.",
                           formatReal(times, 2));
    }
    return times > 1
               ? fmt::format(" \"2 times slow\" or more is not supported: against the best published rate it "
                             "is {} times at most.",
                             formatReal(times, 2))
               : "";
}

/// "400 GB/s", "2 x 3 350 GB/s"; no line breaks within.
std::string bandwidthWords(const SpeedOfLight& light) {
    const int devices = light.served().devices;
    const std::string each = formatReal(light.bandwidthGBs() / devices, 3) + "\u00a0GB/s";
    return devices > 1 ? fmt::format("{}\u00a0x\u00a0{}", devices, each) : each;
}

/// ", 48.6 to 52 % of what 400 GB/s allow ..." and how slow that is.
std::string lightWords(LogVerdict& verdict, const ObservedRate& rate) {
    const SpeedOfLight& light = *verdict.light;
    const bool told = isTold(rate.contextLow);
    const double low = told ? rate.contextLow : 0;
    const double high = isTold(rate.contextHigh) ? rate.contextHigh : low;
    const ContextShares shortest = sharesAt(light, rate, low, std::min(low + rate.contextGrows, high));
    const ContextShares longest = sharesAt(light, rate, std::max(high - rate.contextGrows, low), high);
    verdict.shareLow = shortest.shareFrom;
    verdict.shareHigh = longest.shareTo;
    std::string words = fmt::format(", {}{} of what {} allow {} ", shareRange(shortest),
                                    told && !rate.contextAtLeast ? "" : " or more", bandwidthWords(light),
                                    light.served().words());
    words += told ? fmt::format("with {}{} tokens of context", rate.contextAtLeast ? "at least " : "",
                                contextRange(shortest))
                  : "by its weights alone: the context is not told";
    if (verdict.shareLow > 1) {
        return words + ". That is more than can be: the model, its bits, the device or the rate is another.";
    }
    words += rate.streams > 1 ? "" : placeOf(light.band(), shortest);
    const bool bounds = longest.from > shortest.from;
    if (bounds) {
        words += fmt::format(", {} with {}{}", shareRange(longest), contextRange(longest),
                             rate.streams > 1 ? "" : placeOf(light.band(), longest));
    }
    return words + "." +
           (light.band().points.empty() || rate.streams > 1 ? "" : slowness(light.band(), shortest));
}

/// Servers of which lines were matched that no other writes, by how many. Ollama and LM Studio run
/// llama.cpp's.
std::vector<std::pair<std::uint64_t, const ServerFormat*>> serversIn(const ServerLog& log) {
    std::vector<std::pair<std::uint64_t, const ServerFormat*>> servers;
    for (const FormatPatterns& format : formatPatterns()) {
        std::uint64_t lines = 0;
        for (const LogPattern& pattern : format.patterns) {
            const auto found = std::ranges::find(log.matched, pattern.id, &PatternCount::pattern);
            const bool own = pattern.tells == Tells::Server && !pattern.id.empty();
            lines += own && found != log.matched.end() ? found->count : 0;
        }
        if (lines > 0) {
            servers.emplace_back(lines, format.server);
        }
    }
    const bool runsLlama =
        log.server != nullptr && (log.server->key == "ollama" || log.server->key == "lm-studio");
    std::erase_if(servers, [&](const auto& one) { return runsLlama && one.second->key == "llama-cpp"; });
    std::ranges::stable_sort(servers, std::greater(), [](const auto& one) { return one.first; });
    return servers;
}

/// " Lines of vLLM (1 200) and SGLang (40) are mixed ..."; "" of one server.
std::string mixedWords(const ServerLog& log) {
    const auto servers = serversIn(log);
    if (servers.size() < 2) {
        return "";
    }
    std::string names;
    for (std::size_t i = 0; i < servers.size(); ++i) {
        names +=
            fmt::format("{}{} ({})",
                        i == 0                    ? ""
                        : i + 1 == servers.size() ? " and "
                                                  : ", ",
                        servers[i].second->name, formatExact(static_cast<std::int64_t>(servers[i].first)));
    }
    return fmt::format("Records of {} are mixed in this log, and taken together: read each server's lines "
                       "alone to judge it. ",
                       names);
}

std::string headlineOf(const ServerLog& log, LogVerdict& verdict) {
    if (!log.known()) {
        return "No line of this log is of a known server. Nothing can be said of its rate.";
    }
    const std::optional<TypicalRate> typical = typicalRate(verdict.rates);
    if (!typical) {
        return otherwiseWords(log, verdict);
    }
    return observedWords(log, verdict, *typical) +
           (verdict.light ? lightWords(verdict, typical->rate)
                          : ". Choose a model and a device to see what the memory bandwidth allows.");
}

std::vector<Finding> findingsOf(const LogEvidence& evidence) {
    const Finding concurrency = concurrentRequests(evidence);
    std::vector<Finding> findings{modelOrQuantisation(evidence)};
    if (tellsFailures(evidence.log)) {
        findings.push_back(failures(evidence));
    }
    if (tellsEnds(evidence.log)) {
        findings.push_back(failedRequests(evidence));
    }
    if (mayOffload(evidence.log)) {
        findings.push_back(partialOffload(evidence));
    }
    if (const std::optional<Finding> stuck = noProgress(evidence)) {
        findings.push_back(*stuck);
    }
    if (timesPrompts(evidence.log)) {
        findings.push_back(promptTime(evidence));
    }
    if (tellsAcceptance(evidence)) {
        findings.push_back(draftAcceptance(evidence));
    }
    for (Finding& finding :
         std::array{concurrency, prefillInterleaving(evidence, concurrency.verdict), cacheMisses(evidence),
                    implausibleHits(evidence), outputCap(evidence), rateArithmetic(evidence),
                    queueing(evidence, concurrency.verdict), preemption(evidence, concurrency.verdict),
                    thermalDecay(evidence), cacheReconstruction(evidence), engineSettings(evidence),
                    streamingOrClient(evidence)}) {
        findings.push_back(std::move(finding));
    }
    constexpr auto orderOf = [](const Finding& finding) { // what is decided first
        return finding.verdict == Verdict::Supported ? 0 : finding.verdict == Verdict::Excluded ? 1 : 2;
    };
    std::ranges::stable_sort(findings, {}, orderOf);
    return findings;
}

std::string firstSentence(const std::string& text) {
    const std::size_t end = text.find(". ");
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

/// Returns the supported causes that slow every token, or take most of the time of a request.
std::string culpritWords(const std::vector<Finding>& findings) {
    std::string words;
    for (const Finding& finding : findings) {
        if (finding.verdict == Verdict::Supported &&
            (finding.key == "failures" || (finding.key == "failed_requests" && finding.weight > 0))) {
            words += " " + finding.reason;
        } else if (finding.verdict == Verdict::Supported && finding.key == "partial_offload") {
            words += " A part of the model runs on the CPU.";
        } else if (finding.verdict == Verdict::Supported && finding.key == "prompt_time") {
            words += " " + firstSentence(finding.reason);
        } else if (finding.verdict == Verdict::Supported &&
                   (finding.key == "thermal_decay" || finding.key == "no_progress")) {
            words += " " + firstSentence(finding.reason);
        } else if (finding.verdict == Verdict::Supported && finding.key == "engine_settings") {
            words += " The engine runs without CUDA graphs.";
        }
    }
    return words;
}

std::vector<std::string> nextOf(const std::vector<Finding>& findings) {
    std::vector<const Finding*> open;
    for (const Finding& finding : findings) {
        if (finding.verdict == Verdict::NotExcluded && !finding.decide.empty()) {
            open.push_back(&finding);
        }
    }
    std::ranges::stable_sort(open, std::greater(), &Finding::weight);
    std::vector<std::string> next;
    for (const Finding* finding : open) {
        if (std::ranges::find(next, finding->decide) == next.end()) {
            next.push_back(finding->decide);
        }
    }
    return next;
}

} // namespace

LogVerdict verdictOf(const ServerLog& log, const ServedOn& served) {
    LogVerdict verdict;
    if (served.known()) {
        verdict.light.emplace(served);
    }
    verdict.rates = observedRatesOf(log);
    verdict.engines = enginesOf(log);
    verdict.engineSums = engineSumsOf(log);
    if (log.known()) {
        verdict.findings = findingsOf({log, verdict.rates, verdict.light, served});
        verdict.next = nextOf(verdict.findings);
    }
    verdict.headline = mixedWords(log) + headlineOf(log, verdict) + culpritWords(verdict.findings);
    return verdict;
}

} // namespace loadline
