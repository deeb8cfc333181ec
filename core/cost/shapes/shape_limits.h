// How large the numbers of a model's shapes may be, whether they are read or edited.
#pragma once

#include <cstddef>
#include <cstdint>

namespace loadline {

inline constexpr std::int64_t mostSide = std::int64_t{1} << 24; ///< K or N of a GEMM
inline constexpr std::size_t mostGemms = 256;
inline constexpr std::int64_t mostLayers = 4096; ///< of a model; GEMMs of one size in a layer
inline constexpr std::int64_t mostExperts = 1 << 16;
inline constexpr std::int64_t mostHeads = 1 << 14;
inline constexpr std::int64_t mostHeadDim = 1 << 14;
inline constexpr std::int64_t mostWindow = std::int64_t{1} << 30; ///< tokens
inline constexpr double mostStateBytes = 1e12;

} // namespace loadline
