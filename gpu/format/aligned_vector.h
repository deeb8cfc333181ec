// A vector that starts on a cache line; a large one on a huge page where the system has them.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace loadline::gpu {

inline constexpr std::size_t cacheLineBytes = 64;
inline constexpr std::size_t hugePageBytes = std::size_t{2} << 20;

template <typename T>
struct AlignedAllocator {
    using value_type = T;

    AlignedAllocator() = default;

    template <typename U>
    AlignedAllocator(const AlignedAllocator<U>& /*other*/) {} // NOLINT(google-explicit-constructor): as std's

    static std::align_val_t alignmentOf(std::size_t bytes) {
        return std::align_val_t{bytes >= hugePageBytes ? hugePageBytes : cacheLineBytes};
    }

    T* allocate(std::size_t count) {
        const std::size_t bytes = count * sizeof(T);
        void* memory = ::operator new(bytes, alignmentOf(bytes));
#if defined(MADV_HUGEPAGE)
        if (bytes >= hugePageBytes) {
            madvise(memory, bytes / hugePageBytes * hugePageBytes, MADV_HUGEPAGE); // a hint: may be refused
        }
#endif
        return static_cast<T*>(memory);
    }

    void deallocate(T* memory, std::size_t count) {
        ::operator delete(memory, alignmentOf(count * sizeof(T)));
    }

    template <typename U>
    bool operator==(const AlignedAllocator<U>& /*other*/) const {
        return true;
    }

    template <typename U>
    bool operator!=(const AlignedAllocator<U>& /*other*/) const {
        return false;
    }
};

template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

} // namespace loadline::gpu
