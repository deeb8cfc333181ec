// How fast prompts are computed, and how fast they come.
#pragma once

#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/server_log.h"

#include <vector>

namespace loadline {

/// A prompt while it was computed, as far as the log goes.
struct PromptWork {
    std::size_t request = 0;  ///< index into ServerLog::requests
    double fromS = notTold;   ///< with the wait for it, where no line tells when it began
    double toS = notTold;     ///< its first token, or the last progress that is told
    double seconds = notTold; ///< as the server timed it, else from fromS to toS
    double tokens = notTold;  ///< computed by then
    double total = notTold;   ///< to compute
    bool done = false;
    bool byStamps = false;      ///< done when its last progress was written, not as the server timed it
    double firstRate = notTold; ///< tokens/s of the first and the last quarter of its progress
    double lastRate = notTold;
};
std::vector<PromptWork> promptWorkOf(const ServerLog& log);

/// Rates of prompts over time, each as one of a stream whose context is its length; those that are computed
/// in turns as one. Empty where a prompt has no time.
std::vector<ObservedRate> promptRatesOverTime(const ServerLog& log);

/// Tokens/s of prompts, by what times them: progress, requests. Prompts that are computed in turns share the
/// steps: together they are one rate.
std::vector<double> promptRates(const ServerLog& log);
/// Prompt tokens/s between lines of statistics: what came, not what can be computed.
std::vector<double> offeredRates(const ServerLog& log);

} // namespace loadline
