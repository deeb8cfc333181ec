// Curves and bounds of one shape: on the published timings and on made-up ones.
#include "core/cost/figure/kernel_figure.h"

#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/analytic/modelled_profile.h"
#include "core/cost/figure/kernel_figure_tables.h"
#include "tests/core/cost/bundled_profile.h"
#include "tests/core/cost/timed_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline {
namespace {

using test::curveIn;
using test::densePoint;
using test::denseShape;
using test::madeUpProfile;

std::shared_ptr<const Profile> publishedProfile() {
    return std::make_shared<const Profile>(test::bundledProfile());
}

TEST(KernelFigure, ABarEndsAtTheQuartilesHoweverFarTheyLie) {
    ProfilePoint point = densePoint(Kernel::Mma, 1, 68.4);
    point.p25Us = 65.9;
    point.p75Us = 2509;
    const KernelFigure figure = kernelFigure({madeUpProfile({point}), nullptr, denseShape, 4});
    const Table table = timesTable(figure);
    const auto inColumn = [&](const char* name) {
        const auto column = std::ranges::find(table.columns, name) - table.columns.begin();
        return std::get<double>(table.rows.at(0).at(static_cast<std::size_t>(column)));
    };
    EXPECT_EQ(inColumn("low_us"), 65.9);
    EXPECT_EQ(inColumn("high_us"), 2509);
    for (const KernelSample& sample : curveIn(figure, Kernel::Mma)->line) {
        EXPECT_LT(sample.time.relativeError, 3);
    }
}

TEST(KernelFigure, ShapesWithKBitTimesComeFirst) {
    Profile profile;
    const auto add = [&](Kernel kernel, GemmSize size, int experts, int kBits) {
        ProfilePoint point;
        point.kernel = kernel;
        point.size = size;
        point.experts = experts;
        point.kBits = kBits;
        point.timeUs = 1;
        profile.points.push_back(point);
    };
    add(Kernel::CublasFp16, {64, 128256}, 1, fp16Bits); // an LM head
    add(Kernel::GroupedMma, {64, 4096}, 8, 4);
    add(Kernel::Mma, {64, 64}, 1, 4);
    add(Kernel::Mma, {64, 128}, 1, 4);
    std::vector<std::string> order;
    for (const TimedShape& shape : timedShapes(profile)) {
        order.push_back(textOf(shape));
    }
    EXPECT_EQ(order, (std::vector<std::string>{"64x128", "64x64", "64x128256", "64x4096x8"}));
}

TEST(KernelFigure, EveryPointOfTheShapeIsAMarkAtItsTime) {
    const auto profile = publishedProfile();
    for (const TimedShape& shape : timedShapes(*profile)) {
        for (const int k : timedKBits(*profile)) {
            const KernelFigure figure = kernelFigure({profile, nullptr, shape, k});
            std::size_t marks = 0;
            for (const KernelCurve& curve : figure.curves) {
                marks += curve.marks.size();
                for (const KernelMark& mark : curve.marks) {
                    const ProfilePoint& point = profile->points[mark.point];
                    EXPECT_EQ(mark.us, point.timeUs);
                    EXPECT_LT(mark.low, mark.us);
                    EXPECT_GT(mark.high, mark.us);
                    EXPECT_GT(mark.boundUs, 0); // the RTX 4090 is in the hardware table
                }
            }
            const auto wanted = std::ranges::count_if(profile->points, [&](const ProfilePoint& point) {
                return point.size == shape.size && point.experts == shape.experts &&
                       (!readsKBits(point.kernel) || point.kBits == k);
            });
            EXPECT_EQ(marks, static_cast<std::size_t>(wanted)) << textOf(shape) << " k " << k;
            EXPECT_EQ(timesTable(figure).rows.size(), marks);
            EXPECT_EQ(ceilingTable(figure).rows.size(), marks);
        }
    }
}

TEST(KernelFigure, LinesPassThroughTheMarksAndAscend) {
    const KernelFigure figure = kernelFigure({publishedProfile(), nullptr, denseShape, 4});
    for (const KernelCurve& curve : figure.curves) {
        ASSERT_FALSE(curve.line.empty());
        for (std::size_t i = 1; i < curve.line.size(); ++i) {
            EXPECT_LT(curve.line[i - 1].rowsM, curve.line[i].rowsM);
        }
        for (const KernelMark& mark : curve.marks) {
            const auto at = std::ranges::find(curve.line, mark.rowsM, &KernelSample::rowsM);
            ASSERT_NE(at, curve.line.end());
            EXPECT_DOUBLE_EQ(at->time.us, mark.us);
            EXPECT_EQ(at->time.kind, EstimateKind::AtPoint);
        }
        EXPECT_LE(curve.line.back().rowsM, figure.mostRows);
    }
    // Beyond its points a curve is modelled, and says so.
    const KernelCurve* scalar = curveIn(figure, Kernel::Scalar);
    ASSERT_NE(scalar, nullptr);
    EXPECT_EQ(scalar->lastM, 4);
    EXPECT_EQ(scalar->line.back().rowsM, 8);
    EXPECT_EQ(scalar->line.back().time.kind, EstimateKind::Modelled);
}

TEST(KernelFigure, ASumIsItsPartsTogether) {
    const auto profile =
        madeUpProfile({densePoint(Kernel::Dequantise, 0, 30), densePoint(Kernel::CublasFp16, 1, 20),
                       densePoint(Kernel::CublasFp16, 64, 25)});
    const KernelFigure figure = kernelFigure({profile, nullptr, denseShape, 4});
    const KernelCurve* sum = curveIn(figure, Kernel::DequantCublas);
    ASSERT_NE(sum, nullptr);
    EXPECT_TRUE(sum->marks.empty());
    EXPECT_DOUBLE_EQ(sum->line.front().time.us, 50);
    EXPECT_EQ(sum->lastM, 64);
    EXPECT_DOUBLE_EQ(sum->line.back().time.us, 55);
    const KernelCurve* flat = curveIn(figure, Kernel::Dequantise);
    ASSERT_NE(flat, nullptr);
    for (const KernelSample& sample : flat->line) {
        EXPECT_DOUBLE_EQ(sample.time.us, 30);
    }
}

TEST(KernelFigure, AsPairsTimedInOneGoAreMarksOnTheCorrectedSum) {
    const std::vector<ProfilePoint> parts = {densePoint(Kernel::Dequantise, 0, 30),
                                             densePoint(Kernel::CublasFp16, 1, 20),
                                             densePoint(Kernel::CublasFp16, 64, 20)};
    std::vector<ProfilePoint> points = parts;
    points.push_back(densePoint(Kernel::DequantCublas, 16, 45));
    points.push_back(densePoint(Kernel::DequantCublas, 16, 99, 3)); // of another k
    const KernelFigure figure = kernelFigure({madeUpProfile(points), nullptr, denseShape, 4});
    const KernelFigure apart = kernelFigure({madeUpProfile(parts), nullptr, denseShape, 4});
    const KernelCurve* pair = curveIn(figure, Kernel::DequantCublas);
    ASSERT_NE(pair, nullptr);
    ASSERT_EQ(pair->marks.size(), 1U);
    EXPECT_EQ(pair->marks[0].rowsM, 16);
    EXPECT_EQ(pair->marks[0].us, 45);
    EXPECT_DOUBLE_EQ(pair->marks[0].partsUs, 50);
    EXPECT_EQ(pair->lastM, 64);
    EXPECT_DOUBLE_EQ(pair->line.front().time.us, 45);
    for (const Kernel part : {Kernel::Dequantise, Kernel::CublasFp16}) { // unchanged
        EXPECT_EQ(curveIn(figure, part)->line.front().time, curveIn(apart, part)->line.front().time);
        EXPECT_EQ(curveIn(figure, part)->marks.front().partsUs, 0);
    }
    EXPECT_NE(
        figure.sentence.find("The line of dequantise + cuBLAS is its parts' sum, corrected by what both "
                             "take in one go at M = 16: 0.9 of the sum."),
        std::string::npos)
        << figure.sentence;
    EXPECT_EQ(apart.sentence.find("in one go"), std::string::npos);
    const Table table = timesTable(figure);
    const auto column = std::ranges::find(table.columns, "parts_us") - table.columns.begin();
    std::size_t found = 0;
    for (const auto& row : table.rows) {
        if (std::get<std::string>(row[1]) == "dequant_cublas") {
            EXPECT_DOUBLE_EQ(std::get<double>(row[static_cast<std::size_t>(column)]), 50);
            ++found;
        }
    }
    EXPECT_EQ(found, 1U);
}

TEST(KernelFigure, APairWithoutItsPartsIsACurveOfItsOwn) {
    const auto profile = madeUpProfile(
        {densePoint(Kernel::DequantCublas, 16, 45), densePoint(Kernel::DequantCublas, 128, 90)});
    const KernelFigure figure = kernelFigure({profile, nullptr, denseShape, 4});
    const KernelCurve* pair = curveIn(figure, Kernel::DequantCublas);
    ASSERT_NE(pair, nullptr);
    EXPECT_EQ(pair->marks.size(), 2U);
    EXPECT_EQ(pair->lastM, 128);
    EXPECT_EQ(pair->marks[0].partsUs, 0);
    EXPECT_EQ(figure.sentence.find("in one go"), std::string::npos) << figure.sentence;
}

TEST(KernelFigure, BoundsAreBytesAndArithmeticAtMeasuredRates) {
    const auto profile =
        madeUpProfile({densePoint(Kernel::Scalar, 1, 10), densePoint(Kernel::Dequantise, 0, 40),
                       densePoint(Kernel::CublasFp16, 4096, 2000)},
                      {{"read_gb_s", "1000"}, {"copy_gb_s", "500"}, {"gemm_tflop_s", "100"}});
    const KernelFigure figure = kernelFigure({profile, nullptr, denseShape, 4});
    const KernelMark& scalar = curveIn(figure, Kernel::Scalar)->marks.front();
    const double bytes = workOf(Kernel::Scalar, denseShape.size, 1, 1, 4).bytes;
    EXPECT_DOUBLE_EQ(scalar.boundUs, bytes / 1e6);
    EXPECT_DOUBLE_EQ(scalar.fraction, bytes / 1e6 / 10);
    EXPECT_FALSE(scalar.byArithmetic);
    const KernelMark& dequantise = curveIn(figure, Kernel::Dequantise)->marks.front();
    EXPECT_DOUBLE_EQ(dequantise.boundUs, workOf(Kernel::Dequantise, denseShape.size, 1, 1, 4).bytes / 5e5);
    const KernelMark& gemm = curveIn(figure, Kernel::CublasFp16)->marks.front();
    EXPECT_TRUE(gemm.byArithmetic);
    EXPECT_DOUBLE_EQ(gemm.boundUs, 2.0 * 2048 * 5120 * 4096 / 1e8);
    EXPECT_EQ(figure.boundSource, "rates measured in the same run");
    ASSERT_EQ(figure.bounds.size(), 2U); // k-bit and fp16; no datasheet: the device is not known
    EXPECT_TRUE(figure.bounds[0].measured);
    for (const BoundLine& line : figure.bounds) {
        for (std::size_t i = 1; i < line.line.size(); ++i) {
            EXPECT_GE(line.line[i].second, line.line[i - 1].second);
        }
    }
}

TEST(KernelFigure, NoRatesNoFractions) {
    const KernelFigure figure =
        kernelFigure({madeUpProfile({densePoint(Kernel::Scalar, 1, 10)}), nullptr, denseShape, 4});
    EXPECT_EQ(curveIn(figure, Kernel::Scalar)->marks.front().boundUs, 0);
    EXPECT_TRUE(figure.bounds.empty());
    EXPECT_TRUE(figure.boundSource.empty());
    EXPECT_TRUE(ceilingTable(figure).rows.empty());
    const auto odd =
        madeUpProfile({densePoint(Kernel::Scalar, 1, 10)}, {{"read_gb_s", "\"fast\""}, {"copy_gb_s", "{"}});
    EXPECT_FALSE(measuredBounds(*odd));
}

TEST(KernelFigure, TwoProfilesAreComparedPointByPoint) {
    const auto mine = madeUpProfile({densePoint(Kernel::Scalar, 1, 10), densePoint(Kernel::Scalar, 2, 12),
                                     densePoint(Kernel::Scalar, 3, 30), densePoint(Kernel::Mma, 1, 7)});
    const auto other = madeUpProfile({densePoint(Kernel::Scalar, 1, 5), densePoint(Kernel::Scalar, 2, 12),
                                      densePoint(Kernel::Scalar, 3, 10), densePoint(Kernel::Mma, 2, 7)},
                                     {}, "the other");
    const KernelFigure figure = kernelFigure({mine, other, denseShape, 4});
    ASSERT_EQ(figure.comparisons.size(), 1U); // MMA has no M in common
    EXPECT_EQ(figure.comparisons[0].kernel, Kernel::Scalar);
    EXPECT_EQ(figure.comparisons[0].points, 3);
    EXPECT_DOUBLE_EQ(figure.comparisons[0].ratio, 2); // of 2, 1, 3
    EXPECT_NE(curveIn(figure, Kernel::Mma, 1), nullptr);
    EXPECT_NE(figure.sentence.find("Compared with the other, scalar GEMV takes 2 times as long"),
              std::string::npos)
        << figure.sentence;
    EXPECT_EQ(timesTable(figure).rows.size(), 8U);
}

TEST(KernelFigure, ShapesAreNamedAndReadBack) {
    for (const TimedShape& shape : {denseShape, TimedShape{{.k = 512, .n = 2048}, 8}}) {
        EXPECT_EQ(timedShapeFromText(textOf(shape)), shape);
    }
    for (const char* text :
         {"", "x", "2048", "2048x", "2048x512x", "2048x512x1", "2048x512xx8", "-1x5", "2048x512x8 "}) {
        EXPECT_FALSE(timedShapeFromText(text)) << text;
    }
    const Profile& profile = test::bundledProfile();
    EXPECT_EQ(shapeShown(profile, "2048x512x8"), (TimedShape{{.k = 2048, .n = 512}, 8}));
    EXPECT_EQ(shapeShown(profile, "1x1")->experts, 1); // the largest dense one instead
    EXPECT_EQ(shapeShown(profile, "")->size.elements(), 2048.0 * 5120);
    // A profile of several models: the named one's largest is shown; without any of it the largest of all.
    const Profile modelled = modelledProfile(*findGpu("GB300"));
    EXPECT_EQ(textOf(*shapeShown(modelled, "")), "8192x57344") << "of Llama-3.1-70B";
    EXPECT_EQ(textOf(*shapeShown(modelled, "", findShapePreset("llama-3.1-8b"))), "4096x28672");
    const ModelShapes gemma = *findShapePreset("gemma-3-12b");
    const TimedShape ofGemma = *shapeShown(modelled, "", &gemma);
    EXPECT_TRUE(std::ranges::any_of(gemma.gemms, [&](const LayerGemm& gemm) {
        return gemm.size == ofGemma.size && !gemm.grouped();
    })) << textOf(ofGemma);
    EXPECT_EQ(shapeShown(modelled, "8192x57344", &gemma)->size.k, 8192) << "what is asked for counts";
    EXPECT_EQ(shapeShown(profile, "", &gemma), shapeShown(profile, ""));
    Profile cut = profile; // as a short measurement leaves it
    bool kept = false;
    std::erase_if(cut.points, [&](const ProfilePoint& point) {
        return point.size.elements() == 2048.0 * 5120 && std::exchange(kept, true);
    });
    ASSERT_TRUE(kept);
    EXPECT_LT(shapeShown(cut, "")->size.elements(), 2048.0 * 5120);
    EXPECT_FALSE(shapeShown(Profile{}, ""));
    EXPECT_EQ(timedKBits(profile), (std::vector<int>{2, 3, 4, 5}));
}

} // namespace
} // namespace loadline
