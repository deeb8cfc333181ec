// Caches that displace and forget, against one that is played block by block.
#include "core/cache/provider/session_cache.h"
#include "core/cache/reuse/cache_sharing.h"
#include "tests/core/everything_selected.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace loadline {
namespace {

using namespace test;

/// A prompt as its sender knows it.
struct Asked {
    double startS = 0;
    std::size_t replica = 0;
    std::vector<std::int64_t> ids;
};

/// A cache of each replica that holds so many blocks and forgets what nobody asked for so long: a prompt's
/// leading blocks are looked up, then all are touched, the last one first.
class PlayedCache {
public:
    PlayedCache(std::size_t capacity, double ttlS) : capacity_(capacity), ttlS_(ttlS) {}

    [[nodiscard]] double hitRateOf(const std::vector<Asked>& prompts) const {
        std::map<std::size_t, std::vector<Held>> replicas; // the latest last
        std::size_t hits = 0;
        std::size_t references = 0;
        for (const Asked& asked : prompts) {
            std::vector<Held>& held = replicas[asked.replica];
            std::erase_if(held, [&](const Held& one) { return asked.startS - one.atS > ttlS_ + 1e-6; });
            std::size_t found = 0;
            while (found < asked.ids.size() && isHeld(held, asked.ids[found])) {
                ++found;
            }
            for (auto id = asked.ids.rbegin(); id != asked.ids.rend(); ++id) {
                std::erase_if(held, [&](const Held& one) { return one.id == *id; });
                held.push_back({*id, asked.startS});
            }
            const std::size_t over = held.size() - std::min(held.size(), capacity_);
            held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(over));
            hits += found;
            references += asked.ids.size();
        }
        return static_cast<double>(hits) / static_cast<double>(references);
    }

private:
    struct Held {
        std::int64_t id = 0;
        double atS = 0;
    };

    static bool isHeld(const std::vector<Held>& held, std::int64_t id) {
        return std::ranges::find(held, id, &Held::id) != held.end();
    }

    std::size_t capacity_;
    double ttlS_;
};

constexpr std::size_t noLimit = 1'000'000;

TraceFigures allFiguresOf(const BlockTrace& trace) {
    WorkProgress progress;
    return traceFiguresOf(trace, 1, {}, progress);
}

/// Prompts that go on, turn back and jump, at uneven times, requests in turn to the replicas.
TEST(ForgettingCache, RequestsInTurnHitAsOnePlayedBlockByBlock) {
    std::uint32_t state = 7;
    const auto upTo = [&](std::size_t most) { // of a linear congruential generator
        state = state * 1'664'525U + 1'013'904'223U;
        return static_cast<std::size_t>(state >> 8U) % (most + 1);
    };
    std::vector<Asked> prompts;
    std::vector<std::vector<std::int64_t>> paths(5);
    BlockTraceBuilder builder(100, false);
    builder.beginScope();
    builder.beginChain("trace", false);
    double nowS = 0;
    std::int64_t next = 10;
    for (int i = 0; i < 200; ++i) {
        nowS += static_cast<double>(upTo(40'000)) / 1000;
        std::vector<std::int64_t>& path = paths[upTo(4)];
        path.resize(std::min(path.size(), upTo(12)));
        if (path.empty()) {
            path = {1, 2, 3}; // what all begin with
        }
        for (std::size_t more = upTo(3); more > 0; --more) {
            path.push_back(upTo(5) == 0 ? static_cast<std::int64_t>(upTo(9)) : next++);
        }
        prompts.push_back({nowS, 0, path});
        builder.add({.startS = nowS, .input = 100 * static_cast<Tokens>(path.size()), .output = 5}, path);
    }
    const TraceFigures figures = allFiguresOf(builder.finish());
    for (const double ttlS : {5.0, 60.0, 300.0, 1e9}) {
        EXPECT_NEAR(figures.ttlHit(ttlS), PlayedCache(noLimit, ttlS).hitRateOf(prompts), 1e-12);
        EXPECT_NEAR(figures.ttlHit(ttlS), figures.unlimited.ttlHit(ttlS), 1e-12);
    }
    for (const std::size_t replicas : {1U, 2U, 4U, 8U}) {
        for (std::size_t i = 0; i < prompts.size(); ++i) {
            prompts[i].replica = i % replicas;
        }
        const CacheSharing sharing = cacheSharingOf(figures, nullptr, replicas);
        for (const std::size_t capacity : {std::size_t{1}, std::size_t{9}, std::size_t{20}, noLimit}) {
            for (const double ttlS : {5.0, 60.0, 300.0, 1e9}) {
                const double played = PlayedCache(capacity, ttlS).hitRateOf(prompts);
                EXPECT_NEAR(sharing.shared->hitWithin(capacity, ttlS), played, 1e-12)
                    << replicas << " replicas of " << capacity << " blocks, " << ttlS << " s";
            }
            EXPECT_NEAR(sharing.shared->hit(capacity), PlayedCache(capacity, 1e9).hitRateOf(prompts), 1e-12);
        }
    }
}

/// Two traces of other blocks: their requests take turns by time, and share each replica's room.
TEST(ForgettingCache, TracesStudiedTogetherShareTheReplicas) {
    std::vector<Asked> prompts;
    const auto traceOf = [&](double firstS, double everyS, std::int64_t firstId) {
        BlockTraceBuilder builder(100, false);
        builder.beginScope();
        builder.beginChain("trace", false);
        std::vector<std::int64_t> ids;
        for (int i = 0; i < 10; ++i) {
            ids.push_back(firstId + i);
            builder.add({.startS = firstS + everyS * i, .input = 100 * (i + 1), .output = 5}, ids);
            prompts.push_back({firstS + everyS * i, 0, ids});
        }
        return builder.finish();
    };
    BlockTrace trace = traceOf(0, 2, 0);
    append(trace, traceOf(1, 3, 1'000));
    std::ranges::stable_sort(prompts, {}, &Asked::startS);
    const TraceFigures figures = allFiguresOf(trace);
    for (const std::size_t replicas : {1U, 2U}) {
        for (std::size_t i = 0; i < prompts.size(); ++i) {
            prompts[i].replica = i % replicas;
        }
        for (const std::size_t capacity : {std::size_t{6}, std::size_t{14}, noLimit}) {
            EXPECT_NEAR(cacheSharingOf(figures, nullptr, replicas).shared->hit(capacity),
                        PlayedCache(capacity, 1e9).hitRateOf(prompts), 1e-12)
                << replicas << " replicas of " << capacity << " blocks";
        }
    }
}

constexpr Tokens tokensOfBlock = 64;

/// Sessions that share a system prompt and come back after longer than the 5 minutes that the provider keeps
/// what they wrote, though never less than all of them within 5 minutes: the system prompt is always read.
struct PausingSessions {
    std::vector<SessionBuilder> files;
    std::vector<Asked> prompts;
};

PausingSessions pausingSessions() {
    constexpr std::size_t sessions = 6;
    constexpr std::size_t ofAll = 300;
    constexpr std::size_t added = 40;
    PausingSessions made;
    std::vector<std::vector<std::int64_t>> ids(sessions);
    std::int64_t next = ofAll;
    for (std::size_t s = 0; s < sessions; ++s) {
        const std::string name = std::to_string(s);
        made.files.emplace_back(name + ".jsonl", name);
        made.files.back().prompt(static_cast<std::int64_t>(60 * s));
        for (std::size_t i = 0; i < ofAll; ++i) {
            ids[s].push_back(static_cast<std::int64_t>(i));
        }
    }
    for (std::size_t round = 0; round < 6; ++round) {
        for (std::size_t s = 0; s < sessions; ++s) {
            for (std::size_t i = 0; i < added; ++i) {
                ids[s].push_back(next++);
            }
            const std::size_t read = round == 0 && s == 0 ? 0 : ofAll;
            const auto atS = static_cast<std::int64_t>(420 * round + 60 * s);
            const auto tokens = static_cast<Tokens>(ids[s].size() - read) * tokensOfBlock;
            made.files[s].call("m" + std::to_string(round) + "_" + std::to_string(s), atS,
                               {.cacheWrite = tokens,
                                .cacheWrite5m = tokens,
                                .cacheRead = static_cast<Tokens>(read) * tokensOfBlock,
                                .output = 10});
            made.prompts.push_back({static_cast<double>(atS), 0, ids[s]});
        }
    }
    std::ranges::stable_sort(made.prompts, {}, &Asked::startS);
    return made;
}

BlockTrace rebuiltOf(const Corpus& corpus) {
    return rebuiltTraceOf(corpus, laneCallsOf(corpus, everythingOf(corpus)), tokensOfBlock).trace;
}

/// Each reads the system prompt again, which is more than half of its prompt.
TEST(ForgettingCache, SessionsThatPauseHitAsOnePlayedBlockByBlock) {
    PausingSessions made = pausingSessions();
    const std::vector<SessionBuilder>& f = made.files;
    const Corpus corpus = corpusOf({f[0], f[1], f[2], f[3], f[4], f[5]});
    const TraceFigures figures = allFiguresOf(rebuiltOf(corpus));
    EXPECT_NEAR(figures.unlimited.share(figures.unlimited.prefix.blocks),
                PlayedCache(noLimit, 1e9).hitRateOf(made.prompts), 1e-12)
        << "prompts only ever grow";
    for (const double ttlS : {30.0, 60.0, 300.0, 420.0}) {
        EXPECT_NEAR(figures.ttlHit(ttlS), PlayedCache(noLimit, ttlS).hitRateOf(made.prompts), 1e-12)
            << ttlS << " s";
    }
    EXPECT_GT(figures.ttlHit(300), 0.6) << "others keep the system prompt";
    for (const std::size_t replicas : {1U, 2U, 4U}) {
        std::map<std::int64_t, std::size_t> dealt; // by the first block that only this session has
        for (Asked& asked : made.prompts) {
            const auto [session, isNew] = dealt.try_emplace(asked.ids[300], dealt.size());
            asked.replica = session->second % replicas;
        }
        const CacheSharing sharing = cacheSharingOf(figures, nullptr, replicas);
        for (const std::size_t capacity : {std::size_t{350}, std::size_t{900}, noLimit}) {
            for (const double ttlS : {60.0, 300.0, 420.0, 1e9}) {
                EXPECT_NEAR(sharing.shared->hitWithin(capacity, ttlS),
                            PlayedCache(capacity, ttlS).hitRateOf(made.prompts), 1e-12)
                    << replicas << " replicas of " << capacity << " blocks, " << ttlS << " s";
            }
        }
    }
}

/// Alone, with a system prompt that lives for an hour: after 20 minutes it is read, and the rest is not.
TEST(ForgettingCache, APauseThatLosesLessThanHalfChangesNoText) {
    SessionBuilder one("s.jsonl", "s");
    one.prompt(0)
        .call("m1", 1, {.cacheWrite = 24'000, .cacheWrite5m = 4'000, .cacheWrite1h = 20'000, .output = 10})
        .call("m2", 60, {.cacheWrite = 8'000, .cacheWrite5m = 8'000, .cacheRead = 24'000, .output = 10})
        .call("m3", 1'260, {.cacheWrite = 12'640, .cacheWrite5m = 12'640, .cacheRead = 20'000, .output = 10})
        .call("m4", 1'290, {.cacheWrite = 12'640, .cacheWrite5m = 12'640, .cacheRead = 20'000, .output = 10});
    const BlockTrace trace = rebuiltOf(corpusOf({one}));
    ASSERT_EQ(trace.requests.size(), 4U);
    EXPECT_EQ(trace.requests[2].shared, 32'000U / 64);
    EXPECT_EQ(trace.requests[3].shared, 20'000U / 64) << "within the time to live: other text";
}

/// A fork's origin may stand in a file that is read after the fork's.
TEST(ForgettingCache, NamesOfForksDoNotMatter) {
    const auto hitsOf = [](const std::string& origin, const std::string& fork) {
        SessionBuilder first(origin + ".jsonl", origin);
        first.prompt(0)
            .call("m1", 1, {.cacheWrite = 40'000, .cacheWrite5m = 40'000, .output = 10})
            .call("m2", 20, {.cacheWrite = 6'400, .cacheWrite5m = 6'400, .cacheRead = 40'000, .output = 10});
        SessionBuilder second(fork + ".jsonl", fork);
        second.prompt(0)
            .call("m1", 1, {.cacheWrite = 40'000, .cacheWrite5m = 40'000, .output = 10})
            .call("m2", 20, {.cacheWrite = 6'400, .cacheWrite5m = 6'400, .cacheRead = 40'000, .output = 10})
            .call("m3", 90, {.cacheWrite = 6'400, .cacheWrite5m = 6'400, .cacheRead = 46'400, .output = 10});
        const Corpus corpus = origin < fork ? corpusOf({first, second}) : corpusOf({second, first});
        const TraceFigures figures = allFiguresOf(rebuiltOf(corpus));
        return std::pair(figures.dealtTo(1), figures.ttlHit(60));
    };
    const auto before = hitsOf("a", "b");
    EXPECT_EQ(before.first.hits.back(), (40'000U + 46'400U) / 64);
    EXPECT_EQ(hitsOf("b", "a"), before);
}

} // namespace
} // namespace loadline
