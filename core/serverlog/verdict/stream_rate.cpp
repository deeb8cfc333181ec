// Tokens of all streams over the time that they ran.
#include "core/serverlog/verdict/stream_rate.h"

#include "core/serverlog/verdict/ratio_of_sums.h"

#include <cmath>
#include <map>
#include <utility>

namespace loadline {
namespace {

/// Lines of prompts alone since an engine's last line of decoding.
struct PromptsSince {
    bool any = false;
    bool idle = false; ///< none ran beside one of them
};

} // namespace

std::optional<StreamRate> streamRateOf(const ServerLog& log) {
    constexpr double enough = 12;
    std::map<int, PromptsSince> since;
    RatioOfSums all;
    double promptS = 0;
    StreamRate rate;
    for (const LogInterval& line : log.intervals) {
        PromptsSince& prompts = since[line.engine];
        if (!isTold(line.outputTokensPerS)) {
            prompts.any = prompts.any || line.computesPrompts();
            prompts.idle = prompts.idle || line.running == 0;
            continue;
        }
        const PromptsSince before = std::exchange(prompts, {});
        if (before.idle || line.isStuck() || !isTold(line.running)) {
            continue;
        }
        ++rate.lines; // lines of one second share its time: the first of them has it
        if (!(line.spanS > 0)) {
            continue;
        }
        const double streamS = line.running * line.spanS;
        all.add(line.outputTokensPerS * line.spanS, streamS);
        promptS += line.computesPrompts() || before.any ? streamS : 0;
    }
    if (all.lines < enough || !(all.tokens > 0) || !(all.streams > 0)) {
        return std::nullopt;
    }
    rate.tokensPerS = all.rate();
    rate.withPrompts = promptS / all.streams;
    rate.error = std::sqrt(all.variance());
    return rate;
}

} // namespace loadline
