// Cost tables: the study's figures, properties, and what is missing.
#include "core/cost/estimate/cost_model.h"

#include "core/cost/kernel/time_limits.h"
#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>

#include <cmath>

namespace loadline {
namespace {

const KernelTimes& publishedTimes() {
    static const KernelTimes times(test::bundledProfile(), nullptr);
    return times;
}

CostTable tableOf(const KernelTimes& times, const CostSetup& setup) {
    auto table = makeCostTable(times, setup);
    EXPECT_TRUE(table) << (table ? "" : table.error().sentence());
    return table ? table.value() : CostTable{};
}

CostSetup setupOf(const char* shapes, int kBits = 4, const char* rule = "code", std::int64_t maxRows = 600) {
    return {.model = *findShapePreset(shapes),
            .format = kBits,
            .rule = *findDispatchPreset(rule),
            .maxRows = maxRows};
}

TEST(CostTable, HasTheStudysTimesAtOneRow) {
    // The study prints 55.6 us at M = 1, k = 4; its own timings sum to 52.9 with KV once, 56.9 with K and V.
    EXPECT_NEAR(tableOf(publishedTimes(), setupOf("study-kv-once")).us(1), 52.9, 0.05);
    EXPECT_NEAR(tableOf(publishedTimes(), setupOf("study")).us(1), 56.9, 0.05);
    const CostTable once = tableOf(publishedTimes(), setupOf("study-kv-once"));
    const CostTable twice = tableOf(publishedTimes(), setupOf("study"));
    EXPECT_NEAR(once.fp16Us(1), 90.1, 0.05);
    EXPECT_NEAR(twice.fp16Us(1), 103.9, 0.05);
    EXPECT_NEAR(once.fp16Us(4), 92.6, 0.05);
    EXPECT_NEAR(twice.fp16Us(4), 109.2, 0.06);
    EXPECT_NEAR(once.us(16), 82.2, 0.05);
    EXPECT_EQ(once.modelledShare(16), 0);
    EXPECT_EQ(once.fp16ModelledShare(16), 0);
    const std::vector<double> oneRow = {39.8, 44.7, 52.9, 58.0};
    for (int k = minKBits; k <= maxKBits; ++k) {
        EXPECT_NEAR(tableOf(publishedTimes(), setupOf("study-kv-once", k)).us(1),
                    oneRow[static_cast<std::size_t>(k - 2)], 0.051);
    }
}

TEST(CostTable, DequantiseIsOnTopOfFp16) {
    const CostTable table = tableOf(publishedTimes(), setupOf("study"));
    for (const std::int64_t m : {17, 64, 512, 600}) {
        EXPECT_NEAR(table.us(m) - table.fp16Us(m), 120, 0.001) << m; // 30 + 30 + 25 + 25 + 2 x 5
        EXPECT_NEAR(table.kernelUs(m, Kernel::DequantCublas), table.us(m), 1e-6 * table.us(m));
    }
    const auto services = table.services(512);
    ASSERT_EQ(services.size(), 5U);
    EXPECT_EQ(services[0].partCount, 2);
    EXPECT_EQ(services[0].parts[1].estimate.kind, EstimateKind::AtPoint); // gateup at 512 was published
    EXPECT_EQ(services[0].parts[1].estimate.origin, PointOrigin::Published);
    EXPECT_NEAR(services[0].us, 30 + 80, 1e-4);
    EXPECT_EQ(services[1].parts[1].estimate.kind, EstimateKind::Modelled); // down was not
    EXPECT_EQ(services[1].parts[1].estimate.origin, PointOrigin::Modelled);
    EXPECT_GT(table.fp16ModelledShare(512), 0.5);
}

TEST(CostTable, SharesByKernelAddUpAndFollowTheRule) {
    for (const char* rule : {"code", "published", "fastest"}) {
        const CostTable table = tableOf(publishedTimes(), setupOf("study-moe", 3, rule));
        for (std::int64_t m = 1; m <= table.maxRows(); m += 7) {
            double sum = 0;
            for (const Kernel kernel : allKernels) {
                sum += table.kernelUs(m, kernel);
            }
            EXPECT_NEAR(sum, table.us(m), 1e-6 * table.us(m)) << rule << ' ' << m;
        }
    }
    const CostTable text = tableOf(publishedTimes(), setupOf("study", 4, "published"));
    EXPECT_EQ(text.services(32)[0].kernel, Kernel::Mma);
    EXPECT_EQ(text.services(33)[0].kernel, Kernel::DequantCublas);
    EXPECT_GT(text.kernelUs(4, Kernel::Scalar), 0);
    EXPECT_EQ(text.kernelUs(5, Kernel::Scalar), 0);
}

TEST(CostTable, TheHeadHasRowsOfItsOwn) {
    const KernelTimes times = KernelTimes::rooflineOnly(*findHardware("H100-SXM"));
    CostSetup setup;
    setup.model = *findShapePreset("llama-3.1-8b");
    setup.maxRows = 1024;
    const auto table = makeCostTable(times, setup);
    ASSERT_TRUE(table);
    ASSERT_TRUE(table->hasHead());
    setup.model.gemms.pop_back();
    const auto layers = makeCostTable(times, setup);
    ASSERT_TRUE(layers);
    EXPECT_FALSE(layers->hasHead());
    for (const std::int64_t m : {1, 40, 1024, 5000}) {
        EXPECT_EQ(table->us({m, 0}), layers->us(m)) << m;
        EXPECT_EQ(table->fp16Us({m, 0}), layers->fp16Us(m));
        for (const std::int64_t head : {1, 7}) {
            EXPECT_EQ(table->us({m, head}), layers->us(m) + table->us({0, head}));
            double kernels = 0;
            for (const Kernel kernel : allKernels) {
                kernels += table->kernelUs({m, head}, kernel);
            }
            EXPECT_NEAR(kernels, table->us({m, head}), 1e-9 * kernels);
        }
    }
    EXPECT_GT(table->us({0, 1}), 100); // a gigabyte is read
    const std::vector<GemmService> services = table->services({512, 0});
    EXPECT_GT(services.front().us, 0);
    EXPECT_EQ(services.back().us, 0);
    EXPECT_EQ(services.back().partCount, 0);
    EXPECT_EQ(table->services({512, 3}).back().us, table->us({0, 3}));
}

TEST(CostTable, FastestTakesTheFastestMeasured) {
    const CostTable fastest = tableOf(publishedTimes(), setupOf("study", 4, "fastest", 16));
    for (const char* rule : {"code", "published"}) {
        const CostTable fixed = tableOf(publishedTimes(), setupOf("study", 4, rule, 16));
        for (std::int64_t m = 1; m <= 16; ++m) {
            EXPECT_LE(fastest.us(m), fixed.us(m) * (1 + 1e-9)) << rule << ' ' << m;
        }
    }
    EXPECT_EQ(fastest.services(1)[0].kernel, Kernel::Scalar); // gateup: 13.14 against 19.83
    EXPECT_EQ(fastest.services(1)[1].kernel, Kernel::Mma);    // down: 13.50 against 13.76
}

TEST(CostTable, FastestTakesNoRooflineWhereAKernelWasTimed) {
    const Profile& published = test::bundledProfile();
    const KernelTimes asTimed(published, findHardware("RTX4090"));
    const KernelTimes modelling(published, findHardware("RTX4090"), {.modelMissingKernels = true});
    for (const char* model : {"study", "llama-3.1-8b"}) { // timed at these shapes, and at none of them
        const CostSetup setup = setupOf(model, 4, "fastest", 64);
        const CostTable without = tableOf(asTimed, setup);
        const CostTable with = tableOf(modelling, setup);
        for (std::int64_t m = 1; m <= 64; ++m) {
            EXPECT_EQ(with.us(m), without.us(m)) << model << ' ' << m;
        }
    }
}

TEST(CostTable, IsFiniteAndPositiveForEveryModelDeviceAndK) {
    for (const Hardware& hardware : hardwareTable()) {
        const KernelTimes times = KernelTimes::rooflineOnly(hardware);
        for (const ModelShapes& model : shapePresets()) {
            const CostTable table = tableOf(times, {.model = model, .maxRows = 300});
            for (std::int64_t m = 1; m <= 300; m += 23) {
                EXPECT_TRUE(std::isfinite(table.us(m)) && table.us(m) > 0)
                    << hardware.key << ' ' << model.key;
                EXPECT_EQ(table.modelledShare(m), 1);
                EXPECT_GE(table.fp16Us(m + 1), table.fp16Us(m) * (1 - 1e-6)); // a roofline only grows
            }
        }
    }
    for (int k = minKBits; k <= maxKBits; ++k) {
        for (const ModelShapes& model : shapePresets()) {
            for (const DispatchRule& rule : dispatchPresets()) {
                const CostTable table =
                    tableOf(publishedTimes(), {.model = model, .format = k, .rule = rule, .maxRows = 200});
                for (std::int64_t m = 1; m <= 200; ++m) {
                    EXPECT_TRUE(std::isfinite(table.us(m)) && table.us(m) > 0) << model.key << ' ' << m;
                    EXPECT_TRUE(std::isfinite(table.fp16Us(m)) && table.fp16Us(m) > 0)
                        << model.key << ' ' << m;
                    EXPECT_GT(table.relativeError(m), 0);
                    EXPECT_LT(table.relativeError(m), 3) << model.key << ' ' << m;
                }
            }
        }
    }
}

TEST(CostTable, RowsOutsideTheTableAreHandled) {
    const CostTable table = tableOf(publishedTimes(), setupOf("study"));
    EXPECT_EQ(table.us(0), 0);
    EXPECT_EQ(table.us(-5), 0);
    EXPECT_DOUBLE_EQ(table.us(1200), 2 * table.us(600));
    EXPECT_DOUBLE_EQ(table.kernelUs(1200, Kernel::DequantCublas),
                     2 * table.kernelUs(600, Kernel::DequantCublas));
    EXPECT_EQ(table.usByRows().layersUs.size(), 601U);
    EXPECT_EQ(table.usByRows().layersUs[4], table.us(4));
}

TEST(CostTable, ScalingAKernelMovesItsPartAlone) {
    CostSetup setup = setupOf("study");
    const CostTable before = tableOf(publishedTimes(), setup);
    setup.timeScale[static_cast<std::size_t>(Kernel::Dequantise)] = 0.5; // 30 -> 15 us
    const CostTable half = tableOf(publishedTimes(), setup);
    EXPECT_EQ(half.us(1), before.us(1));
    EXPECT_NEAR(before.us(512) - half.us(512), 60, 0.001);
    EXPECT_EQ(half.fp16Us(512), before.fp16Us(512));
    setup.timeScale[static_cast<std::size_t>(Kernel::Dequantise)] = 0;
    EXPECT_NEAR(tableOf(publishedTimes(), setup).us(512), before.fp16Us(512), 0.001);
}

TEST(CostTable, DrawsScatterByTheErrorBarsAndKeepFp16AndCublasTogether) {
    const CostTable table = tableOf(publishedTimes(), setupOf("study"));
    EXPECT_EQ(table.drawn(7).us(64), table.drawn(7).us(64));
    EXPECT_NE(table.drawn(7).us(64), table.drawn(8).us(64));
    constexpr int draws = 400;
    double sumLog = 0;
    double sumSquares = 0;
    for (int seed = 0; seed < draws; ++seed) {
        const CostTable drawn = table.drawn(static_cast<std::uint64_t>(seed));
        const double difference = drawn.us(512) - drawn.fp16Us(512); // dequantise alone: +- 2 % each
        EXPECT_NEAR(difference, 120, 10);
        const double ratio = std::log(drawn.fp16Us(512) / table.fp16Us(512));
        sumLog += ratio;
        sumSquares += ratio * ratio;
    }
    const double sd = std::sqrt(sumSquares / draws - sumLog * sumLog / draws / draws);
    EXPECT_NEAR(sd * 1.645 / table.fp16RelativeError(512), 1, 0.2);
}

TEST(CostTable, DrawsOfSkewedSamplesStayWithinWhatWasMeasured) {
    Profile skewed = test::bundledProfile();
    for (ProfilePoint& point : skewed.points) { // as if other work had run beside them
        point.p25Us = 0.97 * point.timeUs;
        point.p75Us = 36 * point.timeUs;
        point.repeatUs.reset();
    }
    const CostTable table = tableOf(KernelTimes(skewed, nullptr), setupOf("study"));
    EXPECT_LT(table.relativeError(64), 2); // 17.5 as a share of the time
    for (int seed = 0; seed < 200; ++seed) {
        const CostTable drawn = table.drawn(static_cast<std::uint64_t>(seed));
        const double factor = drawn.us(64) / table.us(64);
        EXPECT_GT(factor, 1e-3);
        EXPECT_LT(factor, 1e3);
    }
    for (ProfilePoint& point : skewed.points) {
        point.repeatUs = mostTimeUs;
    }
    const CostTable absurd = tableOf(KernelTimes(skewed, nullptr), setupOf("study"));
    for (int seed = 0; seed < 50; ++seed) {
        const CostTable drawn = absurd.drawn(static_cast<std::uint64_t>(seed));
        EXPECT_TRUE(std::isfinite(drawn.us(64) / drawn.fp16Us(64)));
        EXPECT_GT(drawn.us(64), 0);
    }
}

TEST(CostTable, SaysWhatIsMissing) {
    Profile fp16Only;
    fp16Only.name = "half a profile";
    for (const ProfilePoint& point : test::bundledProfile().points) {
        if (point.kernel == Kernel::CublasFp16) {
            fp16Only.points.push_back(point);
        }
    }
    const auto sentence = [](const KernelTimes& times, const CostSetup& setup) {
        const auto table = makeCostTable(times, setup);
        return table ? std::string("no error") : table.error().sentence();
    };
    const Hardware* known = findHardware("RTX4090");
    EXPECT_NE(sentence(KernelTimes(fp16Only, known), setupOf("study"))
                  .find("the profile \"half a profile\" has no time of scalar GEMV at k = 4 (try: "),
              std::string::npos)
        << sentence(KernelTimes(fp16Only, known), setupOf("study"));
    EXPECT_TRUE(modellingHelps(*KernelTimes(fp16Only, known).missing(Kernel::Scalar, 4)));
    EXPECT_FALSE(modellingHelps(*KernelTimes(fp16Only, nullptr).missing(Kernel::Scalar, 4)));
    EXPECT_NE(sentence(KernelTimes(fp16Only, nullptr, {.modelMissingKernels = true}), setupOf("study"))
                  .find("its device is not known"),
              std::string::npos);
    EXPECT_EQ(sentence(KernelTimes(fp16Only, findHardware("RTX4090"), {.modelMissingKernels = true}),
                       setupOf("study")),
              "no error");
    // One's own kernel beside fp16 alone: no rule goes beyond its last M, and the remedy names what would do.
    Profile own = fp16Only;
    for (ProfilePoint point : test::bundledProfile().points) {
        if (point.kernel == Kernel::Mma && point.kBits == 4 && point.rowsM <= 64) {
            own.points.push_back(point);
        }
    }
    const CostSetup fastest = setupOf("study", 4, "fastest", 300);
    const std::string would =
        "(try: times of it, or of another kernel at every M to 300; a smaller token budget; or ";
    const std::string unknown = sentence(KernelTimes(own, nullptr), fastest);
    EXPECT_NE(unknown.find("from M = 65 on no other kernel was timed or is built to serve " + would +
                           "a named device, for example roofline:H100-SXM)"),
              std::string::npos)
        << unknown;
    const std::string modelled = sentence(KernelTimes(own, known), fastest);
    EXPECT_NE(modelled.find(would + "--model-missing: a roofline for what is missing)"), std::string::npos)
        << modelled;
    EXPECT_TRUE(modellingHelps(makeCostTable(KernelTimes(own, known), fastest).error()));
    EXPECT_EQ(sentence(KernelTimes(own, known), setupOf("study", 4, "fastest", 64)), "no error");
    EXPECT_EQ(sentence(KernelTimes(own, known, {.modelMissingKernels = true}), fastest), "no error");
    // Without hardware there is no roofline: shapes never timed are an Error, not a guess.
    Profile unnamed = test::bundledProfile();
    unnamed.hardware.clear();
    EXPECT_NE(sentence(KernelTimes(unnamed, nullptr), setupOf("llama-3.1-8b")).find("near the shape"),
              std::string::npos);

    CostSetup setup = setupOf("study");
    setup.model.gemms.clear();
    EXPECT_NE(sentence(publishedTimes(), setup).find("no GEMMs"), std::string::npos);
    setup = setupOf("study");
    setup.maxRows = 0;
    EXPECT_NE(sentence(publishedTimes(), setup).find("0 rows is out of range"), std::string::npos);
    setup = setupOf("study");
    setup.rule.dense.pop_back();
    EXPECT_NE(sentence(publishedTimes(), setup).find("no kernel serves dense GEMMs from M = 17 on"),
              std::string::npos);
    setup = setupOf("study");
    setup.timeScale[0] = std::nan("");
    EXPECT_NE(sentence(publishedTimes(), setup).find("not a number of 0 to 1\u202f000\u202f000"),
              std::string::npos);
    setup = setupOf("study");
    setup.model.gemms[0].size.k = 0;
    EXPECT_NE(sentence(publishedTimes(), setup).find("\"gateup\""), std::string::npos);
}

} // namespace
} // namespace loadline
