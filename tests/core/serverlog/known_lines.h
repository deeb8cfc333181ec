// Lines of servers' logs, as they are and damaged.
#pragma once

#include "tests/core/serverlog/log_lines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace loadline::test {

inline std::filesystem::path sharedLogs() {
    return std::filesystem::path(LOADLINE_SHARED_DATA) / "serverlogs";
}

inline void addLines(std::string_view text, std::vector<std::string>& lines) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

/// Returns lines of every server; with the shared excerpts, where these are there.
inline std::vector<std::string> knownLines() {
    std::vector<std::string> lines;
    for (const std::string_view text :
         {vllmStart, vllmV0, sglangNew, llamaNew, ollamaMlx, mlxLm, lmStudio, study}) {
        addLines(text, lines);
    }
    std::error_code absent; // then those above are all
    for (const auto& file : std::filesystem::directory_iterator(sharedLogs(), absent)) {
        if (file.path().extension() == ".log") {
            std::ifstream in(file.path());
            addLines(std::string(std::istreambuf_iterator<char>(in), {}), lines);
        }
    }
    return lines;
}

/// Bytes changed, left out and doubled; lines joined.
inline std::string damaged(std::string line, const std::vector<std::string>& lines, std::mt19937& random) {
    constexpr std::string_view likely = "0123456789 .,:|-/[]()\"=%stp";
    for (auto i = random() % 3 + 1; i > 0 && !line.empty(); --i) {
        const std::size_t at = random() % line.size();
        switch (random() % 5) {
        case 0:
            line[at] = likely[random() % likely.size()];
            break;
        case 1:
            line.erase(at, random() % 4 + 1);
            break;
        case 2:
            line.insert(at, 1, likely[random() % likely.size()]);
            break;
        case 3:
            line.insert(at, line.substr(at, random() % 12 + 1));
            break;
        default:
            line = line.substr(0, at) + lines[random() % lines.size()];
        }
    }
    return line;
}

} // namespace loadline::test
