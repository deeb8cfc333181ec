// Calls a template's instance for a k known at run time.
#pragma once

#include <cuda_runtime_api.h>

#include <type_traits>

namespace loadline::gpu {

/// call(std::integral_constant<int, k>) for k = 2..5.
template <class Call>
cudaError_t byBits(int bits, const Call& call) {
    switch (bits) {
    case 2:
        return call(std::integral_constant<int, 2>{});
    case 3:
        return call(std::integral_constant<int, 3>{});
    case 4:
        return call(std::integral_constant<int, 4>{});
    case 5:
        return call(std::integral_constant<int, 5>{});
    default:
        return cudaErrorInvalidValue;
    }
}

} // namespace loadline::gpu
