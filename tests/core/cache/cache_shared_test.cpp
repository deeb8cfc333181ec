// The published traces: every figure that the reference program computed, to four digits.
#include "core/cache/reuse/trace_figures.h"
#include "core/cache/split/prefill_decode_split.h"
#include "core/trace/read_block_traces.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace loadline {
namespace {

using Json = nlohmann::json;

std::string sharedTrace(const std::string& name) {
    return (std::filesystem::path(LOADLINE_SHARED_DATA) / "traces" / name).string();
}

Json expectedPart(const std::string& part) {
    return Json::parse(std::ifstream(sharedTrace("expected.json"))).at(part);
}

#define LOADLINE_NEED_TRACE(name)                                                                            \
    if (!std::filesystem::exists(sharedTrace(name)) ||                                                       \
        !std::filesystem::exists(sharedTrace("expected.json"))) {                                            \
        GTEST_SKIP() << "the shared data has no " << (name);                                                 \
    }                                                                                                        \
    static_assert(true)

BlockTraceFiles readShared(const std::string& name) {
    Progress progress;
    Result<BlockTraceFiles> files =
        readBlockTraces(std::vector<std::string>{sharedTrace(name)}, {}, {}, progress);
    EXPECT_TRUE(files) << (files ? "" : files.error().sentence());
    return files ? std::move(*files) : BlockTraceFiles{};
}

TraceFigures figuresOf(const BlockTraceFiles& files) {
    WorkProgress progress;
    return traceFiguresOf(files.trace, 0, {}, progress);
}

void expectNear(double value, const Json& expected, const std::string& what) {
    EXPECT_NEAR(value, expected.get<double>(), 1e-9 * std::max(1.0, std::abs(expected.get<double>())))
        << what;
}

void expectSummary(const RealSummary& summary, const Json& expected, const std::string& what) {
    EXPECT_EQ(summary.n, expected.at("n").get<std::uint64_t>()) << what;
    const std::pair<const char*, double> parts[] = {
        {"min", summary.min}, {"mean", summary.mean}, {"max", summary.max}, {"sum", summary.sum},
        {"p10", summary.p10}, {"p25", summary.p25},   {"p50", summary.p50}, {"p75", summary.p75},
        {"p90", summary.p90}, {"p95", summary.p95},   {"p99", summary.p99}};
    for (const auto& [name, value] : parts) {
        expectNear(value, expected.at(name), what + " " + name);
    }
}

void expectCurve(const CapacityCurve& curve, const Json& expected, const char* member,
                 const std::string& what) {
    EXPECT_GT(expected.size(), 3U);
    for (const auto& [capacity, value] : expected.items()) {
        expectNear(curve.hit(std::stoull(capacity)), member == nullptr ? value : value.at(member),
                   what + " " + capacity);
    }
}

double quotient(std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

TEST(SharedCache, MooncakesConversationEqualsTheReference) {
    LOADLINE_NEED_TRACE("mooncake/conversation_trace.jsonl");
    const Json expected = expectedPart("mooncake_conversation");
    const TraceFigures figures = figuresOf(readShared("mooncake/conversation_trace.jsonl"));
    const PrefixReuse& reuse = figures.unlimited;
    EXPECT_EQ(reuse.requests, expected.at("file_requests").get<std::uint64_t>());
    EXPECT_EQ(figures.blockTokens, expected.at("block_size_tokens").get<Tokens>());
    EXPECT_EQ(figures.distinctTimes, expected.at("distinct_timestamps").get<std::uint64_t>());
    EXPECT_EQ(reuse.references, expected.at("block_refs").get<std::uint64_t>());
    EXPECT_EQ(reuse.uniqueBlocks, expected.at("unique_blocks").get<std::uint64_t>());
    EXPECT_EQ(reuse.firstBlocks, expected.at("first_blocks").get<std::uint64_t>());
    expectNear(figures.durationS, expected.at("duration_s"), "duration");
    expectNear(reuse.input.sum / reuse.output.sum, expected.at("in_out_ratio_of_sums"), "ratio");
    expectNear(reuse.inOutMeanOfRatios, expected.at("in_out_ratio_mean_of_ratios"), "mean of ratios");
    const Json& infinite = expected.at("infinite_cache");
    expectNear(reuse.share(reuse.prefix.blocks), infinite.at("prefix_hit_block"), "prefix");
    expectNear(quotient(reuse.prefix.tokens, reuse.inputTokens), infinite.at("prefix_hit_token"),
               "prefix tokens");
    expectNear(reuse.share(reuse.setHits), infinite.at("set_hit_block"), "set");
    expectNear(quotient(reuse.fullHits, reuse.fullReferences), infinite.at("prefix_hit_full_blocks_only"),
               "full");
    expectNear(reuse.meanPrefixBlocks, infinite.at("mean_over_requests_block"), "mean of blocks");
    expectNear(reuse.meanPrefixTokens, infinite.at("mean_over_requests_token"), "mean of tokens");
    EXPECT_EQ(reuse.requestsFullyCovered, infinite.at("requests_fully_covered").get<std::uint64_t>());
    expectSummary(reuse.input, expected.at("input"), "input");
    expectSummary(reuse.output, expected.at("output"), "output");
    expectSummary(reuse.reuseTime, expected.at("reuse_time_s"), "reuse time");
    expectSummary(reuse.firstReuse, expected.at("first_reuse_s"), "first reuse");
    for (const int seconds : {10, 60, 300, 600, 1800, 3600}) {
        expectNear(shareUpTo(reuse.reuseTimeS, seconds),
                   expected.at("reuse_time_s").at("frac_le_" + std::to_string(seconds)), "share of reuses");
    }
    expectNear(quotient(reuse.blocksReused, reuse.uniqueBlocks), expected.at("blocks_ever_reused"), "reused");
    expectNear(reuse.reusesInTopTenth, expected.at("share_of_reuses_in_top10pct_blocks"), "top tenth");
    expectCurve(figures.engine.fwd, expected.at("lru_stack_fwd"), nullptr, "fwd");
    expectCurve(figures.engine.rev, expected.at("lru_stack_rev"), nullptr, "rev");
    expectCurve(figures.engine.contiguousBlocks, expected.at("lru_contiguous"), "block", "contiguous");
    expectCurve(figures.engine.contiguousTokens, expected.at("lru_contiguous"), "token", "contiguous tokens");
    for (const auto& [percent, value] : expected.at("lru_at_unique_pct_fwd").items()) {
        expectNear(figures.engine.fwd.hit(reuse.uniqueBlocks * std::stoull(percent) / 100), value,
                   "at " + percent);
    }
}

TEST(SharedCache, AzuresLengthsEqualTheReference) {
    LOADLINE_NEED_TRACE("azure2023/AzureLLMInferenceTrace_code.csv");
    const Json expected = expectedPart("azure2023_code");
    const TraceFigures figures = figuresOf(readShared("azure2023/AzureLLMInferenceTrace_code.csv"));
    EXPECT_EQ(figures.blockTokens, 0);
    EXPECT_EQ(figures.unlimited.requests, expected.at("requests").get<std::uint64_t>());
    expectSummary(figures.unlimited.input, expected.at("input"), "input");
    expectSummary(figures.unlimited.output, expected.at("output"), "output");
    const Json& gaps = expected.at("inter_arrival_s");
    EXPECT_EQ(figures.interArrivalS.n, gaps.at("n").get<std::uint64_t>());
    EXPECT_NEAR(figures.interArrivalS.mean, gaps.at("mean").get<double>(), 1e-6);
    EXPECT_NEAR(figures.interArrivalS.p50, gaps.at("p50").get<double>(), 1e-6);
    EXPECT_NEAR(figures.durationS, expected.at("duration_s").get<double>(), 1e-5);
    EXPECT_TRUE(figures.engine.fwd.hits.empty());
}

TEST(SharedCache, TheDistinctSessionsEqualTheReference) {
    LOADLINE_NEED_TRACE("weka/weka_traces_710.tar.xz");
    const Json expected = expectedPart("weka_distinct_sessions");
    const BlockTraceFiles files = readShared("weka/weka_traces_710.tar.xz");
    const TraceFigures figures = figuresOf(files);
    const PrefixReuse& reuse = figures.unlimited;
    EXPECT_EQ(files.files, 710U);
    EXPECT_EQ(files.repeats, 18U);
    EXPECT_EQ(figures.mainChains, expected.at("traces").get<std::uint64_t>());
    EXPECT_EQ(reuse.requests, expected.at("requests_main").get<std::uint64_t>());
    EXPECT_EQ(figures.blockTokens, expected.at("block_size_tokens").get<Tokens>());
    expectNear(reuse.share(reuse.consecutive.blocks), expected.at("aggregate_block_hit_consecutive"),
               "blocks");
    expectNear(quotient(reuse.consecutive.tokens, reuse.inputTokens), expected.at("aggregate_token_hit"),
               "tokens");
    const auto expectShares = [](const TokenShares& shares, const Json& of) {
        expectNear(shares.cached, of.at("cached"), "cached");
        expectNear(shares.newInput, of.at("new_input"), "new input");
        expectNear(shares.output, of.at("output"), "output");
    };
    expectShares(reuse.tokenWeighted, expected.at("token_decomposition_of_in_plus_out"));
    expectShares(reuse.meanPerRequest, expected.at("mean_per_request_decomposition"));
    expectNear(reuse.readWriteRatio(), expected.at("read_write_ratio"), "read : write");
    expectNear(reuse.input.sum / reuse.output.sum, expected.at("in_out_ratio_of_sums"), "in : out");
    expectSummary(reuse.input, expected.at("input_per_request"), "input");
    expectSummary(reuse.output, expected.at("output_per_request"), "output");
    expectSummary(reuse.newInput, expected.at("new_input_per_request"), "new input");
    // data/traces/README.md
    EXPECT_EQ(figures.subAgents, 63U);
    const PrefixReuse& agents = figures.unlimitedOfSubAgents;
    EXPECT_NEAR(agents.share(agents.consecutive.blocks), 0.8556, 5e-5);
    EXPECT_NEAR(reuse.share(reuse.prefix.blocks), 0.9631, 5e-5);
    EXPECT_NEAR(reuse.ttlHit(1e9), 0.9631, 5e-5);
    EXPECT_LT(reuse.ttlHit(300), reuse.ttlHit(3600));
    ASSERT_FALSE(figures.shared.empty());
    EXPECT_GT(figures.shared.front().rev.hit(10'000), 0.9); // the cliff
    EXPECT_LT(figures.shared.back().rev.hit(10'000), 0.1);
}

TEST(SharedCache, BytesAndSplitsEqualTheReference) {
    const auto path = std::filesystem::path(LOADLINE_SHARED_DATA) / "models/checks.json";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "the shared data has no models";
    }
    const Json checks = Json::parse(std::ifstream(path));
    const Json& bytes = checks.at("kv_bytes_per_token_bf16");
    std::size_t compared = 0;
    for (const CacheModel& model : cacheModels()) {
        if (!bytes.contains(std::string(model.key))) {
            continue;
        }
        ++compared;
        const Json& expected = bytes.at(std::string(model.key));
        EXPECT_EQ(kvBytesPerToken(model), expected.at("growth_per_token").get<double>()) << model.key;
        EXPECT_NEAR(kvBytesOf(model, 131'072) / (1 << 30), expected.at("total_at_128Ki_GiB").get<double>(),
                    6e-4)
            << model.key;
    }
    EXPECT_EQ(compared, bytes.size());
    EXPECT_GT(checks.at("seed1").size(), 5U);
    for (const Json& row : checks.at("seed1")) {
        const PrefillDecodeSplit split = splitWith({}, 1 - row.at("hit").get<double>());
        expectNear(split.speedUp, row.at("speedup"), "speed-up");
        expectNear(split.gpusFreed, row.at("gpus_freed_at_equal_load"), "freed");
        expectNear(split.prefillGpus, row.at("prefill_gpus_after"), "prefill");
        expectNear(split.decodeGpus, row.at("decode_gpus_after"), "decode");
    }
}

} // namespace
} // namespace loadline
