// Invalid UTF-8 becomes U+FFFD, as Python's errors="replace" does it.
#pragma once

#include <string>
#include <string_view>

namespace loadline {

/// A copy in which each maximal invalid subpart (Unicode 15, section 3.9) is replaced by U+FFFD.
std::string repairUtf8(std::string_view text);

} // namespace loadline
