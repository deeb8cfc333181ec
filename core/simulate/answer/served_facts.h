// Facts beside an answer about how two formats serve.
#pragma once

#include "core/simulate/answer/what_counts.h"
#include "core/simulate/study/format_pair.h"

#include <vector>

namespace loadline {

/// "served" and "served_against": turns and tokens per second, TTFT and TPOT, or why it does not fit.
/// "compared_on": which turns, where one of the two refuses some. With FormatPair::whole.
std::vector<CountedFact> servedFactsOf(const FormatPair& pair);

} // namespace loadline
