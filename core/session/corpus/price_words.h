// Texts and notes about costs.
#pragma once

#include "core/session/corpus/corpus.h"

#include <string>
#include <vector>

namespace loadline {

/// "$12.34"; "≥ $12.34" if costIsLeast(); empty where no call has a price.
std::string costText(const UsageTotals& totals);

/// "At list prices (SOURCE), not what was paid by contract or subscription; 3 of 50 calls have no price; not
/// in it: the surcharge of fast mode (1 call) and 3 web searches."
std::string costNote(const Corpus& corpus, const UsageTotals& totals);

/// Models of calls that have no price, by name.
std::vector<std::string> unpricedModels(const Corpus& corpus);

/// "Costs are at list prices (SOURCE), not what was paid by contract or subscription; no price is known of
/// glm-4.6 and 2 more." Empty where there are no prices, or no calls.
std::string priceSentence(const Corpus& corpus);

} // namespace loadline
