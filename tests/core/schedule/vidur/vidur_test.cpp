// The loop and the arrivals under schedulers that are not ours: Vidur's, by hand, at random, and against
// every recorded trace of theirs.
#include "../make_scenario.h"
#include "../traces.h"
#include "vidur_run.h"

#include <gmock/gmock.h>

#include <random>
#include <utility>

namespace loadline {
namespace {

using test::described;
using test::follower;
using test::Json;
using test::request;
using test::runVidur;
using test::VidurConfig;
using test::VidurScheduler;
using testing::ElementsAre;

std::vector<Step> vidurStepsOf(const VidurConfig& config, const std::vector<ScheduleRequest>& requests) {
    Result<ScheduleTrace> trace = runVidur(config, requests);
    if (!trace) {
        ADD_FAILURE() << trace.error().sentence();
        return {};
    }
    return std::move(trace->steps);
}

VidurConfig vidur(VidurScheduler scheduler) {
    VidurConfig config;
    config.scheduler = scheduler;
    config.chunkSize = 8;
    config.maxTokensInBatch = 16;
    config.blockSize = 4;
    config.numBlocks = 100;
    config.watermarkBlocksFraction = 0;
    return config;
}

TEST(VidurSarathiTest, DecodesThenPromptsInOneStep) {
    const auto steps =
        vidurStepsOf(vidur(VidurScheduler::Sarathi), {request(0, 0, 3, 3), request(1, 1, 10, 1)});
    EXPECT_THAT(described(steps), ElementsAre("0:3", "0:1 1:7", "0:1 1:3 !0 !1"));
}

TEST(VidurVllmV0Test, PromptsFirstAndDecodesAlone) {
    const auto steps =
        vidurStepsOf(vidur(VidurScheduler::VllmV0), {request(0, 0, 3, 3), request(1, 1, 10, 1)});
    EXPECT_THAT(described(steps), ElementsAre("0:3", "1:10 !1", "0:1", "0:1 !0"));
    EXPECT_THAT(steps[1].emitted, ElementsAre(1));
}

TEST(VidurVllmV0Test, ThePaddedBatchIsBounded) {
    const auto steps =
        vidurStepsOf(vidur(VidurScheduler::VllmV0), {request(0, 0, 9, 1), request(1, 0, 2, 1)});
    EXPECT_THAT(described(steps), ElementsAre("0:9 !0", "1:2 !1")); // 2 x 9 is more than 16
}

TEST(VidurSarathiTest, ADecodeAsksForAFreeBlockEvenIfItNeedsNone) {
    VidurConfig config = vidur(VidurScheduler::Sarathi);
    config.numBlocks = 2;
    const auto steps = vidurStepsOf(config, {request(0, 0, 5, 2)});
    EXPECT_THAT(described(steps), ElementsAre("0:5", "0:6 -0 !0"));
}

TEST(VidurRandomTest, EveryRequestFinishesAndGivesItsBlocksBack) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const auto upTo = [&](std::int64_t n) {
            return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
        };
        VidurConfig config;
        config.scheduler = upTo(2) == 0 ? VidurScheduler::Sarathi : VidurScheduler::VllmV0;
        config.chunkSize = 1 + upTo(64);
        config.blockSize = 1 + upTo(16);
        config.numBlocks = 2 + (100 + config.blockSize - 1) / config.blockSize + upTo(30);
        config.batchSizeCap = 1 + upTo(12);
        std::vector<ScheduleRequest> requests;
        const std::int64_t count = 1 + upTo(25);
        for (std::int64_t id = 0; id < count; ++id) {
            requests.push_back(id > 0 && upTo(3) == 0
                                   ? follower(id, upTo(id), upTo(3), 1 + upTo(60), 1 + upTo(30))
                                   : request(id, upTo(30), 1 + upTo(60), 1 + upTo(30)));
        }
        const Result<ScheduleTrace> trace = runVidur(config, requests);
        ASSERT_TRUE(trace) << trace.error().sentence();
        EXPECT_EQ(trace->steps.back().free, config.numBlocks);
        for (const RequestSummary& summary : trace->requests) {
            EXPECT_GE(summary.finishStep, 0);
        }
        const Result<ScheduleTrace> again = runVidur(config, requests);
        ASSERT_TRUE(again);
        EXPECT_EQ(*again, *trace);
    }
}

VidurConfig vidurConfigIn(const Json& json) {
    return {.scheduler = json.at("scheduler") == "sarathi" ? VidurScheduler::Sarathi : VidurScheduler::VllmV0,
            .chunkSize = json.at("chunk_size"),
            .maxTokensInBatch = json.at("max_tokens_in_batch"),
            .batchSizeCap = json.at("batch_size_cap"),
            .blockSize = json.at("block_size"),
            .numBlocks = json.at("num_blocks"),
            .watermarkBlocksFraction = json.at("watermark_blocks_fraction")};
}

std::vector<ScheduleRequest> vidurRequestsIn(const Json& json) {
    std::vector<ScheduleRequest> requests;
    for (const Json& one : json) {
        ScheduleRequest request{.id = one.at("id"),
                                .delay = one.value("delay", 0),
                                .promptTokens = one.at("prompt_tokens"),
                                .outputTokens = one.at("output_tokens")};
        if (one.contains("after")) {
            request.after = one.at("after").get<std::int64_t>();
        } else {
            request.arrivalStep = one.at("arrival_step").get<std::int64_t>();
        }
        requests.push_back(std::move(request));
    }
    return requests;
}

Json vidurIdsOf(const std::vector<ScheduleRequest>& requests, const std::vector<RequestIndex>& indices) {
    Json ids = Json::array();
    for (const RequestIndex index : indices) {
        ids.push_back(requests[index].id);
    }
    return ids;
}

/// The step as the traces write it; `listed`: running and waiting, too.
Json vidurDocumentOf(const std::vector<ScheduleRequest>& requests, const Step& step, bool listed) {
    Json scheduled = Json::array();
    for (const RequestTokens& pair : step.scheduled) {
        scheduled.push_back(requests[pair.request].id);
        scheduled.push_back(pair.tokens);
    }
    Json document = {{"t", step.t},
                     {"arrive", vidurIdsOf(requests, step.arrived)},
                     {"sched", scheduled},
                     {"preempted", vidurIdsOf(requests, step.preempted)},
                     {"total", step.total},
                     {"free_sched", step.freeScheduled},
                     {"n_running", step.runningCount},
                     {"n_waiting", step.waitingCount},
                     {"emit", vidurIdsOf(requests, step.emitted)},
                     {"finished", vidurIdsOf(requests, step.finished)},
                     {"free", step.free}};
    if (listed) {
        document["running"] = vidurIdsOf(requests, step.running);
        document["waiting"] = vidurIdsOf(requests, step.waiting);
    }
    return document;
}

void compareVidur(const std::string& name) {
    const Json expected = Json::parse(test::textOfTrace(name));
    const std::vector<ScheduleRequest> requests = vidurRequestsIn(expected.at("requests"));
    const Result<ScheduleTrace> trace = runVidur(vidurConfigIn(expected.at("config")), requests);
    ASSERT_TRUE(trace) << name << ": " << trace.error().sentence();
    Json got = {{"steps", Json::array()}, {"summary", Json::array()}};
    for (const Step& step : trace->steps) {
        got["steps"].push_back(vidurDocumentOf(requests, step, requests.size() <= RunLimits().listedQueues));
    }
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const RequestSummary& one = trace->requests[i];
        got["summary"].push_back({requests[i].id, one.arrivalStep, one.firstScheduledStep, one.firstTokenStep,
                                  one.finishStep, one.preemptions});
    }
    test::expectSameSteps(expected, got, name);
    ASSERT_EQ(got["summary"], expected["summary"]) << name;
}

TEST(VidurTraceTest, EveryFieldOfEveryStepIsReproduced) {
    const std::vector<std::string> names = test::tracesOf("vidur");
    if (names.empty()) {
        GTEST_SKIP() << "there are no traces in " << test::tracesFolder() / "vidur";
    }
    int compared = 0;
    for (const std::string& name : names) {
        compareVidur(name);
        compared += HasFailure() ? 0 : 1;
    }
    RecordProperty("compared", compared);
}

} // namespace
} // namespace loadline
