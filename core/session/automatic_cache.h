// Caches that providers keep by themselves, in whole blocks.
#pragma once

#include "core/base/tokens.h"

namespace loadline {

/// Tokens of a block of an automatic cache: 128 is the largest that a provider documents (OpenAI, prompt
/// caching).
inline constexpr Tokens automaticBlock = 128;

/// True if `read` can be all whole blocks of a prefix of `left` tokens.
inline bool isWholeBlocksOf(Tokens read, Tokens left) {
    return read <= left && read > left - automaticBlock;
}

} // namespace loadline
