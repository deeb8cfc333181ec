// One batch of Sarathi.
#include "vidur_sarathi.h"

#include <algorithm>

namespace loadline::test {

Tokens VidurSarathi::chunkOf(const Request& request) const {
    return std::clamp<Tokens>(config_.chunkSize - step_.total, 0, request.prompt - request.processed);
}

const Step& VidurSarathi::step(std::int64_t t) {
    begin(t);
    std::vector<Request> prompts;
    while (!underWay_.empty() && !capReached()) {
        Request request = underWay_.front();
        underWay_.pop_front();
        if (!request.prefilled) {
            prompts.push_back(request);
        } else if (claimByForce(request)) {
            schedule(request, 1);
        }
    }
    std::vector<Request> heldBack;
    for (const Request& request : prompts) {
        const Tokens chunk = chunkOf(request);
        if (chunk == 0) {
            heldBack.push_back(request);
        } else {
            schedule(request, chunk);
        }
    }
    underWay_.insert(underWay_.begin(), heldBack.begin(), heldBack.end());
    sortUnderWay();
    while (!queue_.empty() && holders_ != config_.batchSizeCap && !capReached() && canClaim(queue_.front())) {
        Request request = queue_.front();
        const Tokens chunk = chunkOf(request);
        if (chunk == 0) {
            break;
        }
        queue_.pop_front();
        claim(request);
        schedule(request, chunk);
    }
    return end();
}

} // namespace loadline::test
