// Finds why requests wait while others run.
#include "core/base/statistics.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace loadline {
namespace {

constexpr double mostLines = 0.8;
constexpr double fullUse = 0.9;

/// The lines on which requests wait.
struct WaitingLines {
    std::vector<double> running, kvUse, stateUse;
    std::size_t promptsTold = 0; ///< that tell prompt throughput
    std::size_t computing = 0;   ///< of them, those with prompt tokens
    double mostRunning = 0;      ///< of all lines
    double mostWaiting = 0;
    double seconds = 0; ///< from the first of them to the last

    [[nodiscard]] bool admitsNone() const {
        constexpr std::size_t enough = 3;
        return promptsTold >= enough && computing == 0;
    }
};

WaitingLines waitingLinesOf(const ServerLog& log) {
    WaitingLines lines;
    double fromS = notTold;
    for (const LogInterval& interval : log.intervals) {
        const double each = interval.running / interval.engines;
        lines.mostRunning = std::fmax(lines.mostRunning, each);
        if (!(interval.waiting > 0) || !isTold(each)) {
            continue;
        }
        fromS = isTold(fromS) ? fromS : interval.timeS;
        lines.seconds = isTold(interval.timeS - fromS) ? interval.timeS - fromS : lines.seconds;
        lines.running.push_back(each);
        lines.mostWaiting = std::fmax(lines.mostWaiting, interval.waiting);
        if (isTold(interval.kvUse)) {
            lines.kvUse.push_back(interval.kvUse);
        }
        if (isTold(interval.stateUse)) {
            lines.stateUse.push_back(interval.stateUse);
        }
        lines.promptsTold += isTold(interval.promptTokensPerS) || isTold(interval.newTokens) ? 1 : 0;
        lines.computing += interval.computesPrompts() ? 1 : 0;
    }
    return lines;
}

/// Engines by the middle of their lines, where several write.
struct EngineLoad {
    std::vector<double> running, waiting;
};

/// " Load is uneven: ..." where requests wait at one engine while another one runs half as many or fewer.
std::string imbalanceWords(const ServerLog& log) {
    constexpr double uneven = 0.5;
    struct Typical {
        int engine = 0;
        double running = notTold;
        double waiting = notTold;
    };
    std::map<int, EngineLoad> loads;
    for (const LogInterval& interval : log.intervals) {
        if (isTold(interval.running) && isTold(interval.waiting)) {
            loads[interval.engine].running.push_back(interval.running);
            loads[interval.engine].waiting.push_back(interval.waiting);
        }
    }
    Typical fullest;
    Typical idlest;
    for (auto& [engine, load] : loads) {
        const Typical typical{engine, medianOf(load.running), medianOf(load.waiting)};
        if (!(typical.waiting <= fullest.waiting)) {
            fullest = typical;
        }
        if (!(typical.running >= idlest.running)) {
            idlest = typical;
        }
    }
    if (loads.size() < 2 || !(fullest.waiting > 0) || idlest.waiting > 0 ||
        idlest.running > uneven * fullest.running) {
        return "";
    }
    return fmt::format(
        " Load is uneven: {} wait at engine {}, which runs {}, while engine {} runs {} and has "
        "none waiting (medians).",
        formatReal(fullest.waiting, 3), fullest.engine, formatReal(fullest.running, 3), idlest.engine,
        formatReal(idlest.running, 3));
}

} // namespace

std::string blockedQueueWords(const LogEvidence& evidence) {
    constexpr double longS = 300;
    const WaitingLines lines = waitingLinesOf(evidence.log);
    if (!lines.admitsNone() || lines.seconds < longS) {
        return "";
    }
    const auto waiting = static_cast<std::uint64_t>(lines.mostWaiting);
    return fmt::format("{} for {}, and none is admitted.",
                       waiting == 1 ? std::string("1 request waits")
                                    : fmt::format("{} wait", counted(waiting, "request")),
                       formatSeconds(lines.seconds));
}

std::string queueHolderWords(const LogEvidence& evidence) {
    WaitingLines lines = waitingLinesOf(evidence.log);
    if (lines.running.empty()) {
        return "";
    }
    const double allowed = parseNumber<double>(factOf(evidence.log, "max_batch_size")).value_or(notTold);
    const double kvUse = medianOf(lines.kvUse);
    const double stateUse = medianOf(lines.stateUse);
    const double typical = medianOf(lines.running);
    const std::string uneven = imbalanceWords(evidence.log);
    const std::string kvWords =
        isTold(kvUse) ? fmt::format("the KV cache is {} full", formatShare(kvUse)) : "";
    const auto isMost = [&](std::size_t some, std::size_t all) {
        return all > 0 && static_cast<double>(some) >= mostLines * static_cast<double>(all);
    };
    const auto at = [&](double limit) {
        return static_cast<std::size_t>(
            std::ranges::count_if(lines.running, [limit](double each) { return each >= limit; }));
    };
    if (kvUse >= fullUse) {
        return fmt::format(" The KV cache holds them back: it is {} full (median) with {} running{}.",
                           formatShare(kvUse), formatReal(typical, 3),
                           isTold(allowed) ? fmt::format(" of {} allowed", formatReal(allowed, 3))
                                           : std::string()) +
               uneven;
    }
    if (stateUse >= fullUse) {
        return fmt::format(
                   " The states of recurrent layers (mamba usage) hold them back: their room is {} full "
                   "(median) with {} running{}.",
                   formatShare(stateUse), formatReal(typical, 3),
                   kvWords.empty() ? "" : ", while " + kvWords) +
               uneven;
    }
    if (isTold(allowed) && isMost(at(allowed), lines.running.size())) {
        return fmt::format(
                   " The limit of requests at once holds them back: {} run, as many as are allowed{}.",
                   formatReal(allowed, 3), kvWords.empty() ? "" : ", while " + kvWords) +
               uneven;
    }
    if (lines.admitsNone()) {
        return fmt::format(
                   " No tokens of prompts were computed on these lines{}: none of them was admitted, and "
                   "what blocks them is not told ({} running{}{}).",
                   lines.seconds > 0 ? ", in " + formatSeconds(lines.seconds) : std::string(),
                   formatReal(typical, 3),
                   isTold(allowed) ? fmt::format(" of {} allowed", formatReal(allowed, 3)) : std::string(),
                   kvWords.empty() ? "" : "; " + kvWords) +
               uneven;
    }
    if (isTold(allowed) && isTold(kvUse) && isMost(lines.computing, lines.promptsTold)) {
        return fmt::format(
                   " Neither the limit of {} requests nor the KV cache holds them back ({}): prompts take "
                   "their turns.",
                   formatReal(allowed, 3), kvWords) +
               uneven;
    }
    const bool level = lines.running.size() > 2 && isMost(at(lines.mostRunning), lines.running.size());
    return fmt::format(" What holds them back is not told{}{}.",
                       level ? fmt::format(": {} run on nearly each of these lines, as with a limit",
                                           formatReal(lines.mostRunning, 3))
                             : std::string(),
                       kvWords.empty() ? "" : (level ? ", and " : ": ") + kvWords) +
           uneven;
}

} // namespace loadline
