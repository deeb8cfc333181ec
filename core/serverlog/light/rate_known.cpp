// Which quotients of throughput and running requests are rates, or bounds of one.
#include "core/serverlog/light/rate_known.h"

namespace loadline {

RateKnown knownOf(const ObservedRate& rate) {
    if (rate.source != RateSource::Interval || rate.streamsTold) {
        // One that ends is replaced at once, and no more run than are told.
        const bool stays = rate.source != RateSource::Interval || (rate.queued && !isTold(rate.lowest));
        return !rate.atLeast ? RateKnown::Exact : stays ? RateKnown::AtLeast : RateKnown::Untold;
    }
    if (rate.atLeast) {
        return RateKnown::Untold;
    }
    return isTold(rate.lowest) ? RateKnown::Between : RateKnown::Exact; // of a first line one end is told
}

std::string_view wordOf(RateKnown known) {
    switch (known) {
    case RateKnown::Exact:
        return "exact";
    case RateKnown::Between:
        return "between";
    case RateKnown::AtLeast:
        return "at_least";
    case RateKnown::Untold:
        return "untold";
    }
    return "";
}

double shownRate(const ObservedRate& rate) {
    return isTold(rate.overBothEnds) ? rate.overBothEnds : rate.tokensPerS;
}

double untoldTogether(const std::vector<ObservedRate>& rates) {
    double tokens = 0;
    double streamSeconds = 0;
    for (const ObservedRate& rate : rates) {
        if (knownOf(rate) == RateKnown::Untold && isTold(rate.overBothEnds)) {
            const double seconds = isTold(rate.spanS) ? rate.spanS : 1;
            tokens += rate.overBothEnds * rate.streamsAtEnds * seconds;
            streamSeconds += rate.streamsAtEnds * seconds;
        }
    }
    return streamSeconds > 0 ? tokens / streamSeconds : notTold;
}

} // namespace loadline
