// Ranges of numbers of a simulation that are used beyond their parameter's row.
#pragma once

#include "core/base/tokens.h"
#include "core/text/parse_number.h"

#include <cstdint>
#include <limits>

namespace loadline {

inline constexpr std::int64_t maxUsers = 4096;
inline constexpr Tokens maxChunkTokens = 1 << 20;
inline constexpr std::int64_t mostSeqs = 1 << 20; ///< that run at once

namespace limits {

inline constexpr std::int64_t mostCount = std::int64_t{1} << 40;    ///< of things that take no memory
inline constexpr std::int64_t cachedBlocks = std::int64_t{1} << 22; ///< with a prefix cache each takes memory
inline constexpr NumberRange<std::uint64_t> seed{0, std::numeric_limits<std::uint64_t>::max()};

} // namespace limits
} // namespace loadline
