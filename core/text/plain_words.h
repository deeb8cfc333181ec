// Normalizes names, fields and paths before they are compared.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

namespace loadline {

/// Returns the text without the blanks at both ends.
inline std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r") {
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Returns the text in lower case, as far as it is ASCII.
inline std::string lowered(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return result;
}

/// Returns "a, b, c": the names that `projection` takes of each entry.
template <typename Range, typename Projection = std::identity>
std::string commaList(const Range& range, Projection projection = {}) {
    std::string text;
    for (const auto& entry : range) {
        text += (text.empty() ? "" : ", ") + std::string(std::invoke(projection, entry));
    }
    return text;
}

/// Returns the keys of a table's rows: "a, b, c".
template <typename Rows>
std::string keyList(const Rows& rows) {
    return commaList(rows, [](const auto& row) { return row.key; });
}

/// A list for a help text, on lines of about 70 characters.
inline std::string brokenAfterCommas(std::string list) {
    constexpr std::size_t width = 70;
    std::size_t begin = 0;
    while (list.size() - begin > width) {
        const std::size_t comma = list.rfind(", ", begin + width);
        if (comma == std::string::npos || comma < begin) {
            break;
        }
        list[comma + 1] = '\n';
        begin = comma + 2;
    }
    return list;
}

/// The last part of a path: "" behind a slash.
inline std::string nameOfFile(std::string_view path) {
    return std::string(path.substr(path.find_last_of('/') + 1));
}

/// Returns the path without slashes at its end; "/" stays.
inline std::string withoutLastSlashes(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) {
        path.pop_back();
    }
    return path;
}

} // namespace loadline
