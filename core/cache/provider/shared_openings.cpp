// Finds the call that held a prefix before.
#include "core/cache/provider/shared_openings.h"

#include <algorithm>
#include <iterator>

namespace loadline {
namespace {

constexpr double msOfSecond = 1000;

double livesS(std::int64_t livesMs) {
    return static_cast<double>(livesMs > 0 ? livesMs : fiveMinutesMs) / msOfSecond;
}

} // namespace

std::size_t Openings::add(const Opening& opening) {
    openings_.push_back(opening);
    return openings_.size() - 1;
}

OutsideBlocks Openings::take(std::size_t opening) {
    OutsideBlocks& at = openings_[opening].at;
    const OutsideBlocks taken = at;
    at.count = 0;
    return taken;
}

void Openings::touch(std::size_t opening, const LaneCall& call) {
    if (isKnown(call.start)) {
        touches_.push_back({.start = call.start, .livesMs = call.livesMs, .opening = opening});
    }
}

Openings::Touches Openings::sortedTouches() const {
    Touches sorted;
    for (const Touch& touch : touches_) {
        const Opening& opening = openings_[touch.opening];
        for (const std::optional<std::string_view>& project :
             {std::optional<std::string_view>(), std::optional(opening.project)}) {
            sorted[{opening.model, false, project}].push_back(touch);
            if (opening.main) {
                sorted[{opening.model, true, project}].push_back(touch);
            }
        }
    }
    for (auto& [key, touches] : sorted) {
        std::ranges::stable_sort(touches, {}, &Touch::start);
        std::uint32_t most = 0;
        for (Touch& touch : touches) {
            most = std::max(most, openings_[touch.opening].blocks);
            touch.most = most;
        }
    }
    return sorted;
}

const Openings::Touch* Openings::holderOf(std::size_t index, const Touches& touches,
                                          const TouchKey& key) const {
    const Opening& opening = openings_[index];
    const auto found = touches.find(key);
    if (found == touches.end() || !isKnown(opening.start)) {
        return nullptr;
    }
    const std::vector<Touch>& all = found->second;
    auto after = std::ranges::lower_bound(all, opening.start, {}, &Touch::start);
    while (after != all.begin() && std::prev(after)->most >= opening.at.count) {
        --after;
        if (after->opening != index && openings_[after->opening].blocks >= opening.at.count) {
            return &*after;
        }
    }
    return nullptr;
}

const Openings::Touch* Openings::holderOf(std::size_t index, const Touches& touches) const {
    const Opening& opening = openings_[index];
    for (const bool mainAlone : {true, false}) {
        if (mainAlone && !opening.main) {
            continue;
        }
        const Touch* const near = holderOf(index, touches, {opening.model, mainAlone, opening.project});
        if (near != nullptr && secondsBetween(near->start, opening.start) <= livesS(near->livesMs)) {
            return near;
        }
        if (const Touch* const any = holderOf(index, touches, {opening.model, mainAlone, std::nullopt})) {
            return any;
        }
    }
    return nullptr;
}

std::vector<OutsideBlocks> Openings::outside(std::vector<OutsideBlocks> forked) const {
    const Touches touches = sortedTouches();
    for (std::size_t i = 0; i < openings_.size(); ++i) {
        const Opening& opening = openings_[i];
        if (opening.at.count == 0) {
            continue;
        }
        OutsideBlocks one = opening.at;
        if (const Touch* const holder = holderOf(i, touches)) {
            one.ofScope = openings_[holder->opening].at.scope;
            one.ofFirst = openings_[holder->opening].at.first;
            one.ageS = secondsBetween(holder->start, opening.start);
        } else {
            one.ofScope = one.scope;
            one.ofFirst = one.first;
            one.ageS = livesS(opening.livesMs);
        }
        forked.push_back(one);
    }
    std::ranges::stable_sort(forked, {}, &OutsideBlocks::request);
    return forked;
}

std::vector<OutsideBlocks> runsOf(const OutsideBlocks& at, const ForkedPath& path, double ageS) {
    std::vector<OutsideBlocks> runs;
    const auto held = std::min<std::uint32_t>(at.count, static_cast<std::uint32_t>(path.ids.size()));
    for (std::uint32_t i = 0; i < at.count; ++i) {
        const bool known = i < held;
        const bool goesOn = i > 0 && (known ? path.ids[i] == path.ids[i - 1] + 1 : i > held);
        if (!goesOn) {
            OutsideBlocks run = at;
            run.first = at.first + i;
            run.count = 0;
            run.ofScope = known ? path.scope : at.scope;
            run.ofFirst = known ? static_cast<std::uint32_t>(path.ids[i]) : run.first;
            run.ageS = ageS;
            runs.push_back(run);
        }
        ++runs.back().count;
    }
    return runs;
}

} // namespace loadline
