// How the scale of a block of weights is stored; C++17, as device code reads it too.
#pragma once

#include <cstdint>

namespace loadline {

/// How the scale of a block of 32 weights is stored: a byte (E4M4) or a float.
enum class AbsmaxFormat : std::uint8_t { E4M4, Fp32 };

} // namespace loadline
