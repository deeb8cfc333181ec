// What each number of a simulation may be, wherever it is given: options, sliders, settings.
#pragma once

#include "core/base/tokens.h"
#include "core/text/parse_number.h"

#include <cstdint>
#include <limits>

namespace loadline {

inline constexpr std::int64_t maxUsers = 4096;
inline constexpr Tokens maxChunkTokens = 1 << 20;

namespace limits {

inline constexpr std::int64_t mostCount = std::int64_t{1} << 40; ///< of things that take no memory

using Counts = NumberRange<std::int64_t>;
using Reals = NumberRange<double>;

inline constexpr Counts chunkTokens{1, maxChunkTokens};
inline constexpr Counts budgetTokens{1, maxChunkTokens};
inline constexpr Counts maxSeqs{1, 1 << 20};
inline constexpr Counts blockTokens{1, 1 << 16};
inline constexpr Counts kvBlocks{2, mostCount};
inline constexpr Counts cachedBlocks{2, std::int64_t{1} << 22}; ///< with a prefix cache each takes memory
inline constexpr Reals memoryShare{0.01, 1};
inline constexpr Counts maxModelLen{2, mostCount};
inline constexpr Counts prefillBatch{1, 1 << 16};
inline constexpr Counts fittedPrompt{0, mostCount};
inline constexpr Reals watermark{0, 1};
inline constexpr Counts users{1, maxUsers};
inline constexpr Reals ratePerS{1e-6, 1e6};
inline constexpr Reals thinkS{0, 1e6};
inline constexpr Counts iterations{1, mostCount};
inline constexpr Counts turns{1, mostCount};
inline constexpr Counts replicas{1, 1000};
inline constexpr Reals hostUs{0, 1e9};
inline constexpr NumberRange<std::uint64_t> seed{0, std::numeric_limits<std::uint64_t>::max()};

} // namespace limits
} // namespace loadline
