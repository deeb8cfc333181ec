// The replay of the made-up run, by hand and by properties.
#include "core/replay/latency_plot.h"
#include "core/replay/replay_figure.h"
#include "made_up_run.h"

#include <gmock/gmock.h>

#include <cmath>

namespace loadline {
namespace {

using testing::HasSubstr;

Replay replayOf(const EngineRun& run, const ReplayOptions& options = {}) {
    Result<Replay> replay = replayRun(run, options);
    EXPECT_TRUE(replay) << (replay ? "" : replay.error().sentence());
    return replay ? std::move(*replay) : Replay{};
}

// The tables: every dense layer 1 us up to 8 tokens, then to 2 us at 64 (258 of them a step); attention
// 1 + chunk / 8 + chunk x context / 256 + decodes x context / 64 us a layer (32); head 100 + 10 a sequence.
TEST(Replay, everyStepTakesWhatItsKernelsTake) {
    const EngineRun run = test::readMadeUpRun();
    const StepTimes times(run);
    StepLoad load;
    EXPECT_EQ(times.of(load).totalUs(), 0);
    load.addDecode(40);
    EXPECT_NEAR(times.of(load).totalUs(), 258 + 32 * (1 + 40 / 64.0) + 110, 1e-9);
    load.addDecode(60);
    load.addDecode(80); // 3 tokens are padded to 4; the head takes 3 sequences
    const StepParts parts = times.of(load);
    EXPECT_NEAR(parts.denseUs, 258, 1e-9);
    EXPECT_NEAR(parts.attentionUs, 32 * (1 + 180 / 64.0), 1e-9);
    EXPECT_NEAR(parts.headUs, 130, 1e-9);
    EXPECT_EQ(parts.linksUs, 0);
    EXPECT_EQ(times.padded(3), 4);
    EXPECT_EQ(times.padded(8), 8);
    EXPECT_EQ(times.padded(9), 9) << "beyond the largest graph there is none";
    load.clear();
    load.chunks = {{.tokens = 36, .context = 64}, {.tokens = 20, .context = 0}};
    EXPECT_NEAR(times.of(load).attentionUs,
                32 * (1 + 56 / 8.0 + (36 * (64 + 18) + 20 * 10 - 56 * 28) / 256.0), 1e-9)
        << "as many pairs of tokens meet as in both chunks";
    load.chunks = {{.tokens = 32, .context = 0}, {.tokens = 32, .context = 0}};
    EXPECT_NEAR(times.of(load).attentionUs, 32 * (1 + 64 / 8.0 - 64 * 16 / 256.0), 1e-9);
}

TEST(Replay, allReduceFollowsTheLinks) {
    EngineRun run = test::readMadeUpRun();
    EXPECT_EQ(StepTimes(run).allReduceUs(1e6), 0) << "one GPU";
    run.meta.tensorParallel = 2; // 16 GB/s, 20 us
    EXPECT_NEAR(StepTimes(run).allReduceUs(1.6e6), 20 + 100, 1e-9);
    EXPECT_NEAR(StepTimes(run).allReduceUs(16e6), 40 + 1000, 1e-9) << "a ring above 8 MiB";
    run.meta.tensorParallel = 4;
    EXPECT_NEAR(StepTimes(run).allReduceUs(1.6e6), 6 * (20 + 25), 1e-9);
    StepLoad load;
    load.addDecode(40);
    const double logits = 3 * (20 + 128256 / 4.0 * 2 / 16e3);
    EXPECT_NEAR(StepTimes(run).of(load).linksUs, 65 * 6 * (20 + 4096 * 2 / 4.0 / 16e3) + logits, 1e-6);
}

TEST(Replay, servesTheMadeUpRunAsComputedByHand) {
    const Replay replay = replayOf(test::readMadeUpRun());
    ASSERT_EQ(replay.requests.size(), 3U);
    const double first = 258 * (1 + 32 / 56.0) + 32 * 6 + 110;
    EXPECT_NEAR(replay.requests[0].predicted.ttftS, first * 1e-6, 1e-12);
    EXPECT_NEAR(replay.requests[0].predicted.tpotS, (420 + 420.5) / 2 * 1e-6, 1e-12);
    EXPECT_NEAR(replay.requests[0].predicted.e2eS, (first + 840.5) * 1e-6, 1e-12);
    const double chunk = 258 * 2 + 32 * 9 + 110; // while it runs the third arrives
    const double both = 258 * (1 + 48 / 56.0) + 32 * (8 + 56 * (3152 / 56.0 - 28) / 256) + 120;
    EXPECT_NEAR(replay.requests[1].predicted.ttftS, (chunk + both) * 1e-6, 1e-9);
    EXPECT_NEAR(replay.requests[2].predicted.ttftS, (chunk + both - 100) * 1e-6, 1e-9);
    EXPECT_NEAR(replay.requests[1].predicted.e2eS, (chunk + both + 450) * 1e-6, 1e-9);
    EXPECT_EQ(replay.requests[2].predicted.tpotS, 0) << "one output";
    EXPECT_EQ(replay.steps, 6);
    EXPECT_EQ(replay.preemptions, 0);
    EXPECT_EQ(replay.predicted.tpotS.n, 2U);
    EXPECT_NEAR(replay.budget.idleS + replay.budget.busyS(), replay.predicted.makespanS, 1e-9);
}

TEST(Replay, schedulesAheadWhenAsynchronous) {
    EngineRun run = test::readMadeUpRun();
    const Replay behind = replayOf(run);
    run.meta.asyncScheduling = true;
    const Replay ahead = replayOf(run);
    EXPECT_EQ(ahead.requests[0].predicted, behind.requests[0].predicted) << "alone it makes no difference";
    EXPECT_GT(ahead.requests[2].predicted.ttftS, behind.requests[2].predicted.ttftS)
        << "the step after the present one is already scheduled when it arrives";
}

TEST(Replay, preemptsWhenTheCacheIsSmallAndStillServesAll) {
    EngineRun run = test::readMadeUpRun();
    for (RecordedRequest& request : run.requests) {
        request.output = 150;
    }
    const Replay roomy = replayOf(run);
    const Replay tight = replayOf(run, {.kvBlocks = 22}); // the longest alone takes 16
    EXPECT_EQ(roomy.preemptions, 0);
    EXPECT_GT(tight.preemptions, 0);
    EXPECT_GT(tight.predicted.makespanS, roomy.predicted.makespanS);
    for (const ReplayedRequest& request : tight.requests) {
        EXPECT_TRUE(std::isfinite(request.predicted.e2eS));
        EXPECT_GT(request.predicted.e2eS, request.predicted.ttftS);
    }
    EXPECT_EQ(tight, replayOf(run, {.kvBlocks = 22})) << "the same every time";
}

TEST(Replay, sharesPromptsThatAreKnown) {
    EngineRun run = test::readMadeUpRun();
    for (RecordedRequest& request : run.requests) {
        request.prompt = {{.first = 7, .count = request.input}};
    }
    const Replay shared = replayOf(run);
    EXPECT_EQ(shared.requests[1].cachedTokens, 32) << "two whole blocks of the first prompt";
    EXPECT_GT(shared.cachedTokens, 32);
    EXPECT_LT(shared.requests[1].predicted.ttftS,
              replayOf(test::readMadeUpRun()).requests[1].predicted.ttftS);
    run.meta.prefixCaching = false;
    EXPECT_EQ(replayOf(run).cachedTokens, 0);
}

TEST(Replay, saysWhenARequestCanNeverRun) {
    EngineRun run = test::readMadeUpRun();
    const Result<Replay> small = replayRun(run, {.kvBlocks = 4});
    ASSERT_FALSE(small);
    EXPECT_THAT(small.error().what, HasSubstr("bench-1 is longer than the cache: its 101 tokens need 7"));
    EXPECT_EQ(small.error().remedy, "--blocks 8 or more");
    EXPECT_FALSE(replayRun(run, {.kvBlocks = -1}));
    EXPECT_FALSE(replayRun(run, {.kvBlocks = std::int64_t{1} << 60}));
    run.requests[0].input = 5000;
    EXPECT_THAT(replayRun(run).error().what, HasSubstr("max_model_len"));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(replayRun(test::readMadeUpRun(), {}, stop.get_token()));
}

TEST(ReplayFigure, laysPredictedBesideRecordedAndThePeersError) {
    const EngineRun run = test::readMadeUpRun();
    const Replay replay = replayOf(run);
    const Result<ReplayFigure> figure = replayFigure(run, replay);
    ASSERT_TRUE(figure);
    EXPECT_EQ(figure->engine, "Llama-3.1-8B on Made-up GPU, vLLM 0.19.0");
    ASSERT_EQ(figure->dots.size(), 3U);
    EXPECT_EQ(figure->dots[1].id, "bench-1");
    EXPECT_NEAR(figure->dots[1].recorded.ttftS, 0.003, 1e-9);
    ASSERT_EQ(figure->quantiles.size(), 12U);
    const ReplayQuantile& mean = figure->quantiles[0];
    EXPECT_NEAR(mean.recordedS, (0.002 + 0.003 + 0.0029) / 3, 1e-9);
    EXPECT_NEAR(mean.error, mean.predictedS / mean.recordedS - 1, 1e-12);
    EXPECT_NEAR(mean.peerError.value(), 0.1, 1e-12);
    EXPECT_FALSE(figure->quantiles[5].peerError.has_value()) << "the peer published no TPOT median here";
    EXPECT_FALSE(figure->withinBounds);
    EXPECT_THAT(figure->sentence, HasSubstr("beyond the bounds"));
    ask::Report report;
    addLatencyPlot(report, *figure, LatencyKind::Tpot);
    const ask::Table& requests = *report.find("requests");
    EXPECT_EQ(requests.rows, 3U);
    EXPECT_EQ(requests.columns[6].key, "predicted_tpot_s");
    EXPECT_TRUE(requests.columns[6].at(2).isEmpty()) << "no TPOT with one output";
    EXPECT_EQ(report.find("dots")->rows, 2U);
    addErrorsPlot(report, *figure);
    EXPECT_EQ(report.find("quantiles")->rows, 12U);
}

TEST(ReplayFigure, needsRecordedTimes) {
    EngineRun run = test::readMadeUpRun();
    run.requests[1].times.reset();
    const Replay replay = replayOf(run);
    EXPECT_FALSE(replay.recorded.has_value());
    EXPECT_TRUE(replay.requests[0].recorded.has_value());
    EXPECT_THAT(replayFigure(run, replay).error().what, HasSubstr("no recorded times"));
}

} // namespace
} // namespace loadline
