// IEEE half precision in plain C++.
#pragma once

#include <cstdint>

namespace loadline::gpu {

/// Rounded to nearest even; what is too large becomes infinite.
std::uint16_t halfOfFloat(float value);
/// Exact.
float floatOfHalf(std::uint16_t half);

} // namespace loadline::gpu
