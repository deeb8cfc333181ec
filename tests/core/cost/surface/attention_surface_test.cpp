// Measured attention over small made-up tables.
#include "core/cost/surface/attention_surface.h"

#include "tests/core/cost/surface/table_of_csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

const AttentionShape someShape{.kv = "fp8", .heads = 8, .kvHeads = 2, .headDim = 64, .window = 0};

AtlasTable decodeTable() {
    return test::tableOfCsv("kv,heads,kv_heads,head_dim,window,batch,kv_tokens,time_us\n"
                            "fp8,8,2,64,0,1,128,10\nfp8,8,2,64,0,1,1024,12\nfp8,8,2,64,0,1,4096,18\n"
                            "fp8,8,2,64,0,4,128,11\nfp8,8,2,64,0,4,1024,20\n"
                            "bfloat16,8,2,64,128,1,128,10\nbfloat16,8,2,64,128,1,4096,10\n");
}

TEST(AttentionShape, bytesAndPairs) {
    EXPECT_DOUBLE_EQ(someShape.kvBytesPerToken(), 256);
    EXPECT_DOUBLE_EQ(someShape.pairs(100), 5000);
    AttentionShape windowed = someShape;
    windowed.window = 10;
    windowed.kv = "bfloat16";
    EXPECT_DOUBLE_EQ(windowed.kvBytesPerToken(), 512);
    EXPECT_DOUBLE_EQ(windowed.pairs(100), 50 + 900);
    EXPECT_DOUBLE_EQ(windowed.seen(7), 7);
}

TEST(DecodeSurface, isLinearInContextThenInBatch) {
    const DecodeSurface surface = DecodeSurface::make(decodeTable(), {}).value();
    const DecodeCurves& curves = *surface.find(someShape);
    EXPECT_DOUBLE_EQ(curves.at(1, 1024).us, 12);
    EXPECT_EQ(curves.at(1, 1024).reach, SurfaceReach::Measured);
    EXPECT_DOUBLE_EQ(curves.at(1, 2560).us, 15);
    EXPECT_EQ(curves.at(1, 2560).reach, SurfaceReach::Interpolated);
    EXPECT_DOUBLE_EQ(curves.at(2, 1024).us, 12 + 8.0 / 3);
    EXPECT_EQ(curves.at(2, 1024).reach, SurfaceReach::Interpolated);
    EXPECT_EQ(surface.find({.heads = 9}), nullptr);
}

TEST(DecodeSurface, goesOnAtTheLastSlope) {
    const DecodeSurface surface = DecodeSurface::make(decodeTable(), {}).value();
    const DecodeCurves& curves = *surface.find(someShape);
    EXPECT_DOUBLE_EQ(curves.at(4, 1024 + 896).us, 29);
    EXPECT_EQ(curves.at(4, 1920).reach, SurfaceReach::Extrapolated);
    EXPECT_DOUBLE_EQ(curves.at(8, 1024).us, 40);
    EXPECT_EQ(curves.at(8, 1024).reach, SurfaceReach::Extrapolated);
    EXPECT_DOUBLE_EQ(curves.at(1, 1).us, 10);
    EXPECT_EQ(curves.at(1, 1).reach, SurfaceReach::Extrapolated);
}

TEST(DecodeSurface, isNeverFasterThanItsBytes) {
    // 256 bytes a token at 64 bytes a us: 4 us a token.
    const DecodeSurface surface = DecodeSurface::make(decodeTable(), {.bytesPerUs = 64}).value();
    const SurfaceValue value = surface.find(someShape)->at(3, 2000);
    EXPECT_DOUBLE_EQ(value.us, 3 * 2000 * 4);
    EXPECT_TRUE(value.isRaised);
    EXPECT_EQ(surface.raised(), 7U);
    // A window's keys alone are read: 512 bytes x 128 at 64 a us.
    const AttentionShape windowed{.kv = "bfloat16", .heads = 8, .kvHeads = 2, .headDim = 64, .window = 128};
    EXPECT_DOUBLE_EQ(surface.find(windowed)->at(1, 100'000).us, 128 * 8);
}

TEST(PrefillSurface, takesMediansOfSingleSequencesWithoutCache) {
    const AtlasTable table = test::tableOfCsv(
        "kv,heads,kv_heads,head_dim,window,cached_tokens,batch,new_tokens,attn_dtype,time_us\n"
        "fp8,8,2,64,0,0,1,100,bfloat16,10\nfp8,8,2,64,0,0,1,100,bfloat16,20\n"
        "fp8,8,2,64,0,0,1,100,bfloat16,12\nfp8,8,2,64,0,0,1,10000,bfloat16,1200\n"
        "fp8,8,2,64,0,64,1,100,bfloat16,99\nfp8,8,2,64,0,0,2,100,bfloat16,99\n"
        "fp8,4,2,64,0,0,1,10000,bfloat16,500\n");
    const PrefillSurface surface = PrefillSurface::make(table, {}).value();
    const PrefillCurve& curve = *surface.find(someShape);
    EXPECT_DOUBLE_EQ(curve.at(100).us, 12);
    EXPECT_NEAR(curve.at(1000).us, 120, 1e-9); // log-log
    EXPECT_EQ(curve.at(1000).reach, SurfaceReach::Interpolated);
    EXPECT_DOUBLE_EQ(curve.at(20000).us, 4800); // quadratic
    EXPECT_EQ(curve.at(20000).reach, SurfaceReach::Extrapolated);
    EXPECT_DOUBLE_EQ(curve.at(1).us, 12);
    EXPECT_DOUBLE_EQ(curve.bestUsPerPair(), 1200 / 5e7);
    // Four heads reach 500 / 5e7 / 4 a head.
    EXPECT_DOUBLE_EQ(surface.kernelUsPerPair(someShape), 8 * 500 / 5e7 / 4);
    EXPECT_EQ(surface.kernelUsPerPair({.headDim = 96}), 0);
}

TEST(PrefillSurface, goesOnByTheWindowAndHoldsTheTensorCoresTime) {
    const AttentionShape windowed{.kv = "fp8", .heads = 8, .kvHeads = 2, .headDim = 64, .window = 100};
    const PrefillCurve curve({{.x = 100, .us = 10}, {.x = 10'050, .us = 1000}}, windowed, {});
    EXPECT_DOUBLE_EQ(curve.at(20'050).us, 2000); // pairs: 100 x (n - 50)
    // 4 x 8 x 64 = 2,048 flop a pair.
    const PrefillCurve slow({{.x = 100, .us = 10}, {.x = 10'000, .us = 1000}}, someShape,
                            {.flopPerUs = 2048});
    EXPECT_DOUBLE_EQ(slow.at(100).us, 5000);
    EXPECT_TRUE(slow.at(200).isRaised);
}

TEST(BatchCurves, errorsOfCellsLeftOut) {
    std::vector<BatchCell> cells;
    for (const double batch : {1, 2, 4}) {
        for (const double tokens : {10, 20, 40, 80}) {
            cells.push_back({.batch = batch, .tokens = tokens, .us = 5 + batch * tokens});
        }
    }
    const BatchCurves linear(cells);
    EXPECT_NEAR(linear.errors().tokens.p90, 0, 1e-12);
    EXPECT_NEAR(linear.errors().batch.p90, 0, 1e-12);
    EXPECT_NEAR(linear.errors().beyondTokens.p90, 0, 1e-12);
    EXPECT_DOUBLE_EQ(linear.at(3, 30).relativeError, repeatError);
    cells[5].us *= 2; // batch 2, 20 tokens
    const BatchCurves bent(cells);
    EXPECT_GT(bent.at(3, 30).relativeError, 0.1);
    // The faster of two cells with one key stands.
    cells.push_back({.batch = 1, .tokens = 10, .us = 3});
    EXPECT_DOUBLE_EQ(BatchCurves(cells).at(1, 10).us, 3);
}

} // namespace
} // namespace loadline
