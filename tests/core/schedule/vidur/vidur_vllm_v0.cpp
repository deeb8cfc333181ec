// One batch of the old vLLM: prompts or decodes.
#include "vidur_vllm_v0.h"

#include <algorithm>

namespace loadline::test {

const Step& VidurVllmV0::step(std::int64_t t) {
    begin(t);
    admitPrompts();
    if (batch_.empty()) {
        decodeAll();
    }
    return end();
}

void VidurVllmV0::admitPrompts() {
    Tokens longest = 0;
    while (!queue_.empty() && canClaim(queue_.front())) {
        Request request = queue_.front();
        longest = std::max(longest, request.prompt);
        const auto rows = static_cast<Tokens>(batch_.size()) + 1;
        if (rows * longest > config_.maxTokensInBatch || holders_ == config_.batchSizeCap || capReached()) {
            return;
        }
        queue_.pop_front();
        claim(request);
        schedule(request, request.prompt);
    }
}

void VidurVllmV0::decodeAll() {
    sortUnderWay();
    while (!underWay_.empty() && !capReached()) {
        Request request = underWay_.front();
        underWay_.pop_front();
        if (claimByForce(request)) {
            schedule(request, 1);
        }
    }
}

} // namespace loadline::test
