// Prefix caching with a time to live, refreshed by every use.
#include "tests/tools/generate/story/cache_state.h"

#include <algorithm>

namespace loadline::generate {

Usage CacheState::next(Tokens fresh, TimeMs now, Random& random) {
    Usage usage;
    if (context_ == 0) {
        context_ = system_;
        cached_ = random.chance(600) ? system_ : 0; // warm from another session
    } else if (now.ms - last_.ms > (oneHour_ ? 3'600'000 : 300'000)) {
        cached_ = random.chance(300) ? std::min(cached_, system_) : 0;
    }
    context_ += fresh;
    usage.input = random.between(1, 12);
    usage.cacheRead = cached_;
    usage.cacheWrite = context_ - cached_ - usage.input;
    if (split_) {
        (oneHour_ ? usage.cacheWrite1h : usage.cacheWrite5m) = usage.cacheWrite;
    } else {
        usage.cacheWrite5m = usage.cacheWrite;
    }
    cached_ = context_ - usage.input;
    last_ = now;
    return usage;
}

void CacheState::replaceBy(Tokens tokens) {
    context_ = system_ + tokens;
    cached_ = std::min(cached_, system_);
}

void CacheState::remove(Tokens tokens) {
    context_ = std::max(system_, context_ - tokens);
    cached_ = std::min(cached_, system_);
}

} // namespace loadline::generate
