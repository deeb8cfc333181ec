// Rates of prompts: computed, and offered.
#include "core/serverlog/verdict/prompt_rates.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

/// A prompt while it was computed.
struct TimedPrompt {
    double fromS = 0;
    double toS = 0;
    double tokens = 0;
};

/// Prompt tokens that progress tells of each request, where it tells no rate; not told of those without.
std::vector<double> promptTokensDone(const ServerLog& log) {
    std::vector<double> done(log.requests.size(), notTold);
    for (const LogProgress& progress : log.progress) {
        if (progress.ofPrompt && !isTold(progress.tokensPerS) && progress.request < done.size()) {
            done[progress.request] = std::fmax(done[progress.request], progress.tokens);
        }
    }
    return done;
}

/// Tokens/s of prompts that requests time. Prompts that are computed in turns share the steps: together they
/// are one rate.
std::vector<double> requestPromptRates(const ServerLog& log) {
    const std::vector<double> done = promptTokensDone(log);
    std::vector<double> rates;
    std::vector<TimedPrompt> placed;
    for (std::size_t i = 0; i < log.requests.size(); ++i) {
        const LogRequest& request = log.requests[i];
        const double cached = isTold(request.cachedTokens) ? request.cachedTokens : 0;
        const double told = request.inputTokens - cached;
        const double tokens = isTold(told) ? told : done[i];
        if (!(tokens > 0 && request.prefillS > 0)) {
            continue;
        }
        if (isTold(request.firstTokenS)) {
            placed.push_back({request.firstTokenS - request.prefillS, request.firstTokenS, tokens});
        } else {
            rates.push_back(tokens / request.prefillS);
        }
    }
    std::ranges::sort(placed, {}, &TimedPrompt::fromS);
    for (std::size_t i = 0; i < placed.size();) {
        TimedPrompt shared = placed[i];
        for (++i; i < placed.size() && placed[i].fromS < shared.toS; ++i) {
            shared.toS = std::max(shared.toS, placed[i].toS);
            shared.tokens += placed[i].tokens;
        }
        rates.push_back(shared.tokens / (shared.toS - shared.fromS));
    }
    return rates;
}

} // namespace

std::vector<double> promptRates(const ServerLog& log) {
    std::vector<double> rates;
    for (const LogProgress& progress : log.progress) {
        if (progress.ofPrompt && progress.tokensPerS > 0) {
            rates.push_back(progress.tokensPerS);
        }
    }
    const std::vector<double> ofRequests = requestPromptRates(log);
    rates.insert(rates.end(), ofRequests.begin(), ofRequests.end());
    return rates;
}

std::vector<double> offeredRates(const ServerLog& log) {
    std::vector<double> rates;
    for (const LogInterval& interval : log.intervals) {
        if (interval.promptTokensPerS > 0) {
            rates.push_back(interval.promptTokensPerS);
        }
    }
    return rates;
}

} // namespace loadline
