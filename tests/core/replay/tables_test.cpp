// Curves, the attention grid, the skew fit and the plain YAML that names its axes.
#include "core/replay/peer.h"
#include "core/replay/tables/attention_grid.h"
#include "core/replay/tables/linear_curve.h"
#include "core/replay/tables/plain_yaml.h"
#include "core/replay/tables/skew_fit.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(LinearCurve, isStraightBetweenPointsFlatBeforeAndCarriedOnAfter) {
    const LinearCurve curve({{16, 30}, {4, 10}, {8, 20}, {8, 99}});
    EXPECT_EQ(curve.size(), 3U);
    EXPECT_DOUBLE_EQ(curve.last(), 16);
    EXPECT_DOUBLE_EQ(curve.at(4), 10);
    EXPECT_DOUBLE_EQ(curve.at(8), 20); // the first of two at the same place
    EXPECT_DOUBLE_EQ(curve.at(6), 15);
    EXPECT_DOUBLE_EQ(curve.at(12), 25);
    EXPECT_DOUBLE_EQ(curve.at(1), 10);
    EXPECT_DOUBLE_EQ(curve.at(24), 40);
    EXPECT_DOUBLE_EQ(LinearCurve({{3, 7}}).at(100), 7);
    EXPECT_DOUBLE_EQ(LinearCurve({{1, 10}, {2, 1}}).at(9), 0) << "no time is below 0";
}

double flat(const AttentionLoad& work) {
    return 1 + work.chunk / 8 + work.chunk * work.chunkContext / 256 + work.decodes * work.decodeContext / 64;
}

AttentionGrid grid() {
    std::vector<AttentionPoint> points;
    for (const double chunk : {0, 16, 64}) {
        for (const double context : {0, 64}) {
            for (const double decodes : {0, 1, 4}) {
                for (const double decodeContext : {16, 128}) {
                    const AttentionLoad work{chunk, context, decodes, decodeContext};
                    if ((chunk > 0 || (decodes > 0 && context == 0)) &&
                        (decodes > 0 || decodeContext == 16)) {
                        points.push_back({work, flat(work)});
                    }
                }
            }
        }
    }
    return AttentionGrid(points);
}

TEST(AttentionGrid, givesEveryPointAndWhatIsLinearOnEachAxisExactly) {
    const AttentionGrid timed = grid();
    for (const double chunk : {16, 40, 64, 100}) {
        for (const double context : {0, 30, 64, 90}) {
            for (const double decodes : {1, 3, 4, 6}) {
                for (const double decodeContext : {16, 70, 128, 400}) {
                    const AttentionLoad work{chunk, context, decodes, decodeContext};
                    EXPECT_NEAR(timed.at(work), flat(work), 1e-9 * flat(work));
                }
            }
        }
    }
    EXPECT_NEAR(timed.at({.decodes = 2, .decodeContext = 64}), flat({.decodes = 2, .decodeContext = 64}),
                1e-9);
}

TEST(AttentionGrid, takesTheNearestPairWhereOneWasNotTimed) {
    const AttentionGrid timed({{{16, 0, 0, 0}, 5}, {{64, 0, 0, 0}, 9}, {{16, 0, 2, 16}, 7}});
    EXPECT_DOUBLE_EQ(timed.at({64, 0, 2, 16}), 9);
    EXPECT_DOUBLE_EQ(timed.at({}), 0) << "nothing to do";
}

TEST(PlainYaml, joinsKeysAndPassesOverTheRest) {
    const auto read = plainYaml("# comment\na: 1\nb:\n  c: 'two'\n  d:\n    2: [x, 'y z',  3]\r\n  e: f: g\n"
                                "- item: 5\nh:\n");
    EXPECT_EQ(read.at("a"), "1");
    EXPECT_EQ(read.at("b.c"), "two");
    EXPECT_EQ(read.at("b.d.2"), "[x, 'y z',  3]");
    EXPECT_EQ(read.at("b.e"), "f: g");
    EXPECT_EQ(read.size(), 4U);
    EXPECT_EQ(flowList(read.at("b.d.2")), (std::vector<std::string>{"x", "y z", "3"}));
    EXPECT_TRUE(flowList("").empty());
    EXPECT_TRUE(flowList("[]").empty());
    EXPECT_TRUE(plainYaml("").empty());
}

constexpr auto axes = R"(
skew_fit:
  enabled: true
  bucket_axes:
    n_bins: [0, 2, 4]
    n_labels: [n<=2, n<=4]
    skew_rate_bins: [-0.01, 0.5, 1.01]
    skew_rate_labels: [low, high]
    kv_big_bins: [0, 1024, 4096]
    kv_big_labels: [short, long]
    kp_bins: [-1, 0, 512]
    kp_labels: [none, some]
  per_tp:
    2:
      alpha_default: 0.25
)";
constexpr auto header = "pc,n_label,skew_rate_label,kv_big_label,kp_label,alpha,n_samples\n";

TEST(SkewFit, givesMeasuredAlphasAndIsLinearBetweenThem) {
    const std::string table = std::string(header) + "0,n<=2,low,short,none,0.1,4\n"
                                                    "0,n<=4,low,short,none,0.3,4\n"
                                                    "64,n<=2,low,short,none,0.5,4\n";
    const Result<SkewFit> fit = readSkewFit(table, plainYaml(axes), 2);
    ASSERT_TRUE(fit) << fit.error().sentence();
    DecodeSpread spread{.decodes = 2, .least = 0, .mean = 100, .most = 400}; // rate 0.25, the middle of low
    EXPECT_NEAR(fit->alphaOf(spread), 0.1, 1e-12);
    spread.decodes = 3;
    EXPECT_NEAR(fit->alphaOf(spread), 0.2, 1e-12);
    spread.decodes = 100;
    EXPECT_NEAR(fit->alphaOf(spread), 0.3, 1e-12) << "beyond the axis the last";
    spread.decodes = 2;
    spread.chunk = 16;
    EXPECT_NEAR(fit->alphaOf(spread), 0.2, 1e-12);
    spread.chunk = 2048;
    EXPECT_NEAR(fit->alphaOf(spread), 0.5, 1e-12);
    spread = {.decodes = 2, .least = 0, .mean = 1e6, .most = 1e6};
    EXPECT_NEAR(fit->alphaOf(spread), 0.25, 1e-12) << "the default where no bucket was timed";
}

TEST(SkewFit, saysWhatIsWrong) {
    EXPECT_FALSE(readSkewFit(header, plainYaml("skew_fit:\n  enabled: true\n"), 1));
    EXPECT_FALSE(readSkewFit("pc,alpha\n1,2\n", plainYaml(axes), 1));
    const auto broken =
        readSkewFit(std::string(header) + "0,n<=2,low,short,none,nan,4\n", plainYaml(axes), 1);
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().where, "line 2");
    EXPECT_FALSE(readSkewFit(std::string(header) + "0,n<=2,low,short,none,1e300,4\n", plainYaml(axes), 1));
}

/// Contexts are looked up by their logarithm, which an edge of 0 has not.
TEST(SkewFit, refusesContextsWithoutALogarithm) {
    std::string edges(axes);
    const std::size_t begin = edges.find("kv_big_bins:");
    const std::size_t end = edges.find('\n', begin);
    ASSERT_NE(begin, std::string::npos);
    edges.replace(begin, end - begin, "kv_big_bins: [-1, 0, 8192]");
    EXPECT_FALSE(readSkewFit(header, plainYaml(edges), 2));
}

TEST(PeerFigures, areNumbersWhoseErrorIsOne) {
    EXPECT_EQ(peerFiguresFromText("TTFT Mean 25 26\n").size(), 1U);
    EXPECT_TRUE(peerFiguresFromText("TTFT Mean 1e-300 1e300\nTTFT Mean 1e300 1\n").empty());
}

} // namespace
} // namespace loadline
