// The provider's prompt cache, seen from one agent: what a call reads from it and writes to it.
#pragma once

#include "core/base/time.h"
#include "core/session/usage.h"
#include "tests/tools/generate/transcript/random.h"

namespace loadline::generate {

class CacheState {
public:
    /// `system`: tokens of the system prompt and the tools, the same for every session.
    CacheState(Tokens system, bool oneHour, bool split) : system_(system), oneHour_(oneHour), split_(split) {}

    /// Prompt side of the next call, which has `fresh` more tokens than the context so far (at least 16).
    Usage next(Tokens fresh, TimeMs now, Random& random);

    [[nodiscard]] Tokens context() const { return context_; }

    /// Another model has another cache.
    void forget() { cached_ = 0; }

    /// Replaces everything but the system prompt by `tokens`.
    void replaceBy(Tokens tokens);
    /// Part of the context removed in place; the cache ends where the first removed part was.
    void remove(Tokens tokens);

private:
    Tokens system_;
    Tokens context_ = 0; ///< prompt of the last call
    Tokens cached_ = 0;  ///< of these in the cache, from the start
    TimeMs last_ = unknownTime;
    bool oneHour_;
    bool split_;
};

} // namespace loadline::generate
