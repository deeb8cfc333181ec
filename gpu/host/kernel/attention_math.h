// Shared by both phases of attention, for any vector type V: powers of 2, and a row's state.
#pragma once

#include "gpu/host/kernel/unroll.h"

namespace loadline::gpu {

/// Less than any score, and finite, so that differences are numbers.
inline constexpr float noScore = -1e30F;

/// 2^x for x <= 0, to within 2e-7 of itself; 0 below 2^-126 or below 2^-149, as V flushes. The polynomial is
/// the best of degree 5 on [-1/2, 1/2] that is 1 at 0, for the relative error (9.2e-8).
template <typename V>
LOADLINE_INLINE inline typename V::F exp2Of(typename V::F x) {
    constexpr float terms[] = {0.001326472786F, 0.009671513264F, 0.05550733747F,
                               0.2402224208F,   0.6931469776F,   1.0F};
    x = V::max(x, V::broadcast(-160)); // rounds to 0; below it noScore would leave the integers
    const typename V::F whole = V::rounded(x);
    const typename V::F part = V::sub(x, whole);
    typename V::F power = V::broadcast(terms[0]);
    unroll<5>([&](auto i) LOADLINE_INLINE { power = V::fma(power, part, V::broadcast(terms[i + 1])); });
    return V::timesPowerOf2(power, whole);
}

} // namespace loadline::gpu
