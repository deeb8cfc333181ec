// The verdict names what holds a queue back only where lines tell it.
#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/made_up_statistics.h"

namespace loadline {
namespace {

using test::findingOn;
using test::says;
using test::vllmLine;
using test::vllmLines;
using test::VllmStats;

std::string allowed(int requests) {
    return fmt::format("INFO 06-01 10:00:00 [utils.py:1] non-default args: {{'max_num_seqs': {}}}\n",
                       requests);
}

std::string reasonOn(const std::string& text) {
    return findingOn(text, "queueing").reason;
}

TEST(QueueHolder, WithoutPromptsNothingWasAdmitted) {
    const std::string hang =
        vllmLines(400, [](int i) { return VllmStats{.output = 5.4, .waiting = 14, .kv = 76.5 + 0.05 * i}; });
    for (const std::string& text : {hang, allowed(256) + hang}) {
        const std::string reason = reasonOn(text);
        EXPECT_TRUE(says(reason, "No tokens of prompts were computed on these lines, in 1 h 06 min") ||
                    says(reason, "No tokens of prompts were computed on these lines, in 1 h 07 min"))
            << reason;
        EXPECT_TRUE(says(reason, "is not told")) << reason;
        EXPECT_FALSE(says(reason, "take their turns") || says(reason, "limit of requests")) << reason;
    }
}

TEST(QueueHolder, ALimitThatIsNotToldIsNoCause) {
    const auto pinned = [](int) {
        return VllmStats{.prompt = 50, .output = 500, .running = 16, .waiting = 9};
    };
    const std::string untold = reasonOn(vllmLines(40, pinned));
    EXPECT_TRUE(says(untold, "not told: 16 run on nearly each of these lines, as with a limit")) << untold;
    EXPECT_TRUE(
        says(reasonOn(allowed(16) + vllmLines(40, pinned)), "The limit of requests at once holds them back"));
    EXPECT_TRUE(says(reasonOn(allowed(64) + vllmLines(40, pinned)), "prompts take their turns"));
}

TEST(QueueHolder, StatesOfRecurrentLayersFillUp) {
    std::string text;
    for (int i = 0; i < 20; ++i) {
        text +=
            fmt::format("[2026-03-14 04:59:{:02}] Decode batch, #running-req: 20, #full token: 2326016, full "
                        "token usage: 0.14, mamba num: 20, mamba usage: 1.00, cuda graph: True, gen "
                        "throughput (token/s): 1180.00, #queue-req: 6, \n",
                        i);
    }
    EXPECT_DOUBLE_EQ(serverLogOf(text).intervals[3].stateUse, 1);
    EXPECT_DOUBLE_EQ(serverLogOf(text).intervals[3].kvUse, 0.14);
    EXPECT_TRUE(says(reasonOn(text), "mamba usage) hold them back: their room is 100 % full"))
        << reasonOn(text);
}

TEST(QueueHolder, UnevenLoadOfEnginesIsNamed) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
        text += vllmLine({.prompt = 90, .output = 400, .running = 32, .waiting = 60, .kv = 99}, 10 * i, 0) +
                vllmLine({.prompt = 90, .output = 200, .running = 8, .kv = 20}, 10 * i, 1) +
                vllmLine({.output = 0, .running = 0, .kv = 0}, 10 * i, 2);
    }
    EXPECT_TRUE(says(reasonOn(text), "60 wait at engine 0, which runs 32, while engine 2 runs 0"))
        << reasonOn(text);
}

TEST(Preempted, SwappedRequestsAreNotComputedAgainAndCountsAreAdded) {
    const std::string swap =
        "WARNING 10-28 11:16:41 scheduler.py:1483] Sequence group chat-7 is preempted by "
        "PreemptionMode.SWAP mode because there is not enough KV cache space.\n";
    const std::string recompute =
        "WARNING 10-28 11:16:42 scheduler.py:1483] Sequence group chat-8 is preempted by "
        "PreemptionMode.RECOMPUTE mode because there is not enough KV cache space.\n";
    const auto reason = [](const std::string& text) { return findingOn(text, "preemption").reason; };
    EXPECT_TRUE(says(reason(swap), "not computed again")) << reason(swap);
    EXPECT_TRUE(says(reason(swap + recompute), "1 went to the CPU's memory")) << reason(swap + recompute);
    const std::string retracted = "[2026-05-24 03:51:46 TP0] KV cache pool is full. Retract requests. "
                                  "#retracted_reqs: 2, #new_token_ratio: 0.6213 -> 0.8821\n";
    EXPECT_TRUE(reason(retracted).starts_with("2 preemptions from line 1 on")) << reason(retracted);
    const std::string equal =
        vllmLines(20, [](int i) { return VllmStats{.more = i < 10 ? "" : " Preemptions: 3,"}; });
    EXPECT_TRUE(reason(equal).starts_with("30 preemptions from line 11 on")) << reason(equal);
}

TEST(Preempted, AFallBehindThemIsNoHeat) {
    std::string text;
    for (int i = 0; i < 6; ++i) {
        text += fmt::format(
            "[2026-05-24 03:51:{:02} TP0] Decode batch, #running-req: {}, #token: {}, token usage: "
            "0.90, gen throughput (token/s): {}.00, #queue-req: 3\n",
            i < 3 ? i : 4 * i, i < 3 ? 4 : 2, i < 3 ? 40'000 : 24'000, i < 3 ? 430 : 20);
        text +=
            i == 2 ? "[2026-05-24 03:51:03 TP0] KV cache pool is full. Retract requests. #retracted_reqs: 2, "
                     "#new_token_ratio: 0.6213 -> 0.8821\n"
                   : "";
    }
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_TRUE(says(finding.reason, "requests were preempted in between (line 4)")) << finding.reason;
}

TEST(Preempted, AContextThatGrowsALittleExplainsALittle) {
    std::string text;
    for (int i = 0; i < 60; ++i) {
        text += fmt::format(
            "[2026-05-24 03:{:02}:{:02} TP0] Decode batch, #running-req: 4, #token: {}, token usage: "
            "0.00, gen throughput (token/s): {}.00, #queue-req: 0\n",
            51 + i / 6, i % 6 * 10, i < 30 ? 40'000 : 52'000, i < 30 ? 400 : 100);
    }
    const Finding finding = findingOn(text, "thermal_decay");
    EXPECT_TRUE(says(finding.reason, "explains 2")) << finding.reason;
}

TEST(HitRates, EnginesAreToldApart) {
    std::string text;
    for (int i = 0; i < 6; ++i) {
        text += vllmLine({}, 10 * i, 0) + vllmLine({.hit = 90}, 10 * i, 1);
    }
    const Finding finding = findingOn(text, "cache_misses");
    EXPECT_TRUE(says(finding.reason, "0 % (engine 0) to 90.0 % (engine 1) at the end")) << finding.reason;
}

} // namespace
} // namespace loadline
