// Blocks that first prompts share and began too late to read from the provider's cache.
#include "core/cache/provider/shared_openings.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace loadline {
namespace {

bool stillLives(TimeMs from, std::int64_t livesMs, TimeMs at) {
    return at.ms - from.ms <= (livesMs > 0 ? livesMs : fiveMinutesMs);
}

} // namespace

std::vector<Openings::Group> Openings::groups(bool byProject) const {
    using Key = std::tuple<ModelIndex, std::string_view, std::string_view, bool>;
    std::map<Key, Group> groups;
    const auto groupOf = [&](const Opening& one) -> Group& {
        return groups[{one.model, byProject ? one.project : std::string_view(), one.version, one.main}];
    };
    for (std::size_t i = 0; i < openings_.size(); ++i) {
        if (openings_[i].first && isKnown(openings_[i].start)) {
            groupOf(openings_[i]).firsts.push_back(i);
        }
    }
    for (const Touch& touch : touches_) {
        Group& group = groupOf(openings_[touch.opening]);
        group.touches.push_back(touch);
        if (openings_[touch.opening].first) {
            group.held.push_back(touch);
        }
    }
    std::vector<Group> all;
    for (auto& [key, group] : groups) {
        std::ranges::stable_sort(group.firsts, {}, [&](std::size_t i) { return openings_[i].start; });
        std::ranges::stable_sort(group.touches, {}, &Touch::start);
        std::ranges::stable_sort(group.held, {}, &Touch::start);
        all.push_back(std::move(group));
    }
    return all;
}

void Openings::addAlike(const Group& group, KnownCounts& known, std::vector<OutsideBlocks>& found) const {
    constexpr std::uint32_t all = std::numeric_limits<std::uint32_t>::max();
    const bool most = end_ == ReuseEnd::Most;
    const auto lastBefore = [](const std::vector<Touch>& touches, TimeMs start) -> const Touch* {
        const auto after = std::ranges::lower_bound(touches, start, {}, &Touch::start);
        return after == touches.begin() ? nullptr : &*std::prev(after);
    };
    std::set<std::size_t> targets;
    std::uint32_t least = all;
    std::uint32_t largest = leastRead_;
    for (const std::size_t i : group.firsts) {
        const Opening& opening = openings_[i];
        const Touch* const last = lastBefore(group.touches, opening.start);
        if (last == nullptr) {
            continue;
        }
        const bool couldRead = !opening.tellsNothing && stillLives(last->start, last->livesMs, opening.start);
        if (couldRead) {
            least = std::min(least, opening.at.count);
            largest = std::max(largest, opening.at.count);
        }
        if (most || !(couldRead || opening.tellsNothing)) {
            targets.insert(i);
        }
    }
    const bool isTold = least != all;
    const std::uint32_t common = most ? (isTold ? largest : all) : (isTold ? least : 0);
    std::size_t longest = group.firsts.empty() ? 0 : group.firsts.front(); // so far
    for (const std::size_t i : group.firsts) {
        const Opening& opening = openings_[i];
        const Opening& holder = openings_[longest];
        const Touch* const last = lastBefore(group.held, opening.start);
        if (last != nullptr && targets.contains(i)) {
            std::uint32_t& knownCount = known.try_emplace(i, opening.at.count).first->second;
            const std::uint32_t to = std::min({common, opening.blocks, holder.blocks});
            if (to > knownCount) {
                OutsideBlocks run = opening.at;
                run.first += knownCount;
                run.count = to - knownCount;
                run.ofScope = holder.at.scope;
                run.ofFirst = holder.at.first + knownCount;
                run.ageS = secondsBetween(last->start, opening.start);
                found.push_back(run);
                knownCount = to;
            }
        }
        longest = opening.blocks > holder.blocks ? i : longest;
    }
}

std::vector<OutsideBlocks> Openings::alike(KnownCounts known) const {
    std::vector<OutsideBlocks> found;
    for (const Group& group : groups(true)) {
        addAlike(group, known, found);
    }
    if (end_ == ReuseEnd::Most) {
        for (const Group& group : groups(false)) {
            addAlike(group, known, found);
        }
    }
    return found;
}

} // namespace loadline
