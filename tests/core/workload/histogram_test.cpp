// Bins: the published script's rounding, whole-number edges, nothing lost.
#include "core/workload/distribution/histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace loadline {
namespace {

constexpr Tokens largest = std::numeric_limits<Tokens>::max();

std::vector<HistogramValue> logUniformValues(std::size_t n, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> exponent(-1, 40);
    std::bernoulli_distribution coin(0.3);
    std::vector<HistogramValue> values(n);
    for (HistogramValue& v : values) {
        v = {static_cast<Tokens>(std::exp2(exponent(random))), coin(random), coin(random)};
    }
    return values;
}

TEST(PowerOfTwoBucket, Examples) {
    const std::pair<Tokens, Tokens> examples[] = {
        {-5, 0},    {0, 0},     {1, 1},       {2, 2},       {3, 4},         {4, 4},
        {5, 4},     {6, 8},     {7, 8},       {8, 8},       {11, 8},        {12, 16},
        {22, 16},   {23, 32},   {45, 32},     {46, 64},     {90, 64},       {91, 128},
        {181, 128}, {182, 256}, {1448, 1024}, {1449, 2048}, {46340, 32768}, {46341, 65536}};
    for (const auto& [n, bucket] : examples) {
        EXPECT_EQ(powerOfTwoBucket(n), bucket) << n;
    }
    EXPECT_EQ(powerOfTwoBucket(largest), Tokens{1} << 62);
}

TEST(PowerOfTwoBucket, EqualsRoundOfLog2) {
    for (Tokens n = 1; n <= 2'000'000; ++n) {
        const auto power = static_cast<int>(std::nearbyint(std::log2(static_cast<double>(n))));
        ASSERT_EQ(powerOfTwoBucket(n), Tokens{1} << power) << n;
    }
}

TEST(PowerOfTwoBucket, BordersAreExactForEveryPower) {
    for (int k = 0; k < 31; ++k) {
        // n lies above 2^(k + 1/2) exactly when n * n > 2^(2k + 1).
        const auto root = static_cast<Tokens>(std::sqrt(std::exp2(2.0 * k + 1)));
        for (Tokens n = std::max<Tokens>(root - 2, 1); n <= root + 2; ++n) {
            if (n >= (Tokens{1} << k) && n < (Tokens{2} << k)) {
                const Tokens expected = n * n > (Tokens{1} << (2 * k + 1)) ? Tokens{2} << k : Tokens{1} << k;
                EXPECT_EQ(powerOfTwoBucket(n), expected) << n;
            }
        }
    }
}

TEST(HistogramOf, PowerOfTwoExample) {
    const HistogramValue values[] = {{3, false, true}, {5, true, true}, {0}, {12, true}, {22}, {-1}};
    const Histogram h = histogramOf(values, BinKind::PowerOfTwo);
    ASSERT_EQ(h.bins.size(), 3U);
    EXPECT_EQ(h.bins[0], (Bin{3, 5, 4, 2, 1, 2}));
    EXPECT_EQ(h.bins[1], (Bin{6, 11, 8, 0, 0, 0})) << "empty bins between others are there";
    EXPECT_EQ(h.bins[2], (Bin{12, 22, 16, 2, 1, 0}));
    EXPECT_EQ(h.zeros, 2U);
    EXPECT_EQ(h.summary.n, 4U);
    EXPECT_EQ(h.summary.sum, 42);
    EXPECT_DOUBLE_EQ(h.summary.p50, 8.5);
}

TEST(HistogramOf, FineBinsHaveWholeNumberEdges) {
    std::vector<HistogramValue> values;
    for (Tokens n = 1; n <= 31; ++n) {
        values.push_back({n});
    }
    const Histogram h = histogramOf(values, BinKind::FineLog);
    std::vector<Tokens> lows;
    for (const Bin& bin : h.bins) {
        lows.push_back(bin.low);
        EXPECT_EQ(bin.label, bin.low);
        EXPECT_EQ(bin.count, static_cast<std::uint64_t>(bin.high - bin.low + 1));
    }
    EXPECT_EQ(lows, (std::vector<Tokens>{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 23, 27}));
    EXPECT_EQ(h.bins.back().high, 31);
}

TEST(HistogramOf, NothingInNothingOut) {
    for (const BinKind kind : {BinKind::PowerOfTwo, BinKind::FineLog}) {
        Histogram empty;
        empty.kind = kind;
        EXPECT_EQ(histogramOf({}, kind), empty);
        const HistogramValue zero[] = {{0}};
        EXPECT_TRUE(histogramOf(zero, kind).bins.empty());
        EXPECT_EQ(histogramOf(zero, kind).zeros, 1U);
    }
}

TEST(HistogramOf, TheLargestNumberHasABin) {
    for (const BinKind kind : {BinKind::PowerOfTwo, BinKind::FineLog}) {
        const HistogramValue values[] = {{largest}};
        const Histogram h = histogramOf(values, kind);
        ASSERT_EQ(h.bins.size(), 1U);
        EXPECT_LT(h.bins[0].low, largest);
        EXPECT_EQ(h.bins[0].high, largest);
    }
}

TEST(HistogramOf, CountsSumAndBinsTile) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const std::vector<HistogramValue> values = logUniformValues(2000, seed);
        std::uint64_t inexact = 0;
        std::uint64_t hit = 0;
        for (const HistogramValue& v : values) {
            inexact += v.value > 0 && v.inexact ? 1 : 0;
            hit += v.value > 0 && v.hit ? 1 : 0;
        }
        for (const BinKind kind : {BinKind::PowerOfTwo, BinKind::FineLog}) {
            const Histogram h = histogramOf(values, kind);
            Bin sums;
            for (std::size_t i = 0; i < h.bins.size(); ++i) {
                const Bin& bin = h.bins[i];
                EXPECT_LE(bin.low, bin.high);
                if (i > 0) {
                    EXPECT_EQ(bin.low, h.bins[i - 1].high + 1);
                }
                if (kind == BinKind::PowerOfTwo) {
                    EXPECT_EQ(powerOfTwoBucket(bin.low), bin.label);
                    EXPECT_EQ(powerOfTwoBucket(bin.high), bin.label);
                }
                std::uint64_t inside = 0;
                for (const HistogramValue& v : values) {
                    inside += v.value >= bin.low && v.value <= bin.high ? 1 : 0;
                }
                EXPECT_EQ(inside, bin.count);
                sums.count += bin.count;
                sums.countInexact += bin.countInexact;
                sums.countHit += bin.countHit;
            }
            EXPECT_EQ(sums.count + h.zeros, values.size());
            EXPECT_EQ(sums.countInexact, inexact);
            EXPECT_EQ(sums.countHit, hit);
            EXPECT_EQ(h.summary.n, sums.count);
            EXPECT_GT(h.bins.front().count, 0U);
            EXPECT_GT(h.bins.back().count, 0U);
        }
    }
}

} // namespace
} // namespace loadline
