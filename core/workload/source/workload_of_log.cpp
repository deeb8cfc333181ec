// The requests of a server's log as a workload.
#include "core/workload/source/workload_of_log.h"

#include "core/serverlog/light/speed_of_light.h"
#include "core/serverlog/server_log.h"
#include "core/text/parse_number.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace loadline {
namespace {

bool isTokens(double tokens) {
    return tokens >= 1 && tokens <= static_cast<double>(maxTurnTokens); // false where it is not told
}

Tokens tokensOf(double tokens) {
    return static_cast<Tokens>(std::llround(tokens));
}

bool isReplayed(const LogRequest& one) {
    return one.generates && isTold(one.arrivalS) && isTokens(one.inputTokens) && isTokens(one.outputTokens);
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

Quantiles latencyS(const ServerLog& log) {
    std::vector<double> seconds;
    for (const LogRequest& one : log.requests) {
        if (one.generates && one.end == RequestEnd::Complete && !one.endInferred &&
            isTold(one.endS - one.arrivalS)) {
            seconds.push_back(one.endS - one.arrivalS);
        }
    }
    return quantilesOf(std::move(seconds));
}

/// Returns 0 unless every replayed request's end is told.
double tokensPerS(const ServerLog& log) {
    double tokens = 0;
    double firstS = std::numeric_limits<double>::infinity();
    double lastS = -firstS;
    for (const LogRequest& one : log.requests) {
        if (isReplayed(one)) {
            if (!isTold(one.endS)) {
                return 0;
            }
            tokens += one.outputTokens;
            firstS = std::min(firstS, one.arrivalS);
            lastS = std::max(lastS, one.endS);
        }
    }
    return lastS > firstS ? tokens / (lastS - firstS) : 0;
}

} // namespace

std::int64_t recordedMaxSeqs(const ServerLog& log) {
    for (const std::string_view fact : {"parallel", "max_batch_size"}) {
        if (const auto number = parseNumber<std::int64_t>(factOf(log, fact)); number && *number > 0) {
            return *number;
        }
    }
    return 0;
}

RecordedServer recordedServerOf(const ServerLog& log) {
    const auto [served, assumption] = servedOnLog({}, log);
    const bool known = served.model != nullptr && served.own == nullptr;
    const bool isNamed = served.released != nullptr || assumption.empty();
    const double fileBits = parseNumber<double>(factOf(log, "bits_per_weight")).value_or(0);
    return {.latencyS = latencyS(log),
            .tokensPerS = tokensPerS(log),
            .model = known ? std::string(served.model->key) : std::string(),
            .bitsPerWeight = known ? (isNamed ? served.bitsPerWeight : 0) : std::max(fileBits, 0.0),
            .maxSeqs = recordedMaxSeqs(log)};
}

Result<Workload> workloadOfLog(const ServerLog& log, const std::string& key) {
    std::vector<TraceRequest> requests;
    std::size_t generating = 0;
    for (const LogRequest& one : log.requests) {
        generating += one.generates ? 1 : 0;
        if (isReplayed(one)) {
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
        workload->recorded = recordedServerOf(log);
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
