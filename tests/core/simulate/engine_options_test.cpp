// What is understood of pasted vLLM commands and configs, and what is listed as not understood.
#include "core/simulate/request/engine_options.h"

#include "core/simulate/request/engine_words.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

bool leaves(const EngineOptions& options, const std::string& option) {
    return std::any_of(options.left.begin(), options.left.end(),
                       [&](const OptionLeft& left) { return left.option.find(option) != std::string::npos; });
}

TEST(EngineOptions, ACommandLine) {
    const auto read =
        engineOptionsIn("$ CUDA_VISIBLE_DEVICES=0 vllm serve meta-llama/Llama-3.1-8B-Instruct \\\n"
                        "    --max-num-batched-tokens 2048 --max-num-seqs=64 \\\r\n"
                        "    --long-prefill-token-threshold 1k --max-model-len 32K \\\n"
                        "    --no-enable-prefix-caching --async-scheduling --block-size 32 \\\n"
                        "    --scheduling-policy priority --watermark 0.01 -tp 2 \\\n"
                        "    --gpu-memory-utilization 0.9 --port 8000 --frobnicate yes # here\n");
    ASSERT_TRUE(read) << read.error().sentence();
    const PolicySetup& policy = read->policy;
    EXPECT_EQ(policy.policy, Policy::VllmV1);
    EXPECT_EQ(policy.budgetTokens, 2048);
    EXPECT_EQ(policy.maxSeqs, 64);
    EXPECT_EQ(policy.chunkTokens, 1000);
    EXPECT_EQ(policy.maxModelLen, 32768);
    EXPECT_FALSE(policy.prefixCache);
    EXPECT_TRUE(policy.async);
    EXPECT_EQ(policy.blockTokens, 32);
    EXPECT_EQ(policy.order, VllmPolicy::Priority);
    EXPECT_DOUBLE_EQ(policy.watermark, 0.01);
    EXPECT_EQ(read->tensorParallel, 2);
    EXPECT_EQ(read->gpuMemoryUtilisation, 0.9);
    EXPECT_EQ(read->model, "meta-llama/Llama-3.1-8B-Instruct");
    EXPECT_EQ(read->shapes, "llama-3.1-8b");
    EXPECT_TRUE(leaves(*read, "--port"));
    EXPECT_TRUE(leaves(*read, "--frobnicate"));
    EXPECT_TRUE(leaves(*read, "-tp"));
    EXPECT_EQ(policy.memoryShare, 0.9);
    EXPECT_EQ(read->left.size(), 3U);
}

TEST(EngineOptions, AServerThatIsNotToldALengthHasTheModelsOwn) {
    const auto silent = engineOptionsIn("vllm serve meta-llama/Llama-3.1-8B --max-num-seqs 8");
    ASSERT_TRUE(silent);
    EXPECT_EQ(silent->policy.maxModelLen, PolicySetup{}.maxModelLen);
    ASSERT_EQ(silent->left.size(), 1U);
    EXPECT_EQ(silent->left[0].option, "no --max-model-len");
    EXPECT_NE(silent->left[0].why.find("--max-model-len 131072"), std::string::npos) << silent->left[0].why;
    for (const char* text : {"vllm serve meta-llama/Llama-3.1-8B --max-model-len 200000", "--max-num-seqs 8",
                             "vllm serve --max-num-seqs 8"}) {
        const auto read = engineOptionsIn(text);
        ASSERT_TRUE(read);
        EXPECT_FALSE(leaves(*read, "no --max-model-len")) << text;
    }
    PolicySetup shorter;
    shorter.maxModelLen = 4096;
    const auto kept = engineOptionsIn("vllm serve meta-llama/Llama-3.1-8B", shorter);
    ASSERT_TRUE(kept);
    EXPECT_TRUE(kept->left.empty());
}

TEST(EngineOptions, MemoryNeedsKnownShapes) {
    const auto read = engineOptionsIn("vllm serve nobody/knows --gpu-memory-utilization 0.8");
    ASSERT_TRUE(read);
    EXPECT_TRUE(leaves(*read, "--gpu-memory-utilization"));
    EXPECT_FALSE(read->policy.memoryShare);
    EXPECT_FALSE(engineOptionsIn("vllm serve nobody/knows --gpu-memory-utilization 0"));
    const auto both = engineOptionsIn("vllm serve meta-llama/Llama-3.1-8B --gpu-memory-utilization 0.8 "
                                      "--num-gpu-blocks-override 5000");
    ASSERT_TRUE(both);
    EXPECT_TRUE(leaves(*both, "--gpu-memory-utilization")); // the number of blocks goes before it
    EXPECT_FALSE(both->policy.memoryShare);
    PolicySetup policy;
    policy.memoryShare = 0.85;
    EXPECT_NE(vllmServeCommand(policy)->find(" --gpu-memory-utilization 0.85"), std::string::npos);
}

TEST(EngineOptions, FlagsDoNotSwallowTheModelBehindThem) {
    const auto read = engineOptionsIn("vllm serve --enable-prefix-caching Qwen/Qwen3-32B --enforce-eager");
    ASSERT_TRUE(read) << read.error().sentence();
    EXPECT_TRUE(read->policy.prefixCache);
    EXPECT_EQ(read->model, "Qwen/Qwen3-32B");
    EXPECT_EQ(read->shapes, "qwen3-32b");
    EXPECT_TRUE(leaves(*read, "--enforce-eager"));
}

TEST(EngineOptions, YamlAndJson) {
    const auto yaml = engineOptionsIn("# engine\nmodel: 'unheard-of/model'\nmax-num-seqs: 12  # few\n"
                                      "enable_chunked_prefill: false\nport: 8000\n");
    ASSERT_TRUE(yaml) << yaml.error().sentence();
    EXPECT_EQ(yaml->policy.maxSeqs, 12);
    EXPECT_FALSE(yaml->policy.chunkedPrefill);
    EXPECT_FALSE(yaml->shapes.has_value());
    EXPECT_TRUE(leaves(*yaml, "unheard-of"));
    const auto json = engineOptionsIn(R"({"scheduler_config": {"max_num_batched_tokens": 512, "policy": "x"},
                                          "max_num_seqs": 256, "seed": 42, "quantization": null})");
    ASSERT_TRUE(json) << json.error().sentence();
    EXPECT_EQ(json->policy.budgetTokens, 512);
    EXPECT_EQ(json->policy.maxSeqs, 256);
    EXPECT_EQ(json->left.size(), 2U);
}

TEST(EngineOptions, KeepsWhatTheTextDoesNotSay) {
    PolicySetup base;
    base.policy = Policy::Mlx;
    base.budgetTokens = 4096;
    base.kvBlocks = 700;
    const auto read = engineOptionsIn("--max-num-seqs 8", base);
    ASSERT_TRUE(read) << read.error().sentence();
    EXPECT_EQ(read->policy.policy, Policy::VllmV1);
    EXPECT_EQ(read->policy.budgetTokens, 4096);
    EXPECT_EQ(read->policy.kvBlocks, 700);
    EXPECT_EQ(read->policy.maxSeqs, 8);
}

TEST(EngineOptions, SaysWhatIsWrong) {
    for (const char* text :
         {"", "   \n ", "vllm serve 'unclosed", "{\"a\": ", "--max-num-seqs", "--max-num-seqs lots",
          "--max-num-seqs 0", "--max-num-seqs -3", "--watermark 2", "--block-size 1.5",
          "--scheduling-policy lifo", "--enable-chunked-prefill=perhaps", "--max-num-batched-tokens nan",
          "--max-num-batched-tokens 9e99"}) {
        const auto read = engineOptionsIn(text);
        EXPECT_FALSE(read) << text;
        if (!read) {
            EXPECT_FALSE(read.error().what.empty()) << text;
        }
    }
}

TEST(EngineOptions, ANumberThatIsTooLargeIsToldTheRange) {
    const auto read = engineOptionsIn("--max-num-batched-tokens 2m");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().what, "the value is not a whole number from 1 to 1\u202f048\u202f576");
}

/// Somebody types: every beginning and every end of a command is read, or refused in words.
TEST(EngineOptions, HalfACommandIsReadToo) {
    const std::string whole = "vllm serve Qwen/Qwen3-32B --max-num-seqs 128 --block-size=32 -tp 2 -- - "
                              "--enable-prefix-caching --no-async-scheduling 'a b' --x={\"a\":1}";
    for (std::size_t i = 0; i <= whole.size(); ++i) {
        for (const std::string& part : {whole.substr(0, i), whole.substr(i)}) {
            const auto read = engineOptionsIn(part);
            EXPECT_TRUE(read || !read.error().what.empty()) << part;
        }
    }
    const auto dashes = engineOptionsIn("--");
    ASSERT_TRUE(dashes);
    EXPECT_EQ(dashes->left.size(), 1U);
}

TEST(EngineOptions, WritesACommandThatReadsBackEqual) {
    PolicySetup policy;
    policy.budgetTokens = 2048;
    policy.maxSeqs = 33;
    policy.chunkTokens = 640;
    policy.chunkedPrefill = false;
    policy.prefixCache = true;
    policy.blockTokens = 8;
    policy.kvBlocks = 2588;
    policy.maxModelLen = 4096;
    policy.watermark = 0.0212345678;
    policy.reserveFullPrompt = false;
    policy.order = VllmPolicy::Priority;
    policy.async = true;
    const auto command = vllmServeCommand(policy, "Qwen/Qwen3-32B");
    ASSERT_TRUE(command);
    const auto read = engineOptionsIn(*command);
    ASSERT_TRUE(read) << read.error().sentence();
    EXPECT_EQ(read->policy, policy);
    EXPECT_TRUE(read->left.empty());
    policy.policy = Policy::Mlx;
    EXPECT_FALSE(vllmServeCommand(policy));
}

TEST(EngineOptions, AServeCommandHasAPrefixCacheUnlessItSaysOtherwise) {
    for (const char* text : {"vllm serve meta-llama/Llama-3.1-8B", "$ X=1 /usr/bin/vllm serve a/b --port 1",
                             "python3 -m vllm.entrypoints.openai.api_server --max-num-seqs 8"}) {
        const auto read = engineOptionsIn(text);
        ASSERT_TRUE(read) << text;
        EXPECT_TRUE(read->policy.prefixCache) << text;
        EXPECT_EQ(std::ranges::count(read->taken, "prefix cache on", &OptionTaken::means), 1) << text;
    }
    for (const char* text : {"vllm serve a/b --no-enable-prefix-caching", "--max-num-seqs 8",
                             "max_num_seqs: 8", R"({"max_num_seqs": 8})"}) {
        const auto read = engineOptionsIn(text);
        ASSERT_TRUE(read) << text;
        EXPECT_FALSE(read->policy.prefixCache) << text;
    }
    const auto sampled = engineOptionsIn("vllm serve a/b", {}, TurnOrder::Sampled);
    ASSERT_TRUE(sampled);
    EXPECT_FALSE(sampled->policy.prefixCache) << "without effect, and nobody asked for it";
    const auto off = vllmServeCommand({});
    ASSERT_TRUE(off);
    const auto read = engineOptionsIn(*off);
    ASSERT_TRUE(read);
    EXPECT_FALSE(read->policy.prefixCache) << *off;
}

TEST(EngineWords, ShellQuoting) {
    const auto words = engineWordsIn("vllm serve 'a b' --x \"c \\\"d\\\" \\n\" --y=e\\ f && rm -rf /tmp");
    ASSERT_TRUE(words) << words.error().sentence();
    ASSERT_EQ(words->size(), 3U);
    EXPECT_EQ((*words)[0].value, "a b");
    EXPECT_EQ((*words)[1].value, "c \"d\" \\n");
    EXPECT_EQ((*words)[2].value, "e f");
}

TEST(EngineWords, NumbersAsVllmReadsThem) {
    EXPECT_EQ(engineNumber("8192"), 8192);
    EXPECT_EQ(engineNumber("8k"), 8000);
    EXPECT_EQ(engineNumber("8K"), 8192);
    EXPECT_EQ(engineNumber("25.6k"), 25600);
    EXPECT_EQ(engineNumber("1m"), 1000000);
    for (const char* bad : {"", "k", "1.5", "1e", "0x10", "8 k", "--"}) {
        EXPECT_FALSE(engineNumber(bad).has_value()) << bad;
    }
}

TEST(EngineOptions, NoNameIsNoParameter) {
    for (const char* text :
         {"--no-", "vllm serve --no-", "no_: 1", "-: 3", "_: 3", "engine: {: 3}", "--=3"}) {
        const Result<EngineOptions> options = engineOptionsIn(text);
        if (options) {
            for (const OptionTaken& taken : options->taken) {
                EXPECT_EQ(taken.means, "prefix cache on") << text; // of a serve command
            }
        }
    }
}

TEST(EngineOptions, APrefixCacheIsFollowedOnlyWhereTurnsShareAPrefix) {
    const std::string text = "--enable-prefix-caching --max-num-seqs 8";
    const auto replayed = engineOptionsIn(text, {}, TurnOrder::Replayed);
    ASSERT_TRUE(replayed);
    EXPECT_EQ(replayed->taken.size(), 2U);
    EXPECT_TRUE(replayed->left.empty());
    const auto sampled = engineOptionsIn(text, {}, TurnOrder::Sampled);
    ASSERT_TRUE(sampled);
    EXPECT_TRUE(sampled->policy.prefixCache) << "set all the same: sessions may be replayed later";
    ASSERT_EQ(sampled->taken.size(), 1U);
    ASSERT_EQ(sampled->left.size(), 1U);
    EXPECT_EQ(sampled->left[0].option, "--enable-prefix-caching");
    EXPECT_NE(sampled->left[0].why.find("without effect"), std::string::npos);
    const auto off = engineOptionsIn("--no-enable-prefix-caching", {}, TurnOrder::Sampled);
    ASSERT_TRUE(off);
    EXPECT_EQ(off->taken.size(), 1U);
}

} // namespace
} // namespace loadline
