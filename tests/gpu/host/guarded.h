// An output buffer that shows what was not written and what was written beside it.
#pragma once

#include "gpu/format/aligned_vector.h"

#include <cstdint>
#include <cstring>
#include <span>

namespace loadline::gpu {

/// `count` values of all-ones bits (NaN as a float or half) between guard words.
template <typename T>
class Guarded {
public:
    explicit Guarded(std::size_t count) : count_(count), all_(count + 2 * guard) {
        std::memset(static_cast<void*>(all_.data()), 0xFF, all_.size() * sizeof(T));
    }

    T* data() { return all_.data() + guard; }

    [[nodiscard]] std::span<const T> values() const { return {all_.data() + guard, count_}; }

    [[nodiscard]] bool intact() const {
        return allOnes(all_.data(), guard) && allOnes(all_.data() + guard + count_, guard);
    }

private:
    static constexpr std::size_t guard = 64;

    static bool allOnes(const T* from, std::size_t count) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(from);
        for (std::size_t i = 0; i < count * sizeof(T); ++i) {
            if (bytes[i] != 0xFF) {
                return false;
            }
        }
        return true;
    }

    std::size_t count_;
    AlignedVector<T> all_;
};

} // namespace loadline::gpu
