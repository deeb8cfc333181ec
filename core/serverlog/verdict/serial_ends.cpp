// Ends of requests by access lines.
#include "core/serverlog/verdict/serial_ends.h"

#include <algorithm>
#include <cmath>

namespace loadline {

std::optional<SerialEnds> serialEndsOf(const LogEvidence& evidence) {
    constexpr double stampS = 1; // ends are told to the second
    constexpr double leastService = 2;
    constexpr double thousandth = 7; // exp(-7)
    constexpr double varies = 0.1;   // of equal answers, two in turns end as evenly as one after the other
    std::vector<const LogRequest*> requests;
    for (const LogRequest& request : evidence.log.requests) {
        if (request.generates && isTold(request.arrivalS) && isTold(request.endS) && !request.endInferred &&
            request.end != RequestEnd::Failed) {
            requests.push_back(&request);
        }
    }
    std::ranges::stable_sort(requests, {}, [](const LogRequest* request) { return request->endS; });
    SerialEnds found;
    double sum = 0;
    double squares = 0;
    for (std::size_t i = 1; i < requests.size(); ++i) {
        if (requests[i]->arrivalS + stampS >= requests[i - 1]->endS) {
            continue;
        }
        const double apart = requests[i]->endS - requests[i - 1]->endS;
        found.leastS = found.ends == 0 ? apart : std::min(found.leastS, apart);
        sum += apart;
        squares += apart * apart;
        ++found.ends;
        found.waited.push_back(requests[i]->first);
    }
    const auto ends = static_cast<double>(found.ends);
    const double service = found.leastS - stampS;
    found.meanS = sum / ends;
    const double spread = std::sqrt(std::max(squares / ends - found.meanS * found.meanS, 0.0));
    if (found.ends == 0 || service < leastService || ends * service < thousandth * found.meanS ||
        spread < varies * found.meanS) {
        return std::nullopt;
    }
    found.most = MostAtOnce(evidence.concurrency.atLeast).between(0, evidence.log.lengthS + stampS);
    return found;
}

} // namespace loadline
