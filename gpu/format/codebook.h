// The values k-bit codes stand for: normal quantiles, computed when compiling.
#pragma once

#include "gpu/format/host_device.h"

namespace loadline::gpu {

namespace detail {

constexpr double exponential(double x) { // halved until the series is short
    int halvings = 0;
    for (; x > 0.125 || x < -0.125; ++halvings) {
        x /= 2;
    }
    double term = 1;
    double sum = 1;
    for (int n = 1; n < 16; ++n) {
        term *= x / n;
        sum += term;
    }
    for (; halvings > 0; --halvings) {
        sum *= sum;
    }
    return sum;
}

constexpr double normalDensity(double x) {
    constexpr double inverseRootTwoPi = 0.39894228040143267794;
    return inverseRootTwoPi * exponential(-x * x / 2);
}

/// Abramowitz and Stegun 26.2.11: 1/2 + density(x) (x + x^3/3 + x^5/15 + ...).
constexpr double normalProbability(double x) {
    double term = x;
    double sum = x;
    for (int n = 3; n < 400 && sum + term != sum; n += 2) {
        term *= x * x / n;
        sum += term;
    }
    return 0.5 + normalDensity(x) * sum;
}

} // namespace detail

/// x with P(standard normal <= x) = p, for p in [0.001, 0.999]; about 1e-14. Newton's method from 0, whose
/// steps never overshoot.
constexpr double inverseNormal(double p) {
    if (p < 0.5) {
        return -inverseNormal(1 - p);
    }
    double x = 0;
    for (int step = 0; step < 50; ++step) {
        const double move = (p - detail::normalProbability(x)) / detail::normalDensity(x);
        x += move;
        if (move < 1e-15 && move > -1e-15) {
            break;
        }
    }
    return x;
}

/// 2^Bits values, ascending from -1 to 1, symmetric.
template <int Bits>
struct Codebook {
    float value[1 << Bits] = {};
};

/// Normal quantiles at (i + 0.5) / 2^k over the largest of them, each rounded to fp32 before and after the
/// division (bitsandbytes at df55daf8).
template <int Bits>
constexpr Codebook<Bits> makeCodebook() {
    constexpr int count = 1 << Bits;
    Codebook<Bits> book;
    const auto largest = static_cast<float>(inverseNormal((count - 0.5) / count));
    for (int i = count / 2; i < count; ++i) {
        const float value = static_cast<float>(inverseNormal((i + 0.5) / count)) / largest;
        book.value[i] = value;
        book.value[count - 1 - i] = -value;
    }
    return book;
}

template <int Bits>
inline constexpr Codebook<Bits> codebook = makeCodebook<Bits>();

/// The 2^bits values; bits from 2 to 5. Host only: a device gets a copy.
inline const float* codebookOf(int bits) {
    switch (bits) {
    case 2:
        return codebook<2>.value;
    case 3:
        return codebook<3>.value;
    case 4:
        return codebook<4>.value;
    default:
        return codebook<5>.value;
    }
}

/// The code whose value is nearest to `normalised`; the lower one where two are equally near.
LOADLINE_HD inline int nearestCode(const float* book, int bits, float normalised) {
    int best = 0;
    float bestDistance = 0;
    for (int code = 0; code < 1 << bits; ++code) {
        const float difference = normalised - book[code];
        const float distance = difference < 0 ? -difference : difference;
        if (code == 0 || distance < bestDistance) {
            best = code;
            bestDistance = distance;
        }
    }
    return best;
}

} // namespace loadline::gpu
