// The cost of prompts that are computed while a request decodes, by the times of requests.
#include "core/serverlog/verdict/prompts_beside.h"

#include "core/base/statistics.h"
#include "core/serverlog/verdict/prompt_rates.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

namespace loadline {
namespace {

constexpr double littleBeside = 0.05;

/// A request while it decodes.
struct Decoding {
    LogLine where;
    double seconds = 0;
    double beside = 0; ///< share of them in which a prompt of another request was computed
    double tokensPerS = 0;
    double streams = 1;
};

/// Prompts as a level over time. One ends where its own request begins to decode: it is not beside it.
std::vector<LogLevel> promptLevels(const std::vector<PromptWork>& prompts) {
    std::map<double, double> changes;
    for (const PromptWork& prompt : prompts) {
        if (prompt.toS > prompt.fromS) {
            changes[prompt.fromS] += 1;
            changes[prompt.toS] -= 1;
        }
    }
    std::vector<LogLevel> levels;
    double running = 0;
    for (const auto& [timeS, change] : changes) {
        running += change;
        levels.push_back({timeS, running > 0 ? 1.0 : 0.0});
    }
    return levels;
}

std::vector<Decoding> decodingRequests(const ServerLog& log) {
    const MeanLevel prompts(promptLevels(promptWorkOf(log)));
    const MeanLevel streams(decodingOf(log));
    std::vector<Decoding> all;
    for (const LogRequest& request : log.requests) {
        const double seconds = request.endS - request.firstTokenS;
        if (request.generates && !request.endInferred && seconds > 0 && request.decodeTokensPerS > 0) {
            all.push_back({request.last, seconds, prompts.between(request.firstTokenS, request.endS),
                           request.decodeTokensPerS, streams.between(request.firstTokenS, request.endS)});
        }
    }
    return all;
}

/// Median rates of requests with prompts beside them and without, at a like number of streams; with 0: too
/// few.
struct BesideLoss {
    double with = 0, without = 0, streams = 0;
    std::size_t requests = 0;
};

BesideLoss besideLossOf(const std::vector<Decoding>& all) {
    constexpr std::size_t enough = 2;
    struct Batch {
        std::vector<double> with, without, streams;
    };
    std::map<int, Batch> batches;
    for (const Decoding& one : all) {
        Batch& batch = batches[likeBatchOf(std::max(one.streams, 1.0))];
        (one.beside > littleBeside ? batch.with : batch.without).push_back(one.tokensPerS);
        batch.streams.push_back(one.streams);
    }
    BesideLoss loss;
    for (const Batch& batch : batches | std::views::values) {
        const std::size_t requests = std::min(batch.with.size(), batch.without.size());
        if (requests >= enough && requests > loss.requests) {
            loss = {medianOf(batch.with), medianOf(batch.without), medianOf(batch.streams), requests};
        }
    }
    return loss;
}

} // namespace

std::vector<double> sharesBesidePrompts(const ServerLog& log) {
    const MeanLevel prompts(promptLevels(promptWorkOf(log)));
    std::vector<double> shares;
    for (const LogRequest& request : log.requests) {
        const double share =
            request.endS > request.firstTokenS ? prompts.between(request.firstTokenS, request.endS) : notTold;
        shares.push_back(isTold(share) ? share : 0);
    }
    return shares;
}

bool decideByPromptTimes(const LogEvidence& evidence, Finding& finding) {
    const std::vector<Decoding> all = decodingRequests(evidence.log);
    if (all.size() < 2) {
        return false;
    }
    double seconds = 0;
    double beside = 0;
    std::size_t requests = 0;
    for (const Decoding& one : all) {
        seconds += one.seconds;
        beside += one.seconds * one.beside;
        requests += one.beside > littleBeside ? 1 : 0;
        if (one.beside > littleBeside && finding.evidence.size() < mostEvidence) {
            finding.evidence.push_back(one.where);
        }
    }
    finding.reason = fmt::format("{} decoded while a prompt of another one was computed: {} of their time.",
                                 shareWords(requests, all.size(), "request"), formatShare(beside / seconds));
    if (beside < littleBeside * seconds) {
        finding.verdict = Verdict::Excluded;
        finding.decide.clear();
        return true;
    }
    const BesideLoss loss = besideLossOf(all);
    if (!(loss.with > 0)) {
        finding.reason +=
            " Too few at a like number of streams had none beside them: what it cost is not told.";
        return true;
    }
    const double share = 1 - loss.with / loss.without;
    finding.verdict = share >= littleBeside ? Verdict::Supported : Verdict::NotExcluded;
    finding.decide = finding.verdict == Verdict::Supported ? "" : finding.decide;
    finding.reason +=
        fmt::format(" With {} a request has {} tokens/s so and {} without: {} {}.",
                    streamsWords(loss.streams), formatReal(loss.with, 3), formatReal(loss.without, 3),
                    formatShare(std::abs(share)), share >= 0 ? "less" : "more");
    return true;
}

} // namespace loadline
