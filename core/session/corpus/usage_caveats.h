// Caveats about what usage records leave open, each a sentence; "" where there is nothing to say.
#pragma once

#include "core/session/usage.h"

#include <cstdint>
#include <string>

namespace loadline {

/// "Output is at least 3.1 % of all tokens (40 % of the calls record only a lower bound)."
std::string leastOutputCaveat(const UsageTotals& totals);

/// "Hit rates leave out 33.9 k prompt tokens of 1 of 2 sessions whose logs record no cache."
std::string untoldCacheCaveat(Tokens untoldContext, std::uint64_t withoutCache, std::uint64_t sessions);

} // namespace loadline
