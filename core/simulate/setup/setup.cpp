// Values that follow from the choices of a setup alone.
#include "core/simulate/setup/setup.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline {

Tokens budgetOf(const PolicySetup& setup) {
    return setup.budgetTokens.value_or(*PolicySetup().budgetTokens);
}

std::int64_t seqsOf(const PolicySetup& setup) {
    return setup.maxSeqs.value_or(*PolicySetup().maxSeqs);
}

std::string describe(const ArrivalSetup& arrivals) {
    switch (arrivals.kind) {
    case ArrivalKind::Poisson:
        return fmt::format("{:g} {} a second", arrivals.ratePerS, arrivals.ratePerS == 1 ? "turn" : "turns");
    case ArrivalKind::Trace:
        return "the trace's own arrivals";
    case ArrivalKind::Closed:
        break;
    }
    return formatExact(arrivals.users) + (arrivals.users == 1 ? " user" : " users");
}

bool knowsPrefixes(const ArrivalSetup& arrivals) {
    return arrivals.order == TurnOrder::Replayed || arrivals.kind == ArrivalKind::Trace;
}

TurnOrder orderOf(const ArrivalSetup& arrivals, bool knowsSessions) {
    if (arrivals.order != TurnOrder::Auto) {
        return arrivals.order;
    }
    const bool replays = knowsSessions && arrivals.kind == ArrivalKind::Closed;
    return replays ? TurnOrder::Replayed : TurnOrder::Sampled;
}

} // namespace loadline
