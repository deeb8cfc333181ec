// Surfaces of the measured linear layers: counts of cleaning, and the error bar against cells held out.
#include "core/cost/surface/gemm_surface.h"

#include "core/base/statistics.h"
#include "tests/core/cost/surface/measured_gpus.h"
#include "tests/core/cost/surface/table_of_csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <tuple>

namespace loadline {
namespace {

constexpr const char* anyGpu = "h200_sxm";

/// Known limits of kernels/measured/README.md: cells faster than their weights can be read.
TEST(MeasuredGemms, warmCellsAreThoseOfTheReadme) {
    LOADLINE_NEED_MEASURED(anyGpu, "gemm");
    const std::map<std::string, std::size_t> warm{{"l40s bf16", 1686},
                                                  {"l40s fp8", 709},
                                                  {"rtx_pro_6000_server bf16", 581},
                                                  {"rtx_pro_6000_server fp8", 31},
                                                  {"rtx_pro_6000_server nvfp4", 54}};
    for (const test::MeasuredGpu& gpu : test::measuredGpus) {
        const AtlasTable table = test::readMeasured(gpu.folder, "gemm");
        for (const std::string column : {"bf16", "fp8", "fp8_block", "nvfp4"}) {
            const Result<GemmCells> cells = gemmCellsOf(table, column);
            if (!cells) {
                continue;
            }
            const GemmSurface surface(*cells, test::gemmFormatOf(gpu, column));
            const std::string name = fmt::format("{} {}", gpu.folder, column);
            const auto known = warm.find(name);
            EXPECT_EQ(surface.counts().warm, known == warm.end() ? 0 : known->second) << name;
            EXPECT_EQ(surface.counts().belowTensor, 0U) << name;
            const GemmErrors& errors = surface.errors();
            const auto text = [](const LeftOutError& error) {
                return fmt::format("{:.1f}/{:.1f}", 100 * error.median, 100 * error.p90);
            };
            const auto share = [&](std::size_t count) {
                return 100.0 * static_cast<double>(count) / static_cast<double>(surface.counts().cells);
            };
            std::cout << fmt::format(
                "{:<30} anomalous {:4.1f} %, smoothed {:4.1f} %, sustained {:4.0f} TFLOP/s, "
                "left out: n {} k {} m {} %\n",
                name, share(surface.counts().anomalous), share(surface.counts().smoothed),
                sustainedFlopPerUs(*cells) / 1e6, text(errors.overallN), text(errors.overallK),
                text(errors.overallM));
        }
    }
}

/// fp8_block was collected without a CUDA graph: on Blackwell nearly all of it is launch time.
TEST(MeasuredGemms, launchTimeOfBlockScaledLayers) {
    LOADLINE_NEED_MEASURED(anyGpu, "gemm");
    for (const auto& [folder, floorUs, leastShare, mostShare] :
         {std::tuple("h200_sxm", 61.0, 0.6, 0.85), std::tuple("b200_sxm", 224.0, 0.9, 1.0)}) {
        const AtlasTable table = test::readMeasured(folder, "gemm");
        GemmCells block = gemmCellsOf(table, "fp8_block").value();
        const LaunchBound bound = replaceLaunchBound(block, gemmCellsOf(table, "fp8").value());
        EXPECT_NEAR(bound.floorUs, floorUs, 1) << folder;
        const double share = static_cast<double>(bound.replaced) / static_cast<double>(bound.cells);
        std::cout << fmt::format("{}: {:.0f} us launch floor, {:.0f} % of the fp8_block cells replaced\n",
                                 folder, bound.floorUs, 100 * share);
        EXPECT_GT(share, leastShare) << folder;
        EXPECT_LT(share, mostShare) << folder;
        const GemmSurface surface(block, test::gemmFormatOf(test::measuredGpu(folder), "fp8_block"));
        EXPECT_LT(surface.curveOf(2048, 2048).at(2).us, floorUs / 4);
    }
}

/// Median error of anomalous cells predicted from their neighbours in n, whose times `cells` holds.
double anomalyError(const GemmSurface& surface, const GemmCells& cells) {
    const GemmCells& grid = surface.cells();
    std::vector<double> errors;
    for (std::size_t n = 1; n + 1 < grid.n.size(); ++n) {
        for (std::size_t k = 0; k < grid.k.size(); ++k) {
            for (std::size_t m = 0; m < grid.m.size(); ++m) {
                const double us = lineAt(grid.n[n - 1], cells.us[grid.at(n - 1, k, m)], grid.n[n + 1],
                                         cells.us[grid.at(n + 1, k, m)], grid.n[n]);
                if (surface.clean()[grid.at(n, k, m)].isAnomalous && !std::isnan(us)) {
                    errors.push_back(std::abs(grid.us[grid.at(n, k, m)] / us - 1));
                }
            }
        }
    }
    return medianOf(errors);
}

/// Cells slower than a larger m are so in neighbouring shapes too: a running minimum would remove real cost.
TEST(MeasuredGemms, anomaliesArePredictedByTheirNeighboursAsTheyAre) {
    LOADLINE_NEED_MEASURED(anyGpu, "gemm");
    for (const auto& [folder, column] : {std::pair("h200_sxm", "bf16"), std::pair("h200_sxm", "fp8"),
                                         std::pair("b200_sxm", "fp8"), std::pair("l40s", "bf16")}) {
        const GemmCells cells = gemmCellsOf(test::readMeasured(folder, "gemm"), column).value();
        GemmCells running = cells;
        for (std::size_t line = 0; line < cells.us.size(); line += cells.m.size()) {
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t m = cells.m.size(); m-- > 0;) {
                least = std::fmin(least, cells.us[line + m]);
                running.us[line + m] = std::isnan(cells.us[line + m]) ? cells.us[line + m] : least;
            }
        }
        const GemmSurface surface(cells, test::gemmFormatOf(test::measuredGpu(folder), column));
        const double asMeasured = anomalyError(surface, cells);
        const double asRunningMinimum = anomalyError(surface, running);
        std::cout << fmt::format(
            "{} {}: anomalies from their neighbours {:.1f} %, after a running minimum {:.1f} %\n", folder,
            column, 100 * asMeasured, 100 * asRunningMinimum);
        EXPECT_LT(1.5 * asMeasured, asRunningMinimum);
    }
}

/// The share of clean cells held out that lie within the bar, the surface having seen none of them.
struct BarCoverage {
    double within = 0;
    double cells = 0;

    [[nodiscard]] double share() const { return within / cells; }
};

/// Holds out all cells whose n, k, m `isOut` names; counts those that are clean in the full surface.
template <typename IsOut>
void holdOut(const GemmSurface& full, const GemmFormat& format, const IsOut& isOut, BarCoverage& coverage) {
    const GemmCells& grid = full.cells();
    GemmCells kept{.n = {}, .k = {}, .m = {}};
    const auto copyAxis = [&](const std::vector<double>& from, std::vector<double>& to, int axis) {
        std::ranges::copy_if(from, std::back_inserter(to), [&](double x) { return !isOut(axis, x); });
    };
    copyAxis(grid.n, kept.n, 0);
    copyAxis(grid.k, kept.k, 1);
    copyAxis(grid.m, kept.m, 2);
    const auto isKept = [&](std::size_t n, std::size_t k, std::size_t m) {
        return !isOut(0, grid.n[n]) && !isOut(1, grid.k[k]) && !isOut(2, grid.m[m]);
    };
    for (std::size_t n = 0; n < grid.n.size(); ++n) {
        for (std::size_t k = 0; k < grid.k.size(); ++k) {
            for (std::size_t m = 0; m < grid.m.size(); ++m) {
                if (isKept(n, k, m)) {
                    kept.us.push_back(grid.us[grid.at(n, k, m)]);
                }
            }
        }
    }
    const GemmSurface seen(kept, format);
    for (std::size_t n = 0; n < grid.n.size(); ++n) {
        for (std::size_t k = 0; k < grid.k.size(); ++k) {
            GemmCurve curve;
            for (std::size_t m = 0; m < grid.m.size(); ++m) {
                const GemmCell& cell = full.clean()[grid.at(n, k, m)];
                if (isKept(n, k, m) || !cell.isClean()) {
                    continue;
                }
                curve = curve.empty() ? seen.curveOf(grid.n[n], grid.k[k]) : curve;
                if (curve.empty()) {
                    continue;
                }
                const SurfaceValue value = curve.at(grid.m[m]);
                if (value.isAnomalous || value.reach == SurfaceReach::Extrapolated) {
                    continue;
                }
                coverage.cells += 1;
                coverage.within += std::abs(cell.us / value.us - 1) <= value.relativeError ? 1 : 0;
            }
        }
    }
}

class MeasuredGemmError : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(MeasuredGemmError, coversCellsHeldOut) {
    const auto& [folder, column] = GetParam();
    LOADLINE_NEED_MEASURED(folder, "gemm");
    const GemmFormat format = test::gemmFormatOf(test::measuredGpu(folder), column);
    const GemmSurface full(gemmCellsOf(test::readMeasured(folder, "gemm"), column).value(), format);
    const GemmCells& grid = full.cells();
    BarCoverage n;
    BarCoverage k;
    BarCoverage m;
    for (std::size_t at = 1; at + 1 < grid.n.size(); ++at) {
        holdOut(
            full, format, [&](int axis, double x) { return axis == 0 && x == grid.n[at]; }, n);
    }
    for (std::size_t at = 1; at + 1 < grid.k.size(); ++at) {
        holdOut(
            full, format, [&](int axis, double x) { return axis == 1 && x == grid.k[at]; }, k);
    }
    const std::vector<AxisGroup> groups = axisGroups(grid.m);
    for (std::size_t at = 1; at + 1 < groups.size(); ++at) {
        const double first = grid.m[groups[at].first];
        const double last = grid.m[groups[at].last];
        holdOut(
            full, format, [&](int axis, double x) { return axis == 2 && x >= first && x <= last; }, m);
    }
    std::cout << fmt::format("{} {}: within the bar n {:.1f} %, k {:.1f} %, m {:.1f} % of {:.0f} cells\n",
                             folder, column, 100 * n.share(), 100 * k.share(), 100 * m.share(),
                             n.cells + k.cells + m.cells);
    EXPECT_GE(n.share(), 0.85);
    EXPECT_GE(k.share(), 0.85);
    EXPECT_GE(m.share(), 0.85);
}

INSTANTIATE_TEST_SUITE_P(All, MeasuredGemmError,
                         testing::Values(std::pair("h200_sxm", "bf16"), std::pair("h200_sxm", "fp8"),
                                         std::pair("l40s", "bf16"), std::pair("a100_sxm", "bf16")),
                         [](const auto& named) {
                             return std::string(named.param.first) + "_" + named.param.second;
                         });

TEST(MeasuredGemms, propertiesHoldForAnyShape) {
    LOADLINE_NEED_MEASURED(anyGpu, "gemm");
    std::mt19937_64 random(7);
    const auto draw = [&](double most) {
        return std::exp(std::uniform_real_distribution(0.0, std::log(most))(random));
    };
    for (const char* folder : {"h200_sxm", "l40s"}) {
        const test::MeasuredGpu gpu = test::measuredGpu(folder);
        const AtlasTable table = test::readMeasured(folder, "gemm");
        for (const std::string column : {"bf16", "fp8"}) {
            const GemmCells cells = gemmCellsOf(table, column).value();
            GemmFormat format = test::gemmFormatOf(gpu, column);
            format.sustainedFlopPerUs = sustainedFlopPerUs(cells);
            const GemmSurface surface(cells, format);
            for (int i = 0; i < 2000; ++i) {
                const double n = std::round(draw(150'000));
                const double k = std::round(draw(60'000));
                const GemmCurve curve = surface.curveOf(n, k);
                ASSERT_FALSE(curve.empty()) << n << " x " << k;
                double before = 0;
                for (double m = 1; m < 70'000; m = std::ceil(m * 1.3)) {
                    const SurfaceValue value = curve.at(m);
                    ASSERT_TRUE(std::isfinite(value.us) && std::isfinite(value.relativeError));
                    ASSERT_GE(value.us * (1 + 1e-12),
                              n * k * format.bytesPerWeight / format.limits.bytesPerUs);
                    ASSERT_GE(value.us * (1 + 1e-12), 2 * n * k * m / format.limits.flopPerUs);
                    ASSERT_GE(value.us * (1 + 1e-12), 2 * n * k * m / format.sustainedFlopPerUs);
                    ASSERT_GT(value.relativeError, 0.04);
                    ASSERT_LT(value.relativeError, 0.8) << n << " x " << k << " x " << m;
                    if (value.isAnomalous) {
                        break;
                    }
                    // Cells that are no anomalies rise but for noise.
                    ASSERT_GE(value.us * (1 + noiseShare), before) << n << " x " << k << " x " << m;
                    before = value.us;
                }
            }
        }
    }
}

} // namespace
} // namespace loadline
