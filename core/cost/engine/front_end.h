// The server's work beside its engine: prompts become tokens, and tokens become text, one after the other.
#pragma once

#include "core/base/tokens.h"
#include "core/cost/engine/constants.h"

#include <algorithm>
#include <cstdint>

namespace loadline {

/// Costs of the API server.
struct FrontEndCosts {
    double promptTokenUs = constant::promptTokenUs.value; ///< tokenisation, per prompt token
    double frontEndUs = constant::frontEndUs.value;       ///< from the tokenised prompt to the engine
    double outputTokenUs = constant::outputTokenUs.value; ///< handling of an output token; 0: none
    bool operator==(const FrontEndCosts&) const = default;
};

/// Tokenises prompts in the order in which they come: one worker thread (vLLM issue 25301,
/// ThreadPoolExecutor(max_workers=1)).
class Tokeniser {
public:
    explicit Tokeniser(const FrontEndCosts& costs) : costs_(costs) {}

    /// Returns when the engine has a prompt that is sent at `sentUs`. Precondition: not before the last one.
    double arrivalUs(double sentUs, Tokens promptTokens) {
        freeUs_ = std::max(sentUs, freeUs_) + costs_.promptTokenUs * static_cast<double>(promptTokens);
        return freeUs_ + costs_.frontEndUs;
    }

private:
    FrontEndCosts costs_;
    double freeUs_ = 0;
};

/// Hands the tokens of finished steps to the clients, one after the other: first those of requests that go
/// on, then those of requests that end, last the first tokens of new requests, which are the last of their
/// step's batch. With a stream interval, one token in so many is sent of those that go on.
class OutputQueue {
public:
    OutputQueue(const FrontEndCosts& costs, int streamInterval)
        : tokenUs_(costs.outputTokenUs), interval_(std::max(1, streamInterval)) {}

    /// A step that ended at `us` has `going` tokens of requests that go on.
    void begin(double us, std::int64_t going) {
        freeUs_ = std::max(freeUs_, us) + tokenUs_ * static_cast<double>(going) / interval_;
    }

    /// Returns when the next token of the step, a first or a last one, is at its client.
    double nextUs() {
        freeUs_ += tokenUs_;
        return freeUs_;
    }

private:
    double tokenUs_;
    int interval_;
    double freeUs_ = 0;
};

} // namespace loadline
