// Finds a numbered line in a file: diagnostics name lines, records are read by their bytes.
#pragma once

#include "core/base/result.h"
#include "core/session/session_file.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace loadline {

/// Offset and length of a 1-based physical line (without its end). Error when the file cannot be read or has
/// fewer lines. Polls `stop` (then: an error that nobody shows).
Result<RecordPlace> placeOfLine(const std::string& path, std::uint64_t line, std::stop_token stop);

} // namespace loadline
