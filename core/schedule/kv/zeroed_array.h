// An array of zeros whose memory costs nothing until it is touched.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace loadline {

/// An array of many more elements than are ever used: the system gives zeroed pages on first touch. All bits
/// of T zero must be a value that makes sense.
template <typename T>
class ZeroedArray {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    explicit ZeroedArray(std::size_t count) : data_(static_cast<T*>(std::calloc(count, sizeof(T)))) {
        if (!data_ && count > 0) {
            throw std::bad_alloc();
        }
    }

    T& operator[](std::size_t place) { return data_.get()[place]; }

    const T& operator[](std::size_t place) const { return data_.get()[place]; }

private:
    struct Free {
        void operator()(T* data) const { std::free(data); }
    };

    std::unique_ptr<T, Free> data_;
};

} // namespace loadline
