// The rival of the ingest benchmark: a bare simdjson pass that takes the same facts out of every record and
// does nothing with them but add.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace loadline::bench {

/// Sums that keep the compiler from leaving anything out.
struct BareTotals {
    std::uint64_t records = 0;
    std::uint64_t badLines = 0;
    std::uint64_t calls = 0; ///< assistant lines with usage
    std::uint64_t tokens = 0;
    std::uint64_t characters = 0;  ///< code points of text, thinking, tool input and tool results
    std::uint64_t identifiers = 0; ///< bytes of ids, names and timestamps
    BareTotals& operator+=(const BareTotals& other);
};

/// Reads the files on `threads` threads: read() into a buffer per thread, lines by memchr, one On-Demand
/// parser per thread.
BareTotals barePass(const std::vector<std::string>& paths, unsigned threads);

} // namespace loadline::bench
