// Recognizes a file by its beginning; the only code that does. Session logs, of which Loadline reads some,
// traces and other files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

struct SessionFormat;

/// The content of a file, which decides what can be done with it.
enum class FileContent : std::uint8_t {
    Sessions,     ///< an agent's log: a corpus, where a reader knows it
    Distribution, ///< token counts to simulate
    Trace,        ///< a request trace to simulate
    KernelTimes,  ///< a profile, or timings of kernels
    Document,     ///< another document that Loadline writes
    ServerLog,    ///< of an inference server
    Unknown,
};

/// A kind of file. Values are the rows of one table: compare their addresses.
struct FileKind {
    std::string_view key;  ///< stable: "codex"
    std::string_view one;  ///< for people: "a Codex CLI log"
    std::string_view many; ///< "Codex CLI logs"
    FileContent content = FileContent::Unknown;
    std::string_view rule;                   ///< see file_kind.cpp
    const SessionFormat* sessions = nullptr; ///< how it is read; null: holds none, or no reader knows them
};

/// All kinds, in the order in which their rules are tried.
std::span<const FileKind> fileKinds();

/// Returns the kind of a file by its first bytes (headBytes are plenty; more are not looked at, fewer are
/// fine: the file may be cut anywhere). `name` is the file's, which only tells databases of one shape apart.
/// Null: none that is known.
const FileKind* fileKindOf(std::string_view head, std::string_view name = {});

/// Returns the content of an opened file, by its beginning. Also returns Sessions if only reading can tell:
/// for a log whose first lines are broken.
FileContent contentOf(std::string_view head);

/// True if a file of this name in a session folder may be a log: only its content tells. Names of files that
/// hold a record a line (*.jsonl) are not meant: those are read in any case.
bool mayBeLog(std::string_view name);

/// A file of which no session was made.
struct NotRead {
    std::string path;
    const FileKind* looksLike = nullptr; ///< never null

    bool operator==(const NotRead&) const = default;
};

/// "it looks like a Codex CLI log, which Loadline does not read yet".
std::string reasonNotToRead(const FileKind& kind);

/// One sentence a kind: "13 files look like Codex CLI logs; Loadline does not read those yet. No sessions
/// were made of them."
std::vector<std::string> sentencesOf(std::span<const NotRead> files);

} // namespace loadline
