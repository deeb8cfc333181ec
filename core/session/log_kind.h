// Which program wrote a file, told by its beginning: session logs, of which Loadline reads some, and other
// files that it knows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// What Loadline can do with a kind of file.
enum class LogUse : std::uint8_t {
    Session,      ///< read as sessions
    UnreadAgent,  ///< the log of an agent that no reader knows
    Distribution, ///< token counts to simulate
    Trace,        ///< a request trace to simulate
    KernelTimes,  ///< a profile
    Document,     ///< another document that Loadline writes
};

/// A kind of file. Values are the rows of one table: compare their addresses.
struct LogKind {
    std::string_view key;  ///< stable: "codex"; of agents the `agent` of a session
    std::string_view one;  ///< for people: "a Codex CLI log"
    std::string_view many; ///< "Codex CLI logs"
    LogUse use = LogUse::UnreadAgent;
    std::string_view rule; ///< see log_kind.cpp
};

/// All kinds, in the order in which their rules are tried.
std::span<const LogKind> logKinds();

/// From a file's first bytes (headBytes are plenty; more are not looked at, fewer are fine: the file may be
/// cut anywhere). `name` is the file's, which only tells databases of one shape apart. Null: none that is
/// known.
const LogKind* logKindOf(std::string_view head, std::string_view name = {});

/// Whether a file of this name in a session folder may be a log that Loadline does not read: only its content
/// tells. Session files (*.jsonl) are not meant, they are read in any case.
bool mayBeOtherLog(std::string_view name);

/// A file of which no session was made.
struct NotRead {
    std::string path;
    const LogKind* looksLike = nullptr; ///< never null

    bool operator==(const NotRead&) const = default;
};

/// "it looks like a Codex CLI log, which Loadline does not read yet".
std::string reasonNotToRead(const LogKind& kind);

/// One sentence a kind: "13 files look like Codex CLI logs; Loadline does not read those yet. No sessions
/// were made of them."
std::vector<std::string> sentencesOf(std::span<const NotRead> files);

} // namespace loadline
