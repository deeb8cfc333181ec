// A thread that waits for input, or for being woken at the end.
#include "app/cli/terminal/input_end.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace loadline::app {

InputEnd::InputEnd(bool watching) {
    if (!watching || ::pipe2(wake_.data(), O_CLOEXEC) != 0) {
        wake_ = {-1, -1};
        return;
    }
    watcher_ = std::thread([this] {
        std::array<char, 4096> dropped = {};
        while (true) {
            std::array<pollfd, 2> ends = {{{STDIN_FILENO, POLLIN, 0}, {wake_[0], POLLIN, 0}}};
            if (::poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) {
                continue;
            }
            if (ends[1].revents != 0) {
                return;
            }
            const ssize_t count = ::read(STDIN_FILENO, dropped.data(), dropped.size());
            if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) {
                source_.request_stop();
                return;
            }
        }
    });
}

InputEnd::~InputEnd() {
    if (watcher_.joinable()) {
        ::close(wake_[1]); // wakes the watcher
        watcher_.join();
        ::close(wake_[0]);
    }
}

} // namespace loadline::app
