// The end of standard input as a stop token: how a parent process lets go of its child on any system.
#pragma once

#include <array>
#include <stop_token>
#include <thread>

namespace loadline::app {

/// While it lives, the end of standard input requests a stop. What arrives there is read and dropped.
class InputEnd {
public:
    /// Watches only where `watching`.
    explicit InputEnd(bool watching);
    ~InputEnd();
    InputEnd(const InputEnd&) = delete;
    InputEnd& operator=(const InputEnd&) = delete;

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::array<int, 2> wake_ = {-1, -1};
    std::thread watcher_;
};

} // namespace loadline::app
