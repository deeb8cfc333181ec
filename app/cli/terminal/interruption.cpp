// A pipe from the signal handler to a thread that may take locks.
#include "app/cli/terminal/interruption.h"

#include "core/base/file/unfinished_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

namespace loadline::app {
namespace {

// Signal handlers reach nothing but globals.
std::array<int, 2> pipeEnds = {-1, -1};
std::atomic<int> caught = 0;
std::atomic<unsigned> seen = 0; ///< a bit for each signal that came

void onSignal(int number) {
    const unsigned bit = 1U << static_cast<unsigned>(number);
    if ((seen.fetch_or(bit) & bit) != 0) {
        removeUnfinishedFiles();
        std::signal(number, SIG_DFL);
        ::raise(number); // ends the program when this handler returns
        return;
    }
    const int saved = errno;
    caught = number;
    const char byte = 1;
    [[maybe_unused]] const ssize_t written = ::write(pipeEnds[1], &byte, 1);
    errno = saved;
}

} // namespace

Interruption::Interruption() {
    caught = 0;
    seen = 0;
    if (::pipe2(pipeEnds.data(), O_CLOEXEC) != 0) {
        pipeEnds = {-1, -1}; // no descriptors left: signals end the program as usual
        return;
    }
    watcher_ = std::thread([this] {
        char byte = 0;
        while (::read(pipeEnds[0], &byte, 1) < 0 && errno == EINTR) {
        }
        if (caught != 0) {
            source_.request_stop();
        }
    });

    struct sigaction action {};

    action.sa_handler = onSignal;
    ::sigaction(SIGINT, &action, nullptr);
    ::sigaction(SIGTERM, &action, nullptr);

    struct sigaction before {};

    ::sigaction(SIGHUP, nullptr, &before);
    hangsUp_ = before.sa_handler != SIG_IGN; // `nohup` wants it to go on
    if (hangsUp_) {
        ::sigaction(SIGHUP, &action, nullptr);
    }
}

Interruption::~Interruption() {
    if (pipeEnds[0] < 0) {
        return;
    }
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
    if (hangsUp_) {
        std::signal(SIGHUP, SIG_DFL);
    }
    ::close(pipeEnds[1]);
    watcher_.join();
    ::close(pipeEnds[0]);
    pipeEnds = {-1, -1};
}

std::optional<int> Interruption::exitStatus() const {
    return caught == 0 ? std::nullopt : std::optional<int>(128 + caught);
}

} // namespace loadline::app
