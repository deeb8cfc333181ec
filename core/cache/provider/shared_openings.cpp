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
            sorted[{opening.model, Lanes::All, project}].push_back(touch);
            sorted[{opening.model, opening.main ? Lanes::Main : Lanes::SubAgents, project}].push_back(touch);
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

const Openings::Touch* Openings::holderOf(const PauseRead& read, const Touches& touches,
                                          const TouchKey& key) const {
    const auto found = touches.find(key);
    if (found == touches.end() || !isKnown(read.start)) {
        return nullptr;
    }
    const std::vector<Touch>& all = found->second;
    auto after = std::ranges::lower_bound(all, read.start, {}, &Touch::start);
    while (after != all.begin() && std::prev(after)->most >= read.count) {
        --after;
        if (after->opening != read.opening && openings_[after->opening].blocks >= read.count) {
            return &*after;
        }
    }
    return nullptr;
}

const Openings::Touch* Openings::holderOf(std::size_t index, const Touches& touches) const {
    const Opening& opening = openings_[index];
    const PauseRead read{.opening = index, .start = opening.start, .count = opening.at.count};
    for (const Lanes lanes : {opening.main ? Lanes::Main : Lanes::SubAgents, Lanes::All}) {
        const Touch* const near = holderOf(read, touches, {opening.model, lanes, opening.project});
        if (near != nullptr && secondsBetween(near->start, opening.start) <= livesS(near->livesMs)) {
            return near;
        }
        if (const Touch* const any = holderOf(read, touches, {opening.model, lanes, std::nullopt})) {
            return any;
        }
    }
    return nullptr;
}

double Openings::ageOf(std::size_t opening, TimeMs at) const {
    TimeMs last = openings_[opening].start;
    for (const Touch& touch : touches_) {
        if (touch.opening == opening && touch.start < at) {
            last = std::max(last, touch.start);
        }
    }
    return std::max(0.0, secondsBetween(last, at));
}

std::vector<OutsideBlocks> Openings::expired(const Touches& touches, KnownCounts& known) const {
    std::vector<OutsideBlocks> all;
    for (const PauseRead& read : afterPauses_) {
        const Opening& own = openings_[read.opening];
        const Touch* const holder = holderOf(read, touches, {own.model, Lanes::Main, own.project});
        if (!own.main || holder == nullptr ||
            secondsBetween(holder->start, read.start) > livesS(holder->livesMs)) {
            continue;
        }
        const bool ownIsFirst = own.start <= openings_[holder->opening].start;
        const std::size_t later = ownIsFirst ? holder->opening : read.opening;
        const std::size_t earlier = ownIsFirst ? read.opening : holder->opening;
        const Opening& opening = openings_[later];
        std::uint32_t& knownCount = known.try_emplace(later, opening.at.count).first->second;
        const std::uint32_t count = std::min({read.count, opening.blocks, openings_[earlier].blocks});
        if (knownCount >= count) {
            continue;
        }
        OutsideBlocks run = opening.at;
        run.first += knownCount;
        run.count = count - knownCount;
        run.ofScope = openings_[earlier].at.scope;
        run.ofFirst = openings_[earlier].at.first + knownCount;
        run.ageS = ageOf(earlier, opening.start);
        all.push_back(run);
        knownCount = count;
    }
    return all;
}

void Openings::readAfterPause(std::size_t opening, const LaneCall& call, std::uint32_t count) {
    if (count > 0 && isKnown(call.start)) {
        afterPauses_.push_back({.opening = opening, .start = call.start, .count = count});
    }
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
    KnownCounts known;
    const std::vector<OutsideBlocks> more = expired(touches, known);
    forked.insert(forked.end(), more.begin(), more.end());
    const std::vector<OutsideBlocks> late = alike(known);
    forked.insert(forked.end(), late.begin(), late.end());
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
