// The bytes of a log file, in pieces.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace loadline {

/// Returns why text that begins so is not a log ("it is UTF-16 text"); "" if it may be one.
std::string notALog(std::string_view head);

/// Gives `take` the bytes of a file, unpacked where it is compressed, until it returns false or `stop` is
/// asked for. Adds to bytesDone what was read of the file. The Error: it cannot be opened or read, is no
/// text, or is cut or damaged.
Status readLogBytes(const std::string& path, const std::stop_token& stop, Progress* progress,
                    const std::function<bool(std::string_view)>& take);

} // namespace loadline
