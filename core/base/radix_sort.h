// Sorting by a real number in a time proportional to how many there are.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace loadline {

/// Sorts ascending by `key`, a double of each value; equal ones keep their order, and -0 comes before 0. Few
/// values are compared, many are distributed by 11 bits of the key at a time. Precondition: no key is NaN.
template <typename T, typename Key = std::identity>
void radixSort(std::vector<T>& values, Key key = {}) {
    constexpr unsigned digitBits = 11;
    constexpr std::size_t digits = (64 + digitBits - 1) / digitBits;
    constexpr std::size_t places = std::size_t{1} << digitBits;
    constexpr std::size_t few = 1500;
    const auto bitsOf = [&](const T& value) { // in the order of the numbers
        const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(std::invoke(key, value)));
        constexpr std::uint64_t sign = std::uint64_t{1} << 63;
        return (bits & sign) != 0 ? ~bits : bits | sign;
    };
    if (values.size() < few || values.size() > std::numeric_limits<std::uint32_t>::max()) {
        std::ranges::stable_sort(values, {}, bitsOf);
        return;
    }
    const auto digitOf = [](std::uint64_t bits, std::size_t digit) {
        return (bits >> (digit * digitBits)) & (places - 1);
    };
    std::vector<std::array<std::uint32_t, places>> counts(digits);
    for (const T& value : values) {
        const std::uint64_t bits = bitsOf(value);
        for (std::size_t digit = 0; digit < digits; ++digit) {
            ++counts[digit][digitOf(bits, digit)];
        }
    }
    std::vector<T> sorted(values.size());
    for (std::size_t digit = 0; digit < digits; ++digit) {
        std::array<std::uint32_t, places>& begins = counts[digit];
        if (begins[digitOf(bitsOf(values.front()), digit)] == values.size()) {
            continue; // the same everywhere
        }
        std::uint32_t begin = 0;
        for (std::uint32_t& place : begins) {
            const std::uint32_t count = place;
            place = begin;
            begin += count;
        }
        for (const T& value : values) {
            sorted[begins[digitOf(bitsOf(value), digit)]++] = value;
        }
        values.swap(sorted);
    }
}

} // namespace loadline
