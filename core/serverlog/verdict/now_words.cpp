// The last of what is told.
#include "core/serverlog/verdict/now_words.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline {
namespace {

std::string figuresNow(const LogSum& last) {
    std::string words;
    const auto add = [&](double value, std::string_view what) {
        if (isTold(value)) {
            words += fmt::format("{}{} {}", words.empty() ? "" : ", ", formatReal(value, 3), what);
        }
    };
    add(last.outputTokensPerS, "tokens/s");
    add(last.running, "running");
    add(last.waiting, "waiting");
    return words;
}

} // namespace

std::string nowWords(const ServerLog& log, const LogVerdict& verdict) {
    LogSum last;
    if (!verdict.engineSums.empty()) {
        last = verdict.engineSums.back();
    } else {
        for (auto one = log.intervals.rbegin(); one != log.intervals.rend(); ++one) {
            if (isTold(one->outputTokensPerS)) {
                last.outputTokensPerS = one->outputTokensPerS;
                last.running = one->running;
                last.waiting = one->waiting;
                break;
            }
        }
    }
    if (!isTold(last.outputTokensPerS) && !verdict.rates.empty()) {
        return fmt::format("Now: a stream decodes at {} tokens/s.",
                           formatReal(verdict.rates.back().tokensPerS, 3));
    }
    const std::string words = figuresNow(last);
    return words.empty() ? words : "Now: " + words + ".";
}

} // namespace loadline
