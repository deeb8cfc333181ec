// Tokens of prompts that are computed for each of output.
#include "core/serverlog/verdict/prompt_growth.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <vector>

namespace loadline {
namespace {

/// Returns prompt tokens per output token; not told if nothing came out.
double promptsPerOutput(const std::vector<const LogInterval*>& lines, std::size_t from, std::size_t to) {
    double prompts = 0;
    double outputs = 0;
    for (std::size_t i = from; i < to; ++i) {
        prompts += lines[i]->promptTokensPerS;
        outputs += lines[i]->outputTokensPerS;
    }
    return outputs > 0 ? prompts / outputs : notTold;
}

} // namespace

std::string promptGrowthWords(const ServerLog& log) {
    constexpr std::size_t thirds = 3;
    constexpr std::size_t enough = 12;
    constexpr double times = 3;
    std::vector<const LogInterval*> lines;
    for (const LogInterval& line : log.intervals) {
        if (isTold(line.promptTokensPerS) && isTold(line.outputTokensPerS)) {
            lines.push_back(&line);
        }
    }
    if (lines.size() < enough) {
        return "";
    }
    const std::size_t third = lines.size() / thirds;
    const double first = promptsPerOutput(lines, 0, third);
    const double last = promptsPerOutput(lines, lines.size() - third, lines.size());
    return last >= times * first
               ? fmt::format(
                     "; {} tokens of prompts are computed for each of output in the first third of the "
                     "lines and {} in the last",
                     formatReal(first, 2), formatReal(last, 2))
               : std::string();
}

} // namespace loadline
