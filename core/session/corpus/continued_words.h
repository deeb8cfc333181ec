// The note on sessions whose logs record no cache.
#pragma once

#include <cstdint>
#include <string>

namespace loadline {

/// "logs of 5 of 10 sessions record no cache: ...": how new input is estimated (markContinuedPrompts).
std::string continuedPromptsNote(std::uint64_t withoutCache, std::uint64_t sessions);

} // namespace loadline
