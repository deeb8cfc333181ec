// Large values shared by views: whoever drops the last reference, the memory is freed on a worker thread.
#pragma once

#include <QThreadPool>

#include <memory>
#include <utility>

namespace loadline::app {

/// Moves `value` into shared ownership. Freeing a million calls takes tens of milliseconds: too long for the
/// GUI thread, so the global pool does it.
template <typename T>
std::shared_ptr<const T> shareValue(T&& value) {
    return std::shared_ptr<const T>(new T(std::forward<T>(value)), [](const T* old) {
        QThreadPool::globalInstance()->start([old] { delete old; });
    });
}

} // namespace loadline::app
