// Measured attention of the GPUs, and prefill after a cached prefix against recorded profiles.
#include "core/cost/surface/attention_surface.h"

#include "core/cost/surface/prefix.h"
#include "tests/core/cost/surface/measured_gpus.h"
#include "tests/core/cost/surface/prefix_error.h"
#include "tests/core/cost/surface/table_of_csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>

namespace loadline {
namespace {

constexpr const char* workstation = "rtx_pro_6000_server";

std::filesystem::path attentionProfile(const std::string& run) {
    return std::filesystem::path(LOADLINE_SHARED_DATA) / "engine_runs" / run / "profile/attention.csv";
}

/// Cells of a recorded profile: chunks of a prompt alone, by new and cached tokens.
struct PrefillCell {
    double newTokens = 0;
    double cachedTokens = 0;
    double us = 0;
};

std::vector<PrefillCell> prefillCells(const std::string& run) {
    std::ifstream file(attentionProfile(run));
    const AtlasTable table = test::tableOfCsv(std::string(std::istreambuf_iterator<char>(file), {}));
    const auto column = [&](std::size_t at, std::size_t row) { return table.keys[at].numbers[row]; };
    std::vector<PrefillCell> cells;
    for (std::size_t row = 0; row < table.rows; ++row) {
        if (column(0, row) > 0 && column(2, row) == 0) {
            cells.push_back({static_cast<double>(column(0, row)), static_cast<double>(column(1, row)),
                             table.times[0].us[row]});
        }
    }
    return cells;
}

PrefillCurve curveOf(const std::vector<PrefillCell>& cells, const AttentionShape& shape,
                     const DeviceLimits& limits) {
    std::map<double, double> uncached;
    for (const PrefillCell& cell : cells) {
        if (cell.cachedTokens == 0) {
            uncached[cell.newTokens] = cell.us;
        }
    }
    std::vector<MeasuredPoint> points;
    for (const auto& [tokens, us] : uncached) {
        points.push_back({.x = tokens, .us = us});
    }
    return {points, shape, limits};
}

test::PrefixErrors errorsOf(const PrefixedPrefill& prefill, const std::vector<PrefillCell>& cells) {
    test::PrefixErrors errors;
    for (const PrefillCell& cell : cells) {
        if (cell.cachedTokens > 0) {
            errors.add(cell.newTokens, cell.cachedTokens, prefill.at(cell.newTokens, cell.cachedTokens).us,
                       cell.us);
        }
    }
    return errors;
}

TEST(MeasuredPrefix, agreesWithTheProfileOfAnRtxPro6000) {
    const std::string run = "rtxpro6000-qwen3-32b-tp2";
    LOADLINE_NEED_MEASURED(workstation, "prefill_attention");
    if (!std::filesystem::exists(attentionProfile(run))) {
        GTEST_SKIP() << "no profile at " << attentionProfile(run);
    }
    const DeviceLimits limits = test::limitsOf(test::measuredGpu(workstation));
    const AttentionShape shape{.kv = "bfloat16", .heads = 32, .kvHeads = 4, .headDim = 128, .window = 0};
    const PrefillSurface surface =
        PrefillSurface::make(test::readMeasured(workstation, "prefill_attention"), limits).value();
    const PrefillCurve& table = *surface.find(shape);
    EXPECT_NEAR(table.bestUsPerPair(), 5.434e-5, 1e-8);
    const std::vector<PrefillCell> cells = prefillCells(run);
    const PrefillCurve profile = curveOf(cells, shape, limits);
    const PrefixRule rule = wavesOfFlashAttention2(188);
    const test::PrefixErrors own = errorsOf({profile, rule, table.bestUsPerPair()}, cells);
    const test::PrefixErrors tables = errorsOf({table, rule, table.bestUsPerPair()}, cells);
    const test::PrefixErrors fromSlope = errorsOf({profile, rule, profile.bestUsPerPair()}, cells);
    std::cout << own.table("RTX PRO, profile's t(q)") << '\n'
              << tables.table("RTX PRO, table's t(q)") << '\n'
              << fromSlope.table("RTX PRO, profile alone") << '\n';
    EXPECT_EQ(own.cells(), 214U);
    EXPECT_LT(own.quantile(0.5), 0.03);
    EXPECT_LT(own.quantile(0.9), 0.05);
    EXPECT_LT(tables.quantile(0.5), 0.031);
    EXPECT_LT(tables.quantile(0.9), 0.08);
    EXPECT_LT(fromSlope.quantile(0.9), 0.1); // its curve ends at 2,048 tokens
    for (std::size_t band = 0; band < 6; ++band) {
        EXPECT_LT(own.medianAt(band), 0.03) << band;
    }
}

TEST(MeasuredPrefix, agreesWithTheProfileOfAnRtx4090) {
    const std::string run = "rtx4090-llama-3.1-8b";
    if (!std::filesystem::exists(attentionProfile(run))) {
        GTEST_SKIP() << "no profile at " << attentionProfile(run);
    }
    const std::vector<PrefillCell> cells = prefillCells(run);
    const AttentionShape shape{.kv = "bfloat16", .heads = 32, .kvHeads = 8, .headDim = 128, .window = 0};
    const PrefillCurve curve = curveOf(cells, shape, {.bytesPerUs = 1.008e6});
    const test::PrefixErrors errors =
        errorsOf({curve, wavesOfFlashAttention2(128), curve.bestUsPerPair()}, cells);
    std::cout << errors.table("RTX 4090, profile alone") << '\n';
    EXPECT_EQ(errors.cells(), 88U);
    EXPECT_LT(errors.quantile(0.5), 0.05);
    EXPECT_LT(errors.quantile(0.9), 0.11);
}

TEST(MeasuredAttention, decodeErrorsAndFloors) {
    LOADLINE_NEED_MEASURED("h200_sxm", "decode_attention");
    std::mt19937_64 random(11);
    const auto draw = [&](double most) {
        return std::round(std::exp(std::uniform_real_distribution(0.0, std::log(most))(random)));
    };
    for (const char* folder : {"h200_sxm", "l40s", "a100_sxm"}) {
        const DeviceLimits limits = test::limitsOf(test::measuredGpu(folder));
        const DecodeSurface surface =
            DecodeSurface::make(test::readMeasured(folder, "decode_attention"), limits).value();
        std::vector<double> context;
        std::vector<double> batch;
        std::vector<double> beyond;
        for (const auto& [shape, curves] : surface.all()) {
            context.push_back(curves.curves().errors().tokens.median);
            batch.push_back(curves.curves().errors().batch.median);
            beyond.push_back(curves.curves().errors().beyondTokens.p90);
            for (int i = 0; i < 200; ++i) {
                const double sequences = draw(4096);
                const double tokens = draw(1'000'000);
                const SurfaceValue value = curves.at(sequences, tokens);
                ASSERT_TRUE(std::isfinite(value.us) && std::isfinite(value.relativeError));
                ASSERT_GE(value.us * (1 + 1e-12),
                          sequences * shape.seen(tokens) * shape.kvBytesPerToken() / limits.bytesPerUs);
                // Beyond the last context of any batch times rise.
                ASSERT_GE(curves.at(sequences, 300'000 + tokens).us * (1 + 1e-12),
                          curves.at(sequences, 300'000).us);
            }
        }
        std::cout << fmt::format(
            "{}: {} decode shapes, left out: context {:.1f} %, batch {:.1f} % (medians), last "
            "context {:.1f} % (median of 90 %); {} cells raised to their bytes\n",
            folder, surface.all().size(), 100 * medianOf(context), 100 * medianOf(batch),
            100 * medianOf(beyond), surface.raised());
        EXPECT_LT(medianOf(context), 0.05);
        EXPECT_LT(medianOf(batch), 0.06);
    }
}

TEST(MeasuredAttention, prefillErrors) {
    LOADLINE_NEED_MEASURED("h200_sxm", "prefill_attention");
    for (const char* folder : {"h200_sxm", "l40s"}) {
        const DeviceLimits limits = test::limitsOf(test::measuredGpu(folder));
        const PrefillSurface surface =
            PrefillSurface::make(test::readMeasured(folder, "prefill_attention"), limits).value();
        std::vector<double> medians;
        std::vector<double> p90s;
        std::size_t raised = 0;
        for (const auto& [shape, curve] : surface.all()) {
            medians.push_back(curve.error().median);
            p90s.push_back(curve.error().p90);
            for (const MeasuredPoint& point : curve.points()) {
                raised += point.isRaised ? 1U : 0U;
            }
            EXPECT_NEAR(curve.at(2 * curve.points().back().x).us / curve.points().back().us,
                        shape.window > 0 ? 2 : 4, shape.window > 0 ? 1 : 1e-9);
        }
        std::cout << fmt::format(
            "{}: {} prefill shapes, left out {:.1f} / {:.1f} % (medians of the median and of "
            "the 90 %), {} cells raised\n",
            folder, surface.all().size(), 100 * medianOf(medians), 100 * medianOf(p90s), raised);
        EXPECT_LT(medianOf(medians), 0.1);
    }
}

} // namespace
} // namespace loadline
