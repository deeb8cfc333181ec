// CLI versions in the order of their release.
#pragma once

#include "core/session/session_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// True if a comes before b: runs of digits compare as numbers ("2.1.9" < "2.1.12"), the rest byte by byte.
bool versionBefore(std::string_view a, std::string_view b);

/// The versions that the file's records name, oldest first.
std::vector<std::string> versionsInOrder(const SessionFile& file);

} // namespace loadline
