// The cache of prompts: misses, hits that cannot be, rebuilding.
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/prompt_growth.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace loadline {
namespace {

constexpr double mostlyCached = 0.98; ///< what may have been computed again is less than the rest
constexpr double smallShare = 0.1;
constexpr double largeFall = 0.2; ///< of a hit rate

std::string exact(double tokens) {
    return formatExact(static_cast<std::int64_t>(tokens));
}

std::vector<LogLine> eventsOf(const ServerLog& log, LogEventKind kind) {
    return linesWhere<LogEvent>(log.events, [kind](const LogEvent& event) { return event.kind == kind; });
}

/// A hit of so many tokens and the rebuilding of as many are one.
std::size_t countOf(const ServerLog& log, LogEventKind kind) {
    std::size_t count = 0;
    double tokens = notTold;
    for (const LogEvent& event : log.events) {
        if (event.kind == kind) {
            count += event.tokens == tokens ? 0 : 1;
            tokens = event.tokens;
        }
    }
    return count;
}

/// Hit rates over recent requests, as vLLM tells them: the lowest, the last, and the largest fall of one
/// engine.
struct HitRates {
    double least = notTold;
    std::map<int, double> last; ///< of each engine
    double fellFrom = notTold;
    double fellTo = notTold;
    LogLine high, low; ///< of the fall
};

HitRates hitRatesOf(const ServerLog& log) {
    struct Best {
        double hit = -1;
        LogLine where;
    };
    HitRates rates;
    std::map<int, Best> best;
    double fall = 0;
    for (const LogInterval& interval : log.intervals) {
        const double hit = interval.prefixHit;
        if (!isTold(hit) || isTold(interval.newTokens)) {
            continue;
        }
        rates.least = std::fmin(rates.least, hit);
        rates.last[interval.engine] = hit;
        Best& high = best[interval.engine];
        if (high.hit - hit > fall) {
            fall = high.hit - hit;
            rates.fellFrom = high.hit;
            rates.fellTo = hit;
            rates.high = high.where;
            rates.low = interval.where;
        }
        if (hit > high.hit) {
            high = {hit, interval.where};
        }
    }
    return rates;
}

/// "50 %"; of several engines "5 % (engine 1) to 90 % (engine 0)".
std::string lastWords(const HitRates& rates) {
    const auto [low, high] =
        std::ranges::minmax_element(rates.last, {}, [](const auto& engine) { return engine.second; });
    return formatShare(low->second) == formatShare(high->second)
               ? formatShare(high->second)
               : fmt::format("{} (engine {}) to {} (engine {})", formatShare(low->second), low->first,
                             formatShare(high->second), high->first);
}

/// Cached tokens over all tokens of the prompts that follow each other, where it is lowest: over at least as
/// many tokens as a long prompt has.
struct WorstShare {
    double share = notTold;
    LogLine first, last;
};

struct PromptTokens {
    double cached = 0;
    double all = 0;
    LogLine where;
};

std::vector<PromptTokens> promptsOf(const ServerLog& log) {
    std::vector<PromptTokens> prompts;
    for (const LogRequest& request : log.requests) {
        if (request.generates && isTold(request.cachedTokens) && isTold(request.inputTokens)) {
            prompts.push_back({request.cachedTokens, request.inputTokens, request.last});
        }
    }
    for (const LogInterval& interval : log.intervals) {
        if (isTold(interval.cachedTokens) && isTold(interval.newTokens)) {
            prompts.push_back(
                {interval.cachedTokens, interval.cachedTokens + interval.newTokens, interval.where});
        }
    }
    std::ranges::stable_sort(prompts, {}, &PromptTokens::where);
    return prompts;
}

WorstShare worstShareOf(const std::vector<PromptTokens>& prompts) {
    constexpr double enough = 16'384;
    WorstShare worst;
    double cached = 0;
    double all = 0;
    for (std::size_t first = 0, i = 0; i < prompts.size(); ++i) {
        cached += prompts[i].cached;
        all += prompts[i].all;
        while (first < i && all - prompts[first].all >= enough) {
            cached -= prompts[first].cached;
            all -= prompts[first].all;
            ++first;
        }
        const bool whole = all >= enough || (i + 1 == prompts.size() && first == 0);
        if (whole && all > 0 && !(cached / all >= worst.share)) {
            worst = {cached / all, prompts[first].where, prompts[i].where};
        }
    }
    return worst;
}

std::vector<LogLine> hitLines(const ServerLog& log) {
    std::vector<LogLine> lines = linesWhere<LogInterval>(log.intervals, [](const LogInterval& interval) {
        return isTold(interval.cachedTokens) || isTold(interval.prefixHit);
    });
    for (const LogRequest& request : log.requests) {
        if (lines.size() < mostEvidence && isTold(request.cachedTokens)) {
            lines.push_back(request.last);
        }
    }
    return lines;
}

/// All prompts and outputs that are told: no hit can be larger.
double tokensTold(const ServerLog& log) {
    double tokens = 0;
    for (const LogRequest& request : log.requests) {
        tokens += isTold(request.inputTokens) ? request.inputTokens : 0;
        tokens += isTold(request.outputTokens) ? request.outputTokens : 0;
    }
    return tokens;
}

/// Layers and window of which a hit is the product: of the model, else of the log's facts.
struct LayersByWindow {
    std::int64_t layers = 0;
    std::int64_t window = 0;
};

LayersByWindow layersByWindowOf(const LogEvidence& evidence) {
    if (evidence.light && evidence.light->served().model != nullptr) {
        const AttentionFacts& facts = evidence.light->served().model->attention;
        return {facts.layers, facts.window};
    }
    const auto number = [&evidence](std::string_view name) -> std::int64_t {
        return std::strtoll(std::string(factOf(evidence.log, name)).c_str(), nullptr, 10);
    };
    return {number("layers"), number("window")};
}

/// `possible` 0: not too many; no layers: no such product.
std::string implausibleWords(double tokens, double possible, const LayersByWindow& shape) {
    std::string words = fmt::format("A hit of {} tokens", exact(tokens));
    if (possible > 0) {
        words += fmt::format(" is more than all prompts and outputs that the log tells, {}", exact(possible));
    }
    if (shape.layers == 0) {
        return words + ".";
    }
    return words + fmt::format("{} {} layers x a window of {}: probably a sum over layers, not a length.",
                               possible > 0 ? ", and equals" : " equals", shape.layers,
                               exact(static_cast<double>(shape.window)));
}

/// Writes how much of the prompts came from the cache: over all, where it was least, and how it fell.
void tellHits(Finding& finding, const ServerLog& log, const std::vector<PromptTokens>& prompts,
              const WorstShare& worst, const HitRates& rates) {
    if (isTold(worst.share)) {
        double cached = 0;
        double all = 0;
        for (const PromptTokens& prompt : prompts) {
            cached += prompt.cached;
            all += prompt.all;
        }
        finding.reason =
            fmt::format("{} of the prompts' tokens came from the cache", formatShare(cached / all));
        if (formatShare(worst.share) != formatShare(cached / all)) {
            finding.reason += fmt::format(", {} where it was least ({} to {})", formatShare(worst.share),
                                          lineWords(log, worst.first), lineWords(log, worst.last));
        }
        return;
    }
    if (rates.fellFrom - rates.fellTo >= largeFall) {
        finding.reason =
            fmt::format("The prefix cache's hit rate over recent requests falls from {} ({}) to {} "
                        "({}); it is {} at the end",
                        formatShare(rates.fellFrom), lineWords(log, rates.high), formatShare(rates.fellTo),
                        lineWords(log, rates.low), lastWords(rates));
        finding.reason += promptGrowthWords(log);
        finding.weight = 8;
        return;
    }
    finding.reason =
        fmt::format("The prefix cache's hit rate is {} at the end, over recent requests{}", lastWords(rates),
                    lastWords(rates).starts_with(formatShare(rates.least))
                        ? std::string()
                        : fmt::format(", and {} at least", formatShare(rates.least)));
}

} // namespace

Finding cacheMisses(const LogEvidence& evidence) {
    Finding finding{.key = "cache_misses",
                    .claim = "Prompts are computed again instead of read from the cache"};
    finding.weight = 5;
    const ServerLog& log = evidence.log;
    const std::size_t reprocessed = countOf(log, LogEventKind::FullReprocess);
    const std::size_t misses = countOf(log, LogEventKind::CacheMiss);
    const std::size_t hits = countOf(log, LogEventKind::CacheHit);
    const std::vector<PromptTokens> prompts = promptsOf(log);
    const WorstShare worst = worstShareOf(prompts);
    const HitRates rates = hitRatesOf(log);
    constexpr const char* compare = "Compare the prompts of requests that follow each other: what they share "
                                    "could have been read.";
    if (reprocessed > 0) {
        finding.verdict = Verdict::Supported;
        finding.reason =
            fmt::format("{} computed in full though a part was in the cache (the model's window or state "
                        "cannot be rewound): the usual cause of slow agents.",
                        counted(reprocessed, "prompt") + (reprocessed == 1 ? " was" : " were"));
        finding.evidence = eventsOf(log, LogEventKind::FullReprocess);
    } else if (misses > 0) {
        finding.reason =
            fmt::format("{} missed the cache; no line shows that they had been computed before. A miss costs "
                        "time before the first token, not the rate after it.",
                        shareWords(misses, misses + hits, "prompt"));
        finding.decide = compare;
        finding.evidence = eventsOf(log, LogEventKind::CacheMiss);
    } else if (isTold(worst.share) || isTold(rates.least)) {
        tellHits(finding, log, prompts, worst, rates);
        const bool excluded = (isTold(worst.share) ? worst.share : rates.least) >= mostlyCached;
        finding.verdict = excluded ? Verdict::Excluded : Verdict::NotExcluded;
        finding.reason += excluded ? "." : "; whether those that were computed had been before is not told.";
        finding.decide = excluded ? "" : compare;
        finding.evidence = rates.fellFrom - rates.fellTo >= largeFall
                               ? std::vector<LogLine>{rates.high, rates.low}
                               : hitLines(log);
    } else if (hits > 0) {
        finding.reason = fmt::format("{} hit the cache; how much of the prompts that was is not told.",
                                     shareWords(hits, hits, "prompt"));
        finding.decide = "Log cached and new tokens of each prompt.";
        finding.evidence = eventsOf(log, LogEventKind::CacheHit);
    } else {
        finding.reason = "The log does not tell what prompts found in the cache.";
        finding.decide = "Log cached and new tokens of each prompt.";
    }
    return finding;
}

Finding implausibleHits(const LogEvidence& evidence) {
    Finding finding{.key = "implausible_hits",
                    .claim = "A cache hit is larger than what can have been cached"};
    finding.weight = 7;
    const LayersByWindow shape = layersByWindowOf(evidence);
    const double possible = tokensTold(evidence.log);
    bool isRecorded = false;
    for (const LogEvent& event : evidence.log.events) {
        if (event.kind != LogEventKind::CacheHit || !isTold(event.tokens)) {
            continue;
        }
        isRecorded = true;
        const bool product =
            shape.window > 1 && event.tokens == static_cast<double>(shape.layers * shape.window);
        const bool tooMany = possible > 0 && event.tokens > possible;
        if (finding.evidence.size() >= mostEvidence || !(product || tooMany)) {
            continue;
        }
        finding.evidence.push_back(event.where);
        if (finding.verdict != Verdict::Supported) {
            finding.verdict = Verdict::Supported;
            finding.reason =
                implausibleWords(event.tokens, tooMany ? possible : 0, product ? shape : LayersByWindow());
        }
    }
    if (finding.verdict == Verdict::Supported) {
        return finding;
    }
    for (const LogRequest& request : evidence.log.requests) {
        if (request.cachedTokens > request.inputTokens && finding.evidence.size() < mostEvidence) {
            finding.verdict = Verdict::Supported;
            finding.reason = fmt::format("{} tokens from the cache for a prompt of {}.",
                                         exact(request.cachedTokens), exact(request.inputTokens));
            finding.evidence.push_back(request.last);
        }
    }
    if (finding.verdict != Verdict::Supported) {
        isRecorded = isRecorded || std::ranges::any_of(evidence.log.requests, [](const LogRequest& request) {
                         return isTold(request.cachedTokens) && isTold(request.inputTokens);
                     });
        finding.verdict = isRecorded ? Verdict::Excluded : Verdict::NotExcluded;
        finding.reason = isRecorded ? "Every hit is within what was told of prompts and outputs."
                                    : "No line tells the length of a hit.";
        if (isRecorded) {
            finding.evidence = hitLines(evidence.log);
        }
        finding.weight = 1;
    }
    return finding;
}

Finding cacheReconstruction(const LogEvidence& evidence) {
    Finding finding{.key = "cache_reconstruction", .claim = "Rebuilding or loading the cache takes the time"};
    finding.weight = 2;
    std::vector<LogLine> hits = eventsOf(evidence.log, LogEventKind::CacheHit);
    for (const LogRequest& request : evidence.log.requests) {
        if (request.generates && request.cachedTokens > 0 && hits.size() < mostEvidence) {
            hits.push_back(request.last);
        }
    }
    double waited = 0;
    double whole = 0;
    double worst = 0; ///< share of one request
    for (const LogRequest& request : evidence.log.requests) {
        if (request.generates && isTold(request.firstTokenS) && isTold(request.arrivalS) &&
            isTold(request.endS) && isTold(request.cachedTokens) && request.cachedTokens > 0) {
            const double before = request.firstTokenS - request.arrivalS;
            const double seconds = request.endS - request.arrivalS;
            waited += before;
            whole += seconds;
            worst = std::fmax(worst, seconds > 0 ? before / seconds : 0);
            finding.evidence.push_back(request.last);
        }
    }
    finding.evidence.resize(std::min(finding.evidence.size(), mostEvidence));
    if (whole > 0) {
        finding.verdict = worst < smallShare ? Verdict::Excluded : Verdict::NotExcluded;
        finding.reason = fmt::format(
            "Requests that hit the cache spent {} of their time before the first token, {} at most.",
            formatShare(waited / whole), formatShare(worst));
    } else if (hits.empty() && std::ranges::any_of(evidence.log.intervals, [](const LogInterval& interval) {
                   return interval.prefixHit > 0 || interval.cachedTokens > 0;
               })) {
        finding.evidence = hitLines(evidence.log);
        finding.reason = "Lines tell what prompts found in the cache, not what reading it took.";
    } else if (hits.empty()) {
        finding.verdict =
            std::ranges::any_of(evidence.log.events,
                                [](const LogEvent& event) { return event.kind == LogEventKind::CacheMiss; })
                ? Verdict::Excluded
                : Verdict::NotExcluded;
        finding.reason = finding.verdict == Verdict::Excluded ? "No prompt hit the cache."
                                                              : "The log tells no hits of the cache.";
    } else {
        finding.evidence = hits;
        finding.reason =
            "A cache is rebuilt once, before the first token, of which the log does not tell the time; "
            "what each step reads of it is in the ceiling.";
    }
    if (finding.verdict == Verdict::NotExcluded) {
        finding.decide =
            "Log the time of the first token, or compare the same prompt with a hit and with a miss.";
    }
    return finding;
}

} // namespace loadline
