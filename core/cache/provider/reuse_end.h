// The two ends of what usage records leave open.
#pragma once

#include <cstdint>

namespace loadline {

/// Text that a provider did not read may have changed, or the provider missed it: no log tells which.
/// Least: as if all of it had changed, unless something proves that it had not. Most: as if none of it had,
/// unless something in the log says that it had.
enum class ReuseEnd : std::uint8_t { Least, Most };

} // namespace loadline
