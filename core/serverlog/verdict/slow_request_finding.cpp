// Finds single requests that are far slower than all others.
#include "core/base/statistics.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/prompts_beside.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace loadline {
namespace {

double decodeSecondsOf(const LogRequest& request) {
    return isTold(request.decodeS) ? request.decodeS : request.outputTokens / request.decodeTokensPerS;
}

} // namespace

std::optional<Finding> slowRequests(const LogEvidence& evidence) {
    constexpr double farSlower = 5; // times: no batch or context of a few slots does that
    constexpr double longS = 30;
    constexpr std::size_t enough = 8;
    constexpr std::size_t oneIn = 10; // more are no exceptions
    std::vector<const LogRequest*> requests;
    std::vector<double> rates;
    for (const LogRequest& request : evidence.log.requests) {
        if (request.generates && timesDecoding(request) && request.decodeTokensPerS > 0) {
            requests.push_back(&request);
            rates.push_back(request.decodeTokensPerS);
        }
    }
    const double median = medianOf(std::move(rates));
    const std::vector<double> beside = sharesBesidePrompts(evidence.log);
    // Returns the rate in the time that prompts of others left the request: their time is not its own
    // slowness.
    const auto withoutPrompts = [&](const LogRequest* request) {
        const auto index = static_cast<std::size_t>(request - evidence.log.requests.data());
        return request->decodeTokensPerS / (1 - beside[index]);
    };
    std::erase_if(requests, [&, all = requests.size()](const LogRequest* request) {
        return all < enough ||
               !(withoutPrompts(request) * farSlower <= median && decodeSecondsOf(*request) >= longS);
    });
    if (requests.empty() || requests.size() * oneIn > evidence.log.requests.size()) {
        return std::nullopt;
    }
    const LogRequest& slowest = **std::ranges::min_element(
        requests, {}, [](const LogRequest* request) { return request->decodeTokensPerS; });
    Finding finding{.key = "slow_requests", .claim = "Single requests are far slower than the others"};
    finding.verdict = Verdict::Supported;
    finding.weight = 8;
    finding.reason = fmt::format("{} decoded far slower than the others, the slowest ({}) {} tokens in "
                                 "{}: {} tokens/s, where the "
                                 "median is {}.",
                                 counted(requests.size(), "request"), lineWords(evidence.log, slowest.last),
                                 formatExact(static_cast<std::int64_t>(slowest.outputTokens)),
                                 formatSeconds(decodeSecondsOf(slowest)),
                                 formatReal(slowest.decodeTokensPerS, 2), formatReal(median, 3));
    for (const LogRequest* request : requests) {
        if (finding.evidence.size() < mostEvidence) {
            finding.evidence.push_back(request->last);
        }
    }
    return finding;
}

} // namespace loadline
