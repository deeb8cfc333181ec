// Which entries a few typed letters mean, best first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

struct FuzzyMatch {
    std::uint32_t entry = 0;              ///< index into the entries
    int score = 0;                        ///< higher is better; comparable within one query
    std::vector<std::uint32_t> positions; ///< matched bytes of the entry, ascending, for emphasis
    bool operator==(const FuzzyMatch&) const = default;
};

/// The entries that hold each word of the query as it is, as beginnings of words or as one word without some
/// of its letters (ASCII case ignored), best first: whole words, word beginnings, runs and early places
/// count; equal scores keep the entries' order. An empty query matches everything in order; of a query the
/// first 256 bytes count. At most `limit` results.
std::vector<FuzzyMatch> fuzzyMatches(std::string_view query, std::span<const std::string> entries,
                                     std::size_t limit);

} // namespace loadline
