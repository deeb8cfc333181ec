// Finds the first holder of each block.
#include "core/trace/global_blocks.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

namespace loadline {
namespace {

/// Returns the time at which the chain of this request begins.
double beginsS(const BlockTrace& trace, std::size_t request) {
    const auto after = std::ranges::upper_bound(trace.chains, request, {}, &BlockChain::first);
    return after == trace.chains.begin() ? 0 : std::prev(after)->beginsS;
}

} // namespace

void GlobalBlocks::join(BlockTrace& trace, std::uint32_t scope, std::size_t request,
                        std::span<const std::int64_t> ids) {
    if (ids.empty() || ids.size() != trace.blocksOfScope[scope]) {
        return;
    }
    // Behind the leading run of a prompt, blocks are only the same ones: no request is named for them.
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::vector<OutsideBlocks> named;
    std::vector<double> heldS(ids.size(), -1); // when the scope held a block first
    for (std::size_t r = request; r < trace.requests.size(); ++r) {
        const BlockRequest& now = trace.requests[r];
        bool leads = now.shared == 0;
        const double startS = beginsS(trace, r) + now.startS;
        for (const std::uint32_t block : trace.addedBy(now)) {
            if (heldS[block] >= 0) { // found in this scope already
                leads = false;
                continue;
            }
            heldS[block] = startS;
            const auto found = holders_.find(ids[block]);
            leads = leads && found != holders_.end() && found->second.heldS <= startS;
            if (found == holders_.end()) {
                continue;
            }
            const std::uint32_t ofScope = found->second.scope;
            const std::uint32_t ofNumber = found->second.number;
            std::vector<OutsideBlocks>& into = leads ? named : trace.outside;
            const std::size_t of = leads ? r : none;
            if (!into.empty() && into.back().request == of && into.back().scope == scope &&
                into.back().ofScope == ofScope && into.back().first + into.back().count == block &&
                into.back().ofFirst + into.back().count == ofNumber) {
                ++into.back().count;
            } else {
                into.push_back({.request = of,
                                .scope = scope,
                                .first = block,
                                .count = 1,
                                .ofScope = ofScope,
                                .ofFirst = ofNumber,
                                .ageS = 0});
            }
        }
    }
    const auto firstUnnamed = std::ranges::find(trace.outside, none, &OutsideBlocks::request);
    trace.outside.insert(firstUnnamed, named.begin(), named.end());
    for (std::uint32_t number = 0; number < ids.size(); ++number) {
        holders_.try_emplace(ids[number], Holder{scope, number, heldS[number]});
    }
}

} // namespace loadline
