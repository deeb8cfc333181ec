// Loops whose index is a constant: immediates of vector instructions must be.
#pragma once

#include <type_traits>
#include <utility>

#define LOADLINE_INLINE __attribute__((always_inline))

namespace loadline::gpu {

template <typename Body, int... Index>
LOADLINE_INLINE inline void unrollOver([[maybe_unused]] Body body,
                                       std::integer_sequence<int, Index...> /*indices*/) {
    (body(std::integral_constant<int, Index>{}), ...);
}

/// body(0), ..., body(Count - 1), each index an integral_constant. Bodies are lambdas of the calling file,
/// so that nothing compiled for one instruction set is ever shared with another.
template <int Count, typename Body>
LOADLINE_INLINE inline void unroll(Body body) {
    unrollOver(body, std::make_integer_sequence<int, Count>{});
}

} // namespace loadline::gpu
