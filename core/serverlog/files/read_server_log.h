// Reads logs of inference servers: whole files, plain or compressed.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/serverlog/server_log.h"

#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Returns why a file that begins so is no log ("it is UTF-16 text"); "" if it may be one, plain or
/// compressed.
std::string whyNoLog(std::string_view head);

/// True if a file's beginning (64 KiB are plenty) holds a line of a known server.
bool isServerLog(std::string_view head);

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

} // namespace loadline
