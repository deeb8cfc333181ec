// What fuzz targets share: a claim that must hold, and texts in several parts.
#pragma once

#include "core/base/result.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Where a claim stands. (Clang 14 has no std::source_location.)
struct Place {
    const char* file;
    unsigned line;
};

/// Ends the process where the claim does not hold, and says which.
inline void check(bool holds, Place at = {__builtin_FILE(), __builtin_LINE()}) {
    if (!holds) {
        std::fprintf(stderr, "%s:%u: this does not hold\n", at.file, at.line);
        std::abort();
    }
}

/// The same of two texts; where they differ, both are shown.
inline void checkEqual(const std::string& a, const std::string& b,
                       Place at = {__builtin_FILE(), __builtin_LINE()}) {
    if (a != b) {
        std::fprintf(stderr, "%s\n---- differs from\n%s\n", a.c_str(), b.c_str());
    }
    check(a == b, at);
}

/// An Error says what is wrong and what to try.
inline void checkError(const Error& error, Place at = {__builtin_FILE(), __builtin_LINE()}) {
    if (error.what.empty() || error.remedy.empty()) {
        std::fprintf(stderr, "the error is: %s\n", error.sentence().c_str());
    }
    check(!error.what.empty() && !error.remedy.empty(), at);
}

inline bool isTime(double value) {
    return std::isfinite(value) && value >= 0;
}

/// The parts between form feeds; as many as are asked for, the last holds the rest, those that are not there
/// are empty.
inline std::vector<std::string_view> partsOf(std::string_view text, std::size_t count) {
    std::vector<std::string_view> parts;
    while (parts.size() + 1 < count) {
        const std::size_t end = text.find('\f');
        parts.push_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    parts.push_back(text);
    return parts;
}

/// A number that depends on the text alone: what targets choose options by.
inline std::uint32_t digestOf(std::string_view text) {
    std::uint32_t digest = 2166136261U;
    for (const char c : text) {
        digest = (digest ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return digest ^ (digest >> 15U);
}

} // namespace loadline::fuzz
