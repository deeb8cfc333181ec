// Tokens of all streams over the time that they ran.
#include "core/serverlog/verdict/stream_rate.h"

#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace loadline {
namespace {

/// Lines of prompts alone since an engine's last line of decoding.
struct PromptsSince {
    bool any = false;
    bool idle = false; ///< none ran beside one of them
};

struct LineSums {
    double tokens = 0;
    double streamS = 0;
};

} // namespace

std::optional<StreamRate> streamRateOf(const ServerLog& log) {
    constexpr std::size_t enough = 12;
    std::map<int, PromptsSince> since;
    std::vector<LineSums> lines;
    LineSums all;
    double promptS = 0;
    StreamRate rate;
    for (const LogInterval& line : log.intervals) {
        PromptsSince& prompts = since[line.engine];
        const bool computes = line.promptTokensPerS > 0 || line.newTokens > 0;
        if (!isTold(line.outputTokensPerS)) {
            prompts.any = prompts.any || computes;
            prompts.idle = prompts.idle || line.running == 0;
            continue;
        }
        const PromptsSince before = std::exchange(prompts, {});
        const bool stuck = line.running > 0 && line.outputTokensPerS == 0 && !computes;
        if (before.idle || stuck || !isTold(line.running)) {
            continue;
        }
        ++rate.lines; // lines of one second share its time: the first of them has it
        if (!(line.spanS > 0)) {
            continue;
        }
        const LineSums sums{line.outputTokensPerS * line.spanS, line.running * line.spanS};
        all.tokens += sums.tokens;
        all.streamS += sums.streamS;
        promptS += computes || before.any ? sums.streamS : 0;
        lines.push_back(sums);
    }
    if (lines.size() < enough || !(all.tokens > 0) || !(all.streamS > 0)) {
        return std::nullopt;
    }
    rate.tokensPerS = all.tokens / all.streamS;
    rate.withPrompts = promptS / all.streamS;
    double squares = 0;
    for (const LineSums& sums : lines) { // of a quotient of sums
        const double residual = sums.tokens - rate.tokensPerS * sums.streamS;
        squares += residual * residual;
    }
    rate.error = std::sqrt(squares) / all.tokens;
    return rate;
}

} // namespace loadline
