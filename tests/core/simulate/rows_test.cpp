// The fast way against plain loops, step by step: the same rows, turns, tokens and latencies.
#include "core/simulate/run/rows.h"

#include "core/schedule/policy/vllm_v1.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <random>

namespace loadline {
namespace {

struct PlainRun {
    std::map<std::int32_t, RowsCount> counts;
    bool countsHead = false;
    std::int64_t iterations = 0;
    std::int64_t turns = 0;
    std::int64_t tokensIn = 0;
    std::int64_t tokensOut = 0;
    double nowUs = 0;
    std::vector<double> ttftS, tpotS, e2eS;

    RowsCount& at(std::int64_t rows) {
        RowsCount& count = counts[static_cast<std::int32_t>(rows)];
        count.rows = static_cast<std::int32_t>(rows);
        return count;
    }

    void step(ForwardRows rows, bool decodeOnly, double us) {
        if (countsHead) {
            ++at(rows.head).headSteps;
        }
        RowsCount& count = at(rows.m);
        ++count.steps;
        count.decodeOnly += static_cast<std::int64_t>(decodeOnly);
        ++iterations;
        nowUs += us;
    }

    void answered(double arrivalUs, double firstUs, std::int64_t output) {
        ++turns;
        ttftS.push_back((firstUs - arrivalUs) * 1e-6);
        e2eS.push_back((nowUs - arrivalUs) * 1e-6);
        if (output > 1) {
            tpotS.push_back((nowUs - firstUs) * 1e-6 / static_cast<double>(output - 1));
        }
    }
};

bool goesOn(const RowsSetup& setup, const PlainRun& run) {
    return run.iterations < setup.length.iterations.value_or(1LL << 60) &&
           run.turns < setup.length.turns.value_or(1LL << 60);
}

struct PlainUser {
    double arrivalUs = 0;
    double firstUs = -1;
    Tokens prompt = 0;
    Tokens left = 0;
    std::int64_t output = 0;
    std::int64_t emitted = 0;
};

PlainRun plainSinglePrefill(const RowsSetup& setup, const std::vector<DrawnTurn>& turns,
                            const TimesByRows& us) {
    PlainRun run{.counts = {}, .countsHead = setup.hasHead, .ttftS = {}, .tpotS = {}, .e2eS = {}};
    std::deque<PlainUser> queue(static_cast<std::size_t>(setup.users));
    std::vector<PlainUser> decoding;
    std::optional<PlainUser> prefilling;
    std::size_t next = 0;
    while (goesOn(setup, run)) {
        while (!prefilling && !queue.empty() && static_cast<std::int64_t>(decoding.size()) < setup.maxSeqs &&
               static_cast<Tokens>(decoding.size()) < setup.budgetTokens) {
            PlainUser user = queue.front();
            queue.pop_front();
            const DrawnTurn& turn = turns[next++ % turns.size()];
            user.output = turn.output;
            user.left =
                setup.fit.promptCap > 0 ? std::min<Tokens>(turn.input, setup.fit.promptCap) : turn.input;
            if (turn.input <= setup.fit.freePrompt) {
                run.tokensIn += turn.input;
                decoding.push_back(user);
            } else {
                prefilling = user;
            }
        }
        const auto decoders = static_cast<Tokens>(decoding.size());
        const Tokens chunk =
            prefilling ? std::min({prefilling->left, setup.chunkTokens, setup.budgetTokens - decoders}) : 0;
        const ForwardRows rows(decoders + chunk, decoders + (prefilling ? 1 : 0));
        run.step(rows, !prefilling, us.us(rows));
        run.tokensIn += chunk;
        run.tokensOut += decoders;
        std::vector<PlainUser> still;
        for (PlainUser& user : decoding) {
            if (++user.emitted == 1) {
                user.firstUs = run.nowUs;
            }
            if (user.emitted == user.output) {
                run.answered(user.arrivalUs, user.firstUs, user.output);
                queue.push_back({run.nowUs});
            } else {
                still.push_back(user);
            }
        }
        decoding = still;
        if (prefilling && (prefilling->left -= chunk) == 0) {
            decoding.push_back(*prefilling);
            prefilling.reset();
        }
    }
    return run;
}

/// The exact scheduler in a closed loop: who is answered asks again before the next step.
PlainRun plainVllm(const RowsSetup& setup, const std::vector<DrawnTurn>& turns, const TimesByRows& us) {
    VllmConfig config;
    config.maxNumBatchedTokens = setup.budgetTokens;
    config.maxNumSeqs = setup.maxSeqs;
    config.longPrefillTokenThreshold = setup.chunkTokens;
    config.enablePrefixCaching = false;
    config.numGpuBlocks = std::int64_t{1} << 40;
    config.maxModelLen = std::int64_t{1} << 40;
    VllmV1 scheduler(config);
    PlainRun run{.counts = {}, .countsHead = setup.hasHead, .ttftS = {}, .tpotS = {}, .e2eS = {}};
    std::map<RequestIndex, PlainUser> users;
    std::size_t next = 0;
    const auto arrive = [&](double nowUs) {
        const DrawnTurn& turn = turns[next % turns.size()];
        const auto index = static_cast<RequestIndex>(next++);
        ScheduleRequest request;
        request.id = index;
        request.promptTokens = turn.input;
        request.outputTokens = turn.output;
        users[index] = {nowUs, -1, turn.input, turn.input, turn.output};
        scheduler.add(index, request, run.iterations);
    };
    for (std::int64_t user = 0; user < setup.users; ++user) {
        arrive(0);
    }
    while (goesOn(setup, run)) {
        const Step& step = scheduler.step(run.iterations);
        bool decodeOnly = true;
        for (const RequestTokens& scheduled : step.scheduled) {
            PlainUser& user = users.at(scheduled.request);
            const Tokens prompt = std::min<Tokens>(user.left, scheduled.tokens);
            user.left -= prompt;
            run.tokensIn += prompt;
            decodeOnly = decodeOnly && prompt == 0;
        }
        const ForwardRows rows(step.total, static_cast<std::int64_t>(step.scheduled.size()));
        run.step(rows, decodeOnly, us.us(rows));
        for (const RequestIndex index : step.emitted) {
            PlainUser& user = users.at(index);
            ++run.tokensOut;
            if (++user.emitted == 1) {
                user.firstUs = run.nowUs;
            }
        }
        const std::vector<RequestIndex> finished = step.finished;
        for (const RequestIndex index : finished) {
            const PlainUser& user = users.at(index);
            run.answered(user.arrivalUs, user.firstUs, user.output);
            users.erase(index);
        }
        for (std::size_t i = 0; i < finished.size(); ++i) {
            arrive(run.nowUs);
        }
    }
    return run;
}

void expectSameLatencies(std::vector<double> got, std::vector<double> expected, const char* what) {
    ASSERT_EQ(got.size(), expected.size()) << what;
    std::sort(got.begin(), got.end());
    std::sort(expected.begin(), expected.end());
    for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_NEAR(got[i], expected[i], 1e-9 * (1 + expected[i])) << what << " " << i;
    }
}

void expectSame(const RowsSetup& setup, const std::vector<DrawnTurn>& turns) {
    TimesByRows us{std::vector<double>(20'000), std::vector<double>(setup.hasHead ? 20'000 : 0)};
    for (std::size_t m = 0; m < us.layersUs.size(); ++m) {
        us.layersUs[m] = 50 + 0.3 * static_cast<double>(m);
    }
    for (std::size_t m = 0; m < us.headUs.size(); ++m) {
        us.headUs[m] = 70 + 0.2 * static_cast<double>(m);
    }
    const PlainRun plain =
        setup.policy == Policy::VllmV1 ? plainVllm(setup, turns, us) : plainSinglePrefill(setup, turns, us);
    RowsEngine engine;
    RowsTimes times;
    const RowsRun timed = engine.run(setup, turns, us, times);
    const RowsRun run = engine.run(setup, turns);
    EXPECT_EQ(timed.counts, run.counts) << "a clock changes nothing";
    std::map<std::int32_t, RowsCount> counts;
    for (const RowsCount& count : run.counts) {
        RowsCount& sum = counts[count.rows];
        sum = {count.rows, sum.steps + count.steps, sum.decodeOnly + count.decodeOnly,
               sum.headSteps + count.headSteps};
    }
    EXPECT_EQ(counts, plain.counts);
    EXPECT_EQ(run.iterations, plain.iterations);
    EXPECT_EQ(run.turns, plain.turns);
    EXPECT_EQ(run.tokensIn, plain.tokensIn);
    EXPECT_EQ(run.tokensOut, plain.tokensOut);
    EXPECT_NEAR(times.simulatedS, plain.nowUs * 1e-6, 1e-6 * plain.nowUs * 1e-6);
    expectSameLatencies(times.ttftS.values(), plain.ttftS, "TTFT");
    expectSameLatencies(times.tpotS.values(), plain.tpotS, "TPOT");
    expectSameLatencies(times.e2eS.values(), plain.e2eS, "E2E");
}

class RowsAgainstPlain : public testing::TestWithParam<int> {};

TEST_P(RowsAgainstPlain, GiveTheSame) {
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
    const auto upTo = [&](std::int64_t most) {
        return 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
    };
    RowsSetup setup;
    setup.policy = GetParam() % 2 == 0 ? Policy::SinglePrefill : Policy::VllmV1;
    setup.users = upTo(GetParam() % 3 == 0 ? 5 : 90);
    setup.hasHead = GetParam() % 11 < 6;
    setup.chunkTokens = upTo(700);
    if (setup.policy == Policy::VllmV1 && GetParam() % 5 == 0) {
        setup.chunkTokens = 0;
    }
    setup.maxSeqs = upTo(100);
    setup.budgetTokens = std::max<Tokens>(setup.maxSeqs, upTo(GetParam() % 4 == 0 ? 100 : 2000));
    if (setup.policy == Policy::SinglePrefill && GetParam() % 8 == 0) {
        setup.fit = {upTo(500), upTo(40)};
    }
    setup.length.iterations = upTo(2000);
    if (GetParam() % 7 == 0) {
        setup.length.turns = upTo(60);
    }
    std::vector<DrawnTurn> turns(static_cast<std::size_t>(upTo(300)));
    for (DrawnTurn& turn : turns) {
        const bool large = random() % 10 == 0;
        turn = {static_cast<std::int32_t>(upTo(large ? 9000 : 100)),
                static_cast<std::int32_t>(upTo(large ? 400 : 30))};
        if (random() % 6 == 0) {
            turn.output = 1;
        }
    }
    SCOPED_TRACE(testing::Message() << "users " << setup.users << " chunk " << setup.chunkTokens << " budget "
                                    << setup.budgetTokens << " seqs " << setup.maxSeqs);
    expectSame(setup, turns);
}

INSTANTIATE_TEST_SUITE_P(Random, RowsAgainstPlain, testing::Range(0, 400));

/// spec: the study's semantics on its distributions, 10,000 iterations, mean of 16 seeds. `sd` is that of one
/// run, as recorded with the reference.
struct StudyRow {
    std::int64_t users;
    double averageM, averageMSd;
    double decodeOnly, decodeOnlySd; // per cent
};

void expectStudy(const StudyRow& row, const StudyFit& fit) {
    RowsEngine engine;
    double averageM = 0;
    double decodeOnly = 0;
    constexpr int seeds = 16;
    const Workload reference = referenceWorkload();
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        RowsSetup setup;
        setup.users = row.users;
        setup.fit = fit;
        setup.length.iterations = 10'000;
        const auto turns = drawTurns(reference, turnsNeeded(setup), seed);
        const RowsRun& run = engine.run(setup, turns);
        averageM += run.histogram().averageRows() / seeds;
        decodeOnly += 100 * static_cast<double>(run.decodeOnly) / static_cast<double>(run.iterations) / seeds;
    }
    // Both means are of 16 runs: four standard errors of their difference.
    const double errors = 4 * std::sqrt(2.0 / seeds);
    EXPECT_NEAR(averageM, row.averageM, errors * row.averageMSd + 0.05);
    EXPECT_NEAR(decodeOnly, row.decodeOnly, errors * row.decodeOnlySd + 0.05);
}

TEST(PublishedStudy, PlainSemanticsGiveWhatTheyAreKnownToGive) {
    // The spread of decode-only is recorded for the fit alone: taken from there.
    for (const StudyRow& row : {StudyRow{1, 10.4, 4.3, 97.7, 0.6}, StudyRow{4, 51, 14, 88.5, 1.7},
                                StudyRow{8, 97, 14, 78.0, 2.2}, StudyRow{16, 203, 17, 54.1, 2.6},
                                StudyRow{32, 356, 18, 19.7, 4.2}, StudyRow{64, 442, 4, 0.0, 1.5}}) {
        SCOPED_TRACE(row.users);
        expectStudy(row, {});
    }
}

TEST(PublishedStudy, TheFitGivesWhatItIsKnownToGive) {
    for (const StudyRow& row : {StudyRow{1, 8.1, 2.7, 98.5, 0.6}, StudyRow{4, 40.4, 8, 92.1, 1.7},
                                StudyRow{8, 77.8, 11, 84.9, 2.2}, StudyRow{16, 164, 12, 67.9, 2.6},
                                StudyRow{32, 314, 21, 38.9, 4.2}, StudyRow{64, 498, 6, 3.0, 1.5}}) {
        SCOPED_TRACE(row.users);
        expectStudy(row, {16384, 32});
    }
}

} // namespace
} // namespace loadline
