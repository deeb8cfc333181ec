// Which calls prompts go on from, in lanes of any shape and length.
#include "core/cache/provider/chain_of_calls.h"

#include "core/cache/provider/prompt_paths.h"
#include "tests/core/peak_memory.h"

#include <gtest/gtest.h>

#include <tuple>
#include <vector>

namespace loadline {
namespace {

class ChainOfCalls : public testing::Test {
protected:
    /// Calls at one time to one model, each behind the one before it.
    void make(std::size_t n) {
        calls_.assign(n, {});
        lane_.calls.clear();
        for (std::size_t i = 0; i < n; ++i) {
            calls_[i].usage.input = 5000;
            lane_.calls.push_back({.place = {},
                                   .call = &calls_[i],
                                   .start = TimeMs{1},
                                   .left = 5000,
                                   .before = i == 0 ? noCallBefore : i - 1});
        }
    }

    std::vector<CorpusCall> calls_;
    LaneCalls lane_;
};

TEST_F(ChainOfCalls, TheSameModelIsSoughtUpTheChain) {
    make(5); // 0, 1, 2 and from 0 again 3, 4; models by turns
    lane_.calls[3].before = 0;
    calls_[1].model = calls_[3].model = 1;
    const std::vector<PromptBefore> found = sameModelBefore(lane_);
    EXPECT_EQ(found[1].chained, noCallBefore);
    EXPECT_EQ(found[2].chained, 0U);
    EXPECT_EQ(found[3].chained, noCallBefore) << "the other branch is not up its chain";
    EXPECT_EQ(found[3].call, 1U) << "the last one to its model";
    EXPECT_EQ(found[4].chained, 0U);
}

TEST_F(ChainOfCalls, AModelOfItsOwnForEachCallTakesMemoryInProportion) {
    if (!measuresMemory) {
        GTEST_SKIP() << "a sanitizer takes many times the program's memory";
    }
    make(8000);
    for (std::size_t i = 0; i < calls_.size(); ++i) {
        calls_[i].model = static_cast<ModelIndex>(i);
    }
    const std::int64_t grown = peakGrowthBytes([&] { std::ignore = sameModelBefore(lane_); });
    EXPECT_LT(grown, 16 << 20) << "a row of models for each call takes 512 MB";
}

/// The last call reads what the first one alone had left.
TEST_F(ChainOfCalls, WhatWasKeptIsSoughtAmongSoManyCalls) {
    const auto keptWith = [&](std::size_t callsBetween) {
        make(callsBetween + 2);
        lane_.calls.front().left = 1000;
        calls_.back().usage.cacheRead = 1000;
        tellKept(lane_);
        return lane_.calls[1].keptAllTheSame;
    };
    EXPECT_EQ(keptWith(mostCallsBack), 1000);
    EXPECT_EQ(keptWith(mostCallsBack + 1), 0);
}

/// One prompt, from which twenty branches go on that wait for each other.
TEST_F(ChainOfCalls, PathsThatAreKeptAreBounded) {
    constexpr std::size_t branches = 20;
    constexpr std::size_t blocks = mostKeptBlocks / 16;
    make(1 + 2 * branches);
    for (std::size_t i = 1; i < lane_.calls.size(); ++i) {
        lane_.calls[i].before = i <= branches ? 0 : i - branches;
    }
    PromptPaths paths;
    paths.begin(lane_);
    paths.keep(0, {.last = lane_.calls.data(), .ids = std::vector<std::int64_t>(blocks)});
    for (std::size_t i = 1; i <= branches; ++i) {
        paths.keep(i, paths.before(i));
    }
    std::size_t kept = 0;
    for (std::size_t i = branches + 1; i < lane_.calls.size(); ++i) {
        kept += paths.before(i).ids.size();
    }
    EXPECT_EQ(kept, mostKeptBlocks);
}

} // namespace
} // namespace loadline
