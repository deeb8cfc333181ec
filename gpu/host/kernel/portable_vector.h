// Four floats in plain C++, for kernels that are written for any vector type.
#pragma once

#include "gpu/host/kernel/half.h"
#include "gpu/host/kernel/unroll.h"

#include <cmath>
#include <cstdint>

namespace loadline::gpu {

struct PortableVector {
    static constexpr int lanes = 4;
    static constexpr int gemmTile = 4;
    static constexpr int scoreKeys = 2;
    static constexpr int decodeHeads = 4;
    static constexpr int valueVectors = 2;

    struct F {
        float lane[lanes];
    };

    template <typename Body>
    LOADLINE_INLINE static F each(Body body) {
        F result = {};
        unroll<lanes>([&](auto i) LOADLINE_INLINE { result.lane[i] = body(i); });
        return result;
    }

    static F broadcast(float value) {
        return each([&](int) LOADLINE_INLINE { return value; });
    }

    static void keep(const F& /*value*/) {}

    static F zero() { return broadcast(0); }

    static F load(const float* from) {
        return each([&](int i) LOADLINE_INLINE { return from[i]; });
    }

    static F loadHalf(const std::uint16_t* from) {
        return each([&](int i) LOADLINE_INLINE { return floatOfHalf(from[i]); });
    }

    static void store(float* to, const F& value) {
        unroll<lanes>([&](auto i) LOADLINE_INLINE { to[i] = value.lane[i]; });
    }

    static F add(const F& a, const F& b) {
        return each([&](int i) LOADLINE_INLINE { return a.lane[i] + b.lane[i]; });
    }

    static F sub(const F& a, const F& b) {
        return each([&](int i) LOADLINE_INLINE { return a.lane[i] - b.lane[i]; });
    }

    static F mul(const F& a, const F& b) {
        return each([&](int i) LOADLINE_INLINE { return a.lane[i] * b.lane[i]; });
    }

    /// Rounds twice: one rounding would be a function call without FMA.
    static F fma(const F& a, const F& b, const F& c) {
        return each([&](int i) LOADLINE_INLINE { return a.lane[i] * b.lane[i] + c.lane[i]; });
    }

    static F max(const F& a, const F& b) {
        return each([&](int i) LOADLINE_INLINE { return a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]; });
    }

    static F rounded(const F& value) {
        return each([&](int i) LOADLINE_INLINE { return std::nearbyint(value.lane[i]); });
    }

    static F timesPowerOf2(const F& value, const F& power) {
        return each([&](int i) LOADLINE_INLINE {
            return std::ldexp(value.lane[i], static_cast<int>(power.lane[i]));
        });
    }

    /// Lane i: that of lane i ^ By.
    template <int By>
    LOADLINE_INLINE static F swapped(const F& value) {
        return each([&](int i) LOADLINE_INLINE { return value.lane[i ^ By]; });
    }

    /// Count floats, again and again.
    template <int Count>
    LOADLINE_INLINE static F repeated(const float* from) {
        return each([&](int i) LOADLINE_INLINE { return from[i % Count]; });
    }

    static float total(const F& value) {
        return value.lane[0] + value.lane[1] + (value.lane[2] + value.lane[3]);
    }

    static F totals(const F (&r)[lanes]) {
        return each([&](int i) LOADLINE_INLINE { return total(r[i]); });
    }

    static void transpose(F (&r)[lanes]) {
        for (int i = 0; i < lanes; ++i) {
            for (int j = 0; j < i; ++j) {
                const float other = r[i].lane[j];
                r[i].lane[j] = r[j].lane[i];
                r[j].lane[i] = other;
            }
        }
    }
};

} // namespace loadline::gpu
