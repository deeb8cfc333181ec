// Hit rates of replicas that take requests in turn.
#include "core/cache/reuse/aged_lookup.h"
#include "core/cache/reuse/capacity_curves.h"
#include "core/cache/reuse/distance_counts.h"
#include "core/cache/reuse/lru_stack.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace loadline {
namespace {

/// Any prompt of a chain, without walking over those before it: a replica reads its own alone.
class PromptsByIndex {
public:
    PromptsByIndex(const BlockTrace& trace, const BlockChain& chain)
        : trace_(trace), requests_(trace.requestsOf(chain)) {
        std::vector<std::size_t> path; // requests whose added blocks make up the prompt, first blocks first
        for (std::size_t i = 0; i < requests_.size(); ++i) {
            while (!path.empty() && requests_[path.back()].shared >= requests_[i].shared) {
                path.pop_back();
            }
            below_.push_back(path.empty() ? 0 : path.back());
            if (requests_[i].added > 0) {
                path.push_back(i);
            }
        }
    }

    /// Overwrites `blocks` with those of the prompt, first one first.
    void read(std::size_t index, std::vector<std::uint32_t>& blocks) const {
        std::size_t end = requests_[index].blocks();
        blocks.resize(end);
        for (std::size_t i = index; end > 0; i = below_[i]) {
            const std::size_t begin = requests_[i].shared;
            const auto added = trace_.addedBy(requests_[i]).first(end - begin);
            std::ranges::copy(added, blocks.begin() + static_cast<std::ptrdiff_t>(begin));
            end = begin;
        }
    }

private:
    const BlockTrace& trace_;
    std::span<const BlockRequest> requests_;
    std::vector<std::size_t> below_; ///< by request: the one that added the last of its shared blocks
};

/// Numbers from 0 for the blocks of one replica: its stack is as large as what it holds.
class OwnNumbers {
public:
    explicit OwnNumbers(std::uint32_t blocksOfAll) : numbers_(blocksOfAll, none) {}

    /// `base`: added to each block.
    void renumber(std::vector<std::uint32_t>& blocks, std::uint32_t base) {
        for (std::uint32_t& block : blocks) {
            std::uint32_t& number = numbers_[base + block];
            if (number == none) {
                number = static_cast<std::uint32_t>(used_.size());
                used_.push_back(base + block);
            }
            block = number;
        }
    }

    /// Forgets all: for the next replica.
    void clear() {
        for (const std::uint32_t block : used_) {
            numbers_[block] = none;
        }
        used_.clear();
    }

private:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    std::vector<std::uint32_t> numbers_;
    std::vector<std::uint32_t> used_;
};

/// A request of any chain.
struct Arrival {
    const BlockRequest* request = nullptr;
    std::size_t chain = 0;
    std::size_t index = 0;
};

/// Returns all requests by time: traces that are studied together begin together, and share the machine.
std::vector<Arrival> arrivalsOf(const BlockTrace& trace) {
    std::vector<Arrival> all;
    for (std::size_t c = 0; c < trace.chains.size(); ++c) {
        const auto requests = trace.requestsOf(trace.chains[c]);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            all.push_back({&requests[i], c, i});
        }
    }
    std::ranges::stable_sort(all, {}, [](const Arrival& one) { return one.request->startS; });
    return all;
}

} // namespace

CapacityCurve roundRobinCurveOf(const BlockTrace& trace, std::size_t replicas, const std::stop_token& stop) {
    if (trace.conversations || trace.blockTokens == 0) {
        return {};
    }
    std::vector<PromptsByIndex> prompts;
    std::vector<std::uint32_t> base; // of a chain's blocks, among those of all scopes
    for (const BlockChain& chain : trace.chains) {
        prompts.emplace_back(trace, chain);
        const auto before = trace.blocksOfScope.begin() + chain.scope;
        base.push_back(std::accumulate(trace.blocksOfScope.begin(), before, 0U));
    }
    const std::vector<Arrival> arrivals = arrivalsOf(trace);
    const std::uint32_t ofAll = std::accumulate(trace.blocksOfScope.begin(), trace.blocksOfScope.end(), 0U);
    OwnNumbers numbers(ofAll);
    FoundCounts found;
    std::uint64_t references = 0;
    std::vector<std::uint32_t> blocks;
    for (std::size_t replica = 0; replica < std::min(replicas, arrivals.size()); ++replica) {
        std::uint64_t own = 0;
        std::size_t longest = 0;
        for (std::size_t i = replica; i < arrivals.size(); i += replicas) {
            own += arrivals[i].request->blocks();
            longest = std::max<std::size_t>(longest, arrivals[i].request->blocks());
        }
        const auto most = static_cast<std::uint32_t>(std::min<std::uint64_t>(ofAll, own));
        LruStack stack(most, longest);
        AgedLookup lookup(stack, most, trace.blockTokens);
        for (std::size_t i = replica; i < arrivals.size(); i += replicas) {
            if (stop.stop_requested()) {
                return {};
            }
            const Arrival& now = arrivals[i];
            prompts[now.chain].read(now.index, blocks);
            numbers.renumber(blocks, base[now.chain]);
            const auto at = [&](std::size_t place) { return blocks[place]; };
            lookup.find(blocks.size(), at, now.request->input, now.request->startS, {}, found);
            stack.makeRoom(blocks.size());
            stack.touch(
                blocks.size(), [&](std::size_t place) { return at(blocks.size() - 1 - place); },
                [](std::uint64_t, std::uint64_t) {});
            lookup.hold(blocks.size(), at, now.request->startS);
        }
        references += own;
        numbers.clear();
    }
    return curveOfFound(std::move(found), references, trace.blockTokens);
}

} // namespace loadline
