// Limits of what the reader accepts, and the sizes of its buffers.
#pragma once

#include "core/session/session_file.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace loadline {

/// Defaults are for use; tests and fuzzers shrink them to reach the borders. Only maxLineBytes changes what
/// is read.
struct ReaderLimits {
    std::size_t maxLineBytes = std::size_t{128} << 20;   ///< longer lines are skipped (LineTooLong)
    std::size_t chunkBytes = std::size_t{256} << 10;     ///< one read(); small enough to stay in cache
    std::uint64_t segmentBytes = std::uint64_t{4} << 20; ///< larger files are read in such parts at once
};

/// readSessionText() with other limits, for tests: parts are cut and joined as for a large file.
SessionFile readSessionText(std::string_view path, std::string_view text, const ReaderLimits& limits);

} // namespace loadline
