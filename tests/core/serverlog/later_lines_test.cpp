// Lines of later versions and of failures; what order and settings prove; models by their parts and shapes.
#include "core/cost/shapes/shapes.h"
#include "core/serverlog/files/read_server_log.h"
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/verdict/finding.h"
#include "tests/core/serverlog/log_lines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace loadline {
namespace {

std::string said(const std::string& text, std::string_view key) {
    for (const Finding& finding : verdictOf(serverLogOf(text), {}).findings) {
        if (finding.key == key) {
            return std::string(wordOf(finding.verdict)) + ": " + finding.reason;
        }
    }
    return "";
}

TEST(LaterLines, OllamaTellsItsLayersInTwoMoreWays) {
    const std::string begin = "time=2026-01-05T10:00:00.000+02:00 level=INFO source=";
    EXPECT_TRUE(said(begin + "ggml.go:494 msg=\"offloaded 20/49 layers to GPU\"\n", "partial_offload")
                    .starts_with("supported: 29 layers are on the CPU"));
    EXPECT_TRUE(said(begin + "server.go:175 msg=offload library=cuda layers.requested=-1 layers.model=65 "
                             "layers.offload=45 layers.split=\"\"\n",
                     "partial_offload")
                    .starts_with("supported: 20 layers are on the CPU"));
    EXPECT_TRUE(said(begin + "ggml.go:494 msg=\"offloaded 49/49 layers to GPU\"\n", "partial_offload")
                    .starts_with("excluded"));
}

TEST(LaterLines, SglangTellsRequestsThatAreComplete) {
    const ServerLog log = serverLogOf(
        "[2026-05-14 09:31:40] ReqTimeStats(rid=4b5a, input_len=2000, cached_input_len=500, output_len=101, "
        "attempts=0, type=unified): queue_duration=500.00ms, initial_prefill_elapsed=1000.00ms, "
        "post_prefill_elapsed=4000.00ms, forward_duration=5000.00ms, entry_time=1778751094.500\n"
        "[2026-05-14 09:31:45] Req Time Stats(rid=9c, input len=38, output len=484, type=unified): "
        "queue_duration=0.00ms, forward_duration=1759654443392.38ms, start_time=0.0\n");
    EXPECT_EQ(test::serverKey(log), "sglang");
    ASSERT_EQ(log.requests.size(), 2U);
    const LogRequest& request = log.requests[0];
    EXPECT_EQ(request.id, "4b5a");
    EXPECT_DOUBLE_EQ(request.inputTokens, 2000);
    EXPECT_DOUBLE_EQ(request.cachedTokens, 500);
    EXPECT_DOUBLE_EQ(request.outputTokens, 101);
    EXPECT_NEAR(request.endS - request.arrivalS, 5.5, 1e-3);
    EXPECT_DOUBLE_EQ(request.prefillS, 1);
    EXPECT_DOUBLE_EQ(request.decodeTokensPerS, 25);
    EXPECT_DOUBLE_EQ(log.requests[1].inputTokens, 38);
    EXPECT_FALSE(isTold(log.requests[1].arrivalS)) << "its clock was never set";
}

TEST(LaterLines, MemoryThatRunsOutAndDeadEnginesAreEvents) {
    for (const char* line :
         {"ERROR 06-01 10:00:00 [core.py:1] EngineCore encountered a fatal error.",
          "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.",
          "vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.",
          "[2026-05-14 09:31:40 TP0] Scheduler hit an exception: Traceback (most recent call last):",
          "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 900.00 MiB on device 0: cudaMalloc failed: "
          "out of "
          "memory",
          "[METAL] Command buffer execution failed: Insufficient Memory "
          "(00000008:kIOGPUCommandBufferCallback)",
          "kernel: Out of memory: Killed process 4711 (python3)"}) {
        const ServerLog log = serverLogOf(std::string(line) + "\n" + line + "\n");
        ASSERT_EQ(log.events.size(), 1U) << line;
        EXPECT_EQ(log.events[0].kind, LogEventKind::Failure) << line;
        const LogVerdict verdict = verdictOf(log, {});
        EXPECT_EQ(verdict.findings.front().key, "failures") << line;
        EXPECT_NE(verdict.headline.find("failed once, first on line 1"), std::string::npos)
            << verdict.headline;
    }
    EXPECT_TRUE(
        serverLogOf("INFO 06-01 10:00:00 [logger.py:1] Received request cmpl-1: prompt: 'CUDA out of memory "
                    "when I train'\n")
            .events.empty())
        << "said by a user";
    EXPECT_FALSE(isServerLog("torch.OutOfMemoryError: CUDA out of memory.\n")) << "any program says so";
}

std::string launch(int slot, int task) {
    return fmt::format("slot launch_slot_: id  {} | task {} | processing task\n", slot, task);
}

std::string release(int slot, int task) {
    return fmt::format(
        "slot      release: id  {} | task {} | stop processing: n_tokens = 218, truncated = 0\n", slot, task);
}

TEST(LaterLines, SlotsWithoutTimesProveConcurrencyByTheirOrder) {
    std::string together;
    std::string apart;
    for (int i = 0; i < 4; ++i) {
        together += launch(i, i);
        apart += launch(0, i) + release(0, i);
    }
    for (int i = 0; i < 4; ++i) {
        together += release(i, i);
    }
    EXPECT_TRUE(said(together, "concurrent_requests")
                    .starts_with("supported: Slots begin before others end: up to 4"))
        << said(together, "concurrent_requests");
    EXPECT_FALSE(said(apart, "concurrent_requests").starts_with("supported"))
        << said(apart, "concurrent_requests");
    std::string unreleased; // a slot's next task ends the one before
    for (int i = 0; i < 4; ++i) {
        unreleased += launch(0, i);
    }
    EXPECT_FALSE(said(unreleased, "concurrent_requests").starts_with("supported"))
        << said(unreleased, "concurrent_requests");
}

TEST(LaterLines, OneSlotServesOneAtATime) {
    const std::string one = "srv    load_model: initializing slots, n_slots = 1\n" + launch(0, 0);
    EXPECT_TRUE(said(one, "concurrent_requests").starts_with("excluded")) << said(one, "concurrent_requests");
    const std::string four = "srv    load_model: initializing slots, n_slots = 4\n" + launch(0, 0);
    EXPECT_FALSE(said(four, "concurrent_requests").starts_with("excluded"));
}

TEST(LaterLines, PromptsThatAreComputedInTurnsAreConcurrentAndOneRate) {
    const auto at = [](int second, int done, int of) {
        return fmt::format("2026-08-21 17:06:{:02},000 - INFO - Prompt processing progress: {}/{}\n", second,
                           done, of);
    };
    const std::string text =
        "2026-08-21 17:06:00,000 - INFO - Prompt Cache: 0 sequences, 0.00 GB\n" + at(0, 0, 12'000) +
        at(2, 2000, 12'000) + "2026-08-21 17:06:02,000 - INFO - Prompt Cache: 0 sequences, 0.00 GB\n" +
        at(2, 0, 600) + at(4, 4000, 12'000) + at(6, 600, 600) + at(8, 6000, 12'000) + at(12, 12'000, 12'000);
    EXPECT_TRUE(said(text, "concurrent_requests").starts_with("supported"))
        << said(text, "concurrent_requests");
    const std::string headline = verdictOf(serverLogOf(text), {}).headline;
    EXPECT_NE(headline.find("1\u202f050 tokens/s"), std::string::npos)
        << headline << ": 12 600 tokens in 12 s";
}

TEST(LaterLines, AMixedReleaseAsGgufIsReadByItsParts) {
    ServerLog log;
    log.facts = {{"model", "gpt-oss-120b", {0, 1}}, {"bits_per_weight", "4.34", {0, 2}}};
    const ServedOn chosen{.device = "H100-SXM"};
    const SpeedOfLight file(servedOnLog(chosen, log).served);
    EXPECT_NEAR(file.weightsGB(), 3.6, 0.1) << "by tensor 3.59; its mean of 4.34 bits over all gives 2.77";
    ServedOn named = chosen;
    takeNamed(named, "gpt-oss-120b-mxfp4");
    EXPECT_NEAR(SpeedOfLight(named).weightsGB(), 4.94, 0.02);
    log.facts[1].value = "16";
    EXPECT_NEAR(SpeedOfLight(servedOnLog(chosen, log).served).weightsGB(), 5.1 * 2, 0.2) << "no such release";
}

TEST(LaterLines, LatentsAreReadByEveryDevice) {
    ServedOn served{
        .model = findCacheModel("deepseek-v3"), .bitsPerWeight = 8, .device = "H200-SXM", .devices = 8};
    served.released = releasedBitsOf(*served.model, "");
    const SpeedOfLight eight(served);
    served.devices = 1;
    EXPECT_DOUBLE_EQ(eight.kvGB(1000), 8 * SpeedOfLight(served).kvGB(1000));
    EXPECT_NEAR(eight.ceiling(3752, 64), 53.3, 0.8) << "63.8 where the latent is divided";
    ServedOn grouped{
        .model = findCacheModel("llama-3.1-8b"), .bitsPerWeight = 16, .device = "H100-SXM", .devices = 8};
    const SpeedOfLight heads(grouped);
    grouped.devices = 1;
    EXPECT_DOUBLE_EQ(heads.kvGB(1000), SpeedOfLight(grouped).kvGB(1000)) << "8 heads over 8 devices";
}

TEST(LaterLines, ModelsOfTheTableHaveShapesForTheSimulator) {
    const auto shapes = shapesOf(*findCacheModel("qwen3-8b"));
    ASSERT_TRUE(shapes);
    EXPECT_NEAR(weightsPerRow(*shapes) / (8.19e9 - 151'936.0 * 4096), 1, 0.002);
    EXPECT_EQ(std::ranges::find(shapes->gemms, "down", &LayerGemm::name)->size, (GemmSize{12'288, 4096}));
    for (const CacheModel& model : cacheModels()) {
        if (const auto one = shapesOf(model)) {
            EXPECT_NEAR((totalWeights(*one) + static_cast<double>(one->embeddingWeights)) /
                            model.totalParameters,
                        1, 0.06)
                << model.key;
            EXPECT_FALSE(problemOf(*one)) << model.key;
        }
    }
    EXPECT_FALSE(shapesOf(*findCacheModel("deepseek-v3")));
}

TEST(LaterLines, AnyModelByShapesOrByBytes) {
    ServedOn bytes{.device = "M3-Max-40c"};
    EXPECT_FALSE(bytes.known());
    bytes.weightsGBPerToken = 4;
    ASSERT_TRUE(bytes.known());
    EXPECT_DOUBLE_EQ(SpeedOfLight(bytes).ceiling(1000), 100);
    bytes.kvBytesPerToken = 1e6;
    EXPECT_DOUBLE_EQ(SpeedOfLight(bytes).ceiling(1000), 80);
    EXPECT_TRUE(SpeedOfLight(bytes).band().points.empty());
    ServerLog log = serverLogOf("INFO:     127.0.0.1:1 - \"POST /v1/completions HTTP/1.1\" 200 OK\n");
    const LogVerdict verdict = verdictOf(log, bytes);
    EXPECT_NE(markdownOf(verdict, log, {}).find("4 GB of weights a token"), std::string::npos);

    const ModelShapes* shapes = findShapePreset("llama-3.1-8b");
    ASSERT_NE(shapes, nullptr);
    ServedOn own{.bitsPerWeight = 16, .device = "H100-SXM"};
    own.own = ownModelOf(*shapes);
    own.model = &own.own->model;
    ServedOn table{.model = findCacheModel("llama-3.1-8b"), .bitsPerWeight = 16, .device = "H100-SXM"};
    EXPECT_NEAR(SpeedOfLight(own).ceiling(8000) / SpeedOfLight(table).ceiling(8000), 1, 0.03);
    EXPECT_TRUE(SpeedOfLight(own).served().words().find("llama-3.1-8b") != std::string::npos);
    for (const char* name :
         {"Qwen/Qwen3-Coder-30B-A3B-Instruct", "Qwen2.5-7B-Instruct", "qwen3:4b", "Qwen3-14B-AWQ",
          "meta-llama/Llama-3.2-3B-Instruct", "Qwen2.5-Coder-32B-Instruct"}) {
        EXPECT_NE(modelNamed(name).model, nullptr) << name;
    }
}

} // namespace
} // namespace loadline
