// The pool and the table of prefixes against plain lists and maps.
#include "core/schedule/kv/block_pool.h"
#include "core/schedule/kv/prefix_cache.h"

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

TEST(PrefixCache, FindsTheFirstThatLives) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        std::mt19937_64 random(seed);
        constexpr std::int64_t blocks = 40;
        PrefixCache cache(blocks);
        std::map<std::uint64_t, std::vector<BlockId>> plain;                           // by key, in order
        const auto keyOf = [](std::uint64_t name) { return Hash128{name % 8, name}; }; // many share a place
        const auto find = [&](std::uint64_t name) {
            const auto found = plain.find(name);
            return found == plain.end() || found->second.empty() ? BlockId{0} : found->second.front();
        };
        for (int i = 0; i < 3000; ++i) {
            const auto block = static_cast<BlockId>(1 + random() % (blocks - 1));
            const std::uint64_t name = random() % 25;
            const auto before = static_cast<BlockId>(random() % blocks); // right, wrong, or none
            if (!cache.contains(block)) {
                cache.insert(keyOf(name), block, before);
                plain[name].push_back(block);
            } else if (random() % 2 == 0) {
                cache.erase(block);
                for (auto& [key, list] : plain) {
                    std::erase(list, block);
                }
            }
            ASSERT_EQ(cache.find(keyOf(name), before), find(name)) << seed << ' ' << i;
            const std::uint64_t other = random() % 25;
            ASSERT_EQ(cache.find(keyOf(other), before), find(other)) << seed << ' ' << i;
        }
    }
}

} // namespace
} // namespace loadline
