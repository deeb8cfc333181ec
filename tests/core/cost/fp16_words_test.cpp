// fp16 against the k-bit kernels: judged at every M that was timed, and claimed nowhere else.
#include "core/cost/figure/kernel_figure.h"
#include "tests/core/cost/timed_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using test::figureOfTimes;
using test::TimesByM;
using testing::HasSubstr;
using testing::Not;

/// `us` at powers of two from 1 to `last`, with exceptions.
TimesByM flat(double us, std::int64_t last, const TimesByM& except = {}) {
    TimesByM times = except;
    for (std::int64_t m = 1; m <= last; m *= 2) {
        times.emplace(m, us);
    }
    return times;
}

TEST(Fp16Words, NamesTheRangesWhereFp16WinsWhateverHappensAtTheEnd) {
    // Faster at 1 and from 4 on, but for 2 % at the last M.
    const KernelFigure figure = figureOfTimes(
        {{Kernel::SwapAb, flat(40, 8192, {{2, 20}, {8192, 29.5}})}, {Kernel::CublasFp16, flat(30, 8192)}});
    EXPECT_THAT(figure.sentence, Not(HasSubstr("never")));
    EXPECT_THAT(figure.sentence, HasSubstr(" fp16 cuBLAS is faster than all of them at M = 1 and 4 to "));
    EXPECT_THAT(figure.sentence, HasSubstr(", as fast within the error bars at M = "));
    EXPECT_THAT(figure.sentence, HasSubstr(" to 8192, of M = 1 to 8192, where both were timed."));
    EXPECT_FALSE(figure.fp16Wins) << "it does not stay faster";
    ASSERT_EQ(figure.fp16Starts.size(), 2U);
    EXPECT_EQ(figure.fp16Starts[1].rowsM, 4);
    std::size_t points = 0;
    for (const Fp16Span& span : figure.fp16Spans) {
        points += span.points;
    }
    EXPECT_EQ(points, 14U);
}

TEST(Fp16Words, FasterOnlyInTheMiddleIsNotFasterUpToTheEnd) {
    const KernelFigure figure =
        figureOfTimes({{Kernel::Mma, flat(40, 2048, {{8, 15}, {16, 15}, {32, 15}, {64, 15}})},
                       {Kernel::CublasFp16, flat(25, 2048)}});
    EXPECT_THAT(figure.sentence, HasSubstr(" fp16 cuBLAS is faster than all of them at M = 1 to "));
    EXPECT_THAT(figure.sentence, HasSubstr(" to 2048, of M = 1 to 2048, where both were timed."));
    ASSERT_EQ(figure.fp16Spans.size(), 3U);
    EXPECT_EQ(figure.fp16Spans[1].standing, Fp16Standing::Slower);
    EXPECT_EQ(figure.fp16Spans[1].points, 4U);
    EXPECT_GT(figure.fp16Spans[1].fromM, 4);
    EXPECT_LT(figure.fp16Spans[1].toM, 128);
}

TEST(Fp16Words, ALastPointWithinTheBarsDoesNotMakeItNever) {
    const KernelFigure figure =
        figureOfTimes({{Kernel::Mma, flat(50, 2048, {{2048, 24.8}})}, {Kernel::CublasFp16, flat(25, 2048)}});
    EXPECT_THAT(figure.sentence, Not(HasSubstr("never")));
    EXPECT_EQ(figure.fp16Spans.front().standing, Fp16Standing::Faster);
    EXPECT_EQ(figure.fp16Spans.front().points, 11U);
    EXPECT_EQ(figure.fp16Spans.back().standing, Fp16Standing::Alike);
}

TEST(Fp16Words, EqualTimesAreAsFast) {
    const KernelFigure figure =
        figureOfTimes({{Kernel::Mma, flat(25, 64)}, {Kernel::CublasFp16, flat(25, 64)}});
    EXPECT_THAT(figure.sentence, HasSubstr(" From M = 1 to 64, where both were timed, fp16 cuBLAS is as fast "
                                           "as the fastest of them within the error bars."));
    EXPECT_TRUE(figure.fp16Starts.empty());
}

TEST(Fp16Words, AKBitKernelThatWasNotTimedFurtherDidNotLoseToFp16) {
    const KernelFigure figure = figureOfTimes(
        {{Kernel::Mma, flat(20, 128)}, {Kernel::Scalar, flat(60, 512)}, {Kernel::CublasFp16, flat(25, 512)}});
    EXPECT_THAT(figure.sentence,
                HasSubstr(" From M = 129 (MMA not timed beyond 128) to 512, the last at which "
                          "both were timed, fp16 cuBLAS is faster than all of them."));
    ASSERT_TRUE(figure.fp16Wins);
    EXPECT_TRUE(figure.fp16Wins->pointsEnd);
    EXPECT_EQ(figure.fp16Wins->from, Kernel::Mma);
}

TEST(Fp16Words, ClaimsNothingBetweenTwoKernelsWhereNeitherWasTimed) {
    // No row of the comparison lies between 302 and 305.
    const KernelFigure figure =
        figureOfTimes({{Kernel::Mma, {{1, 20}, {302, 20}}},
                       {Kernel::SwapAb, {{305, 60}, {1000, 60}}},
                       {Kernel::CublasFp16, {{1, 25}, {302, 25}, {305, 25}, {1000, 25}}}});
    ASSERT_EQ(figure.fp16Spans.size(), 2U);
    EXPECT_EQ(figure.fp16Spans[0].toM, 302);
    EXPECT_EQ(figure.fp16Spans[1].fromM, 305);
    ASSERT_EQ(figure.fp16Starts.size(), 1U);
    EXPECT_EQ(figure.fp16Starts[0].from, Kernel::SwapAb);
    ASSERT_EQ(figure.crossings.size(), 1U);
    EXPECT_EQ(figure.crossings[0].rowsM, 305);
}

TEST(KernelChanges, WithinTheErrorBarsAreNone) {
    const KernelFigure figure =
        figureOfTimes({{Kernel::Mma, flat(20, 64)},
                       {Kernel::SwapAb, flat(20.2, 64, {{2, 19.9}, {8, 19.8}, {32, 19.8}})},
                       {Kernel::Scalar, flat(25, 64, {{64, 15}})}});
    ASSERT_EQ(figure.crossings.size(), 1U);
    EXPECT_EQ(figure.crossings[0].from, Kernel::Mma);
    EXPECT_EQ(figure.crossings[0].to, Kernel::Scalar);
    EXPECT_GT(figure.crossings[0].rowsM, 32);
}

TEST(KernelChanges, ManyAreCounted) {
    const TimesByM up = flat(20, 256, {{2, 30}, {8, 30}, {32, 30}, {128, 30}});
    const KernelFigure figure = figureOfTimes({{Kernel::Mma, up}, {Kernel::SwapAb, flat(25, 256)}});
    ASSERT_EQ(figure.crossings.size(), 8U);
    EXPECT_THAT(figure.sentence, HasSubstr("; 7 more changes to MMA from "));
}

TEST(Fp16Words, ManyRangesAreCounted) {
    const KernelFigure figure =
        figureOfTimes({{Kernel::Mma, flat(40, 128, {{2, 20}, {8, 20}, {32, 20}, {128, 20}})},
                       {Kernel::CublasFp16, flat(30, 128)}});
    EXPECT_THAT(figure.sentence, HasSubstr(" fp16 cuBLAS is faster than all of them at 4 of the 8 M at which "
                                           "both were timed, from 1 to 128."));
}

} // namespace
} // namespace loadline
