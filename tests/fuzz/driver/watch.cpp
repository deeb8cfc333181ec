// Signals: SIGABRT, with which sanitizers, asserts and claims end, and a timer of processor time.
#include "tests/fuzz/driver/watch.h"

#include <fcntl.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>

extern "C" {
void __sanitizer_print_stack_trace() __attribute__((weak)); // NOLINT: the sanitizers' name
}

namespace loadline::fuzz {
namespace {

constexpr int ticksPerSecond = 8;
constexpr int failed = 77;

// What signal handlers read.
WatchOptions options;
std::string_view running;
double startedAt = 0;

void say(std::string_view text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

/// Nothing here may allocate: the heap may be what is broken.
void keep(const char* kind) {
    if (!options.keepsFindings) {
        return;
    }
    std::uint64_t digest = 14695981039346656037U;
    for (const char c : running) {
        digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211U;
    }
    std::array<char, 4096> path{};
    std::snprintf(path.data(), path.size(), "%s%s-%016llx", options.artifactPrefix.c_str(), kind,
                  static_cast<unsigned long long>(digest));
    const int file = ::open(path.data(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const char* at = running.data();
    std::size_t left = running.size();
    while (file >= 0 && left > 0) {
        const auto written = ::write(file, at, left);
        if (written <= 0) {
            break;
        }
        at += written;
        left -= static_cast<std::size_t>(written);
    }
    say("\nfinding: ");
    say(path.data());
    say("\nagain:   ");
    say(options.program);
    say(" ");
    say(path.data());
    say("\n");
}

void onAbort(int) {
    static volatile std::sig_atomic_t once = 0;
    if (once == 0) {
        once = 1;
        keep("crash");
    }
    ::_exit(failed);
}

void onTick(int) {
    if (running.data() == nullptr || processorSeconds() - startedAt < options.secondsPerInput) {
        return;
    }
    say("\nan input takes too long; it is here:\n");
    if (__sanitizer_print_stack_trace != nullptr) {
        __sanitizer_print_stack_trace();
    }
    keep("timeout");
    ::_exit(failed);
}

} // namespace

double processorSeconds() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void watch(const WatchOptions& given) {
    options = given;
    struct sigaction action {};
    action.sa_flags = SA_RESTART | SA_ONSTACK;
    action.sa_handler = onAbort;
    ::sigaction(SIGABRT, &action, nullptr);
    action.sa_handler = onTick;
    ::sigaction(SIGPROF, &action, nullptr);
    itimerval timer{};
    timer.it_interval.tv_usec = 1'000'000 / ticksPerSecond;
    timer.it_value = timer.it_interval;
    ::setitimer(ITIMER_PROF, &timer, nullptr);
}

void nowRuns(std::string_view input) {
    startedAt = processorSeconds();
    running = input;
}

} // namespace loadline::fuzz

// Whatever sanitizers find ends in SIGABRT. An input that takes this much memory is a finding.
extern "C" const char* __asan_default_options() { // NOLINT: the sanitizers' name
    return "abort_on_error=1:hard_rss_limit_mb=1024:max_allocation_size_mb=512:quarantine_size_mb=16:"
           "allocator_may_return_null=0";
}

extern "C" const char* __ubsan_default_options() { // NOLINT: the sanitizers' name
    return "abort_on_error=1:print_stacktrace=1";
}
