// KV bytes, attention by hand and by table, the whole step.
#include "core/cost/estimate/attention.h"

#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace loadline {
namespace {

const Hardware attentionDevice{
    .key = "made up", .memoryGb = 10, .bandwidthGbS = 1000, .fp16Tflops = 100, .source = "here"};
const AttentionFacts tiny{.layers = 2, .fullLayers = 2, .qHeads = 4, .kvHeads = 2, .headDim = 64};
const AttentionFacts sliding{.kind = AttentionKind::SlidingWindow,
                             .layers = 4,
                             .fullLayers = 2,
                             .window = 128,
                             .qHeads = 4,
                             .kvHeads = 2,
                             .headDim = 64};

TEST(KvCache, BytesAreThoseOfTheSharedChecks) {
    LOADLINE_NEED_SHARED_TEXT(text, "models/checks.json");
    const auto checks = nlohmann::json::parse(text)["kv_bytes_per_token_bf16"];
    constexpr double gib = 1024.0 * 1024 * 1024;

    struct Case {
        const char* ours;
        const char* theirs;
    };

    for (const auto& [ours, theirs] :
         {Case{"llama-3.1-8b", "llama-3.1-8b"}, Case{"llama-3.1-70b", "llama-3.3-70b"},
          Case{"qwen3-32b", "qwen3-32b"}, Case{"qwen3-coder-next", "qwen3-next-80b-a3b"},
          Case{"gpt-oss-20b", "gpt-oss-20b"}, Case{"gpt-oss-120b", "gpt-oss-120b"}}) {
        const AttentionFacts facts = findShapePreset(ours)->attention.value();
        EXPECT_DOUBLE_EQ(kvBytesPerToken(facts), checks[theirs]["growth_per_token"].get<double>()) << ours;
        EXPECT_NEAR(kvBytes(facts, 131072) / gib, checks[theirs]["total_at_128Ki_GiB"].get<double>(), 0.0006)
            << ours;
    }
}

TEST(KvCache, CapacityIsWhatMemoryLeaves) {
    const ModelShapes& llama = *findShapePreset("llama-3.1-8b");
    const double head = 4096.0 * 128256; // and as many in the embedding
    const double weights = totalWeights(llama) * 2 + head * 2;
    EXPECT_NEAR(weights, 8030261248.0 * 2, 1e6) << "the published number of parameters; norms are left out";
    EXPECT_DOUBLE_EQ(weightBytes(llama, fp16Bits), weights);
    EXPECT_EQ(kvCapacityTokens(llama, fp16Bits, 24e9), static_cast<Tokens>((0.9 * 24e9 - weights) / 131072));
    EXPECT_GT(kvCapacityTokens(llama, 4, 24e9), kvCapacityTokens(llama, fp16Bits, 24e9));
    EXPECT_EQ(kvCapacityTokens(llama, fp16Bits, 10e9), 0);              // the weights alone do not fit
    EXPECT_EQ(kvCapacityTokens(*findShapePreset("study"), 4, 24e9), 0); // nothing is known of its attention
    // The head stays fp16: quantised bytes are the rest at 4.25 bits.
    EXPECT_NEAR(weightBytes(llama, 4), head * 4 + (totalWeights(llama) - head) * 4.25 / 8, 1);
}

TEST(KvCache, WindowsGrowUntilTheyAreFull) {
    const AttentionFacts& windowed = *findShapePreset("gpt-oss-20b")->attention;
    EXPECT_EQ(windowBytesPerToken(windowed), 12 * 2 * 8 * 64 * 2.0); // layers x (K, V) x heads x size x bytes
    EXPECT_EQ(kvBytes(windowed, 100), 100 * (24576 + windowBytesPerToken(windowed)));
    EXPECT_EQ(kvBytes(windowed, 1000), 1000 * 24576.0 + 128 * windowBytesPerToken(windowed));
    EXPECT_EQ(windowBytesPerToken(*findShapePreset("llama-3.1-8b")->attention), 0);
}

TEST(Attention, RooflineByHand) {
    const AttentionModel model(
        tiny, attentionDevice,
        {.decodeT0Us = 10, .bandwidthShare = 0.5, .prefillT0Us = 20, .peakShare = 0.5});
    EXPECT_EQ(model.time({}).us, 0);
    AttentionWork decode;
    model.addDecode(decode, 1000);
    model.addDecode(decode, 3000);
    // 4000 tokens x 2 layers x 2 x 2 heads x 64 x 2 bytes = 4.096 MB at 500 GB/s
    EXPECT_NEAR(model.time(decode).us, 2 * 10 + 4.096e6 / 500e3, 1e-9);
    AttentionWork prefill;
    model.addPrefill(prefill, 1000, 100);
    // 100 x 1000 + 5050 pairs x 4 x 4 heads x 64 x 2 layers at 50 TFLOP/s; 1100 tokens of KV at 500 GB/s
    const double flopUs = 105050.0 * 4 * 4 * 64 * 2 / 50e6;
    const double bytesUs = 1100.0 * 2 * 512 / 500e3;
    EXPECT_NEAR(model.time(prefill).us, 2 * 20 + std::max(flopUs, bytesUs), 1e-9);
    EXPECT_EQ(model.time(prefill).kind, EstimateKind::Modelled);
}

TEST(Attention, WindowsBoundWhatLayersSee) {
    const AttentionModel model(sliding, attentionDevice,
                               {.decodeT0Us = 0, .bandwidthShare = 1, .prefillT0Us = 0, .peakShare = 1});
    AttentionWork decode;
    model.addDecode(decode, 10000);
    EXPECT_NEAR(model.time(decode).us, (10000 + 128) * 2 * 512 / 1000e3, 1e-9);
    AttentionWork prefill;
    model.addPrefill(prefill, 100, 200);
    // Full: 100 x 200 + 20100; window of 128: 28 queries see 101..128 keys, 172 see 128.
    const double full = 100 * 200 + 200 * 201 / 2.0;
    const double windowed = 28 * 100 + 28 * 29 / 2.0 + 172 * 128;
    EXPECT_NEAR(prefill.prefillFlop, 4 * 4 * 64 * 2 * (full + windowed), 1e-6);
}

TEST(Attention, ChunksDoTheWorkOfTheWholePrompt) {
    const AttentionModel model(sliding, attentionDevice);
    AttentionWork whole;
    AttentionWork chunks;
    model.addPrefill(whole, 0, 1000);
    for (int start = 0; start < 1000; start += 250) {
        model.addPrefill(chunks, start, 250);
    }
    EXPECT_NEAR(chunks.prefillFlop, whole.prefillFlop, 1e-6 * whole.prefillFlop);
}

TEST(Attention, GrowsWithContextAndIsFinite) {
    for (const ModelShapes& preset : shapePresets()) {
        if (!preset.attention) {
            continue;
        }
        const AttentionModel model(*preset.attention, *findHardware("H100-SXM"));
        double last = 0;
        for (double context = 0; context < 2e6; context = context * 2 + 1) {
            AttentionWork work;
            model.addDecode(work, context);
            model.addPrefill(work, context, 512);
            const TimeEstimate time = model.time(work);
            EXPECT_TRUE(std::isfinite(time.us)) << preset.key;
            EXPECT_GE(time.us, last) << preset.key << ' ' << context;
            last = time.us;
        }
    }
}

TEST(AttentionTable, IsReadAndInterpolated) {
    const auto table =
        attentionTableFromCsv("batch,kv_tokens,q_heads,kv_heads,head_dim,time_us\n"
                              "1,100,4,2,64,10\n1,400,4,2,64,20\n4,100,4,2,64,40\n4,400,4,2,64,80\n",
                              "batch,prompt_tokens,q_heads,kv_heads,head_dim,cached_tokens,time_us\n"
                              "1,100,4,2,64,0,30\n1,400,4,2,64,0,90\n1,400,4,2,64,64,95\n",
                              "made up", "some GPU");
    ASSERT_TRUE(table) << table.error().sentence();
    const AttentionHeads heads{.qHeads = 4, .kvHeads = 2, .headDim = 64};
    EXPECT_DOUBLE_EQ(timeIn(table->decode, heads, 1, 100)->y, 10);
    EXPECT_TRUE(timeIn(table->decode, heads, 1, 100)->exact);
    EXPECT_NEAR(timeIn(table->decode, heads, 2, 200)->y, 10 * std::sqrt(2.0) * 2, 1e-9);
    EXPECT_DOUBLE_EQ(timeIn(table->decode, heads, 1, 7)->y, 10);
    EXPECT_FALSE(timeIn(table->decode, heads, 5, 100));
    EXPECT_FALSE(timeIn(table->decode, heads, 1, 401));
    EXPECT_FALSE(timeIn(table->decode, {.qHeads = 8, .kvHeads = 2, .headDim = 64}, 1, 100));
    EXPECT_DOUBLE_EQ(timeIn(table->prefill, heads, 1, 400)->y, 90); // not the one with a cache

    const AttentionModel model(tiny, attentionDevice, {}, std::make_shared<const AttentionTable>(*table));
    AttentionWork work;
    model.addDecode(work, 100);
    EXPECT_DOUBLE_EQ(model.time(work).us, 2 * 10);
    EXPECT_EQ(model.time(work).origin, PointOrigin::Published);
    AttentionWork prompt;
    model.addPrefill(prompt, 0, 400);
    EXPECT_DOUBLE_EQ(model.time(prompt).us, 2 * 90);
    AttentionWork later;
    model.addPrefill(later, 400, 400);
    EXPECT_GT(model.time(later).us, model.time(prompt).us);
    EXPECT_GE(model.time(later).relativeError, 0.3); // cached tokens were not timed
}

TEST(AttentionTable, OutsideOfItTheRooflineMeetsItsEdge) {
    const auto table = std::make_shared<const AttentionTable>(
        attentionTableFromCsv("1,100,4,2,64,10\n1,400,4,2,64,20\n4,100,4,2,64,40\n",
                              "1,100,4,2,64,0,30\n1,400,4,2,64,0,90\n", "made up", "some GPU")
            .value());
    const AttentionOptions options{
        .decodeT0Us = 2, .bandwidthShare = 0.5, .prefillT0Us = 3, .peakShare = 0.5};
    const AttentionModel model(tiny, attentionDevice, options, table);
    const AttentionModel roofline(tiny, attentionDevice, options);
    const auto decodeUs = [](const AttentionModel& of, int sequences, double context) {
        AttentionWork work;
        for (int i = 0; i < sequences; ++i) {
            of.addDecode(work, context);
        }
        return of.time(work);
    };
    // One sequence beyond 400 tokens: as the roofline, times 20 us over the roofline's time at 400.
    const double scale = 2 * 20 / decodeUs(roofline, 1, 400).us;
    EXPECT_NEAR(decodeUs(model, 1, 4000).us, scale * decodeUs(roofline, 1, 4000).us, 1e-9);
    EXPECT_NEAR(decodeUs(model, 1, 400 * (1 + 1e-12)).us, 40, 1e-6) << "no step at the edge";
    EXPECT_EQ(decodeUs(model, 1, 4000).kind, EstimateKind::Modelled);
    EXPECT_GE(decodeUs(model, 1, 4000).relativeError, 0.3);
    // Batches beyond 4 take the edge at 4 x 100 tokens; 2 x 400 is not covered by 4: the edge at 1 x 400.
    EXPECT_NEAR(decodeUs(model, 8, 100).us,
                decodeUs(roofline, 8, 100).us * 80 / decodeUs(roofline, 4, 100).us, 1e-9);
    EXPECT_NEAR(decodeUs(model, 2, 400).us, decodeUs(roofline, 2, 400).us * scale, 1e-9);

    const auto prefillUs = [](const AttentionModel& of, double tokens) {
        AttentionWork work;
        of.addPrefill(work, 0, tokens);
        return of.time(work);
    };
    EXPECT_NEAR(prefillUs(model, 4000).us, prefillUs(roofline, 4000).us * 180 / prefillUs(roofline, 400).us,
                1e-9);
    EXPECT_EQ(prefillUs(model, 4000).kind, EstimateKind::Modelled);
    EXPECT_EQ(prefillUs(model, 400).kind, EstimateKind::Interpolated);
}

TEST(AttentionTable, RecurrentLayersAreModelledBesideIt) {
    AttentionFacts hybrid = tiny;
    hybrid.layers = 5;
    hybrid.stateBytes = 1'000'000;
    const auto table = std::make_shared<const AttentionTable>(
        attentionTableFromCsv("1,100,4,2,64,10\n", "", "made up", "some GPU").value());
    const AttentionModel model(hybrid, attentionDevice, {.decodeT0Us = 2, .bandwidthShare = 0.5}, table);
    AttentionWork work;
    model.addDecode(work, 100);
    // 2 timed layers, 3 recurrent ones of 2 us, 1 MB at 500 GB/s
    EXPECT_NEAR(model.time(work).us, 2 * 10 + 3 * 2 + 2, 1e-9);
    EXPECT_EQ(model.time(work).kind, EstimateKind::Modelled);
}

TEST(AttentionTable, BrokenLinesSayWhere) {
    for (const char* line : {"1,2,3", "1,2,3,4,5,-6", "1,2,3,4,5,6,7", "x", "0,2,3,4,5,6", "1.5,2,3,4,5,6",
                             "1,2,3,4,5,0", "1,2,3,4,5,4.9e-324"}) {
        const auto table = attentionTableFromCsv(std::string("1,100,4,2,64,10\n") + line, "", "s", "d");
        ASSERT_FALSE(table) << line;
        EXPECT_EQ(table.error().where, "line 2") << line;
    }
    EXPECT_FALSE(attentionTableFromCsv("", "", "s", "d"));
}

TEST(AttentionTable, TheSharedTablesAgreeWithTheRooflineWhereItIsMeant) {
    LOADLINE_NEED_SHARED_TEXT(decode, "kernels/aiconfigurator_h100_sxm/decode_attention_bf16.csv");
    LOADLINE_NEED_SHARED_TEXT(prefill, "kernels/aiconfigurator_h100_sxm/prefill_attention_bf16.csv");
    const auto table = attentionTableFromCsv(decode, prefill, "AIConfigurator", "H100");
    ASSERT_TRUE(table) << table.error().sentence();
    std::size_t points = 0;
    for (const auto& [heads, byBatch] : table->decode) {
        for (const auto& [batch, curve] : byBatch) {
            points += curve.points().size();
        }
    }
    EXPECT_EQ(points, 16929U);
    const AttentionFacts facts = findShapePreset("llama-3.1-8b")->attention.value();
    const auto shared = std::make_shared<const AttentionTable>(*table);
    const AttentionModel byTable(facts, *findHardware("H100-SXM"), {}, shared);
    const AttentionModel byRoofline(facts, *findHardware("H100-SXM"));
    for (const int sequences : {1, 5, 16}) { // timed up to 16 x 32767 tokens and 32 x 16383
        for (const double context : {500.0, 4000.0, 30000.0}) {
            AttentionWork work;
            for (int i = 0; i < sequences; ++i) {
                byTable.addDecode(work, context);
            }
            const TimeEstimate measured = byTable.time(work);
            EXPECT_EQ(measured.kind, EstimateKind::Interpolated) << sequences << ' ' << context;
            EXPECT_NEAR(std::log(byRoofline.time(work).us / measured.us), 0, 0.5)
                << sequences << ' ' << context;
        }
    }
    AttentionWork outside;
    for (int i = 0; i < 32; ++i) {
        byTable.addDecode(outside, 30000);
    }
    EXPECT_EQ(byTable.time(outside).kind, EstimateKind::Modelled);
    EXPECT_NEAR(std::log(byTable.time(outside).us / byRoofline.time(outside).us), 0, 0.5);
}

TEST(WholeStep, AddsUp) {
    const TimeEstimate gemms{
        .us = 300, .relativeError = 0.1, .kind = EstimateKind::AtPoint, .origin = PointOrigin::Published};
    const TimeEstimate attention{
        .us = 100, .relativeError = 0.4, .kind = EstimateKind::Modelled, .origin = PointOrigin::Modelled};
    const TimeEstimate whole = wholeStep(gemms, attention, {.perStepUs = 80, .perSequenceUs = 10}, 2);
    EXPECT_DOUBLE_EQ(whole.us, 500);
    EXPECT_NEAR(whole.relativeError, 50.0 / 500, 1e-12); // hypot(30, 40)
    EXPECT_EQ(whole.kind, EstimateKind::Modelled);
    EXPECT_EQ(wholeStep(gemms, {.us = 0}, {}, 5), gemms);
}

} // namespace
} // namespace loadline
