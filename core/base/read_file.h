// Reads a whole file of moderate size.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <string>

namespace loadline {

inline constexpr std::size_t maxWholeFileBytes = std::size_t{1} << 30;

/// The bytes of a file, pipe or device. The Error: a folder, cannot be opened or read, or larger than
/// maxBytes. `what` names the thing in it: "cannot read the profile: ...".
Result<std::string> readWholeFile(const std::string& path, const std::string& what,
                                  std::size_t maxBytes = maxWholeFileBytes);

} // namespace loadline
