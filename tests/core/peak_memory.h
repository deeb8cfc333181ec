// Peak memory of a piece of work, for tests that hold it in proportion to the input.
#pragma once

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <functional>

namespace loadline {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool measuresMemory = false; // a sanitizer takes many times the program's memory
#else
inline constexpr bool measuresMemory = true;
#endif

inline std::int64_t peakResidentBytes() {
    struct rusage usage {};

    ::getrusage(RUSAGE_SELF, &usage);
    return std::int64_t{usage.ru_maxrss} * 1024;
}

/// Returns by how much the peak of resident memory grows while `work` runs in a process of its own. Fails the
/// test where the process does not end well.
inline std::int64_t peakGrowthBytes(const std::function<void()>& work) {
    ::malloc_trim(0); // memory that earlier tests freed would be taken again unseen
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const std::int64_t before = peakResidentBytes();
        work();
        const std::int64_t grown = peakResidentBytes() - before;
        ::_exit(::write(ends[1], &grown, sizeof grown) == sizeof grown ? 0 : 1);
    }
    ::close(ends[1]);
    std::int64_t grown = -1;
    EXPECT_EQ(::read(ends[0], &grown, sizeof grown), static_cast<ssize_t>(sizeof grown));
    ::close(ends[0]);
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    return grown;
}

} // namespace loadline
