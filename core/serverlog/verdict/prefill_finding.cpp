// The cost of prompts in between for the streams that decode.
#include "core/base/statistics.h"
#include "core/cost/device/hardware.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/prompt_slope.h"
#include "core/serverlog/verdict/prompts_beside.h"
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

/// The loss of streams in lines with prompts, in the batch of which most lines compare. A line compares where
/// two streams or more ran, as many at its beginning as at its end: others are filled in part.
struct PromptLoss {
    double share = notTold; ///< 1 - with / without, of medians
    double pooled = 0;      ///< the same over the lines of all batches, each against its own
    double with = 0, without = 0;
    double streams = 0;
    double absent = 0;     ///< share that one stream which was not there all the time would explain
    std::size_t lines = 0; ///< with prompts, that were compared
    std::size_t most = 0;  ///< of lines with prompts or without, those of the batch that compares most
    std::size_t whole = 0; ///< lines with prompts that compare, should there be any without
    bool ofShares = false; ///< of the ceiling, which takes the context out
};

PromptLoss promptLossOf(const LogEvidence& evidence) {
    struct Batch {
        std::vector<double> with, without, streams;
        bool queued = true; ///< in each of the lines with prompts
    };
    constexpr double several = 1.5;
    constexpr std::size_t enough = 2;
    std::map<int, Batch> batches;
    PromptLoss loss;
    loss.ofShares = evidence.light && std::ranges::all_of(evidence.rates, [](const ObservedRate& rate) {
                        return isTold(rate.contextHigh) && !rate.contextAtLeast;
                    });
    for (const ObservedRate& rate : evidence.rates) {
        if (rate.source != RateSource::Interval || !rate.streamsTold || rate.streams < several) {
            continue;
        }
        Batch& batch = batches[likeBatchOf(rate.streams)];
        const double value = loss.ofShares
                                 ? rate.tokensPerS / evidence.light->ceiling(rate.contextHigh, rate.streams,
                                                                             rate.tokensPerStep)
                                 : rate.tokensPerS / rate.tokensPerStep;
        (rate.atLeast ? batch.with : batch.without).push_back(value);
        batch.streams.push_back(rate.streams);
        batch.queued = batch.queued && (rate.queued || !rate.atLeast);
        loss.whole += rate.atLeast ? 1 : 0;
    }
    std::vector<double> pooled;
    for (Batch& batch : batches | std::views::values) {
        const std::size_t lines = std::min(batch.with.size(), batch.without.size());
        loss.most = std::max(loss.most, lines);
        if (lines < enough) {
            continue;
        }
        const double without = medianOf(batch.without);
        for (const double with : batch.with) {
            pooled.push_back(1 - with / without);
        }
        if (lines == loss.most) {
            loss.with = medianOf(batch.with);
            loss.without = without;
            loss.share = 1 - loss.with / without;
            loss.streams = medianOf(batch.streams);
            loss.absent = batch.queued ? 0 : 1 / loss.streams;
            loss.lines = batch.with.size();
        }
    }
    loss.pooled = pooled.empty() ? 0 : medianOf(std::move(pooled));
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

std::string lossWords(const LogEvidence& evidence, const PromptLoss& loss) {
    const bool steps = std::ranges::any_of(evidence.rates, &ObservedRate::acceptanceTold);
    const auto words = [&](double value) {
        return loss.ofShares ? formatShare(value) + " of the ceiling"
                             : formatReal(value, 3) + (steps ? " steps/s" : " tokens/s");
    };
    return fmt::format(" At a like batch ({}, {}) a stream has {} with prompts and {} without: {} {}",
                       streamsWords(loss.streams), counted(loss.lines, "line"), words(loss.with),
                       words(loss.without), formatShare(std::abs(loss.share)),
                       loss.share >= 0 ? "less" : "more");
}

/// Returns why lines with prompts do not compare with those without.
std::string unlikeWords(const LogEvidence& evidence, const PromptLoss& loss) {
    const bool alone = std::ranges::any_of(evidence.rates, [](const ObservedRate& rate) {
        return !rate.atLeast && rate.source == RateSource::Interval;
    });
    return !alone            ? " No line is without them: what they cost a stream is not told."
           : loss.whole == 0 ? " None of these lines has two streams or more throughout: what prompts cost a "
                               "stream is not told."
           : loss.most > 0 ? " One line with prompts or without at a like batch is too few: what they cost a "
                             "stream is not told."
                           : " No line without them has a like batch: what they cost a stream is not told.";
}

/// Tokens in a step whose arithmetic takes as long as reading 16-bit weights once: 2 FLOP and 2 bytes a
/// weight, thus peak fp16 FLOP over bytes of bandwidth (hardwareTable). Of a device that is not known the
/// largest of all devices.
double tokensBesideWeights(const LogEvidence& evidence) {
    constexpr double tera = 1e12;
    constexpr double giga = 1e9;
    const auto tokensOf = [](const Hardware& device) {
        return device.fp16Tflops * tera / (device.bandwidthGbS * giga);
    };
    const Hardware* device = evidence.light ? findHardware(evidence.light->served().device) : nullptr;
    return device != nullptr ? tokensOf(*device)
                             : std::ranges::max(hardwareTable() | std::views::transform(tokensOf));
}

/// Median tokens of prompts that are computed with each token of a stream. Not told by a few lines, nor if
/// they are fewer than tokensBesideWeights: reading the weights takes as long then.
double promptTokensPerStep(const LogEvidence& evidence) {
    constexpr std::size_t enough = 3;
    std::vector<double> tokens;
    for (const ObservedRate& rate : evidence.rates) {
        const double steps = rate.tokensPerS / rate.tokensPerStep;
        if (rate.atLeast && rate.promptTokensPerS > 0 && steps > 0) {
            tokens.push_back(rate.promptTokensPerS / steps);
        }
    }
    const double typical = tokens.size() < enough ? notTold : medianOf(std::move(tokens));
    return typical >= tokensBesideWeights(evidence) ? typical : notTold;
}

/// Decides by what prompts cost that were computed while requests ran.
void decideByLoss(const LogEvidence& evidence, Finding& finding, std::size_t lines) {
    constexpr double mostTokens = 0.8;
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
    finding.decide = "Log a span without new prompts at the same batch, or the time of each step.";
    if (isTold(loss.share)) {
        const bool loses = loss.share >= little;
        const bool byAbsence = loses && loss.share <= loss.absent;
        const bool few = loss.absent / std::sqrt(static_cast<double>(loss.lines)) > little;
        finding.reason += lossWords(evidence, loss);
        finding.reason += byAbsence ? fmt::format(", no more than one stream that began in between explains "
                                                  "({}).",
                                                  formatShare(loss.absent))
                          : !loses && loss.pooled >= little
                              ? fmt::format(", but {} over all batches.", formatShare(loss.pooled))
                          : !loses && few ? std::string(", in too few lines to exclude a loss.")
                                          : std::string(".");
        finding.verdict = loses && !byAbsence                      ? Verdict::Supported
                          : !loses && !few && loss.pooled < little ? Verdict::Excluded
                                                                   : Verdict::NotExcluded;
        finding.decide = finding.verdict == Verdict::NotExcluded ? finding.decide : "";
        return;
    }
    const double perStep = promptTokensPerStep(evidence);
    if (share.all >= mostTokens && perStep > 0) {
        finding.verdict = Verdict::Supported;
        finding.decide.clear();
        finding.reason += fmt::format(" With each token of a stream about {} tokens of prompts are computed "
                                      "(median): the steps are as long as that takes.",
                                      formatReal(perStep, 2));
        return;
    }
    if (const std::optional<PromptSlope> slope = promptSlopeOf(evidence.log);
        slope && slope->loss >= little) {
        finding.verdict = Verdict::Supported;
        finding.decide.clear();
        finding.reason += fmt::format(" Over {} output falls as prompts rise, like numbers of streams "
                                      "compared: {} streams have {} less "
                                      "beside {} tokens/s of prompts (means) than without, by that slope.",
                                      counted(slope->lines, "line"), formatReal(slope->streams, 3),
                                      formatShare(slope->loss), formatReal(slope->promptTokensPerS, 3));
        return;
    }
    finding.verdict = Verdict::NotExcluded;
    finding.reason += unlikeWords(evidence, loss);
}

} // namespace

Finding prefillInterleaving(const LogEvidence& evidence, Verdict concurrency) {
    Finding finding{.key = "prefill_interleaving",
                    .claim = "Prompts of other requests are computed in between"};
    finding.weight = 6;
    const auto others = [&](const LogInterval& interval) {
        return interval.computesPrompts() && interval.running > (isTold(interval.newTokens) ? 0 : 1);
    };
    finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, others);
    if (!finding.evidence.empty()) {
        decideByLoss(evidence, finding,
                     static_cast<std::size_t>(std::ranges::count_if(evidence.log.intervals, others)));
        return finding;
    }
    finding.evidence = linesWhere<LogInterval>(evidence.log.intervals, &LogInterval::computesPrompts);
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
    if (evidence.log.intervals.empty() && decideByPromptTimes(evidence, finding)) {
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
