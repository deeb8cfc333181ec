// 128-bit fingerprints that stand for long identifiers (message ids, uuids) in columns of millions.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace loadline {

/// XXH3-128 of an identifier. Two different identifiers agree with probability 2^-128 per pair.
struct Hash128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    auto operator<=>(const Hash128&) const = default;

    [[nodiscard]] bool isZero() const { return high == 0 && low == 0; }
};

/// Fingerprint of one string; of the empty string: zero.
Hash128 hashOf(std::string_view text);
/// Fingerprint of a pair; differs from that of any single string or differently split pair.
Hash128 hashOf(std::string_view first, std::string_view second);

struct Hash128Hasher {
    std::size_t operator()(const Hash128& h) const noexcept { return static_cast<std::size_t>(h.low); }
};

} // namespace loadline
