// How long prompts take before the first token, and whether that is most of the time.
#include "core/base/statistics.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/prompt_rates.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// Decoding of a request as far as it is timed, 0 where it is not.
double decodeSeconds(const LogRequest& request) {
    const double seconds = isTold(request.decodeS) ? request.decodeS : request.endS - request.firstTokenS;
    return seconds > 0 && !request.endInferred ? seconds : 0;
}

/// Prompts that are done, together.
struct DonePrompts {
    std::vector<double> tokens, seconds, rates;
    double promptS = 0;
    double decodeS = 0;
};

/// True if the log times tokens of a prompt, or all of it.
bool isTimed(const PromptWork& prompt) {
    return prompt.seconds > 0 && (prompt.done || prompt.tokens > 0);
}

/// The prompt that was computed for the longest time of those that the log leaves open; null: none.
const PromptWork* longestOpen(const std::vector<PromptWork>& prompts) {
    const PromptWork* longest = nullptr;
    for (const PromptWork& prompt : prompts) {
        if (!prompt.done && isTimed(prompt) && (longest == nullptr || prompt.seconds > longest->seconds)) {
            longest = &prompt;
        }
    }
    return longest;
}

/// The prompt whose rate falls most as it goes on, where it falls by a tenth or more.
const PromptWork* mostSlowed(const std::vector<PromptWork>& prompts) {
    constexpr double falls = 0.9;
    const PromptWork* most = nullptr;
    for (const PromptWork& prompt : prompts) {
        const double rest = prompt.lastRate / prompt.firstRate;
        if (rest <= falls && (most == nullptr || rest < most->lastRate / most->firstRate)) {
            most = &prompt;
        }
    }
    return most;
}

std::string exactTokens(double tokens) {
    constexpr double mostExact = 1e15; // of a number that a log may make up
    return tokens < mostExact ? formatExact(static_cast<std::int64_t>(tokens)) : formatReal(tokens, 3);
}

std::string tokensText(double tokens) {
    return exactTokens(tokens) + " tokens";
}

std::string medianAndMost(const std::vector<double>& values, const auto& write) {
    const double most = std::ranges::max(values);
    const std::string middle = write(medianOf(values));
    return middle == write(most) ? middle : fmt::format("{} (median, {} at most)", middle, write(most));
}

std::string rateText(double tokensPerS) {
    return formatReal(tokensPerS, 3) + " tokens/s";
}

/// "Prompts of 10 082 tokens take 56 min 33 s to the first token, 93.4 % of the time of their requests,
/// at 2.97 tokens/s."
std::string doneWords(const DonePrompts& done, double share) {
    const std::string lengths = done.tokens.empty() ? "" : " of " + medianAndMost(done.tokens, tokensText);
    return fmt::format(
        "Prompts{} take {} to the first token{}{}.", lengths, medianAndMost(done.seconds, formatSeconds),
        isTold(share) ? fmt::format(", {} of the time of their requests", formatShare(share)) : std::string(),
        done.rates.empty() ? std::string() : ", at " + medianAndMost(done.rates, rateText));
}

std::string openWords(const PromptWork& open) {
    const double rate = open.tokens / open.seconds;
    const double last = isTold(open.lastRate) ? std::min(open.lastRate, rate) : rate;
    std::string words =
        fmt::format("A prompt is computed at {} tokens/s: {} tokens in {}", formatReal(rate, 3),
                    exactTokens(open.tokens), formatSeconds(open.seconds));
    if (open.total > open.tokens) {
        words += fmt::format(", and {} of {} are left, {} or more at its last rate",
                             exactTokens(open.total - open.tokens), exactTokens(open.total),
                             formatSeconds((open.total - open.tokens) / last));
    }
    return words + ".";
}

} // namespace

bool timesPrompts(const ServerLog& log) {
    return std::ranges::any_of(promptWorkOf(log), isTimed);
}

Finding promptTime(const LogEvidence& evidence) {
    constexpr double most = 0.5;
    constexpr double small = 0.1;
    Finding finding{.key = "prompt_time", .claim = "Computing prompts takes most of the time"};
    finding.weight = 7;
    const std::vector<PromptWork> prompts = promptWorkOf(evidence.log);
    DonePrompts done;
    for (const PromptWork& prompt : prompts) {
        const LogRequest& request = evidence.log.requests[prompt.request];
        if (isTimed(prompt) && finding.evidence.size() < mostEvidence) {
            finding.evidence.push_back(request.last);
        }
        if (!prompt.done) {
            continue;
        }
        done.seconds.push_back(prompt.seconds);
        done.promptS += prompt.seconds;
        done.decodeS += decodeSeconds(request);
        if (prompt.tokens > 0) {
            done.tokens.push_back(prompt.tokens);
            done.rates.push_back(prompt.tokens / prompt.seconds);
        }
    }
    const double share = done.decodeS > 0 ? done.promptS / (done.promptS + done.decodeS) : notTold;
    const PromptWork* open = longestOpen(prompts);
    finding.reason = done.seconds.empty() ? "" : doneWords(done, share);
    const bool openLonger = open != nullptr && open->seconds > done.promptS + done.decodeS;
    if (open != nullptr) {
        const std::string words = openWords(*open);
        finding.reason = openLonger || finding.reason.empty()
                             ? words + (finding.reason.empty() ? "" : " ") + finding.reason
                             : finding.reason + " " + words;
    }
    if (const PromptWork* slowed = mostSlowed(prompts)) {
        finding.reason += fmt::format(" As a prompt goes on its rate falls from {} to {} tokens/s, {} less.",
                                      formatReal(slowed->firstRate, 3), formatReal(slowed->lastRate, 3),
                                      formatShare(1 - slowed->lastRate / slowed->firstRate));
    }
    finding.verdict = openLonger || share >= most        ? Verdict::Supported
                      : share < small && open == nullptr ? Verdict::Excluded
                                                         : Verdict::NotExcluded;
    finding.decide = finding.verdict == Verdict::NotExcluded
                         ? "Log the time of the first token and the end of each request."
                         : "";
    return finding;
}

} // namespace loadline
