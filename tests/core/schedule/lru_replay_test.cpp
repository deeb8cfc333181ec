// Sessions in a KV room that is too small for them: each hit against a plain LRU that replays the same order
// of look-ups, allocations and releases.
#include "core/schedule/policy/vllm_v1.h"
#include "make_scenario.h"

#include <algorithm>
#include <list>
#include <map>
#include <utility>
#include <vector>

namespace loadline {
namespace {

/// vLLM's block pool as spec/schedulers.md 1.4 and 1.5 have it, from nothing but lists and maps.
class LruPool {
public:
    LruPool(std::int64_t blocks, Tokens blockSize) : blockSize_(blockSize) {
        for (int block = 1; block < blocks; ++block) {
            free_.push_back(block);
        }
    }

    [[nodiscard]] std::int64_t free() const { return std::ssize(free_); }

    /// Takes the longest prefix that is there, of at most `most` blocks; the blocks found.
    std::vector<int> hit(const std::vector<std::int64_t>& tokens, std::int64_t most) {
        std::vector<int> found;
        int key = 0;
        while (std::ssize(found) < most) {
            key = keyOf(key, tokens, found.size());
            const auto same = holding_.find(key);
            if (same == holding_.end() || same->second.empty()) {
                break;
            }
            found.push_back(same->second.front());
        }
        for (const int block : found) {
            if (holders_[block]++ == 0) {
                free_.remove(block);
            }
        }
        return found;
    }

    int take() {
        const int block = free_.front();
        free_.pop_front();
        if (const auto key = keys_.find(block); key != keys_.end()) { // evicted
            std::erase(holding_[key->second], block);
            keys_.erase(key);
        }
        holders_[block] = 1;
        return block;
    }

    /// The full blocks of the first `count` tokens can be found from now on.
    void publish(const std::vector<int>& blocks, const std::vector<std::int64_t>& tokens, Tokens count) {
        int key = 0;
        for (std::size_t i = 0; static_cast<Tokens>(i + 1) * blockSize_ <= count; ++i) {
            key = keyOf(key, tokens, i);
            if (keys_.emplace(blocks[i], key).second) {
                holding_[key].push_back(blocks[i]);
            }
        }
    }

    /// The last block first: those that can be found to the back, the others to the front.
    void release(const std::vector<int>& blocks) {
        std::vector<int> front;
        for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
            if (--holders_[*block] == 0) {
                if (keys_.count(*block) > 0) {
                    free_.push_back(*block);
                } else {
                    front.push_back(*block);
                }
            }
        }
        free_.insert(free_.begin(), front.begin(), front.end());
    }

private:
    /// A number for these tokens of block `i` after the blocks of `before`.
    int keyOf(int before, const std::vector<std::int64_t>& tokens, std::size_t i) {
        const auto begin = tokens.begin() + static_cast<std::ptrdiff_t>(i) * blockSize_;
        const auto next = static_cast<int>(numbers_.size()) + 1;
        return numbers_.emplace(std::pair(before, std::vector(begin, begin + blockSize_)), next)
            .first->second;
    }

    Tokens blockSize_;
    std::list<int> free_;
    std::map<int, int> holders_, keys_;
    std::map<int, std::vector<int>> holding_; ///< blocks by key, in the order of their registration
    std::map<std::pair<int, std::vector<std::int64_t>>, int> numbers_;
};

/// A request on its way through the replay.
struct Replayed {
    std::vector<std::int64_t> tokens; ///< prompt and all outputs
    std::vector<int> blocks;
    Tokens computed = 0, known = 0; ///< known: prompt and what was emitted
};

/// Replays the steps of one run; the prompt tokens that were hit.
Tokens replay(const Scenario& scenario, const std::vector<Step>& steps) {
    const auto& config = std::get<VllmConfig>(scenario.config);
    LruPool pool(config.numGpuBlocks, config.blockSize);
    std::vector<Replayed> requests;
    for (const ScheduleRequest& request : scenario.requests) {
        Replayed& one = requests.emplace_back();
        for (const TokenRun& run : request.prompt) {
            for (Tokens i = 0; i < run.count; ++i) {
                one.tokens.push_back(run.first + i);
            }
        }
        one.known = request.promptTokens;
        for (Tokens i = 0; i < request.outputTokens; ++i) {
            one.tokens.push_back(request.firstOutputToken + i);
        }
    }
    Tokens all = 0;
    for (const Step& step : steps) {
        std::map<RequestIndex, Tokens> hits;
        for (const RequestTokens& hit : step.hits) {
            hits[hit.request] = hit.tokens;
        }
        auto victim = step.preempted.begin();
        const auto preempt = [&] {
            Replayed& one = requests[static_cast<std::size_t>(*victim++)];
            pool.release(one.blocks);
            one.blocks.clear();
            one.computed = 0;
        };
        for (const auto& [index, tokens] : step.scheduled) {
            Replayed& one = requests[static_cast<std::size_t>(index)];
            if (one.blocks.empty()) { // admitted, or again
                one.blocks = pool.hit(one.tokens, (one.known - 1) / config.blockSize);
                one.computed = std::ssize(one.blocks) * config.blockSize;
                EXPECT_EQ(hits[index], one.computed) << "step " << step.t << ", request " << index;
                all += one.computed;
            }
            one.computed += tokens;
            const std::int64_t needed =
                (one.computed + config.blockSize - 1) / config.blockSize - std::ssize(one.blocks);
            while (pool.free() < needed && victim != step.preempted.end()) {
                preempt();
            }
            for (std::int64_t i = 0; i < needed; ++i) {
                one.blocks.push_back(pool.take());
            }
            pool.publish(one.blocks, one.tokens, std::min(one.computed, one.known));
        }
        while (victim != step.preempted.end()) {
            preempt();
        }
        EXPECT_EQ(pool.free(), step.freeScheduled) << "step " << step.t;
        for (const RequestIndex index : step.emitted) {
            ++requests[static_cast<std::size_t>(index)].known;
        }
        for (const RequestIndex index : step.finished) {
            pool.release(requests[static_cast<std::size_t>(index)].blocks);
        }
        EXPECT_EQ(pool.free(), step.free) << "step " << step.t;
        if (testing::Test::HasFailure()) {
            return all;
        }
    }
    return all;
}

/// Each session sends prompts that grow by what was asked and answered; all begin with the same instructions.
Scenario sessionsIn(std::int64_t blocks, int sessions) {
    constexpr int turns = 30;
    constexpr Tokens instructions = 600;
    VllmConfig config;
    config.numGpuBlocks = blocks;
    config.maxNumBatchedTokens = 2048;
    std::vector<ScheduleRequest> requests;
    for (int session = 0; session < sessions; ++session) {
        Tokens context = 0;
        for (int turn = 0; turn < turns; ++turn) {
            const auto id = static_cast<std::int64_t>(session * turns + turn);
            const Tokens asked = 40 + 37 * (id % 11);
            const Tokens answered = 15 + 9 * (id % 5);
            ScheduleRequest request = turn == 0 ? test::request(id, session, 1, answered)
                                                : test::follower(id, id - 1, session, 1, answered);
            const std::int64_t own = 1'000'000 * (session + 1);
            request.prompt = {{1, instructions}, {own, context + asked}};
            request.promptTokens = instructions + context + asked;
            request.firstOutputToken = own + context + asked;
            context += asked + answered;
            requests.push_back(request);
        }
    }
    return test::scenario(config, std::move(requests));
}

TEST(LruReplay, HitsInATightRoomAreThoseOfAPlainLru) {
    Tokens prompts = 0;
    std::map<std::int64_t, Tokens> byRoom;
    for (const std::int64_t blocks : {4000, 1100, 700, 560}) {
        const Scenario scenario = sessionsIn(blocks, 4);
        const std::vector<Step> steps = test::stepsOf(scenario);
        ASSERT_FALSE(steps.empty());
        byRoom[blocks] = replay(scenario, steps);
        ASSERT_FALSE(HasFailure()) << blocks << " blocks";
        prompts = 0;
        for (const ScheduleRequest& request : scenario.requests) {
            prompts += request.promptTokens;
        }
    }
    EXPECT_GT(byRoom[4000], prompts * 9 / 10);
    EXPECT_LT(byRoom[1100], byRoom[4000]) << "sessions evict each other";
    EXPECT_LT(byRoom[560], byRoom[4000] / 2);
    EXPECT_GT(byRoom[560], 0);
}

} // namespace
} // namespace loadline
