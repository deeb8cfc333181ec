// How the logs of one agent program are read: what a new program brings, beside a row in files/file_kind.cpp.
#pragma once

#include "core/base/file/byte_source.h"
#include "core/base/progress.h"
#include "core/session/facts/record_facts.h"
#include "core/session/json/json_tokens.h"
#include "core/session/lines/line_reader.h"
#include "core/session/session_file.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Buffers that one thread reuses from part to part.
struct ReadingSpace {
    LineBuffer buffer;
    JsonTokens tokens;
};

/// The lines of a file that start in [begin, end).
struct FilePart {
    const ByteSource& source;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint64_t size = 0; ///< of the source when it was opened; a shorter one vanished while it was read
    const ReaderLimits& limits;
};

/// Facts from a file's path and neighbours.
struct FilePlace {
    FileRole role = FileRole::Main;
    LaneKind lane = LaneKind::Main; ///< of the file's own strand
    std::string agentId = {};       ///< "" for a main file
    std::string sessionId = {};     ///< where a folder names it (sub-agents), else ""
    std::string projectSlug = {};   ///< "" where the path names no project
};

/// Files of one program make one session where root and session id are the same; `alone`: this one never
/// does.
struct SessionBond {
    std::string root = {};
    bool alone = false;
};

/// Functions are called on any thread and depend on nothing but what they are given.
struct SessionFormat {
    std::string_view agent;   ///< stable: SessionFile::agent, and the beginning of session keys
    std::string_view program; ///< for people: "Claude Code"
    std::string_view home;    ///< for people: where it keeps sessions, "~/.claude/projects"
    /// Ends of its files' names beside .jsonl: ".json", "chat.md".
    std::span<const std::string_view> endings = {};
    /// Large files are read in parts by several threads; otherwise one part is the whole file.
    bool inParts = true;
    /// This user's folders of sessions; those that do not exist are left out.
    std::vector<std::string> (*folders)() = [] { return std::vector<std::string>(); };
    FilePlace (*placeOf)(std::string_view path) = [](std::string_view) { return FilePlace(); };
    /// Returns the agent type of a sub-agent's file, from a file beside it; "" if no file names it.
    std::string (*agentTypeBeside)(const std::string& path) = [](const std::string&) {
        return std::string();
    };
    SessionBond (*bondOf)(const SessionFile& file) = [](const SessionFile& file) {
        return SessionBond{.alone = file.sessionId.empty()};
    };
    /// The facts of a part; of JSON lines: readJsonLines (facts/json_lines.h) with a function for one record.
    /// Returns early, with less, when stop is requested. Adds the bytes read to the progress.
    facts::PartFacts (*readPart)(const FilePart& part, ReadingSpace& space, const std::stop_token& stop,
                                 Progress& progress) = nullptr;
};

} // namespace loadline
