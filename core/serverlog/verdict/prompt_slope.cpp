// How output falls as prompts rise: least squares over lines.
#include "core/serverlog/verdict/prompt_slope.h"

#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace loadline {
namespace {

struct PromptLine {
    double output = 0;
    double streams = 0; ///< mean of both ends
    double prompts = 0; ///< tokens/s
};

/// Lines in which more than one request runs on average: a stream that is alone waits for its own prompts.
std::vector<PromptLine> promptLinesOf(const ServerLog& log) {
    std::vector<PromptLine> lines;
    std::map<int, double> before;
    constexpr double several = 1.5;
    for (const LogInterval& line : log.intervals) {
        if (!isTold(line.outputTokensPerS)) {
            return {}; // prompts have lines of their own: those of decoding do not tell them
        }
        const auto [last, isFirst] = before.try_emplace(line.engine, notTold);
        const double running = std::exchange(last->second, line.running);
        if (running >= 1 && line.running >= 1 && running + line.running >= 2 * several &&
            line.outputTokensPerS > 0 && isTold(line.promptTokensPerS)) {
            lines.push_back({line.outputTokensPerS, (running + line.running) / 2, line.promptTokensPerS});
        }
    }
    return lines;
}

/// Sums of products of deviations from the means.
struct Deviations {
    double streams2 = 0, prompts2 = 0, output2 = 0;
    double both = 0; ///< streams x prompts
    double outputStreams = 0, outputPrompts = 0;
};

PromptLine meanOfLines(const std::vector<PromptLine>& lines) {
    PromptLine sum;
    for (const PromptLine& line : lines) {
        sum.output += line.output;
        sum.streams += line.streams;
        sum.prompts += line.prompts;
    }
    const auto count = static_cast<double>(lines.size());
    return {sum.output / count, sum.streams / count, sum.prompts / count};
}

Deviations deviationsOf(const std::vector<PromptLine>& lines, const PromptLine& mean) {
    Deviations sums;
    for (const PromptLine& line : lines) {
        const double output = line.output - mean.output;
        const double streams = line.streams - mean.streams;
        const double prompts = line.prompts - mean.prompts;
        sums.streams2 += streams * streams;
        sums.prompts2 += prompts * prompts;
        sums.output2 += output * output;
        sums.both += streams * prompts;
        sums.outputStreams += output * streams;
        sums.outputPrompts += output * prompts;
    }
    return sums;
}

} // namespace

std::optional<PromptSlope> promptSlopeOf(const ServerLog& log) {
    constexpr std::size_t enough = 30;
    constexpr double errors = 3.5;
    constexpr double apart = 1e-6; // of streams and prompts that do not vary, or with each other
    const std::vector<PromptLine> lines = promptLinesOf(log);
    if (lines.size() < enough) {
        return std::nullopt;
    }
    const PromptLine mean = meanOfLines(lines);
    const Deviations d = deviationsOf(lines, mean);
    const bool streamsVary = d.streams2 > apart * mean.streams * mean.streams;
    const double bound = streamsVary ? d.both * d.both / d.streams2 : 0; // of prompts2, by streams
    const double free = d.prompts2 - bound;
    if (!(free > apart * mean.prompts * mean.prompts)) {
        return std::nullopt;
    }
    const double byStreams = streamsVary ? d.outputStreams / d.streams2 : 0;
    const double slope = (d.outputPrompts - byStreams * d.both) / free;
    const double left = d.output2 - byStreams * d.outputStreams - slope * slope * free;
    constexpr double fitted = 3;
    const double error = std::sqrt(std::fmax(left, 0) / (static_cast<double>(lines.size()) - fitted) / free);
    const double lost = -slope * mean.prompts;
    if (!(slope < 0 && -slope >= errors * error)) {
        return std::nullopt;
    }
    return PromptSlope{lost / (mean.output + lost), mean.prompts, mean.streams, lines.size()};
}

} // namespace loadline
