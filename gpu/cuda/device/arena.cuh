// Device memory for one point at a time: one allocation that grows and is handed out in slices.
#pragma once

#include "gpu/cuda/device/status.cuh"

#include <cstdint>

namespace loadline::gpu {

class Arena {
public:
    Arena() = default;
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena() { cudaFree(memory_); }

    static std::int64_t rounded(std::int64_t bytes) { return (bytes + 255) / 256 * 256; }

    /// Forgets all slices and makes room for `bytes` in all.
    Outcome reserve(std::int64_t bytes) {
        used_ = 0;
        if (bytes <= size_) {
            return {};
        }
        cudaFree(memory_);
        memory_ = nullptr;
        size_ = 0;
        Outcome outcome =
            outcomeOf(cudaMalloc(&memory_, static_cast<std::size_t>(bytes)), "making room on the device");
        size_ = outcome ? bytes : 0;
        return outcome;
    }

    /// 256-byte aligned; nullptr for no bytes. Within what was reserved, counting rounded sizes.
    unsigned char* take(std::int64_t bytes) {
        if (bytes == 0) {
            return nullptr;
        }
        unsigned char* const slice = static_cast<unsigned char*>(memory_) + used_;
        used_ += rounded(bytes);
        return slice;
    }

    [[nodiscard]] std::int64_t size() const { return size_; }

private:
    void* memory_ = nullptr;
    std::int64_t size_ = 0;
    std::int64_t used_ = 0;
};

} // namespace loadline::gpu
