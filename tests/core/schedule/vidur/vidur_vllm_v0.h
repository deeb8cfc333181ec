// Vidur's vLLM, the old V0 scheduler: whole prompts first, decodes only in steps without them.
#pragma once

#include "vidur_requests.h"

namespace loadline::test {

class VidurVllmV0 : public VidurRequests {
public:
    /// `listQueues`: Step::running and Step::waiting are filled.
    explicit VidurVllmV0(const VidurConfig& config, bool listQueues = false)
        : VidurRequests(config, listQueues) {}

    /// Valid until the next call.
    const Step& step(std::int64_t t);

private:
    void admitPrompts();
    void decodeAll();
};

} // namespace loadline::test
