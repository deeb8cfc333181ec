// What prompts in between cost the streams that decode.
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

namespace loadline {
namespace {

constexpr double little = 0.05;

/// What streams lose in lines with prompts, at a like batch: at most, and in which batch.
struct PromptLoss {
    double share = notTold; ///< 1 - with / without, of medians
    double with = 0, without = 0;
    double streams = 0;
    std::size_t lines = 0; ///< with prompts, that were compared
    bool ofShares = false; ///< of the ceiling, which takes batch and context out
};

PromptLoss promptLossOf(const LogEvidence& evidence) {
    struct Batch {
        std::vector<double> with, without, streams;
    };
    std::map<int, Batch> batches;
    PromptLoss loss;
    loss.ofShares = evidence.light && std::ranges::all_of(evidence.rates, [](const ObservedRate& rate) {
                        return isTold(rate.contextHigh) && !rate.contextAtLeast;
                    });
    constexpr double like = 1.25;
    for (const ObservedRate& rate : evidence.rates) {
        if (rate.source != RateSource::Interval) {
            continue;
        }
        const int size =
            loss.ofShares ? 0 : static_cast<int>(std::lround(std::log(rate.streams) / std::log(like)));
        Batch& batch = batches[size];
        const double value = loss.ofShares
                                 ? rate.tokensPerS / evidence.light->ceiling(rate.contextHigh, rate.streams,
                                                                             rate.tokensPerStep)
                                 : rate.tokensPerS;
        (rate.atLeast ? batch.with : batch.without).push_back(value);
        batch.streams.push_back(rate.streams);
    }
    for (Batch& batch : batches | std::views::values) {
        const std::size_t enough = loss.ofShares ? 1 : 2;
        if (batch.with.size() < enough || batch.without.size() < enough) {
            continue;
        }
        const double without = medianOf(batch.without);
        const double with = medianOf(batch.with);
        loss.lines += batch.with.size();
        if (!(1 - with / without <= loss.share)) {
            loss.share = 1 - with / without;
            loss.with = with;
            loss.without = without;
            loss.streams = medianOf(batch.streams);
        }
    }
    return loss;
}

/// Prompt tokens of all tokens that a line tells: at least as much of the steps' work is decoding, as a token
/// of a prompt costs no more than one that is decoded.
struct PromptShare {
    double all = notTold;
    double most = notTold;
    LogLine where;
};

PromptShare promptShareOf(const ServerLog& log) {
    PromptShare share;
    double prompts = 0;
    double outputs = 0;
    for (const LogInterval& interval : log.intervals) {
        const double sum = interval.promptTokensPerS + interval.outputTokensPerS;
        if (!(sum > 0)) {
            continue;
        }
        const double span = isTold(interval.spanS) ? interval.spanS : 1;
        prompts += interval.promptTokensPerS * span;
        outputs += interval.outputTokensPerS * span;
        if (!(interval.promptTokensPerS / sum <= share.most)) {
            share.most = interval.promptTokensPerS / sum;
            share.where = interval.where;
        }
    }
    share.all = prompts + outputs > 0 ? prompts / (prompts + outputs) : notTold;
    return share;
}

std::string lossWords(const PromptLoss& loss) {
    const auto words = [&](double value) {
        return loss.ofShares ? formatShare(value) + " of the ceiling" : formatReal(value, 3) + " tokens/s";
    };
    return fmt::format(" At a like batch a stream has {} with prompts and {} without{}: {} {}.",
                       words(loss.with), words(loss.without),
                       loss.ofShares ? std::string() : fmt::format(" ({})", streamsWords(loss.streams)),
                       formatShare(std::abs(loss.share)), loss.share >= 0 ? "less" : "more");
}

/// Of prompts that were computed while requests ran: what that cost.
void decideByLoss(const LogEvidence& evidence, Finding& finding, std::size_t lines) {
    const PromptLoss loss = promptLossOf(evidence);
    const PromptShare share = promptShareOf(evidence.log);
    finding.reason = fmt::format("Prompts were computed while requests ran: {}.",
                                 shareWords(lines, evidence.log.intervals.size(), "line"));
    if (isTold(share.most)) {
        finding.reason +=
            fmt::format(" They are {} of the tokens, {} at most (line {}).", formatShare(share.all),
                        formatShare(share.most), formatExact(static_cast<std::int64_t>(share.where.line)));
    }
    if (share.most < little) {
        finding.verdict = Verdict::Excluded;
        return;
    }
    if (isTold(loss.share)) {
        finding.reason += lossWords(loss);
        finding.verdict = loss.share >= little ? Verdict::Supported : Verdict::Excluded;
        return;
    }
    const bool alone = std::ranges::any_of(evidence.rates, [](const ObservedRate& rate) {
        return !rate.atLeast && rate.source == RateSource::Interval;
    });
    finding.verdict = Verdict::NotExcluded;
    finding.reason += alone ? " No line without them has a like batch: what they cost a stream is not told."
                            : " No line is without them: what they cost a stream is not told.";
    finding.decide = "Log a span without new prompts at the same batch, or the time of each step.";
}

} // namespace

Finding prefillInterleaving(const LogEvidence& evidence, Verdict concurrency) {
    Finding finding{.key = "prefill_interleaving",
                    .claim = "Prompts of other requests are computed in between"};
    finding.weight = 6;
    const auto prefills = [](const LogInterval& interval) {
        return interval.promptTokensPerS > 0 || interval.newTokens > 0;
    };
    const auto others = [&](const LogInterval& interval) {
        return prefills(interval) && interval.running > (isTold(interval.newTokens) ? 0 : 1);
    };
    finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, others);
    if (!finding.evidence.empty()) {
        decideByLoss(evidence, finding,
                     static_cast<std::size_t>(std::ranges::count_if(evidence.log.intervals, others)));
        return finding;
    }
    finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, prefills);
    if (concurrency == Verdict::Excluded) {
        finding.verdict = Verdict::Excluded;
        finding.reason = finding.evidence.empty()
                             ? "One request at a time: no other prompt was there to be computed."
                             : "Prompts were computed, but one request at a time: they were its own.";
        return finding;
    }
    finding.decide =
        "Log the tokens of prompts that each step computes, or the first token's time of each request.";
    if (!finding.evidence.empty()) {
        finding.reason =
            "Prompts were computed; whether those of requests that ran, or of others, is not told.";
        return finding;
    }
    const auto requests = std::ranges::count_if(evidence.log.requests, &LogRequest::generates);
    const bool statistics = !evidence.log.intervals.empty() &&
                            std::ranges::all_of(evidence.log.intervals, [](const LogInterval& interval) {
                                return isTold(interval.promptTokensPerS) || !(interval.outputTokensPerS > 0);
                            });
    if (statistics && requests <= 1) {
        finding.verdict = Verdict::Excluded;
        finding.reason = "No line has prompt throughput, which is of all the time between lines.";
        finding.decide.clear();
        return finding;
    }
    finding.reason = "Nothing says what the steps of the observed time computed.";
    return finding;
}

} // namespace loadline
