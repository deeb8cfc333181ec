// Attention of a profile as curves, against its bounds, in words and as a table.
#include "core/cost/figure/attention_figure.h"

#include <gtest/gtest.h>

#include <cmath>

namespace loadline {
namespace {

AttentionTiming timingOf(AttentionPhase phase, int batch, std::int64_t tokens, double us) {
    return {.call = {phase, {8, 2, 64}, batch, tokens}, .timeUs = us};
}

std::shared_ptr<const Profile> madeUp(double factor = 1) {
    Profile profile;
    profile.name = factor == 1 ? "mine" : "theirs";
    profile.ceilings = {{"read_gb_s", "1000"}, {"gemm_tflop_s", "100"}};
    profile.attention = {timingOf(AttentionPhase::Prefill, 1, 1024, factor * 40),
                         timingOf(AttentionPhase::Decode, 4, 8191, factor * 40),
                         timingOf(AttentionPhase::Decode, 4, 1023, factor * 6),
                         timingOf(AttentionPhase::Decode, 1, 1023, factor * 5)};
    return std::make_shared<const Profile>(profile);
}

TEST(AttentionFigure, HasACurveForEachPhaseAndBatch) {
    const AttentionFigure figure = attentionFigure(madeUp(), madeUp(2));
    ASSERT_EQ(figure.curves.size(), 6U);
    EXPECT_EQ(nameOf(figure.curves[0], false), "decode, 1 sequence");
    EXPECT_EQ(nameOf(figure.curves[1], true), "decode, 4 sequences, 8/2 heads of 64");
    EXPECT_EQ(nameOf(figure.curves[2], false), "prefill, 1 sequence");
    EXPECT_EQ(figure.curves[3].profile, 1);
    EXPECT_FALSE(figure.severalHeads);
    const AttentionCurve& batched = figure.curves[1];
    ASSERT_EQ(batched.marks.size(), 2U);
    EXPECT_EQ(batched.marks[0].tokens, 1023);
    // 4 sequences x 8192 keys x 2 heads x 64 x (K, V) x 2 bytes = 16.8 MB at 1000 GB/s
    const double bytes = 4.0 * 8192 * 2 * 64 * 4;
    EXPECT_DOUBLE_EQ(batched.marks[1].boundUs, bytes / 1e6);
    EXPECT_DOUBLE_EQ(batched.marks[1].fraction, bytes / 1e6 / 40);
    EXPECT_FALSE(batched.marks[1].byArithmetic);
    EXPECT_LT(batched.marks[1].low, 40);
    // Prefill: 4 x (1024 x 1025 / 2) pairs x 8 heads x 64 = 1.07 GFLOP at 100 TFLOP/s
    EXPECT_DOUBLE_EQ(figure.curves[2].marks[0].boundUs, 4 * (1024 * 1025 / 2.0) * 8 * 64 / 100e6);
    EXPECT_TRUE(figure.curves[2].marks[0].byArithmetic);
}

TEST(AttentionFigure, ABarEndsAtTheQuartilesHoweverFarTheyLie) {
    Profile profile = *madeUp();
    profile.attention[1].p25Us = 39;
    profile.attention[1].p75Us = 4000;
    const AttentionFigure figure = attentionFigure(std::make_shared<const Profile>(profile), nullptr);
    const AttentionMark& mark = figure.curves[1].marks[1];
    EXPECT_EQ(mark.low, 39);
    EXPECT_EQ(mark.high, 4000);
}

TEST(AttentionFigure, SaysTheBestAndWhatItIsNot) {
    const std::string sentence = attentionFigure(madeUp()).sentence;
    EXPECT_NE(
        sentence.find("Decode reads its context at 419 GB/s at best, 41.9 % of the ceiling (4 sequences"),
        std::string::npos)
        << sentence;
    EXPECT_NE(sentence.find("Prefill does 26.9 TFLOP/s"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("not FlashAttention"), std::string::npos);
    const AttentionFigure none = attentionFigure(std::make_shared<const Profile>());
    EXPECT_TRUE(none.curves.empty());
    EXPECT_NE(none.sentence.find("shapes of a model"), std::string::npos);
}

TEST(AttentionFigure, SaysHowItComparesWithAnother) {
    Profile theirs = *madeUp(2);
    theirs.attention[1].flags = {"noisy"};
    theirs.attention[2].timeUs = 6 * 3;
    const std::string sentence = attentionFigure(madeUp(), std::make_shared<const Profile>(theirs)).sentence;
    EXPECT_NE(sentence.find("Compared with theirs, decode takes 0.417 times as long (2 calls), prefill takes "
                            "0.5 times as long (1 call): medians of unflagged calls."),
              std::string::npos)
        << sentence; // the middle of 1/3 and 1/2
    theirs.attention.clear();
    const std::string none = attentionFigure(madeUp(), std::make_shared<const Profile>(theirs)).sentence;
    EXPECT_NE(none.find("theirs has no unflagged call in common."), std::string::npos) << none;
}

TEST(AttentionFigure, WithoutRatesThereAreNoBounds) {
    Profile bare = *madeUp();
    bare.ceilings.clear();
    const AttentionFigure figure = attentionFigure(std::make_shared<const Profile>(bare));
    for (const AttentionCurve& curve : figure.curves) {
        for (const AttentionMark& mark : curve.marks) {
            EXPECT_EQ(mark.boundUs, 0);
        }
    }
    const Table table = attentionTable(figure);
    EXPECT_EQ(table.rows.size(), 4U);
    EXPECT_EQ(textOf(table.rows[0][13]), "");
    EXPECT_EQ(figure.boundSource, "");
}

TEST(AttentionFigure, TheTableHasEveryPoint) {
    const Table table = attentionTable(attentionFigure(madeUp(), madeUp(2)));
    ASSERT_EQ(table.rows.size(), 8U);
    for (const auto& row : table.rows) {
        EXPECT_EQ(row.size(), table.columns.size());
    }
    EXPECT_EQ(textOf(table.rows[2][7]), "40");
    EXPECT_EQ(textOf(table.rows[2][14]), "memory");
    EXPECT_EQ(textOf(table.rows[7][0]), "theirs");
}

} // namespace
} // namespace loadline
