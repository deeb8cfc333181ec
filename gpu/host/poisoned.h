// An output that shows what a kernel left unwritten and what it wrote beside it.
#pragma once

#include "gpu/format/aligned_vector.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace loadline::gpu {

/// `count` values of all-ones bits (NaN as fp32 and as fp16), guard words of the same on either side.
template <typename T>
class Poisoned {
public:
    explicit Poisoned(std::size_t count) : all_(count + 2 * guard) {
        std::memset(static_cast<void*>(all_.data()), 0xFF, all_.size() * sizeof(T));
    }

    [[nodiscard]] T* data() { return all_.data() + guard; }

    [[nodiscard]] std::span<const T> values() const {
        return std::span(all_).subspan(guard, all_.size() - 2 * guard);
    }

    [[nodiscard]] bool guardsIntact() const {
        return allOnes(all_.data()) && allOnes(all_.data() + all_.size() - guard);
    }

private:
    static constexpr std::size_t guard = 64; ///< values on either side

    static bool allOnes(const T* from) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(from);
        return std::all_of(bytes, bytes + guard * sizeof(T), [](unsigned char byte) { return byte == 0xFF; });
    }

    AlignedVector<T> all_;
};

} // namespace loadline::gpu
