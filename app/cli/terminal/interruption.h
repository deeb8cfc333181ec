// Ctrl-C as a stop token.
#pragma once

#include <optional>
#include <stop_token>
#include <thread>

namespace loadline::app {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP (a closed terminal) requests a stop instead of ending
/// the program; the second of a kind ends it, and files in the making with it. One at a time.
class Interruption {
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

    /// 128 + signal once interrupted; what the program is to exit with.
    [[nodiscard]] std::optional<int> exitStatus() const;

private:
    std::stop_source source_;
    std::thread watcher_;
    bool hangsUp_ = false; ///< SIGHUP is watched
};

} // namespace loadline::app
