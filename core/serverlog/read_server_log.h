// Reads logs of inference servers: whole files, plain or compressed, and what is appended to them.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/serverlog/server_log.h"

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// A server whose logs are read: a row of the table in format/server_formats.cpp, which is all that names
/// it. Compare addresses.
struct ServerFormat {
    std::string_view key;  ///< "llama-cpp"
    std::string_view name; ///< "llama.cpp server"
};

/// In the order in which matches are listed.
std::span<const ServerFormat> serverFormats();

/// Why a file that begins so is no log ("it is UTF-16 text"); "" where it may be one, plain or compressed.
std::string whyNoLog(std::string_view head);

/// True if a file's beginning (64 KiB are plenty) holds a line of a known server.
bool isServerLog(std::string_view head);

/// Limits on what is kept, whatever the size of a log: beyond them neighbours are merged or the last ones
/// left out, and a note says so.
struct ServerLogLimits {
    std::size_t lineBytes = std::size_t{1} << 20; ///< of a longer line only the beginning is looked at
    std::size_t intervals = std::size_t{1} << 19;
    std::size_t requests = std::size_t{1} << 18;
    std::size_t others = std::size_t{1} << 18; ///< events, steps, progress: of each
};

/// Takes a log in pieces, cut anywhere.
class ServerLogReader {
public:
    explicit ServerLogReader(const ServerLogLimits& limits = {});
    ~ServerLogReader();
    ServerLogReader(ServerLogReader&&) noexcept;
    ServerLogReader& operator=(ServerLogReader&&) noexcept;

    /// Takes all bytes that are added from here on as those of this file.
    void beginFile(const std::string& path);
    void add(std::string_view bytes);
    /// All that was added, a last line without an end included. More can be added afterwards.
    [[nodiscard]] ServerLog log() const&;
    [[nodiscard]] ServerLog log() &&; ///< nothing can be added afterwards

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// One text, as if it were one file of this name.
ServerLog serverLogOf(std::string_view text, const std::string& path = {});

/// Files as one log, in this order (as a log was rotated): plain, gzip, zstd or xz. Polls `stop`; what is
/// there then means nothing. The Error: a file cannot be opened, is no text, or none was named. A log of
/// which no line is known is no error.
/// `names`: what they are called in the log, where that is not their paths.
Result<ServerLog> readServerLog(std::span<const std::string> paths, const std::stop_token& stop,
                                Progress& progress, std::span<const std::string> names = {});

/// The texts of lines, read again: in the order asked for, without their ends, each at most 4 KiB. Lines
/// that are no longer there are "".
Result<std::vector<std::string>> readLogLines(std::span<const std::string> paths,
                                              std::span<const LogLine> lines, const std::stop_token& stop);

/// Reads what was appended to a file since it was last asked; begins anew where it became shorter or is
/// another file (rotated).
class LogFollower {
public:
    explicit LogFollower(std::string path);
    ~LogFollower();
    /// True if anything was added. The Error: it cannot be read any more.
    Result<bool> poll(const std::stop_token& stop);
    [[nodiscard]] ServerLog log() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace loadline
