// Counts reuse along one chain.
#include "core/cache/reuse/chain_reuse.h"

#include "core/cache/reuse/aged_lookup.h"

#include <algorithm>

namespace loadline {
namespace {

double shareOf(std::uint64_t part, double whole) {
    return whole > 0 ? static_cast<double>(part) / whole : 0;
}

std::uint64_t tokensOf(std::uint64_t blocks, Tokens blockTokens, Tokens input) {
    return std::min(blocks * static_cast<std::uint64_t>(blockTokens), static_cast<std::uint64_t>(input));
}

/// True if another chain of the trace held this block of the prompt's opening before.
bool isHeldElsewhere(const BlockTrace& trace, const BlockRequest& request, std::uint32_t block) {
    const auto index = static_cast<std::size_t>(&request - trace.requests.data());
    const auto found = std::ranges::equal_range(trace.outside, index, {}, &OutsideBlocks::request);
    return std::ranges::any_of(found, [block](const OutsideBlocks& one) {
        return block >= one.first && block - one.first < one.count &&
               (one.ofScope != one.scope || one.ofFirst != one.first);
    });
}

} // namespace

void ChainScratch::fit(std::size_t blocks) {
    if (blocks > heldS.size()) {
        heldS.resize(blocks);
        known.resize(blocks);
        onPath.resize(blocks);
        entered.resize(blocks);
        reuses.resize(blocks);
        isFirst.resize(blocks);
    }
}

ChainWalk::ChainWalk(const BlockTrace& trace, const BlockChain& chain, ChainScratch& scratch)
    : trace_(trace), chain_(chain), heldS_(scratch.heldS), known_(scratch.known), onPath_(scratch.onPath),
      entered_(scratch.entered), reuses_(scratch.reuses), isFirst_(scratch.isFirst) {
    scratch.fit(trace.blocksOfScope[chain.scope]);
}

/// The blocks behind the shared ones were last held by the request before.
void ChainWalk::leave(std::size_t shared, double heldS) {
    for (std::size_t i = shared; i < path_.size(); ++i) {
        const std::uint32_t block = path_[i];
        if (--onPath_[block] == 0) {
            heldS_[block] = heldS;
            reuses_[block] += index_ - 1 - entered_[block];
        }
    }
    path_.resize(shared);
}

/// The blocks that were added; how many of them prolong the leading run of known ones.
std::uint64_t ChainWalk::enter(const BlockRequest& request, double sinceBeforeS) {
    std::uint64_t run = 0;
    bool leading = true;
    double oldestS = request.shared > 0 ? sinceBeforeS : 0;
    const OutsideBlocks outside = leadingOutside(trace_, request);
    for (const std::uint32_t block : trace_.addedBy(request)) {
        path_.push_back(block);
        if (onPath_[block]++ > 0) { // twice in this prompt
            const bool before = entered_[block] < index_ || reuses_[block] > 0;
            result_.counts.setHits += before ? 1 : 0;
            leading = leading && before;
            run += leading ? 1 : 0;
            if (leading) {
                result_.prefixAges.add(wholeMs(oldestS));
            }
            continue;
        }
        if (known_[block] != 0) {
            const double ageS = request.startS - heldS_[block];
            ++result_.counts.setHits;
            result_.reuseTimes.add(ageS);
            if (reuses_[block]++ == 0) {
                result_.firstReuses.add(ageS);
            }
            if (leading) {
                oldestS = std::max(oldestS, ageS);
                result_.prefixAges.add(wholeMs(oldestS));
                ++run;
            }
        } else {
            leading = leading && run < outside.count;
            (leading && isHeldElsewhere(trace_, request, block) ? outside_ : held_).push_back(block);
            if (leading) {
                ++result_.counts.setHits;
                result_.reuseTimes.add(outside.ageS);
                oldestS = std::max(oldestS, outside.ageS);
                result_.prefixAges.add(wholeMs(oldestS));
                ++run;
            }
        }
        known_[block] = 1;
        entered_[block] = index_;
    }
    return run;
}

/// Blocks that the request before brought first and this one shares.
void ChainWalk::countFirstReuses(const BlockRequest& before, const BlockRequest& now, double gapS) {
    std::uint64_t count = 0;
    for (std::size_t i = before.shared; i < now.shared; ++i) {
        const std::uint32_t block = path_[i];
        count += reuses_[block] == 0 && entered_[block] + 1 == index_;
    }
    result_.firstReuses.add(gapS, count);
}

void ChainWalk::countGap(const BlockRequest& before, const BlockRequest& now) {
    if (!trace_.conversations) {
        return;
    }
    result_.gaps.add(now.startS - before.startS);
    if (before.answerS >= 0) {
        result_.idle.add(std::max(0.0, now.startS - before.startS - before.answerS));
    }
}

void ChainWalk::countRequest(const BlockRequest& request, std::uint64_t prefix) {
    PrefixReuse& counts = result_.counts;
    const Tokens size = trace_.blockTokens;
    const auto input = static_cast<std::uint64_t>(request.input);
    const auto output = static_cast<std::uint64_t>(request.output);
    const std::uint64_t blocks = request.blocks();
    const std::uint64_t prefixTokens = tokensOf(prefix, size, request.input);
    const std::uint64_t consecutive = trace_.conversations ? request.shared : prefix;
    const std::uint64_t cached = tokensOf(consecutive, size, request.input);
    ++counts.requests;
    counts.references += blocks;
    counts.inputTokens += input;
    counts.outputTokens += output;
    counts.prefix.blocks += prefix;
    counts.prefix.tokens += prefixTokens;
    counts.consecutive.blocks += consecutive;
    counts.consecutive.tokens += cached;
    if (size > 0) {
        const std::uint64_t full = std::min(blocks, input / static_cast<std::uint64_t>(size));
        counts.fullReferences += full;
        counts.fullHits += std::min(prefix, full);
    }
    counts.requestsFullyCovered += blocks > 0 && prefix == blocks;
    counts.meanPrefixBlocks += shareOf(prefix, static_cast<double>(blocks));
    counts.meanPrefixTokens += shareOf(prefixTokens, static_cast<double>(input));
    counts.inOutMeanOfRatios += shareOf(input, static_cast<double>(output));
    const auto all = static_cast<double>(input + output);
    counts.meanPerRequest.cached += shareOf(cached, all);
    counts.meanPerRequest.newInput += shareOf(input - cached, all);
    counts.meanPerRequest.output += shareOf(output, all);
    result_.input.add(static_cast<double>(input));
    result_.output.add(static_cast<double>(output));
    result_.newInput.add(static_cast<double>(input - cached));
}

/// Forgets a block, so that the next walk finds the scratch as it was made.
void ChainWalk::forget(std::uint32_t block) {
    known_[block] = 0;
    reuses_[block] = 0;
    isFirst_[block] = 0;
}

void ChainWalk::finish() {
    leave(0, 0);
    result_.counts.uniqueBlocks = held_.size();
    for (const std::uint32_t block : held_) {
        result_.counts.firstBlocks += isFirst_[block];
        result_.counts.blocksReused += reuses_[block] > 0;
        result_.reusesOfBlocks.push_back(reuses_[block]);
        forget(block);
    }
    std::ranges::for_each(outside_,
                          [this](std::uint32_t block) { forget(block); }); // counted where they began
}

ChainReuse ChainWalk::run(const std::stop_token& stop) {
    Tokens held = 0;
    const BlockRequest* before = nullptr;
    for (const BlockRequest& request : trace_.requestsOf(chain_)) {
        if (stop.stop_requested()) {
            break;
        }
        const double gapS = before == nullptr ? 0 : request.startS - before->startS;
        if (before != nullptr) {
            countGap(*before, request);
            countFirstReuses(*before, request, gapS);
            leave(request.shared, before->startS);
            result_.reuseTimes.add(gapS, request.shared);
        }
        result_.counts.setHits += request.shared;
        result_.prefixAges.add(wholeMs(gapS), request.shared);
        const std::uint64_t prefix = request.shared + enter(request, gapS);
        if (!path_.empty()) {
            isFirst_[path_.front()] = 1;
        }
        countRequest(request, prefix);
        held = std::max(held, request.input + request.output);
        before = &request;
        ++index_;
    }
    if (trace_.conversations) {
        result_.held.add(static_cast<double>(held));
    }
    finish();
    return std::move(result_);
}

} // namespace loadline
