// A session file as readable text, one field or row per line, so that tests can compare whole files.
#pragma once

#include "core/session/session_file.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace loadline {

inline std::string textOf(const RecordPlace& p) {
    return fmt::format("{}+{}@{}", p.offset, p.length, p.line);
}

inline std::string textOf(const ApiCall& c) {
    const Usage& u = c.usage;
    return fmt::format(
        "{:x}{:x} {}/{}/{}/{}/{}/{} times {} {} {} place {} lines {} characters {} turn {} model {} version "
        "{} lane {} quality {} sidechain {} grew {}\n",
        c.key.high, c.key.low, u.input, u.cacheWrite, u.cacheWrite5m, u.cacheWrite1h, u.cacheRead, u.output,
        c.requestTime.ms, c.firstTime.ms, c.lastTime.ms, textOf(c.place), c.lines, c.contentCharacters,
        c.promptTurn, c.model, c.version, c.lane, static_cast<int>(c.quality), c.sidechain, c.outputGrew);
}

/// Everything in the file but its path.
inline std::string textOf(const SessionFile& f) {
    std::string text = fmt::format(
        "kind {} session {} agent {} cwd {} slug {} branch {} title {} bytes {} times {} {}\n"
        "lines {} blank {} bad {} extra {} duplicates {} errors {} last {} bom {} unended {}\n",
        static_cast<int>(f.role), f.sessionId, f.agentId, f.cwd, f.projectSlug, f.gitBranch, f.title, f.bytes,
        f.firstTime.ms, f.lastTime.ms, f.physicalLines, f.blankLines, f.badLines, f.extraObjects,
        f.duplicateUuids, f.toolResultErrors, f.badLastLine, f.byteOrderMark, f.noFinalNewline);
    for (const auto& [type, count] : f.recordTypes) {
        text += fmt::format("type {} {}\n", type, count);
    }
    for (const auto& [version, count] : f.versions) {
        text += fmt::format("version {} {}\n", version, count);
    }
    for (const std::uint64_t count : f.userKinds) {
        text += fmt::format("kind {}\n", count);
    }
    for (const std::string& name : f.names) {
        text += fmt::format("name {}\n", name);
    }
    for (const Lane& lane : f.lanes) {
        text += fmt::format("lane {} {} {}\n", static_cast<int>(lane.kind), lane.agentId, lane.agentType);
    }
    for (const ApiCall& call : f.calls) {
        text += "call " + textOf(call);
    }
    for (const ApiCall& call : f.progressCalls) {
        text += "progress " + textOf(call);
    }
    for (const UserRecord& u : f.userRecords) {
        text += fmt::format("user {} {} in {} out {} lane {} kind {}\n", u.time.ms, textOf(u.place),
                            u.inputCharacters, u.outputPerLine, u.lane, static_cast<int>(u.kind));
    }
    for (const PromptTurn& turn : f.promptTurns) {
        text += fmt::format("promptTurn {} {}\n", turn.userRecord, turn.preview);
    }
    for (const ToolUse& t : f.tools) {
        text +=
            fmt::format("tool {:x}{:x} {} {} {} call {} name {} lane {} error {}\n", t.id.high, t.id.low,
                        t.useTime.ms, t.resultTime.ms, textOf(t.place), t.call, t.name, t.lane, t.isError);
    }
    for (const SessionEvent& e : f.events) {
        text += fmt::format("event {} {} {} {} {} {}\n", static_cast<int>(e.kind), e.time.ms, textOf(e.place),
                            e.tokens, e.detail, e.lane);
    }
    for (const Diagnostic& d : f.diagnostics) {
        text += fmt::format("diagnostic {} {} {} {}\n", keyOf(d.kind), d.line, d.count, d.detail);
    }
    return text;
}

/// The first line in which two texts differ, from both; "" when they are equal.
inline std::string firstDifferentLine(std::string_view a, std::string_view b) {
    while (!a.empty() || !b.empty()) {
        const std::string_view lineA = a.substr(0, a.find('\n'));
        const std::string_view lineB = b.substr(0, b.find('\n'));
        if (lineA != lineB) {
            return std::string(lineA) + " | " + std::string(lineB);
        }
        a.remove_prefix(std::min(lineA.size() + 1, a.size()));
        b.remove_prefix(std::min(lineB.size() + 1, b.size()));
    }
    return {};
}

} // namespace loadline
