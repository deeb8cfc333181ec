// Hit rates of replicas that take requests in turn.
#include "core/cache/reuse/capacity_curves.h"
#include "core/cache/reuse/distance_counts.h"
#include "core/cache/reuse/lru_stack.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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
    explicit OwnNumbers(std::uint32_t blocksOfScope) : numbers_(blocksOfScope, none) {}

    void renumber(std::vector<std::uint32_t>& blocks) {
        for (std::uint32_t& block : blocks) {
            if (numbers_[block] == none) {
                numbers_[block] = static_cast<std::uint32_t>(used_.size());
                used_.push_back(block);
            }
            block = numbers_[block];
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

} // namespace

CapacityCurve roundRobinCurveOf(const BlockTrace& trace, std::size_t replicas, const std::stop_token& stop) {
    if (trace.conversations || trace.blockTokens == 0) {
        return {};
    }
    DistanceCounts hits;
    std::uint64_t references = 0;
    for (const BlockChain& chain : trace.chains) {
        const auto requests = trace.requestsOf(chain);
        const PromptsByIndex prompts(trace, chain);
        OwnNumbers numbers(trace.blocksOfScope[chain.scope]);
        std::vector<std::uint32_t> blocks;
        for (std::size_t replica = 0; replica < std::min(replicas, requests.size()); ++replica) {
            std::uint64_t own = 0;
            std::size_t longest = 0;
            for (std::size_t i = replica; i < requests.size(); i += replicas) {
                own += requests[i].blocks();
                longest = std::max<std::size_t>(longest, requests[i].blocks());
            }
            const auto most = std::min<std::uint64_t>(trace.blocksOfScope[chain.scope], own);
            LruStack stack(static_cast<std::uint32_t>(most), longest);
            for (std::size_t i = replica; i < requests.size(); i += replicas) {
                if (stop.stop_requested()) {
                    return {};
                }
                prompts.read(i, blocks);
                numbers.renumber(blocks);
                stack.makeRoom(blocks.size());
                stack.touch(
                    blocks.size(), [&](std::size_t at) { return blocks[blocks.size() - 1 - at]; },
                    [&](std::uint64_t distance, std::uint64_t count) { addCounts(hits, distance, count); });
            }
            references += own;
            numbers.clear();
        }
    }
    return curveOfCounts(std::move(hits), references);
}

} // namespace loadline
