// The pool, and the blocks with their prefixes, against plain lists and maps.
#include "core/schedule/kv/kv_blocks.h"

#include "core/schedule/kv/block_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <random>
#include <vector>

namespace loadline {
namespace {

TEST(BlockPool, IsAQueueThatStartsWithAllBlocks) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        std::mt19937_64 random(seed);
        const auto blocks = static_cast<std::int64_t>(1 + random() % 30);
        BlockPool pool(blocks);
        std::list<BlockId> queue;
        for (BlockId block = 1; block < blocks; ++block) {
            queue.push_back(block);
        }
        std::vector<BlockId> held;
        for (int i = 0; i < 2000; ++i) {
            ASSERT_EQ(pool.freeCount(), std::ssize(queue));
            const bool take = held.empty() || random() % 2 == 0;
            if (take && queue.empty()) {
                continue;
            }
            if (take) {
                held.push_back(queue.front());
                queue.pop_front();
                ASSERT_EQ(pool.take(), held.back()) << seed << ' ' << i;
                continue;
            }
            std::swap(held[random() % held.size()], held.back());
            const BlockId block = held.back();
            held.pop_back();
            ASSERT_TRUE(pool.release(block));
            if (random() % 2 == 0) {
                pool.pushBack(block);
                queue.push_back(block);
            } else {
                pool.insertAfter(BlockPool::head, block);
                queue.push_front(block);
            }
            if (random() % 3 == 0) { // found again while nobody holds it
                ASSERT_TRUE(pool.isIdle(block));
                pool.hold(block);
                queue.remove(block);
                held.push_back(block);
            }
        }
    }
}

/// vLLM's rules as they are written: a list of free blocks, and a map from all tokens up to a block's end.
class PlainBlocks {
public:
    PlainBlocks(std::int64_t blocks, Tokens blockSize, bool frontAndBack)
        : blockSize_(blockSize), frontAndBack_(frontAndBack) {
        for (BlockId block = 1; block < blocks; ++block) {
            free_.push_back(block);
        }
    }

    void open(std::size_t row, const ScheduleRequest& request) {
        rows_[row] = {};
        for (const TokenRun& run : request.prompt) {
            for (Tokens i = 0; i < run.count; ++i) {
                rows_[row].tokens.push_back(run.first + i);
            }
        }
        for (Tokens i = 0; i < request.outputTokens; ++i) {
            rows_[row].tokens.push_back(request.firstOutputToken + i);
        }
    }

    KvBlocks::Hit find(std::size_t row, std::int64_t most) {
        found_.clear();
        KvBlocks::Hit hit;
        for (; hit.blocks < most; ++hit.blocks) {
            const std::vector<BlockId>& same = byKey_[keyOf(row, hit.blocks)];
            if (same.empty()) {
                break;
            }
            found_.push_back(same.front());
            hit.idle += holders_[same.front()] == 0 ? 1 : 0;
        }
        return hit;
    }

    void takeHit(std::size_t row) {
        for (const BlockId block : found_) {
            if (holders_[block]++ == 0) {
                free_.remove(block);
            }
            rows_[row].blocks.push_back(block);
        }
        rows_[row].published = found_.size();
    }

    void take(std::size_t row, std::int64_t count, std::int64_t beside) {
        for (std::int64_t i = 0; i < count + beside; ++i) {
            const BlockId block = free_.front();
            free_.pop_front();
            ++holders_[block];
            for (auto& [key, same] : byKey_) {
                forgot_ = std::erase(same, block) > 0 || forgot_;
            }
            (i < count ? rows_[row].blocks : rows_[row].beside).push_back(block);
        }
    }

    void publish(std::size_t row, Tokens tokens) {
        Row& own = rows_[row];
        for (; static_cast<Tokens>(own.published + 1) * blockSize_ <= tokens; ++own.published) {
            byKey_[keyOf(row, static_cast<std::int64_t>(own.published))].push_back(own.blocks[own.published]);
        }
    }

    void release(std::size_t row) {
        std::vector<BlockId> toFront;
        for (std::vector<BlockId>* blocks : {&rows_[row].blocks, &rows_[row].beside}) {
            for (; !blocks->empty(); blocks->pop_back()) {
                const BlockId block = blocks->back();
                if (--holders_[block] > 0) {
                    continue;
                }
                const bool isFound = std::ranges::any_of(byKey_, [&](const auto& entry) {
                    return std::ranges::find(entry.second, block) != entry.second.end();
                });
                if (frontAndBack_ && !isFound) {
                    toFront.push_back(block);
                } else {
                    free_.push_back(block);
                }
            }
        }
        free_.insert(free_.begin(), toFront.begin(), toFront.end());
        rows_[row].published = 0;
    }

    [[nodiscard]] std::int64_t free() const { return std::ssize(free_); }

    [[nodiscard]] bool forgot() const { return forgot_; }

private:
    struct Row {
        std::vector<std::int64_t> tokens;
        std::vector<BlockId> blocks, beside;
        std::size_t published = 0;
    };

    std::vector<std::int64_t> keyOf(std::size_t row, std::int64_t block) {
        const auto begin = rows_[row].tokens.begin();
        return {begin, begin + (block + 1) * blockSize_};
    }

    Tokens blockSize_;
    bool frontAndBack_;
    std::list<BlockId> free_;
    std::map<BlockId, int> holders_;
    std::map<std::vector<std::int64_t>, std::vector<BlockId>> byKey_;
    std::map<std::size_t, Row> rows_;
    std::vector<BlockId> found_;
    bool forgot_ = false;
};

/// Runs of few ids, so that many prompts begin alike, part within a block, and go on with the ids before.
ScheduleRequest anyRequest(std::mt19937_64& random) {
    ScheduleRequest request;
    std::int64_t next = 0;
    for (std::uint64_t runs = 1 + random() % 4; runs > 0; --runs) {
        const auto count = static_cast<Tokens>(random() % 14);
        request.prompt.push_back({next, count});
        request.promptTokens += count;
        next = random() % 2 == 0 ? next + count : static_cast<std::int64_t>(100 * (random() % 3));
    }
    request.prompt.push_back({next, 1});
    ++request.promptTokens;
    request.outputTokens = static_cast<Tokens>(1 + random() % 9);
    request.firstOutputToken = random() % 3 == 0 ? next + 1 : 7000;
    return request;
}

/// A request that is held has computed so many tokens.
struct HeldRequest {
    bool isHeld = false;
    Tokens computed = 0;
    Tokens capacity = 0;
};

TEST(KvBlocks, FindsAndForgetsAsPlainListsDo) {
    int forgotten = 0;
    std::int64_t hits = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        std::mt19937_64 random(seed);
        VllmConfig config;
        config.blockSize = static_cast<Tokens>(1 + random() % 4);
        config.numGpuBlocks = static_cast<std::int64_t>(20 + random() % 60);
        config.freedBlocksToBack = seed % 2 == 0;
        KvBlocks blocks(config);
        PlainBlocks plain(config.numGpuBlocks, config.blockSize, seed % 2 != 0);
        std::vector<ScheduleRequest> requests(6);
        std::vector<HeldRequest> rows(requests.size());
        for (std::size_t row = 0; row < rows.size(); ++row) {
            requests[row] = anyRequest(random);
            blocks.open(row, requests[row]);
            plain.open(row, requests[row]);
        }
        for (int i = 0; i < 1500; ++i) {
            if (!rows[0].isHeld && seed % 3 == 0) { // it waits, and looks again after each change
                const std::int64_t most = (requests[0].promptTokens - 1) / config.blockSize;
                ASSERT_EQ(blocks.find(0, most).blocks, plain.find(0, most).blocks) << seed << ' ' << i;
                ASSERT_EQ(blocks.find(0, most).idle, plain.find(0, most).idle) << seed << ' ' << i;
            }
            const std::size_t row = random() % rows.size();
            HeldRequest& held = rows[row];
            if (seed % 3 == 0 && !held.isHeld && random() % 8 != 0) {
                continue;
            }
            const ScheduleRequest& request = requests[row];
            if (!held.isHeld) {
                const std::int64_t most = (request.promptTokens - 1) / config.blockSize;
                const KvBlocks::Hit hit = blocks.find(row, most);
                const KvBlocks::Hit expected = plain.find(row, most);
                ASSERT_EQ(hit.blocks, expected.blocks) << seed << ' ' << i;
                ASSERT_EQ(hit.idle, expected.idle) << seed << ' ' << i;
                const auto chunk = static_cast<Tokens>(1 + random() % 12);
                const Tokens end = std::min(hit.blocks * config.blockSize + chunk, request.promptTokens);
                const std::int64_t whole = (end + config.blockSize - 1) / config.blockSize;
                if (whole - hit.blocks + hit.idle + 1 > blocks.free() || random() % 4 == 0) {
                    continue; // it waits
                }
                hits += hit.blocks;
                const auto beside = static_cast<std::int64_t>(random() % 2);
                blocks.takeHit(row);
                plain.takeHit(row);
                blocks.take(row, whole - hit.blocks, beside);
                plain.take(row, whole - hit.blocks, beside);
                blocks.publish(row, end);
                plain.publish(row, end);
                held = {.isHeld = true, .computed = end, .capacity = whole * config.blockSize};
            } else if (held.computed < request.promptTokens + request.outputTokens && random() % 3 != 0) {
                ++held.computed;
                if (held.computed > held.capacity) {
                    if (blocks.free() == 0) {
                        --held.computed;
                        continue;
                    }
                    blocks.take(row, 1);
                    plain.take(row, 1, 0);
                    held.capacity += config.blockSize;
                }
                blocks.publish(row, held.computed);
                plain.publish(row, held.computed);
            } else {
                blocks.release(row);
                plain.release(row);
                held = {};
                if (random() % 3 != 0) { // else it was preempted
                    requests[row] = anyRequest(random);
                    blocks.open(row, requests[row]);
                    plain.open(row, requests[row]);
                }
            }
            ASSERT_EQ(blocks.free(), plain.free()) << seed << ' ' << i;
            ASSERT_EQ(blocks.forgot(), plain.forgot()) << seed << ' ' << i;
        }
        forgotten += blocks.forgot() ? 1 : 0;
    }
    EXPECT_GT(forgotten, 50);
    EXPECT_GT(hits, 10'000);
}

/// Two compute the same first block; the one that others find is used again before what continues it.
TEST(KvBlocks, FollowsATwinWhenTheFirstIsForgotten) {
    VllmConfig config;
    config.blockSize = 1;
    config.numGpuBlocks = 8;
    KvBlocks blocks(config);
    const auto request = [](std::vector<TokenRun> prompt, Tokens tokens) {
        ScheduleRequest one;
        one.prompt = std::move(prompt);
        one.promptTokens = tokens;
        one.outputTokens = 1;
        one.firstOutputToken = 900;
        return one;
    };
    blocks.open(0, request({{1, 1}, {50, 1}}, 2));
    blocks.open(1, request({{1, 3}}, 3));
    blocks.open(2, request({{1, 5}}, 5));
    blocks.open(3, request({{70, 7}}, 7));
    blocks.take(0, 2); // both before either is found
    blocks.take(1, 3);
    blocks.publish(0, 2);
    blocks.publish(1, 3);
    blocks.release(0);
    blocks.release(1); // free: 6 7, then 50 1 of the first, then 3 2 1 of the second
    EXPECT_EQ(blocks.find(2, 4).blocks, 3);
    blocks.take(3, 4);
    EXPECT_EQ(blocks.find(2, 4).blocks, 3);
    EXPECT_EQ(blocks.find(2, 4).idle, 3);
    EXPECT_EQ(blocks.free(), 3);
    blocks.takeHit(2);
    EXPECT_EQ(blocks.free(), 0);
}

} // namespace
} // namespace loadline
