// What a file holds, compressed or not.
#pragma once

#include "core/session/files/file_kind.h"

#include <string>

namespace loadline {

/// contentOf() its beginning; of a file that is compressed, and no archive of several, of what is packed in
/// it.
FileContent contentOfFile(const std::string& path);

} // namespace loadline
