// Counts how often each block ran, by the address that calls for it.
#include "tests/fuzz/driver/coverage.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

extern "C" {
extern const char __executable_start; // NOLINT: the linker's name
void __sanitizer_cov_trace_pc();      // NOLINT: the compiler's name
}

namespace {

constexpr std::size_t places = std::size_t{1} << 16U;
constexpr std::size_t atOnce = sizeof(std::uint64_t);
alignas(atOnce) std::array<std::uint8_t, places> counts; // of this input, up to 255
std::array<std::uint8_t, places> reached;                // a bit for each power of two of the counts so far

} // namespace

void __sanitizer_cov_trace_pc() {
    const auto address = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)) -
                         reinterpret_cast<std::uintptr_t>(&__executable_start);
    std::uint8_t& count = counts[((address * 0x9E3779B97F4A7C15U) >> 40U) % places];
    count = static_cast<std::uint8_t>(count + (count < 255 ? 1 : 0));
}

namespace loadline::fuzz {

void startCoverage() {
    counts.fill(0);
}

bool reachedSomethingNew() {
    bool isNew = false;
    for (std::size_t group = 0; group < places; group += atOnce) {
        std::uint64_t any = 0;
        std::memcpy(&any, &counts[group], atOnce);
        for (std::size_t i = group; any != 0 && i < group + atOnce; ++i) { // most of them are not reached
            const auto bit = static_cast<std::uint8_t>(std::bit_floor(counts[i]));
            isNew = isNew || (bit & ~reached[i]) != 0;
            reached[i] |= bit;
        }
    }
    return isNew;
}

} // namespace loadline::fuzz
