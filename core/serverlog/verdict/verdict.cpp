// The verdict: two sentences, the findings, what to try next.
#include "core/serverlog/format/server_formats.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/observed_words.h"
#include "core/serverlog/verdict/parted_verdict.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline {
namespace {

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

/// Returns how shares compare with those that are published of like hardware.
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
    const bool knowsContext = isTold(rate.contextLow);
    const double low = knowsContext ? rate.contextLow : 0;
    const double high = isTold(rate.contextHigh) ? rate.contextHigh : low;
    const ContextShares shortest = sharesAt(light, rate, low, std::min(low + rate.contextGrows, high));
    const ContextShares longest = sharesAt(light, rate, std::max(high - rate.contextGrows, low), high);
    verdict.shareLow = shortest.shareFrom;
    verdict.shareHigh = longest.shareTo;
    std::string words = fmt::format(", {}{} of what {} allow {} ", shareRange(shortest),
                                    knowsContext && !rate.contextAtLeast ? "" : " or more",
                                    bandwidthWords(light), light.served().words());
    words += knowsContext ? fmt::format("with {}{} tokens of context", rate.contextAtLeast ? "at least " : "",
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

/// Servers of which lines were matched that no other writes, by how many; without the one that the log's
/// server runs.
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
    const auto of = std::ranges::find(formatPatterns(), log.server, &FormatPatterns::server);
    std::erase_if(servers, [&](const auto& one) {
        return of != formatPatterns().end() && one.second->key == of->runs;
    });
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

std::string headlineOf(const ServerLog& log, LogVerdict& verdict, bool asks) {
    if (!log.known()) {
        return "No line of this log is of a known server. Nothing can be said of its rate.";
    }
    const std::optional<TypicalRate> typical = typicalRate(log, verdict.rates);
    if (!typical) {
        return otherwiseWords(log, verdict);
    }
    return observedWords(log, verdict, *typical) +
           (verdict.light ? lightWords(verdict, typical->rate)
            : asks        ? ". Choose a model and a device to see what the memory bandwidth allows."
                          : ".");
}

/// Puts what is decided first.
void sortByVerdict(std::vector<Finding>& findings) {
    std::ranges::stable_sort(findings, {}, [](const Finding& finding) {
        return finding.verdict == Verdict::Supported ? 0 : finding.verdict == Verdict::Excluded ? 1 : 2;
    });
}

std::vector<Finding> findingsOf(const LogEvidence& evidence) {
    const Finding concurrency = concurrentRequests(evidence);
    const std::vector<ObservedRate> none; // lines that requests fill in part tell no rate to compare
    const LogEvidence rated{evidence.log, typicalRate(evidence.rates) ? evidence.rates : none, evidence.light,
                            evidence.served, evidence.concurrency};
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
    for (const std::optional<Finding>& found :
         {noProgress(evidence), enginesDiffer(evidence), slowRequests(evidence)}) {
        if (found) {
            findings.push_back(*found);
        }
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
                    thermalDecay(rated), cacheReconstruction(evidence), engineSettings(evidence),
                    streamingOrClient(evidence)}) {
        findings.push_back(std::move(finding));
    }
    sortByVerdict(findings);
    return findings;
}

std::string firstSentence(const std::string& text) {
    const std::size_t end = text.find(". ");
    return end == std::string::npos ? text : text.substr(0, end + 1);
}

/// Returns the supported causes that slow every token, or take most of the time of a request.
std::string culpritWords(const std::vector<Finding>& findings) {
    std::string words;
    const bool stuck = std::ranges::any_of(findings, [](const Finding& finding) {
        return finding.key == "no_progress" && finding.verdict == Verdict::Supported;
    });
    for (const Finding& finding : findings) {
        const bool isSaid = stuck && finding.key == "queueing"; // no_progress tells those that wait, too
        if (finding.verdict == Verdict::Supported && !finding.headline.empty() && !isSaid) {
            words += " " + finding.headline;
        } else if (finding.verdict == Verdict::Supported &&
                   (finding.key == "failures" || (finding.key == "failed_requests" && finding.weight > 0))) {
            words += " " + finding.reason;
        } else if (finding.verdict == Verdict::Supported && finding.key == "partial_offload") {
            words += " A part of the model runs on the CPU.";
        } else if (finding.verdict == Verdict::Supported &&
                   (finding.key == "prompt_time" || finding.key == "no_progress" ||
                    finding.key == "engines_differ" || finding.key == "slow_requests")) {
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

LogVerdict verdictOfOne(const ServerLog& log, const ServedOn& served, bool asks) {
    LogVerdict verdict;
    if (served.known()) {
        verdict.light.emplace(served);
    }
    verdict.rates = observedRatesOf(log);
    verdict.engines = enginesOf(log);
    verdict.engineSums = engineSumsOf(log);
    if (log.known()) {
        verdict.findings = findingsOf({log, verdict.rates, verdict.light, served});
    }
    verdict.headline = headlineOf(log, verdict, asks) + culpritWords(verdict.findings);
    return verdict;
}

LogVerdict verdictOf(const ServerLog& log, const ServedOn& served) {
    const std::vector<LogPart> parts = partsOf(log);
    LogVerdict verdict = parts.empty() ? verdictOfOne(log, served, true) : verdictOfParts(log, parts, served);
    if (!parts.empty()) {
        verdict.engines = enginesOf(log);
        verdict.engineSums = engineSumsOf(log);
        sortByVerdict(verdict.findings);
    }
    verdict.next = nextOf(verdict.findings);
    verdict.headline = mixedWords(log) + verdict.headline;
    return verdict;
}

} // namespace loadline
