// Words of the caveats.
#include "core/session/corpus/usage_caveats.h"

#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline {

std::string leastOutputCaveat(const UsageTotals& totals) {
    const std::uint64_t inexact = totals.calls - totals.callsFinalOutput;
    const Tokens tokens = totals.usage.context() + totals.usage.output;
    if (inexact == 0 || tokens == 0) {
        return {};
    }
    const std::string least =
        formatShare(static_cast<double>(totals.usage.output) / static_cast<double>(tokens));
    return fmt::format("Output is {} ({} of the calls record only a lower bound).",
                       least.starts_with('<') ? "recorded as " + least + " of all tokens, and may be more"
                                              : "at least " + least + " of all tokens",
                       formatShare(static_cast<double>(inexact) / static_cast<double>(totals.calls)));
}

std::string untoldCacheCaveat(Tokens untoldContext, std::uint64_t withoutCache, std::uint64_t sessions) {
    return untoldContext == 0
               ? std::string()
               : fmt::format("Hit rates leave out {} prompt tokens of {} of {} whose logs record no cache.",
                             formatCount(static_cast<double>(untoldContext)), withoutCache,
                             counted(sessions, "session"));
}

} // namespace loadline
