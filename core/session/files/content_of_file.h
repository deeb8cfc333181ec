// Recognizes a file's content, compressed or not.
#pragma once

#include "core/session/files/file_kind.h"

#include <string>

namespace loadline {

/// Returns contentOf() the file's beginning; for a compressed file that is no archive of several, of the
/// unpacked beginning.
FileContent contentOfFile(const std::string& path);

} // namespace loadline
