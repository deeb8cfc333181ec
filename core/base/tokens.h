// Counts of tokens.
#pragma once

#include <cstdint>

namespace loadline {

/// A number of tokens. Sums saturate nowhere: readers refuse single counts above maxTokensPerCount.
using Tokens = std::int64_t;

/// A larger count in a log is not believed (BadNumber): 2^40 tokens would be years of generation.
inline constexpr Tokens maxTokensPerCount = Tokens{1} << 40;

} // namespace loadline
