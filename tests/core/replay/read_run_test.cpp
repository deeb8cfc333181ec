// Reading a recorded run: what is in it, and everything that may be wrong with it.
#include "core/cost/engine/memory.h"
#include "core/replay/kv_capacity.h"
#include "made_up_run.h"

#include <gmock/gmock.h>

namespace loadline {
namespace {

using testing::HasSubstr;

TEST(EngineRun, holdsSetUpRequestsTablesAndThePeersFigures) {
    const EngineRun run = test::readMadeUpRun();
    EXPECT_EQ(run.name, "engine_run");
    EXPECT_EQ(run.model.key, "llama-3.1-8b");
    EXPECT_EQ(run.meta.maxNumSeqs, 4);
    EXPECT_EQ(run.meta.maxNumBatchedTokens, 64);
    EXPECT_EQ(run.meta.maxModelLen, 4096);
    EXPECT_EQ(run.meta.kvBlocks, 101);
    EXPECT_FALSE(run.meta.asyncScheduling);
    EXPECT_TRUE(run.meta.freesBlocksToBack());
    EXPECT_EQ(run.meta.captureTokens, (std::vector<Tokens>{1, 2, 4, 8}));
    ASSERT_EQ(run.requests.size(), 3U);
    EXPECT_DOUBLE_EQ(run.requests[1].arrivalS, 0.5);
    ASSERT_TRUE(run.timed());
    EXPECT_NEAR(run.requests[1].times->queuedS, 0.501, 1e-9) << "the clocks lie over each other at bench-0";
    EXPECT_FALSE(run.prompted());
    EXPECT_FALSE(run.tables.skew.has_value()) << "meta.yaml says that it was not taken on this GPU";
    ASSERT_EQ(run.peerFigures.size(), 4U);
    EXPECT_NEAR(run.peerFigures[0].error, 0.1, 1e-12);
    EXPECT_NEAR(run.peerFigures[2].error, -0.046, 1e-12) << "as published, not from rounded times";
    ASSERT_TRUE(run.peer.has_value());
    EXPECT_DOUBLE_EQ(run.peer->linkLatencyS, 20e-6);
}

TEST(EngineRun, findsModelsByTheirOwnNames) {
    EXPECT_EQ(shapesOfModel("meta-llama/Llama-3.1-8B-Instruct")->key, "llama-3.1-8b");
    EXPECT_EQ(shapesOfModel("Qwen/Qwen3-32B")->key, "qwen3-32b");
    EXPECT_EQ(shapesOfModel("someone/Unheard-Of-7B"), nullptr);
    EXPECT_EQ(shapesOfModel("study"), nullptr) << "one layer of no model";
    EXPECT_EQ(shapesOfModel(""), nullptr);
}

struct Broken {
    const char* file;
    const char* content; ///< null: removed
    const char* said;
};

TEST(EngineRun, everyBrokenFileIsOneSentence) {
    const std::string dense = "layer,tokens,time_us\n";
    for (const Broken& broken : {
             Broken{"meta.json", nullptr, "cannot read the description of the run"},
             Broken{"meta.json", "{", "it is not JSON"},
             Broken{"meta.json", "[]", "not a JSON object"},
             Broken{"meta.json", "{}", "\"model\" is missing"},
             Broken{"meta.json", R"({"model": "x/Nothing-1B"})", "not known"},
             Broken{"meta.json", R"({"model": "Qwen/Qwen3-32B", "engine_kwargs": {"max_num_seqs": 0}})",
                    "max_num_seqs"},
             Broken{"meta.json", R"({"model": "Qwen/Qwen3-32B", "kv_cache": {"gpu_memory_utilization": -1}})",
                    "gpu_memory_utilization"},
             Broken{"meta.json", R"({"model": "Qwen/Qwen3-32B", "engine_kwargs": {"data_parallel_size": 2}})",
                    "data_parallel_size"},
             Broken{"requests.jsonl", nullptr, "cannot read the recorded requests"},
             Broken{"requests.jsonl", "", "it has no lines"},
             Broken{"requests.jsonl", R"({"input_toks": 0, "output_toks": 4, "arrival_time": 1})",
                    "input_toks is not a count of at least one token"},
             Broken{"requests.jsonl", R"({"input_toks": 3, "output_toks": 1e400, "arrival_time": 1})",
                    "no recorded request could be read"},
             Broken{"requests.jsonl", R"({"input_toks": 3, "output_toks": 4, "arrival_time": null})",
                    "arrival_time is not a time"},
             Broken{"profile", nullptr, "cannot read the table of layer times"},
             Broken{"profile/dense.csv", nullptr, "cannot read the table of layer times"},
             Broken{"profile/dense.csv", "", "column layer is missing"},
             Broken{"profile/dense.csv", "layer,tokens,time_us\n", "it has no rows"},
             Broken{"profile/dense.csv", "layer,tokens,time_us\nqkv_proj,1,nan\n", "time_us is no time"},
             Broken{"profile/dense.csv", "layer,tokens,time_us\nqkv_proj,-1,2\n",
                    "tokens is no whole number"},
             Broken{"profile/dense.csv", "layer,tokens,time_us\nqkv_proj,1,2\n", "embedding is missing"},
             Broken{"profile/per_sequence.csv", "layer,sequences,time_us\nlm_head,1,2\n",
                    "sampler is missing"},
             Broken{"profile/attention.csv", "prefill_chunk,kv_prefill,n_decode,time_us\n0,0,1,2\n",
                    "kv_decode is missing"},
             Broken{"profile/meta.yaml", nullptr, "cannot read the profile's description"},
             Broken{"profile/meta.yaml", "skew_fit:\n  enabled: true\n", "axes are missing"},
             Broken{"peer_config.json", "{}", "link_bw"},
         }) {
        const test::RunFolder folder;
        broken.content == nullptr ? folder.remove(broken.file) : folder.write(broken.file, broken.content);
        const Result<EngineRun> run = readEngineRun(folder.path());
        ASSERT_FALSE(run) << broken.file << ": " << broken.said;
        EXPECT_THAT(run.error().sentence(), HasSubstr(broken.said)) << broken.file;
    }
    EXPECT_THAT(readEngineRun("/nowhere/at/all").error().what, HasSubstr("no such folder"));
    EXPECT_THAT(readEngineRun((test::madeUpRun() / "meta.json").string()).error().what, HasSubstr("a file"));
}

TEST(EngineRun, leavesOutLinesThatCannotBeUsedAndCountsThem) {
    const test::RunFolder folder;
    folder.write("requests.jsonl",
                 "\n{\"input_toks\": 5, \"output_toks\": 2, \"arrival_time\": 7}\nnonsense\n"
                 "{\"input_toks\": 0, \"output_toks\": 2, \"arrival_time\": 7}\n[]\n");
    const Result<EngineRun> run = readEngineRun(folder.path());
    ASSERT_TRUE(run) << run.error().sentence();
    EXPECT_EQ(run->requests.size(), 1U);
    EXPECT_EQ(run->requests[0].arrivalS, 0);
    EXPECT_EQ(run->diagnostics.size(), 3U);
    EXPECT_FALSE(run->timed());
}

TEST(EngineRun, takesPromptsFromTheDatasetThatWasServed) {
    std::vector<RecordedRequest> requests(2);
    requests[0] = {.id = "bench-1", .arrivalS = 0, .input = 3, .output = 1, .times = {}};
    requests[1] = {.id = "bench-0", .arrivalS = 1, .input = 2, .output = 1, .times = {}};
    ASSERT_TRUE(
        addPrompts(requests, "{\"input_tok_ids\": [9, 9]}\n{\"input_tok_ids\": [4, 5, 7]}\n", "data"));
    EXPECT_EQ(requests[0].prompt, (std::vector<TokenRun>{{4, 2}, {7, 1}}));
    EXPECT_EQ(requests[1].prompt, (std::vector<TokenRun>{{9, 1}, {9, 1}}));
    EXPECT_FALSE(addPrompts(requests, "{\"input_tok_ids\": [9, 9]}\n", "data")) << "a line too few";
    EXPECT_FALSE(addPrompts(requests, "{\"input_tok_ids\": [9]}\n{\"input_tok_ids\": [4, 5, 7]}\n", "data"));
    EXPECT_FALSE(addPrompts(requests, "{}\n{}\n", "data"));
    EXPECT_FALSE(addPrompts(requests, "{\"input_tok_ids\": [-9, 1]}\n{\"input_tok_ids\": [4, 5, 7]}\n", "d"));
}

TEST(KvCapacity, isToldOrComputedFromMemoryWeightsAndUtilisation) {
    EngineRun run = test::readMadeUpRun();
    EXPECT_EQ(kvCapacityOf(run)->blocks, 101);
    EXPECT_EQ(kvCapacityOf(run)->tokens(), 1600);
    run.meta.kvBlocks.reset();
    // 32 layers x 2 x 8 heads x 128 x 2 bytes x 16 tokens = 2 MiB a block.
    const double reserved =
        reservedMemoryOf(run.model, run.model,
                         {.version = engineVersionFrom(run.meta.vllmVersion).value_or(newestVersion),
                          .maxNumBatchedTokens = run.meta.maxNumBatchedTokens,
                          .maxNumSeqs = run.meta.maxNumSeqs,
                          .graphs = run.meta.graphs})
            .total();
    EXPECT_GT(reserved, 0.25e9);
    const double left = 24e9 * 0.9 - weightBytesPerRank(run) - reserved;
    EXPECT_EQ(kvCapacityOf(run)->blocks, static_cast<std::int64_t>(left / 2097152));
    EXPECT_TRUE(kvCapacityOf(run)->computed);
    run.meta.deviceBytes = 1e9;
    EXPECT_THAT(kvCapacityOf(run).error().what, HasSubstr("nothing is left"));
    run.meta.deviceBytes.reset();
    run.peer.reset();
    EXPECT_THAT(kvCapacityOf(run).error().what, HasSubstr("not known"));
}

TEST(RunMeta, capturesAsVllmDoesWhereNothingIsSaid) {
    const std::vector<Tokens> sizes = defaultCaptureTokens(256);
    EXPECT_EQ(sizes.size(), 51U);
    EXPECT_EQ(sizes.front(), 1);
    EXPECT_EQ(sizes.back(), 512);
    EXPECT_EQ(defaultCaptureTokens(4), (std::vector<Tokens>{1, 2, 4, 8}));
}

} // namespace
} // namespace loadline
