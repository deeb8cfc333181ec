// A pattern of a server's log lines: how it is found, matched and taken.
#pragma once

#include "core/serverlog/server_log.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace loadline {

struct LogAssembly;

/// The place of a match, and its groups in the order in which the pattern names them; those left out are
/// "".
struct LogMatch {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::array<std::string_view, 11> groups;

    std::string_view operator[](std::size_t group) const { return groups[group]; }
};

/// How surely a line that matches tells its writer.
enum class Tells : std::uint8_t {
    Time,   ///< nothing: other programs write such times
    Shared, ///< something, but not which server wrote it
    Record, ///< the same, but where the assembly says so, this server wrote it
    Server, ///< this server wrote it
};

struct LogPattern {
    /// Stable; "" for those that are read but not counted.
    std::string_view id;
    /// One of them is in every match, of at least AnchorScan::leastBytes; '0' stands for any digit.
    std::array<std::string_view, 4> anchors;
    /// Matches around the anchor that begins there. Which digits figures are must not matter to it, but for
    /// those of words that begin with a letter: what it found is recalled on lines with other figures
    /// (ShapeMemory).
    bool (*match)(std::string_view line, std::size_t anchor, LogMatch& match);
    /// Takes what it says; null: nothing more than that it is there.
    void (*take)(LogAssembly& assembly, const LogMatch& match) = nullptr;
    Tells tells = Tells::Server;
    std::string_view note = {}; ///< ServerLog::notes of a log with such a line; patterns may share one
};

/// Group 0 is the line from the anchor on: for lines that say what they do in any order.
inline bool matchRestOfLine(std::string_view line, std::size_t anchor, LogMatch& match) {
    match.begin = anchor;
    match.end = line.size();
    match.groups[0] = line.substr(anchor);
    return true;
}

/// A row of the table of servers: what is public of it, and its patterns.
struct FormatPatterns {
    const ServerFormat* server = nullptr;
    std::span<const LogPattern> patterns;
    std::string_view runs =
        {}; ///< key of the server that it runs, whose lines stand between its own; "": none
};

} // namespace loadline
