// The requests of a server's log as a workload.
#include "core/workload/source/workload_of_log.h"

#include "core/serverlog/read_server_log.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline {
namespace {

bool isTokens(double told) {
    return told >= 1 && told <= static_cast<double>(maxTurnTokens); // false where it is not told
}

Tokens tokensOf(double told) {
    return static_cast<Tokens>(std::llround(told));
}

/// "no request's output tokens are told"
std::string missingIn(const ServerLog& log) {
    const auto tells = [&](double LogRequest::*field) {
        return std::ranges::any_of(
            log.requests, [field](const LogRequest& one) { return one.generates && isTold(one.*field); });
    };
    return log.requests.empty()                ? "it tells no requests"
           : !tells(&LogRequest::arrivalS)     ? "it tells no arrivals of requests"
           : !tells(&LogRequest::inputTokens)  ? "it tells no prompt tokens of requests"
           : !tells(&LogRequest::outputTokens) ? "it tells no output tokens of requests"
                                               : "it tells arrival, prompt and output together of no request";
}

} // namespace

Quantiles recordedLatencyS(const ServerLog& log) {
    std::vector<double> seconds;
    for (const LogRequest& one : log.requests) {
        if (one.generates && one.end == RequestEnd::Complete && !one.endInferred &&
            isTold(one.endS - one.arrivalS)) {
            seconds.push_back(one.endS - one.arrivalS);
        }
    }
    return quantilesOf(std::move(seconds));
}

Result<Workload> workloadOfLog(const ServerLog& log, const std::string& key) {
    std::vector<TraceRequest> requests;
    std::size_t generating = 0;
    for (const LogRequest& one : log.requests) {
        generating += one.generates ? 1 : 0;
        if (one.generates && isTold(one.arrivalS) && isTokens(one.inputTokens) &&
            isTokens(one.outputTokens)) {
            const Tokens input = tokensOf(one.inputTokens);
            requests.push_back({.arrivalS = one.arrivalS,
                                .input = input,
                                .output = tokensOf(one.outputTokens),
                                .cached = isTold(one.cachedTokens)
                                              ? std::clamp(tokensOf(one.cachedTokens), Tokens{0}, input)
                                              : 0});
        }
    }
    if (requests.empty()) {
        return Error{"the log cannot be replayed: " + missingIn(log), key,
                     "a log whose requests tell arrival, prompt and output tokens (llama.cpp's does)"};
    }
    const std::size_t used = requests.size();
    const std::string server(log.server != nullptr ? serverNameOf(log) : "server");
    Result<Workload> workload =
        workloadOfTrace(std::move(requests), key, nameOfFile(key), fmt::format("Log of {} {}", server, key));
    if (workload) {
        workload->recordedLatencyS = recordedLatencyS(log);
    }
    if (workload && used < generating) {
        workload->notes.push_back(
            fmt::format("{} of {} requests are left out: the log does not tell when they came, or how long "
                        "prompt and output were",
                        generating - used, generating));
    }
    return workload;
}

} // namespace loadline
