// Whose blocks a machine's cache holds: sessions at their recorded times, or all at once.
#include "core/cache/reuse/cache_sharing.h"

#include "core/trace/read_block_traces.h"
#include "tests/core/cache/growing_prompts.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace loadline {
namespace {

/// Conversations of twelve requests a minute apart, one block of 100 tokens more each, that begin `apartS`
/// after each other.
TraceFigures apart(double apartS, int sessions = 3) {
    BlockTraceBuilder builder(100, true);
    for (int chain = 0; chain < sessions; ++chain) {
        builder.beginScope();
        builder.beginChain("chain_" + std::to_string(chain), false, apartS * chain);
        test::addGrowingPrompts(builder, 12, 60);
    }
    WorkProgress progress;
    return traceFiguresOf(builder.finish(), 1, {}, progress);
}

TEST(ActiveSessions, AreThoseWithARequestInFiveMinutes) {
    const ActiveSessions overlapping = apart(660 + 299).active; // 11 gaps of a minute, and nearly five more
    EXPECT_TRUE(overlapping.recorded);
    EXPECT_EQ(overlapping.most, 2U);
    EXPECT_NEAR(overlapping.mean, 3 * 960.0 / (2 * 959 + 960), 1e-9);
    const ActiveSessions behind = apart(1000).active;
    EXPECT_EQ(behind.most, 1U);
    EXPECT_DOUBLE_EQ(behind.mean, 1);
    EXPECT_EQ(apart(60).active.most, 3U);
    EXPECT_FALSE(apart(0).active.recorded);
    EXPECT_TRUE(apart(0, 1).active.recorded) << "one alone begins when it begins";
}

TEST(CacheSharing, IsThatOfTheRecordedTimes) {
    const TraceFigures figures = apart(1000);
    const CacheSharing sharing = cacheSharingOf(figures);
    EXPECT_EQ(sharing.kind, SharingKind::Recorded);
    EXPECT_EQ(sharing.sessions, 3U);
    EXPECT_EQ(sharing.atOnce, 1U);
    EXPECT_DOUBLE_EQ(sharing.shared->hit(12), sharing.alone->hit(12)) << "one after the other";
    EXPECT_LT(figures.shared.back().rev.hit(12), sharing.shared->hit(12)) << "unlike three at once";
    EXPECT_EQ(wordsOf(sharing), "3 sessions at their recorded times, at most 1 within 5 min");
}

TEST(CacheSharing, SubAgentsAloneCanHaveTimes) {
    BlockTraceBuilder builder(100, true);
    for (int session = 0; session < 2; ++session) {
        builder.beginScope();
        builder.beginChain("main_" + std::to_string(session), false, 0);
        test::addGrowingPrompts(builder, 12, 60);
        builder.beginChain("agent_" + std::to_string(session), true, 120);
        test::addGrowingPrompts(builder, 12, 60);
    }
    BlockTrace trace = builder.finish();
    const std::uint64_t agents = countSubAgents(trace);
    WorkProgress progress;
    TraceFigures figures = traceFiguresOf(trace, 1, {}, progress);
    figures.agentsCounted = agents;
    EXPECT_TRUE(figures.active.recorded);
    EXPECT_TRUE(figures.active.beginTogether);
    EXPECT_FALSE(apart(60).active.beginTogether);
    EXPECT_EQ(wordsOf(cacheSharingOf(figures)),
              "2 sessions that begin at once and 2 sub-agents at their recorded "
              "times, at most 4 within 5 min");
}

TEST(CacheSharing, WithoutTimesAllBeginAtOnce) {
    const TraceFigures figures = apart(0);
    const CacheSharing sharing = cacheSharingOf(figures);
    EXPECT_EQ(sharing.kind, SharingKind::AtOnce);
    EXPECT_EQ(sharing.atOnce, 3U);
    EXPECT_EQ(sharing.shared, &figures.dealtTo(1));
    EXPECT_EQ(sharing.shared->hits, figures.shared.back().contiguous.hits);
    EXPECT_EQ(wordsOf(sharing), "3 sessions that begin at once");
}

/// Between the powers of two that are counted anyway.
TEST(CacheSharing, AsManyAsAreAskedFor) {
    BlockTraceBuilder builder(100, true);
    for (int chain = 0; chain < 5; ++chain) {
        builder.beginScope();
        builder.beginChain("chain_" + std::to_string(chain), false, 1000.0 * chain);
        test::addGrowingPrompts(builder, 10, 60);
    }
    const BlockTrace trace = builder.finish();
    WorkProgress progress;
    const TraceFigures figures = traceFiguresOf(trace, 1, {}, progress);
    const SharedCurve three = sharedCurveOf(trace, 3, 1, {});
    const CacheSharing sharing = cacheSharingOf(figures, &three);
    EXPECT_EQ(sharing.sessions, 3U);
    EXPECT_EQ(sharing.atOnce, 3U);
    EXPECT_EQ(sharedCurveOf(trace, 4, 1, {}), figures.shared[2]);
    EXPECT_EQ(sharedCurveOf(trace, 2000, 1, {}).sessions, 5U);
    EXPECT_LT(three.rev.hit(20), figures.shared[1].rev.hit(20));
}

/// Three sessions that overlap, each of up to 12 blocks: on two replicas the first and the third share a
/// cache and the second has one to itself.
TEST(CacheSharing, SessionsAreDealtToReplicas) {
    const TraceFigures figures = apart(1);
    ASSERT_TRUE(figures.active.recorded);
    const CacheSharing one = cacheSharingOf(figures);
    const CacheSharing two = cacheSharingOf(figures, nullptr, 2);
    const CacheSharing four = cacheSharingOf(figures, nullptr, 4);
    EXPECT_EQ(two.replicas, 2U);
    EXPECT_EQ(two.shared->references, one.shared->references);
    EXPECT_DOUBLE_EQ(two.shared->hit(12), (66.0 + 2 * 78 * apart(1, 2).dealtTo(1).hit(12)) / (3 * 78));
    EXPECT_GT(two.shared->hit(12), one.shared->hit(12)) << "12 blocks each";
    EXPECT_LT(two.shared->hit(6), four.shared->hit(12));
    EXPECT_EQ(four.shared->hits, figures.engine.contiguousBlocks.hits)
        << "each session has a replica to itself";
    EXPECT_EQ(routingWords(one), "");
    EXPECT_EQ(routingWords(two), "each session on one of 2 replicas");
    const TraceFigures atOnce = apart(0);
    EXPECT_EQ(cacheSharingOf(atOnce, nullptr, 4).shared->hits, atOnce.engine.contiguousBlocks.hits);
    EXPECT_GT(cacheSharingOf(atOnce, nullptr, 2).shared->hit(12), atOnce.shared.back().contiguous.hit(12));
}

/// Requests that no session tells apart go to the replicas in turn: every other request of a conversation
/// misses what the other replica holds.
TEST(CacheSharing, RequestsWithoutSessionsGoToReplicasInTurn) {
    WorkProgress progress;
    const TraceFigures figures = traceFiguresOf(test::growingPrompts(6, 1), 1, {}, progress);
    EXPECT_DOUBLE_EQ(cacheSharingOf(figures).shared->hit(10), 15.0 / 21);
    // 1, 3 and 5 blocks on one replica, 2, 4 and 6 on the other.
    const CacheSharing two = cacheSharingOf(figures, nullptr, 2);
    EXPECT_DOUBLE_EQ(two.shared->hit(10), (1 + 3 + 2 + 4) / 21.0);
    EXPECT_DOUBLE_EQ(cacheSharingOf(figures, nullptr, 8).shared->hit(10), 0);
    EXPECT_EQ(routingWords(two), "requests in turn to 2 replicas");
}

/// Each replica counts as a trace of its own requests alone would; prompts go on, turn back and jump.
TEST(CacheSharing, AReplicaInTurnHitsAsItsRequestsAloneWould) {
    std::vector<std::vector<std::int64_t>> prompts;
    std::uint32_t state = 1;
    const auto upTo = [&](std::uint32_t most) { // of a linear congruential generator
        state = state * 1'664'525U + 1'013'904'223U;
        return static_cast<std::int64_t>((state >> 8U) % (most + 1));
    };
    std::vector<std::int64_t> ids;
    for (int i = 0; i < 60; ++i) {
        ids.resize(static_cast<std::size_t>(upTo(static_cast<std::uint32_t>(ids.size()))));
        for (std::int64_t more = upTo(4); more > 0; --more) {
            ids.push_back(upTo(12));
        }
        prompts.push_back(ids);
    }
    const auto traceOf = [&](std::size_t first, std::size_t step) {
        BlockTraceBuilder builder(100, false);
        builder.beginScope();
        builder.beginChain("trace", false);
        for (std::size_t i = first; i < prompts.size(); i += step) {
            builder.add({.startS = 1.0 * static_cast<double>(i),
                         .input = 100 * static_cast<Tokens>(prompts[i].size()),
                         .output = 5},
                        prompts[i]);
        }
        return builder.finish();
    };
    for (const std::size_t replicas : {1U, 2U, 7U, 59U, 100'000U}) {
        const CapacityCurve curve = roundRobinCurveOf(traceOf(0, 1), replicas, {});
        for (const std::uint64_t capacity : {1U, 5U, 13U}) {
            double hits = 0;
            std::uint64_t references = 0;
            for (std::size_t replica = 0; replica < std::min(replicas, prompts.size()); ++replica) {
                const BlockTrace own = traceOf(replica, replicas);
                const CapacityCurve alone = capacityCurvesOf(own, own.chains, 1, {}).contiguousBlocks;
                hits += alone.hit(capacity) * static_cast<double>(alone.references);
                references += alone.references;
            }
            EXPECT_EQ(curve.references, references);
            EXPECT_NEAR(curve.hit(capacity), hits / static_cast<double>(references), 1e-12)
                << replicas << " replicas of " << capacity << " blocks";
        }
    }
}

/// Sessions of kv-cache-tester with one system prompt of 20 blocks, each then with blocks of its own.
std::string sessionWithGlobalIds(int session, const char* scope) {
    std::string requests;
    for (int i = 0; i < 3; ++i) {
        std::string ids;
        for (int block = 0; block < 20 + 5 * (i + 1); ++block) {
            ids += (ids.empty() ? "" : ", ") + std::to_string(block < 20 ? block : 1000 * session + block);
        }
        requests += std::string(i == 0 ? "" : ", ") + R"({"t": )" + std::to_string(10 * i) + R"(, "in": )" +
                    std::to_string(64 * (20 + 5 * (i + 1))) + R"(, "out": 3, "hash_ids": [)" + ids + "]}";
    }
    return R"({"id": "s)" + std::to_string(session) + R"(", "block_size": 64, "hash_id_scope": ")" + scope +
           R"(", "requests": [)" + requests + "]}";
}

/// 3 sessions of 25 + 30 + 35 blocks; each finds 25 + 30 of its own, and all but the first the 20 of others.
TEST(CacheSharing, GlobalIdsAreTheSameBlocksInEveryDocument) {
    for (const bool global : {true, false}) {
        const std::filesystem::path folder =
            std::filesystem::path(testing::TempDir()) / ("global_ids_" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder);
        std::vector<std::string> paths;
        for (int s = 1; s <= 3; ++s) {
            paths.push_back((folder / ("s" + std::to_string(s) + ".json")).string());
            std::ofstream(paths.back()) << sessionWithGlobalIds(s, global ? "global" : "local");
        }
        Progress reading;
        const Result<BlockTraceFiles> files = readBlockTraces(paths, {}, {}, reading);
        std::filesystem::remove_all(folder);
        ASSERT_TRUE(files);
        if (!global) {
            EXPECT_EQ(files->repeats, 2U) << "ids of their own: they ask for the same";
            continue;
        }
        WorkProgress progress;
        const TraceFigures figures = traceFiguresOf(files->trace, 1, {}, progress);
        EXPECT_EQ(figures.dealtTo(1).hits.back(), 3 * 55 + 2 * 20U);
        EXPECT_EQ(figures.dealtTo(2).hits.back(), 3 * 55 + 20U) << "the second has a replica to itself";
        EXPECT_EQ(figures.unlimited.prefix.blocks, 3 * 55 + 2 * 20U);
        EXPECT_EQ(figures.engine.contiguousBlocks.hits.back(), 3 * 55U) << "alone";
    }
}

TEST(CacheSharing, SessionsOfFewRequestsCountToo) {
    BlockTraceBuilder builder(100, true);
    for (int chain = 0; chain < 2; ++chain) {
        builder.beginScope();
        builder.beginChain("short", false);
        builder.add({.startS = 0, .input = 100, .output = 5}, std::vector<std::int64_t>{1});
    }
    WorkProgress progress;
    const TraceFigures figures = traceFiguresOf(builder.finish(), 1, {}, progress);
    const CacheSharing sharing = cacheSharingOf(figures);
    EXPECT_EQ(sharing.kind, SharingKind::AtOnce);
    EXPECT_EQ(sharing.sessions, 2U);
    EXPECT_EQ(sharing.shared->references, 2U);
    EXPECT_LE(sharing.shared->hitWithin(1000, 300), figures.ttlHit(1e9)) << "no more than for ever";
    const TraceFigures one =
        traceFiguresOf(blockTraceOf(std::vector<TraceRequest>(3), 0, "lengths"), 1, {}, progress);
    EXPECT_EQ(cacheSharingOf(one).kind, SharingKind::AllAsOne);
}

/// The requests of two traces without sessions take turns by time, whatever the number of replicas.
TEST(CacheSharing, TracesThatAreStudiedTogetherAreCalledSo) {
    BlockTrace trace = test::growingPrompts(6, 1);
    append(trace, test::growingPrompts(4, 2));
    WorkProgress progress;
    const TraceFigures figures = traceFiguresOf(trace, 1, {}, progress);
    const CacheSharing one = cacheSharingOf(figures);
    EXPECT_EQ(one.traces, 2U);
    EXPECT_TRUE(one.isReplay()) << "the engine's own curves are of each trace alone";
    EXPECT_FALSE(one.takesTurns());
    EXPECT_EQ(wordsOf(one), "all requests of 2 traces that begin together");
    const TraceFigures single = traceFiguresOf(test::growingPrompts(6, 1), 1, {}, progress);
    EXPECT_FALSE(cacheSharingOf(single).isReplay());
    EXPECT_EQ(wordsOf(cacheSharingOf(single)), "all requests");
}

TEST(CacheSharing, SubAgentsAreCountedWhereTheyAreAskedFor) {
    BlockTraceBuilder builder(100, true);
    builder.beginScope();
    builder.beginChain("main", false, 0);
    test::addGrowingPrompts(builder, 12, 60);
    for (const double beginsS : {30.0, 90.0}) {
        builder.beginChain("agent", true, beginsS);
        builder.add({.startS = 0, .input = 200, .output = 5}, std::vector<std::int64_t>{900, 901});
    }
    BlockTrace trace = builder.finish();
    WorkProgress progress;
    const TraceFigures without = traceFiguresOf(trace, 1, {}, progress);
    EXPECT_EQ(without.subAgents, 2U);
    EXPECT_EQ(cacheSharingOf(without).shared->references, 78U);
    const std::uint64_t agents = countSubAgents(trace);
    EXPECT_EQ(agents, 2U);
    TraceFigures with = traceFiguresOf(trace, 1, {}, progress);
    with.agentsCounted = agents;
    const CacheSharing sharing = cacheSharingOf(with);
    EXPECT_EQ(with.subAgents, 0U);
    EXPECT_EQ(sharing.shared->references, 82U);
    EXPECT_DOUBLE_EQ(sharing.shared->hit(100), (66 + 2) / 82.0); // the second finds what the first left
    EXPECT_EQ(wordsOfSharers(sharing), "1 session and 2 sub-agents");
    EXPECT_EQ(wordsOfSharers({.sessions = 2, .agents = 2}), "2 sub-agents");
}

} // namespace
} // namespace loadline
