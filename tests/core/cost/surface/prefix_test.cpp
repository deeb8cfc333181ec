// Prefill after a cached prefix: the rule by hand, and against an H100.
#include "core/cost/surface/prefix.h"

#include "tests/core/cost/surface/prefix_error.h"
#include "tests/core/cost/surface/table_of_csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <map>

namespace loadline {
namespace {

AttentionShape shapeOf(std::int64_t heads, std::int64_t kvHeads, std::int64_t window = 0) {
    return {.kv = "bfloat16", .heads = heads, .kvHeads = kvHeads, .headDim = 128, .window = window};
}

TEST(Prefix, wholeWavesOccupyAllMultiprocessors) {
    const PrefixRule rule = wavesOfFlashAttention2(128);
    // 32 heads x 1 tile of 64 rows = 32 tiles: one wave of 128 tiles, 256 rows a head.
    EXPECT_DOUBLE_EQ(occupiedRows(rule, shapeOf(32, 8), 16), 256);
    EXPECT_DOUBLE_EQ(occupiedRows(rule, shapeOf(32, 8), 256), 256);
    EXPECT_DOUBLE_EQ(occupiedRows(rule, shapeOf(32, 8), 257), 512);
}

TEST(Prefix, splitTilesLosePartFilledTilesAlone) {
    EXPECT_DOUBLE_EQ(occupiedRows(splitFlashAttention2(132), shapeOf(32, 8), 16), 64);
    EXPECT_DOUBLE_EQ(occupiedRows(splitFlashAttention2(132), shapeOf(32, 8), 65), 128);
    // 4 heads of a KV head: 64 rows in a tile of 128, which is 32 rows a head.
    EXPECT_DOUBLE_EQ(occupiedRows(splitFlashAttention3(132), shapeOf(32, 8), 16), 32);
    EXPECT_DOUBLE_EQ(occupiedRows(splitFlashAttention3(132), shapeOf(32, 8), 100), 128);
}

TEST(Prefix, addsPairsWithTheCache) {
    const DeviceLimits limits{.bytesPerUs = 1e6};
    const PrefillCurve curve({{.x = 64, .us = 10}, {.x = 8192, .us = 8192.0 * 8192 / 2 * 1e-4}},
                             shapeOf(32, 8), limits);
    EXPECT_DOUBLE_EQ(curve.bestUsPerPair(), 1e-4);
    const PrefixedPrefill prefill(curve, splitFlashAttention2(40), curve.bestUsPerPair());
    EXPECT_DOUBLE_EQ(prefill.at(64, 0).us, 10);
    // 32 tiles fill 0.8 of 40 multiprocessors: no second kernel. 64 x 1000 x 1e-4 us.
    EXPECT_DOUBLE_EQ(prefill.at(64, 1000).us, 10 + 6.4);
    EXPECT_EQ(prefill.at(64, 1000).reach, SurfaceReach::Modelled);
    const PrefixedPrefill split(curve, splitFlashAttention2(132), curve.bestUsPerPair());
    EXPECT_DOUBLE_EQ(split.at(64, 1000).us, 10 + 6.4 + 10);
    // One new row: a whole tile of it.
    EXPECT_DOUBLE_EQ(split.at(1, 1000).us, 10 + 6.4 + 10);
    // Bytes decide where arithmetic is cheap: 1000 tokens x 4096 bytes at 1e6 bytes a us.
    const PrefixedPrefill cheap(curve, splitFlashAttention2(40), 1e-9);
    EXPECT_NEAR(cheap.at(64, 1000).us, 10 + 4.096, 1e-9);
}

TEST(Prefix, windowHoldsTheCacheBack) {
    const PrefillCurve curve({{.x = 64, .us = 10}, {.x = 8192, .us = 100}}, shapeOf(32, 8, 128), {});
    const PrefixedPrefill prefill(curve, wavesOfFlashAttention2(0), 1e-3);
    // Without rounding each of the first 128 queries sees 128 - i more keys: 128 x 128 / 2 pairs in all.
    EXPECT_NEAR(prefill.at(8192, 100000).us, 100 + 8192 * 1e-3, 1e-9);
    EXPECT_DOUBLE_EQ(prefill.at(8192, 100000).us, prefill.at(8192, 128).us);
}

TEST(Prefix, shortCurveShowsItsRateBySlope) {
    // t = 0.01 n + 1e-4 n^2 / 2: at 2,048 tokens t / (n^2 / 2) is 10 % above the rate.
    const auto us = [](double n) { return 0.01 * n + 1e-4 * n * n / 2; };
    const PrefillCurve curve(
        {{.x = 512, .us = us(512)}, {.x = 1024, .us = us(1024)}, {.x = 2048, .us = us(2048)}}, shapeOf(32, 8),
        {});
    EXPECT_NEAR(curve.bestUsPerPair(), 1e-4, 1e-12);
}

/// Measured on one H100 with the FlashAttention 2 of PyTorch; see tests/data/kernels/README.md.
TEST(Prefix, agreesWithAnH100) {
    std::ifstream file(LOADLINE_TEST_DATA "/kernels/h100_cached_prefix.csv");
    const AtlasTable table = test::tableOfCsv(std::string(std::istreambuf_iterator<char>(file), {}));
    ASSERT_EQ(table.rows, 345U);
    const auto key = [&](std::size_t column, std::size_t row) { return table.keys[column].numbers[row]; };
    struct Cell {
        double newTokens, cachedTokens, us;
    };
    std::map<AttentionShape, std::vector<Cell>> cells;
    std::map<AttentionShape, std::vector<MeasuredPoint>> uncached;
    for (std::size_t row = 0; row < table.rows; ++row) {
        const AttentionShape shape{
            .heads = key(0, row), .kvHeads = key(1, row), .headDim = key(2, row), .window = 0};
        const Cell cell{static_cast<double>(key(3, row)), static_cast<double>(key(4, row)),
                        table.times[0].us[row]};
        if (cell.cachedTokens == 0) {
            uncached[shape].push_back({.x = cell.newTokens, .us = cell.us});
        } else {
            cells[shape].push_back(cell);
        }
    }
    std::map<std::int64_t, double> usPerPairAndHead; // by head size
    std::map<AttentionShape, PrefillCurve> curves;
    for (const auto& [shape, points] : uncached) {
        const PrefillCurve& curve =
            curves.emplace(shape, PrefillCurve(points, shape, {.bytesPerUs = 3.35e6})).first->second;
        double& best = usPerPairAndHead.try_emplace(shape.headDim, 1).first->second;
        best = std::min(best, curve.bestUsPerPair() / static_cast<double>(shape.heads));
    }
    test::PrefixErrors all;
    test::PrefixErrors allInWaves;
    for (const auto& [shape, curve] : curves) {
        const double usPerPair = usPerPairAndHead[shape.headDim] * static_cast<double>(shape.heads);
        const PrefixedPrefill prefill(curve, splitFlashAttention2(132), usPerPair);
        const PrefixedPrefill inWaves(curve, wavesOfFlashAttention2(132), curve.bestUsPerPair());
        test::PrefixErrors errors;
        for (const Cell& cell : cells[shape]) {
            const SurfaceValue value = prefill.at(cell.newTokens, cell.cachedTokens);
            EXPECT_EQ(value.reach, SurfaceReach::Modelled);
            errors.add(cell.newTokens, cell.cachedTokens, value.us, cell.us);
            allInWaves.add(cell.newTokens, cell.cachedTokens,
                           inWaves.at(cell.newTokens, cell.cachedTokens).us, cell.us);
        }
        std::cout << errors.table(
                         fmt::format("H100 {}/{} heads of {}", shape.heads, shape.kvHeads, shape.headDim))
                  << '\n';
        EXPECT_LT(errors.quantile(0.5), 0.06);
        EXPECT_LT(errors.quantile(0.9), 0.19);
        all.add(errors);
    }
    std::cout << all.table("H100 all") << '\n' << allInWaves.table("H100 in whole waves") << '\n';
    EXPECT_EQ(all.cells(), 295U);
    EXPECT_LT(all.quantile(0.5), 0.05);
    EXPECT_LT(all.quantile(0.9), 0.14);
    for (std::size_t band = 0; band < 6; ++band) {
        EXPECT_LT(all.medianAt(band), 0.075) << band;
    }
    EXPECT_GT(allInWaves.medianAt(5), 1); // the other form is wrong here by a factor
}

} // namespace
} // namespace loadline
