// Vidur's Sarathi: decodes, then running prompts in chunks, then new prompts, in one step.
#pragma once

#include "vidur_requests.h"

namespace loadline::test {

/// The chunk size is the budget of the whole step; decodes count but are never held back by it.
class VidurSarathi : public VidurRequests {
public:
    /// `listQueues`: Step::running and Step::waiting are filled.
    explicit VidurSarathi(const VidurConfig& config, bool listQueues = false)
        : VidurRequests(config, listQueues) {}

    /// Valid until the next call.
    const Step& step(std::int64_t t);

private:
    [[nodiscard]] Tokens chunkOf(const Request& request) const;
};

} // namespace loadline::test
