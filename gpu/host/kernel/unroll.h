// Loops whose index is a constant: immediates of vector instructions must be.
#pragma once

#include <type_traits>
#include <utility>

#define LOADLINE_INLINE __attribute__((always_inline))

namespace loadline::gpu {

template <typename Indices>
struct Unroll;

template <int... Index>
struct Unroll<std::integer_sequence<int, Index...>> {
    template <typename Body>
    LOADLINE_INLINE void operator()([[maybe_unused]] const Body& body) const {
        (body(std::integral_constant<int, Index>{}), ...);
    }
};

/// unroll<Count>(body): body(0), ..., body(Count - 1), each index an integral_constant. Bodies are lambdas of
/// the calling file, so that nothing compiled for one instruction set is ever shared with another. An object
/// rather than a function: each level of inlining copies all that is below it. Where the index need not be a
/// constant,
/// `#pragma GCC unroll` gives the same code and takes a third of the time to compile.
template <int Count>
inline constexpr Unroll<std::make_integer_sequence<int, Count>> unroll{};

} // namespace loadline::gpu
