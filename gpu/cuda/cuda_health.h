// Readings of a GPU by NVML while it is measured, as facts of the run.
#pragma once

#include "core/cost/profile/profile.h"
#include "gpu/cuda/plugin_abi.h"

#include <cstdint>
#include <vector>

namespace loadline::gpu {

class CudaHealthTrack {
public:
    /// Fields of -1 are not known.
    void take(const CudaHealth& reading);
    void addThrottling(std::uint64_t reasons) { reasons_ |= reasons; }

    /// Temperature at the beginning and the end, power, memory clock, every reason for throttling, and the
    /// policy of the clocks as far as NVML tells it: it has no question for locked clocks, only says when
    /// application clocks hold them. What was never read is left out.
    [[nodiscard]] Facts facts() const;

private:
    std::vector<std::int32_t> temperatures_, powers_, memoryClocks_;
    std::uint64_t reasons_ = 0;
};

} // namespace loadline::gpu
