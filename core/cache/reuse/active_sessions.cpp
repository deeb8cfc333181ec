// Counts overlapping stretches of use.
#include "core/cache/reuse/active_sessions.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace loadline {
namespace {

/// A moment at which one session more, or one less, is active.
struct ActiveChange {
    double atS = 0;
    int by = 0;
};

void addStretches(const BlockTrace& trace, const BlockChain& chain, std::vector<ActiveChange>& changes) {
    double untilS = 0;
    bool active = false;
    for (const BlockRequest& request : trace.requestsOf(chain)) {
        const double startS = chain.beginsS + request.startS;
        if (active && startS > untilS) {
            changes.push_back({untilS, -1});
            active = false;
        }
        if (!active) {
            changes.push_back({startS, 1});
            active = true;
        }
        untilS = std::max(untilS, startS + std::max(request.answerS, 0.0) + activeWithinS);
    }
    if (active) {
        changes.push_back({untilS, -1});
    }
}

} // namespace

ActiveSessions activeSessionsOf(const BlockTrace& trace) {
    std::vector<ActiveChange> changes;
    std::size_t main = 0;
    bool anyLater = false;
    std::map<std::uint32_t, double> begins; // of sessions, by scope
    for (const BlockChain& chain : trace.chains) {
        if (!chain.subAgent) {
            ++main;
            const auto [begin, isFirst] = begins.try_emplace(chain.scope, chain.beginsS);
            begin->second = std::min(begin->second, chain.beginsS);
            anyLater = anyLater || chain.beginsS > 0;
            addStretches(trace, chain, changes);
        }
    }
    ActiveSessions result{.recorded = trace.conversations && main > 0 && (anyLater || main == 1)};
    if (!result.recorded) {
        return result;
    }
    result.beginTogether =
        begins.size() > 1 && std::ranges::all_of(begins, [](const auto& one) { return one.second == 0; });
    std::ranges::sort(changes, {}, [](const ActiveChange& one) { return std::pair(one.atS, one.by); });
    std::size_t now = 0;
    double beforeS = 0;
    double sessionS = 0;
    double usedS = 0;
    for (const ActiveChange& change : changes) {
        sessionS += static_cast<double>(now) * (change.atS - beforeS);
        usedS += now > 0 ? change.atS - beforeS : 0;
        now += static_cast<std::size_t>(change.by);
        result.most = std::max(result.most, now);
        beforeS = change.atS;
    }
    result.mean = usedS > 0 ? sessionS / usedS : 0;
    return result;
}

} // namespace loadline
