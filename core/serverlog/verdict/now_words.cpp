// The last of what is told.
#include "core/serverlog/verdict/now_words.h"

#include "core/base/statistics.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

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

/// "Now", or how long ago the last line was written.
std::string whenWords(const ServerLog& log, double ageS) {
    constexpr double leastS = 30;
    constexpr double gaps = 3; // of usual ones
    constexpr double stepS = 10;
    std::vector<double> apart;
    for (std::size_t i = 1; i < log.intervals.size(); ++i) {
        const double gap = log.intervals[i].timeS - log.intervals[i - 1].timeS;
        if (gap > 0) {
            apart.push_back(gap);
        }
    }
    const double usual = apart.empty() ? 0 : medianOf(std::move(apart));
    return ageS <= std::max(leastS, gaps * usual)
               ? std::string("Now")
               : fmt::format("Last line {} ago", formatSeconds(std::floor(ageS / stepS) * stepS));
}

} // namespace

std::string nowWords(const ServerLog& log, const LogVerdict& verdict, double ageS) {
    const std::string when = whenWords(log, ageS);
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
        return fmt::format("{}: a stream decodes at {} tokens/s.", when,
                           formatReal(verdict.rates.back().tokensPerS, 3));
    }
    const std::string words = figuresNow(last);
    return words.empty() ? words : when + ": " + words + ".";
}

} // namespace loadline
