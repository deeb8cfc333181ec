// Counts of tokens.
#pragma once

#include <cstdint>

namespace loadline {

/// A number of tokens. Sums need not saturate: readers refuse larger counts than maxTokensPerCall, and a sum
/// of all kinds of tokens of 2^30 calls stays below 2^63.
using Tokens = std::int64_t;

/// A larger count of one API call or request in a log is not believed (BadNumber): a thousand times what any
/// model takes.
inline constexpr Tokens maxTokensPerCall = Tokens{1} << 30;

/// The largest number of tokens that an option or a file may name that is no count of a call: room, limits.
inline constexpr Tokens maxTokensPerCount = Tokens{1} << 40;

} // namespace loadline
