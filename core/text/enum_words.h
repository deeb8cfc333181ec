// Words of enums whose values count from 0.
#pragma once

#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace loadline {

/// The word of a value; `words` in the order of the enum, one for each.
template <typename Enum>
constexpr std::string_view wordOf(Enum value, std::initializer_list<std::string_view> words) {
    const auto at = static_cast<std::size_t>(value);
    assert(at < words.size());
    return words.begin()[at];
}

/// The value whose keyOf() is `key`; `last`: the enum's last.
template <typename Enum>
std::optional<Enum> withKey(std::string_view key, Enum last) {
    for (int i = 0; i <= static_cast<int>(last); ++i) {
        if (const auto value = static_cast<Enum>(i); keyOf(value) == key) {
            return value;
        }
    }
    return std::nullopt;
}

} // namespace loadline
