// Curves, bounds and crossings of one shape: on the published timings and on made-up ones.
#include "core/cost/figure/kernel_figure.h"

#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/unsteady.h"
#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline {
namespace {

constexpr TimedShape dense{{.k = 2048, .n = 5120}, 1};

ProfilePoint timed(Kernel kernel, std::int64_t rowsM, double us, int kBits = 4,
                   const TimedShape& shape = dense) {
    ProfilePoint point;
    point.kernel = kernel;
    point.size = shape.size;
    point.experts = shape.experts;
    point.rowsM = rowsM;
    point.kBits = readsKBits(kernel) ? kBits : fp16Bits;
    point.timeUs = us;
    return point;
}

std::shared_ptr<const Profile> made(std::vector<ProfilePoint> points, Facts ceilings = {},
                                    const std::string& name = "made up") {
    Profile profile;
    profile.name = name;
    profile.device = "a device";
    profile.points = std::move(points);
    profile.ceilings = std::move(ceilings);
    return std::make_shared<const Profile>(std::move(profile));
}

std::shared_ptr<const Profile> publishedProfile() {
    return std::make_shared<const Profile>(test::bundledProfile());
}

const KernelCurve* curveOf(const KernelFigure& figure, Kernel kernel, int profile = 0) {
    const auto found = std::ranges::find_if(figure.curves, [&](const KernelCurve& curve) {
        return curve.kernel == kernel && curve.profile == profile;
    });
    return found == figure.curves.end() ? nullptr : &*found;
}

TEST(KernelFigure, TheOnlyKernelIsNotCalledTheFastest) {
    std::vector<ProfilePoint> points = {timed(Kernel::Mma, 1, 5), timed(Kernel::Mma, 64, 6),
                                        timed(Kernel::CublasFp16, 1, 9)};
    const auto said = [&] { return kernelFigure({made(points), nullptr, dense, 4}).sentence; };
    EXPECT_EQ(said().find("MMA is the only k-bit kernel that was timed."), 0U) << said();
    points.push_back(timed(Kernel::Scalar, 1, 7));
    EXPECT_EQ(said().find("only k-bit"), std::string::npos) << said();
    EXPECT_NE(said().find("MMA is the fastest k-bit kernel"), std::string::npos) << said();
}

TEST(KernelFigure, SaysThatTimesAreUnsteadyBeforeItRanksThem) {
    Profile profile =
        *made({timed(Kernel::Mma, 1, 5), timed(Kernel::Mma, 2, 6), timed(Kernel::CublasFp16, 1, 9)});
    const auto said = [&] {
        return kernelFigure({std::make_shared<const Profile>(profile), nullptr, dense, 4}).sentence;
    };
    EXPECT_EQ(said().find("unsteady"), std::string::npos) << said();
    profile.points[1].p25Us = 3; // of 6 us
    profile.points[1].p75Us = 12;
    EXPECT_TRUE(isUnsteady(profile.points[1]));
    EXPECT_TRUE(
        said().starts_with("These times are unsteady, as if other work ran beside them: 1 of 3 vary by "
                           "10.0 % or more, up to "))
        << said();
    profile.points[1].p25Us = 5.8; // as noisy as times are
    profile.points[1].p75Us = 6.2;
    EXPECT_EQ(said().find("unsteady"), std::string::npos) << said();
    profile.points[1].repeatUs = 9;
    EXPECT_TRUE(said().starts_with("These times are unsteady")) << said();
    profile.points[1].origin = PointOrigin::Published;
    EXPECT_EQ(said().find("unsteady"), std::string::npos) << "of others nobody knows what else ran";
}

TEST(KernelFigure, ABarEndsAtTheQuartilesHoweverFarTheyLie) {
    ProfilePoint point = timed(Kernel::Mma, 1, 68.4);
    point.p25Us = 65.9;
    point.p75Us = 2509;
    const KernelFigure figure = kernelFigure({made({point}), nullptr, dense, 4});
    const Table table = timesTable(figure);
    const auto inColumn = [&](const char* name) {
        const auto column = std::ranges::find(table.columns, name) - table.columns.begin();
        return std::get<double>(table.rows.at(0).at(static_cast<std::size_t>(column)));
    };
    EXPECT_EQ(inColumn("low_us"), 65.9);
    EXPECT_EQ(inColumn("high_us"), 2509);
    for (const KernelSample& sample : curveOf(figure, Kernel::Mma)->line) {
        EXPECT_LT(sample.time.relativeError, 3);
    }
}

TEST(KernelFigure, SaysWhichKernelsThePresetLeftOut) {
    Profile profile = *made({timed(Kernel::Mma, 1, 5), timed(Kernel::CublasFp16, 1, 9)});
    const auto sentenceWith = [&](const std::string& leftOut) {
        profile.methodFacts = {{"preset", "\"quick\""}, {"left_out_for_time", leftOut}};
        return kernelFigure({std::make_shared<const Profile>(profile), nullptr, dense, 4}).sentence;
    };
    const KernelNaming naming = namingOf(&profile, {dense.size}, 4);
    const std::string scalar(nameOf(Kernel::Scalar, naming));
    const std::string both(nameOf(Kernel::DequantCublas, naming));
    const std::string mma(nameOf(Kernel::Mma, naming));
    EXPECT_NE(sentenceWith("[\"" + scalar + ", 2048x5120, k = 4, M = 1\", \"" + both +
                           ", 2048x5120, k = 4, M = 1\", \"" + scalar + ", 2048x5120, k = 4, M = 4\"]")
                  .find(" Left out, as too long for the quick preset: " + scalar + ", " + both +
                        "; a longer one times them."),
              std::string::npos);
    for (const std::string& other :
         {mma + ", 2048x5120, k = 4, M = 64",
          scalar + ", 2048x512, k = 4, M = 1", // some were timed; another shape
          scalar + ", 2048x5120 x 8 experts, k = 4, M = 1", scalar + ", 2048x5120, k = 3, M = 1"}) {
        EXPECT_EQ(sentenceWith("[\"" + other + "\"]").find("Left out"), std::string::npos) << other;
    }
    const std::string one = "[\"" + scalar + ", 2048x5120, k = 4, M = 1\"]";
    profile.methodFacts = {{"preset", "\"quick\""}, {"left_out_for_time", one}};
    markCut(profile, "the run has not ended");
    const std::string early =
        kernelFigure({std::make_shared<const Profile>(profile), nullptr, dense, 4}).sentence;
    EXPECT_NE(early.find(" Not timed so far: " + scalar + "."), std::string::npos) << early;
    EXPECT_EQ(early.find("Left out"), std::string::npos) << early;
    for (const char* odd : {"", "[", "3", "[3, null]", "{}"}) {
        EXPECT_EQ(sentenceWith(odd).find("Left out"), std::string::npos) << odd;
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
    const KernelFigure figure = kernelFigure({publishedProfile(), nullptr, dense, 4});
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
    const KernelCurve* scalar = curveOf(figure, Kernel::Scalar);
    ASSERT_NE(scalar, nullptr);
    EXPECT_EQ(scalar->lastM, 4);
    EXPECT_EQ(scalar->line.back().rowsM, 8);
    EXPECT_EQ(scalar->line.back().time.kind, EstimateKind::Modelled);
}

TEST(KernelFigure, ASumIsItsPartsTogether) {
    const auto profile = made({timed(Kernel::Dequantise, 0, 30), timed(Kernel::CublasFp16, 1, 20),
                               timed(Kernel::CublasFp16, 64, 25)});
    const KernelFigure figure = kernelFigure({profile, nullptr, dense, 4});
    const KernelCurve* sum = curveOf(figure, Kernel::DequantCublas);
    ASSERT_NE(sum, nullptr);
    EXPECT_TRUE(sum->marks.empty());
    EXPECT_DOUBLE_EQ(sum->line.front().time.us, 50);
    EXPECT_EQ(sum->lastM, 64);
    EXPECT_DOUBLE_EQ(sum->line.back().time.us, 55);
    const KernelCurve* flat = curveOf(figure, Kernel::Dequantise);
    ASSERT_NE(flat, nullptr);
    for (const KernelSample& sample : flat->line) {
        EXPECT_DOUBLE_EQ(sample.time.us, 30);
    }
}

TEST(KernelFigure, AsPairsTimedInOneGoAreMarksOnTheCorrectedSum) {
    const std::vector<ProfilePoint> parts = {timed(Kernel::Dequantise, 0, 30),
                                             timed(Kernel::CublasFp16, 1, 20),
                                             timed(Kernel::CublasFp16, 64, 20)};
    std::vector<ProfilePoint> points = parts;
    points.push_back(timed(Kernel::DequantCublas, 16, 45));
    points.push_back(timed(Kernel::DequantCublas, 16, 99, 3)); // of another k
    const KernelFigure figure = kernelFigure({made(points), nullptr, dense, 4});
    const KernelFigure apart = kernelFigure({made(parts), nullptr, dense, 4});
    const KernelCurve* pair = curveOf(figure, Kernel::DequantCublas);
    ASSERT_NE(pair, nullptr);
    ASSERT_EQ(pair->marks.size(), 1U);
    EXPECT_EQ(pair->marks[0].rowsM, 16);
    EXPECT_EQ(pair->marks[0].us, 45);
    EXPECT_DOUBLE_EQ(pair->marks[0].partsUs, 50);
    EXPECT_EQ(pair->lastM, 64);
    EXPECT_DOUBLE_EQ(pair->line.front().time.us, 45);
    for (const Kernel part : {Kernel::Dequantise, Kernel::CublasFp16}) { // unchanged
        EXPECT_EQ(curveOf(figure, part)->line.front().time, curveOf(apart, part)->line.front().time);
        EXPECT_EQ(curveOf(figure, part)->marks.front().partsUs, 0);
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
    const auto profile = made({timed(Kernel::DequantCublas, 16, 45), timed(Kernel::DequantCublas, 128, 90)});
    const KernelFigure figure = kernelFigure({profile, nullptr, dense, 4});
    const KernelCurve* pair = curveOf(figure, Kernel::DequantCublas);
    ASSERT_NE(pair, nullptr);
    EXPECT_EQ(pair->marks.size(), 2U);
    EXPECT_EQ(pair->lastM, 128);
    EXPECT_EQ(pair->marks[0].partsUs, 0);
    EXPECT_EQ(figure.sentence.find("in one go"), std::string::npos) << figure.sentence;
}

TEST(KernelFigure, CrossingsAreWhereTheFastestChanges) {
    // 10 M against 40: equal at M = 4, the other is faster from 5 on.
    const auto profile = made({timed(Kernel::Scalar, 1, 10), timed(Kernel::Scalar, 64, 640),
                               timed(Kernel::Mma, 1, 40), timed(Kernel::Mma, 64, 40),
                               timed(Kernel::CublasFp16, 1, 100), timed(Kernel::CublasFp16, 64, 100)});
    const KernelFigure figure = kernelFigure({profile, nullptr, dense, 4});
    ASSERT_EQ(figure.crossings.size(), 1U);
    EXPECT_EQ(figure.crossings[0].from, Kernel::Scalar);
    EXPECT_EQ(figure.crossings[0].to, Kernel::Mma);
    EXPECT_EQ(figure.crossings[0].rowsM, 5);
    EXPECT_LE(figure.crossings[0].low, 4); // at 4 they are equal: the bars overlap
    EXPECT_GE(figure.crossings[0].high, 5);
    EXPECT_FALSE(figure.crossings[0].pointsEnd);
    EXPECT_FALSE(figure.fp16Wins);
    EXPECT_NE(figure.sentence.find("Up to M = 4 scalar GEMV is the fastest"), std::string::npos)
        << figure.sentence;
    EXPECT_NE(figure.sentence.find("fp16 cuBLAS is never faster"), std::string::npos) << figure.sentence;
}

TEST(KernelFigure, AKernelThatWasNotTimedFurtherDidNotLose) {
    const auto profile = made({timed(Kernel::Scalar, 1, 5), timed(Kernel::Scalar, 4, 6),
                               timed(Kernel::Mma, 1, 40), timed(Kernel::Mma, 64, 80),
                               timed(Kernel::CublasFp16, 1, 70), timed(Kernel::CublasFp16, 64, 70)});
    const KernelFigure figure = kernelFigure({profile, nullptr, dense, 4});
    ASSERT_EQ(figure.crossings.size(), 1U);
    EXPECT_EQ(figure.crossings[0].rowsM, 5);
    EXPECT_TRUE(figure.crossings[0].pointsEnd);
    EXPECT_NE(figure.sentence.find("(not timed beyond), from 5 MMA"), std::string::npos) << figure.sentence;
    ASSERT_TRUE(figure.fp16Wins);
    // MMA: 40 at 1 and 80 at 64, straight in log-log: 70 where M = 64^(log(70/40) / log 2).
    const double exact = std::pow(64, std::log(70.0 / 40) / std::log(2.0));
    EXPECT_EQ(figure.fp16Wins->rowsM, static_cast<std::int64_t>(std::floor(exact)) + 1);
    EXPECT_EQ(figure.fp16Wins->from, Kernel::Mma);
    EXPECT_EQ(figure.fp16Wins->to, Kernel::CublasFp16);
}

TEST(KernelFigure, FpSixteenThatWasNotTimedFurtherStillOvertook) {
    const auto profile =
        made({timed(Kernel::Mma, 1, 40), timed(Kernel::Mma, 64, 80), timed(Kernel::Mma, 256, 300),
              timed(Kernel::CublasFp16, 1, 70), timed(Kernel::CublasFp16, 64, 70)});
    const KernelFigure figure = kernelFigure({profile, nullptr, dense, 4});
    ASSERT_TRUE(figure.fp16Wins);
    EXPECT_LE(figure.fp16Wins->rowsM, 64);
    EXPECT_EQ(figure.sentence.find("never faster"), std::string::npos) << figure.sentence;
}

TEST(KernelFigure, BoundsAreBytesAndArithmeticAtMeasuredRates) {
    const auto profile = made({timed(Kernel::Scalar, 1, 10), timed(Kernel::Dequantise, 0, 40),
                               timed(Kernel::CublasFp16, 4096, 2000)},
                              {{"read_gb_s", "1000"}, {"copy_gb_s", "500"}, {"gemm_tflop_s", "100"}});
    const KernelFigure figure = kernelFigure({profile, nullptr, dense, 4});
    const KernelMark& scalar = curveOf(figure, Kernel::Scalar)->marks.front();
    const double bytes = workOf(Kernel::Scalar, dense.size, 1, 1, 4).bytes;
    EXPECT_DOUBLE_EQ(scalar.boundUs, bytes / 1e6);
    EXPECT_DOUBLE_EQ(scalar.fraction, bytes / 1e6 / 10);
    EXPECT_FALSE(scalar.byArithmetic);
    const KernelMark& dequantise = curveOf(figure, Kernel::Dequantise)->marks.front();
    EXPECT_DOUBLE_EQ(dequantise.boundUs, workOf(Kernel::Dequantise, dense.size, 1, 1, 4).bytes / 5e5);
    const KernelMark& gemm = curveOf(figure, Kernel::CublasFp16)->marks.front();
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
    const KernelFigure figure = kernelFigure({made({timed(Kernel::Scalar, 1, 10)}), nullptr, dense, 4});
    EXPECT_EQ(curveOf(figure, Kernel::Scalar)->marks.front().boundUs, 0);
    EXPECT_TRUE(figure.bounds.empty());
    EXPECT_TRUE(figure.boundSource.empty());
    EXPECT_TRUE(ceilingTable(figure).rows.empty());
    const auto odd = made({timed(Kernel::Scalar, 1, 10)}, {{"read_gb_s", "\"fast\""}, {"copy_gb_s", "{"}});
    EXPECT_FALSE(measuredBounds(*odd));
}

TEST(KernelFigure, TwoProfilesAreComparedPointByPoint) {
    const auto mine = made({timed(Kernel::Scalar, 1, 10), timed(Kernel::Scalar, 2, 12),
                            timed(Kernel::Scalar, 3, 30), timed(Kernel::Mma, 1, 7)});
    const auto other = made({timed(Kernel::Scalar, 1, 5), timed(Kernel::Scalar, 2, 12),
                             timed(Kernel::Scalar, 3, 10), timed(Kernel::Mma, 2, 7)},
                            {}, "the other");
    const KernelFigure figure = kernelFigure({mine, other, dense, 4});
    ASSERT_EQ(figure.comparisons.size(), 1U); // MMA has no M in common
    EXPECT_EQ(figure.comparisons[0].kernel, Kernel::Scalar);
    EXPECT_EQ(figure.comparisons[0].points, 3);
    EXPECT_DOUBLE_EQ(figure.comparisons[0].ratio, 2); // of 2, 1, 3
    EXPECT_NE(curveOf(figure, Kernel::Mma, 1), nullptr);
    EXPECT_NE(figure.sentence.find("Compared with the other, scalar GEMV takes 2 times as long"),
              std::string::npos)
        << figure.sentence;
    EXPECT_EQ(timesTable(figure).rows.size(), 8U);
}

TEST(KernelFigure, WhatIsNotThereIsSaid) {
    const auto nothing = kernelFigure({made({}), nullptr, dense, 4});
    EXPECT_TRUE(nothing.curves.empty());
    EXPECT_EQ(nothing.sentence, "made up has no times of 2048x5120 at k = 4.");
    const auto otherK = kernelFigure({made({timed(Kernel::CublasFp16, 1, 9)}), nullptr, dense, 3});
    EXPECT_NE(otherK.sentence.find("no k-bit kernel was timed at k = 3"), std::string::npos);
    Profile cut = *made({timed(Kernel::Scalar, 1, 10)});
    markCut(cut, "stopped by the user");
    cut.source = madeUpSource;
    const auto figure = kernelFigure({std::make_shared<const Profile>(cut), nullptr, dense, 4});
    EXPECT_NE(figure.sentence.find("Not complete: stopped by the user."), std::string::npos);
    EXPECT_NE(figure.sentence.find("invented"), std::string::npos);
}

TEST(KernelFigure, ShapesAreNamedAndReadBack) {
    for (const TimedShape& shape : {dense, TimedShape{{.k = 512, .n = 2048}, 8}}) {
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
