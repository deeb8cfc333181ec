// Counts different blocks by stretches of time.
#include "core/cache/reuse/working_set.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace loadline {
namespace {

constexpr std::size_t noBin = std::numeric_limits<std::size_t>::max();

/// One chain: a block that is shared with a request of the same stretch is counted already.
class ChainBins {
public:
    ChainBins(const BlockTrace& trace, const BlockChain& chain, WorkingSet& set)
        : trace_(trace), chain_(chain), set_(set), binOf_(trace.blocksOfScope[chain.scope], noBin) {}

    void run() {
        PromptBlocks prompts(trace_);
        std::size_t before = noBin;
        for (const BlockRequest& request : trace_.requestsOf(chain_)) {
            const std::size_t bin =
                std::min(static_cast<std::size_t>(request.startS / set_.binS), set_.touched.size() - 1);
            const auto blocks = prompts.next(request);
            for (const std::uint32_t block : bin == before ? trace_.addedBy(request) : blocks) {
                count(block, bin);
            }
            before = bin;
        }
    }

private:
    void count(std::uint32_t block, std::size_t bin) {
        if (binOf_[block] != bin) {
            set_.seen[bin] += binOf_[block] == noBin;
            ++set_.touched[bin];
            binOf_[block] = bin;
        }
    }

    const BlockTrace& trace_;
    const BlockChain& chain_;
    WorkingSet& set_;
    std::vector<std::size_t> binOf_; ///< of each block's last touch
};

} // namespace

WorkingSet workingSetOf(const BlockTrace& trace, std::span<const BlockChain> chains, std::size_t bins) {
    double endS = 0;
    for (const BlockChain& chain : chains) {
        endS = std::max(endS, trace.requestsOf(chain).back().startS);
    }
    if (endS <= 0 || trace.blockTokens == 0) {
        return {};
    }
    WorkingSet set{.binS = endS / static_cast<double>(bins),
                   .touched = std::vector<std::uint64_t>(bins),
                   .seen = std::vector<std::uint64_t>(bins)};
    for (const BlockChain& chain : chains) {
        ChainBins(trace, chain, set).run();
    }
    std::partial_sum(set.seen.begin(), set.seen.end(), set.seen.begin());
    return set;
}

} // namespace loadline
