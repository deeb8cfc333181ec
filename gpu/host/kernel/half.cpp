#include "gpu/host/kernel/half.h"

#include "gpu/format/e4m4.h"

namespace loadline::gpu {
namespace {

constexpr std::uint32_t infinityBits = 0x7F800000;
constexpr float halfSubnormalStep = 0x1p-24F;

} // namespace

std::uint16_t halfOfFloat(float value) {
    const std::uint32_t bits = bitsOfFloat(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000);
    const std::uint32_t magnitude = bits & 0x7FFFFFFF;
    if (magnitude > infinityBits) {
        return static_cast<std::uint16_t>(sign | 0x7E00); // NaN
    }
    if (magnitude >= 0x477FF000) { // 65520 and more round to infinity
        return static_cast<std::uint16_t>(sign | 0x7C00);
    }
    if (magnitude < 0x38800000) { // below 2^-14: adding 0.5 rounds to a multiple of 2^-24
        const std::uint32_t rounded = bitsOfFloat(floatFromBits(magnitude) + 0.5F) - bitsOfFloat(0.5F);
        return static_cast<std::uint16_t>(sign | rounded);
    }
    const std::uint32_t even = magnitude >> 13 & 1;
    return static_cast<std::uint16_t>(sign | ((magnitude + 0xFFF + even - (112U << 23)) >> 13));
}

float floatOfHalf(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000) << 16;
    const std::uint32_t magnitude = half & 0x7FFF;
    if (magnitude >= 0x7C00) {
        return floatFromBits(sign | infinityBits | (magnitude & 0x3FF) << 13);
    }
    if (magnitude < 0x400) {
        const float value = static_cast<float>(magnitude) * halfSubnormalStep;
        return sign != 0 ? -value : value;
    }
    return floatFromBits(sign | ((magnitude << 13) + (112U << 23)));
}

} // namespace loadline::gpu
