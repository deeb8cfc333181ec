// Lines of a start tell models by their files, bits, devices, layers left to the CPU.
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/verdict/log_figure.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace loadline {
namespace {

// ggml-org/llama.cpp, as its server starts (2025), cut.
std::string startOfLlama(std::string_view layers) {
    return fmt::format(
        "ggml_cuda_init: found 1 CUDA devices:\n"
        "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 4090) - 22994 MiB free\n"
        "llama_model_loader: loaded meta data with 28 key-value pairs and 399 tensors from "
        "Qwen3-8B-Q4_K_M.gguf "
        "(version GGUF V3 (latest))\n"
        "print_info: file size   = 4.68 GiB (4.91 BPW) \n"
        "print_info: general.name     = Qwen3 8B\n"
        "load_tensors: offloaded {} layers to GPU\n"
        "main: server is listening on http://127.0.0.1:8080 - starting the main loop\n",
        layers);
}

const Finding* hypothesisIn(const LogVerdict& verdict, std::string_view key) {
    const auto found = std::ranges::find(verdict.findings, key, &Finding::key);
    return found == verdict.findings.end() ? nullptr : &*found;
}

TEST(StartUpFacts, OfLlamaCppNameModelBitsAndDevice) {
    const ServerLog log = serverLogOf(startOfLlama("37/37"));
    const ServedOnLog served = servedOnLog({}, log);
    ASSERT_NE(served.served.model, nullptr);
    EXPECT_EQ(served.served.model->key, "qwen3-8b");
    EXPECT_DOUBLE_EQ(served.served.bitsPerWeight, 4.91);
    EXPECT_EQ(served.served.device, "RTX4090");
    EXPECT_EQ(served.assumption, "");
    EXPECT_EQ(hypothesisIn(verdictOf(log, served.served), "partial_offload")->verdict, Verdict::Excluded);
}

TEST(StartUpFacts, LayersOnTheCpuAreAHypothesisOfTheirOwn) {
    const ServerLog log = serverLogOf(startOfLlama("20/37"));
    const ServedOnLog served = servedOnLog({}, log);
    EXPECT_EQ(served.served.device, "") << "the device holds a part of the model alone";
    const LogVerdict verdict = verdictOf(log, served.served);
    const Finding* offload = hypothesisIn(verdict, "partial_offload");
    ASSERT_NE(offload, nullptr);
    EXPECT_EQ(offload->verdict, Verdict::Supported);
    EXPECT_TRUE(offload->reason.starts_with("17 layers are on the CPU")) << offload->reason;
    EXPECT_EQ(offload->evidence, (std::vector<LogLine>{{0, 6}}));
    const ServerLog untold = serverLogOf("main: server is listening on http://127.0.0.1:8080 - starting\n");
    EXPECT_EQ(hypothesisIn(verdictOf(untold, {}), "partial_offload")->verdict, Verdict::NotExcluded);
}

std::string startOfVllm(std::string_view more) {
    return fmt::format(
        "INFO 10-20 06:48:01 [core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: "
        "model='meta-llama/Llama-3.1-70B-Instruct', speculative_config=None, dtype=torch.bfloat16, "
        "max_seq_len=8192, {}, enable_prefix_caching=True\n"
        "INFO 10-20 06:49:01 [loggers.py:271] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg "
        "generation "
        "throughput: 20.0 tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 5.9%, Prefix cache "
        "hit rate: 0.0%\n",
        more);
}

TEST(StartUpFacts, TensorParallelDevicesShareTheStep) {
    const ServerLog log = serverLogOf(startOfVllm("tensor_parallel_size=2, enforce_eager=True"));
    ServedOn chosen;
    chosen.device = "H100-SXM";
    const ServedOnLog served = servedOnLog(chosen, log);
    ASSERT_NE(served.served.model, nullptr) << "of the shape of Llama-3.3-70B";
    EXPECT_EQ(served.served.model->key, "llama-3.3-70b");
    EXPECT_EQ(served.served.devices, 2);
    const LogVerdict verdict = verdictOf(log, served.served);
    ASSERT_TRUE(verdict.light);
    EXPECT_DOUBLE_EQ(verdict.light->bandwidthGBs(), 2 * findHardware("H100-SXM")->bandwidthGbS);
    EXPECT_NE(verdict.headline.find("2\u00a0x\u00a0"), std::string::npos) << verdict.headline;
    EXPECT_NE(verdict.headline.find("\u00a0GB/s"), std::string::npos) << "no line breaks there";
    EXPECT_EQ(hypothesisIn(verdict, "engine_settings")->verdict, Verdict::Supported);
    EXPECT_TRUE(verdict.headline.ends_with("The engine runs without CUDA graphs.")) << verdict.headline;
    chosen.devices = 1;
    EXPECT_EQ(servedOnLog(chosen, log).served.devices, 1) << "what is chosen counts, one device too";
    chosen.bandwidthGBs = 5000;
    EXPECT_DOUBLE_EQ(SpeedOfLight(servedOnLog(chosen, log).served).bandwidthGBs(), 5000) << "of all together";
    EXPECT_EQ(servedOnLog({}, serverLogOf(startOfVllm("tensor_parallel_size=1"))).served.devices, 1);
}

TEST(StartUpFacts, ModelsAreAsReleasedWhereNoNameTellsTheirBits) {
    ServerLog log;
    log.facts = {{"model", "openai/gpt-oss-20b", {0, 1}}};
    ServedOnLog served = servedOnLog({}, log);
    ASSERT_NE(served.served.released, nullptr);
    EXPECT_NE(served.assumption.find("MXFP4 experts"), std::string::npos) << served.assumption;
    served.served.bandwidthGBs = 1000;
    const SpeedOfLight light(served.served);
    EXPECT_NE(markdownOf(verdictOf(log, served.served), log, {}).find("MXFP4 experts"), std::string::npos);
    EXPECT_NEAR(light.weightsGB(), 1.27 + 1.27 + 1.16, 0.03) << "experts, attention, head";
    const WeightsRead read = weightsRead(*served.served.model, 1);
    EXPECT_NEAR(read.experts * 4.25 / 8e9, 1.27, 0.01);
    EXPECT_NEAR(read.head * 2 / 1e9, 1.16, 0.01);
    EXPECT_NEAR(read.rest * 2 / 1e9, 1.27, 0.03);
    EXPECT_NEAR(weightsRead(*served.served.model, 1e6).experts, 19.1e9, 0.1e9) << "all experts";
    log.facts[0].value = "openai/gpt-oss-20b-mxfp4";
    EXPECT_NE(servedOnLog({}, log).served.released, nullptr) << "its experts alone";
    log.facts[0].value = "moonshotai/Kimi-K2-Thinking";
    EXPECT_EQ(servedOnLog({}, log).served.released->experts, 4.5);
    log.facts[0].value = "moonshotai/Kimi-K2-Instruct";
    EXPECT_EQ(servedOnLog({}, log).served.released->experts, 8);
    log.facts[0].value = "deepseek-ai/DeepSeek-V3-bf16";
    EXPECT_EQ(servedOnLog({}, log).served.bitsPerWeight, 16);
    EXPECT_EQ(servedOnLog({}, log).served.released, nullptr);
    for (const ReleasedBits& release : releasedBits()) {
        EXPECT_NE(findCacheModel(release.model), nullptr) << release.model;
        EXPECT_FALSE(release.source.empty());
    }
}

TEST(StartUpFacts, AChosenModelBesideAnotherInTheLogIsSaid) {
    ServerLog log;
    log.facts = {{"model", "mlx-community/gemma-3-12b-it-4bit", {0, 1}}};
    const ServedOnLog chosen = servedOnLog({.model = findCacheModel("qwen3-8b"), .bitsPerWeight = 8}, log);
    EXPECT_EQ(chosen.assumption, "the model is chosen: the log names gemma-3-12b");
    ServedOn device;
    device.device = "L40S";
    EXPECT_EQ(servedOnLog(device, serverLogOf(startOfLlama("37/37"))).assumption,
              "the device is chosen: the log names RTX4090");
}

TEST(WeightsRead, LeavesOutInputEmbeddings) {
    EXPECT_NEAR(weightsRead(*findCacheModel("llama-3.1-8b"), 1).rest, 8.03e9 - 2 * 128'256.0 * 4096, 1);
    EXPECT_NEAR(weightsRead(*findCacheModel("gemma-3-12b"), 1).rest + 262'208.0 * 3840, 11.77e9, 1)
        << "the head is the embeddings";
    for (const CacheModel& model : cacheModels()) {
        for (const double batch : {1.0, 8.0, 1e6}) {
            const WeightsRead read = weightsRead(model, batch);
            EXPECT_GE(read.experts, 0) << model.key;
            EXPECT_GT(read.rest, 0) << model.key;
            EXPECT_LE(read.experts + read.rest + read.head, weightsTouched(model, batch) * 1.0001)
                << model.key;
        }
    }
}

} // namespace
} // namespace loadline
