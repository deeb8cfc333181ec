// Reads a file of moderate size, or its beginning.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>

namespace loadline {

class FileSource;

inline constexpr std::size_t maxWholeFileBytes = std::size_t{1} << 30;
/// Size of a file's beginning that tells one kind of file from another.
inline constexpr std::size_t headBytes = std::size_t{1} << 16;

/// The bytes of a regular file; of a link the file that it leads to. The Error: a folder, a pipe, a socket or
/// a device, cannot be opened or read, or larger than maxBytes (then nothing of it is read). `what` names the
/// thing in it: "cannot read the profile: ...".
Result<std::string> readWholeFile(const std::string& path, const std::string& what,
                                  std::size_t maxBytes = maxWholeFileBytes);

/// The first headBytes of a regular file, less where it is shorter; "" of anything else and where it cannot
/// be read.
std::string readHead(const std::string& path);
std::string readHead(const FileSource& file);

} // namespace loadline
