// Tables of tests: from CSV text, and from the shared measurements.
#pragma once

#include "core/base/file/archive.h"
#include "core/cost/atlas/atlas_table.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::test {

inline std::vector<std::string_view> pieces(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    while (true) {
        const std::size_t end = text.find(separator);
        pieces.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return pieces;
        }
        text.remove_prefix(end + 1);
    }
}

/// Columns "NAME_us" become the times NAME; others are numbers if their first cell is one. Empty times are
/// NaN. No quotes.
inline AtlasTable tableOfCsv(std::string_view csv) {
    AtlasTable table;
    std::vector<std::string_view> lines = pieces(csv, '\n');
    for (std::string_view& line : lines) {
        line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    }
    while (!lines.empty() && lines.back().empty()) {
        lines.pop_back();
    }
    table.rows = lines.size() - 1;
    const std::vector<std::string_view> names = pieces(lines.front(), ',');
    const auto isTime = [&](std::size_t column) { return names[column].ends_with("_us"); };
    for (std::size_t column = 0; column < names.size(); ++column) {
        if (isTime(column)) {
            table.times.push_back({std::string(names[column].substr(0, names[column].size() - 3)), {}});
        } else {
            table.keys.push_back({.name = std::string(names[column])});
        }
    }
    for (std::size_t row = 1; row < lines.size(); ++row) {
        const std::vector<std::string_view> cells = pieces(lines[row], ',');
        std::size_t key = 0;
        std::size_t time = 0;
        for (std::size_t column = 0; column < names.size(); ++column) {
            const std::string_view cell = cells.at(column);
            if (isTime(column)) {
                double us = std::nan("");
                std::from_chars(cell.data(), cell.data() + cell.size(), us);
                table.times[time++].us.push_back(us);
                continue;
            }
            AtlasKeys& keys = table.keys[key++];
            std::int64_t number = 0;
            const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), number);
            const bool isNumber = read.ec == std::errc{} && read.ptr == cell.data() + cell.size();
            if (isNumber && keys.words.empty()) {
                keys.numbers.push_back(number);
            } else {
                keys.words.emplace_back(cell);
            }
        }
    }
    return table;
}

inline std::filesystem::path measuredTables() {
    return std::filesystem::path(LOADLINE_SHARED_DATA) / "kernels/measured";
}

inline std::filesystem::path measuredTable(const std::string& gpu, const std::string& kind) {
    return measuredTables() / gpu / (kind + ".csv.xz");
}

/// Fails the test where the file cannot be read.
inline AtlasTable readMeasured(const std::string& gpu, const std::string& kind) {
    std::string csv;
    const Status read = readCompressed(measuredTable(gpu, kind).string(), std::uint64_t{1} << 28, {}, nullptr,
                                       [&](std::string_view bytes) {
                                           csv += bytes;
                                           return true;
                                       });
    EXPECT_TRUE(read) << (read ? "" : read.error().sentence());
    return read ? tableOfCsv(csv) : AtlasTable{};
}

} // namespace loadline::test

/// In a test: skip visibly where the shared measurements are absent.
#define LOADLINE_NEED_MEASURED(gpu, kind)                                                                    \
    if (!std::filesystem::exists(loadline::test::measuredTable(gpu, kind))) {                                \
        GTEST_SKIP() << "no measured kernels at " << loadline::test::measuredTable(gpu, kind);               \
    }                                                                                                        \
    static_assert(true)
