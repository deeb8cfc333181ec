// Files out of a compressed archive, one after the other, within limits.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>

namespace loadline {

/// Reading ends beyond any of these limits: a small archive may hold petabytes of zeros.
struct ArchiveLimits {
    std::uint64_t entries = 100'000;
    std::uint64_t bytes = std::uint64_t{8} << 30;      ///< unpacked, of all files together
    std::uint64_t entryBytes = std::uint64_t{1} << 27; ///< unpacked, of one file
};

/// How far an archive was read.
struct ArchiveEnd {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0; ///< unpacked
    std::string problem;     ///< why it was not read to its end ("it is cut or damaged"); "" where it was
};

/// True if the first bytes are those of xz, gzip, zstd, bzip2 or tar.
bool isArchive(std::string_view head);

/// Unpacks the regular files of a tar archive, compressed or not, in their order, and gives each to `take`,
/// which returns false to end. Nothing is written anywhere, and names are only told. What is read before a
/// problem counts. The Error: it cannot be opened, or is no archive.
Result<ArchiveEnd> readArchive(const std::string& path, const ArchiveLimits& limits,
                               const std::stop_token& stop,
                               const std::function<bool(std::string name, std::string text)>& take);

/// Unpacks a file that is compressed but no archive, and gives `take` its bytes in pieces until it returns
/// false. Adds to bytesDone what was read of the file. The Error: it cannot be opened, is cut or damaged, or
/// holds more than `mostBytes`.
Status readCompressed(const std::string& path, std::uint64_t mostBytes, const std::stop_token& stop,
                      Progress* progress, const std::function<bool(std::string_view bytes)>& take);

/// Returns what compressed bytes in memory hold: xz, gzip, zstd or bzip2, once. The Error: they are cut or
/// damaged, hold nothing, or more than `mostBytes`; memory never grows beyond that.
Result<std::string> unpackedBytes(std::string_view bytes, std::uint64_t mostBytes);

/// Returns the bytes as one zstd frame; the Error if libarchive cannot write zstd. `level`: 1 (fast) to 19
/// (small; some 80 ms even for few bytes).
Result<std::string> zstdOf(std::string_view bytes, int level);

} // namespace loadline
