// Attention on every instruction set of this machine against double precision: head sizes, lengths that fill
// and do not fill tiles, grouped heads, batches, threads; poisoned and guarded outputs, poison beside K and
// V.
#include "gpu/host/host_runner.h"
#include "gpu/host/kernel/attention_math.h"
#include "gpu/host/kernel/half.h"
#include "gpu/host/kernel/portable_vector.h"
#include "gpu/host/reference.h"
#include "tests/gpu/format/made_up_weights.h"
#include "tests/gpu/host/guarded.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace loadline::gpu {
namespace {

constexpr double tolerance = 1e-5;

unsigned freshSeed() {
    static unsigned seed = 5000;
    return ++seed;
}

struct Case {
    AttentionHeads heads;
    std::int64_t batch = 1;
    std::int64_t queries = 1;
    std::int64_t context = 1;
};

std::string describe(const Case& c) {
    return testing::PrintToString(c.heads.qHeads) + " and " + testing::PrintToString(c.heads.kvHeads) +
           " heads of " + testing::PrintToString(c.heads.headDim) + ", batch " +
           testing::PrintToString(c.batch) + ", " + testing::PrintToString(c.queries) + " queries on " +
           testing::PrintToString(c.context);
}

/// K or V of some sequences, NaN beside each.
class Context {
public:
    Context(const Case& c, float spread)
        : count_(static_cast<std::size_t>(c.context * c.heads.kvHeads * c.heads.headDim)) {
        for (std::int64_t i = 0; i < c.batch; ++i) {
            std::vector<std::uint16_t>& halves = all_.emplace_back(count_ + 2 * beside, poison);
            const std::vector<float> values = normalValues(count_, freshSeed());
            std::transform(values.begin(), values.end(), halves.begin() + beside,
                           [&](float value) { return halfOfFloat(value * spread); });
        }
        for (const std::vector<std::uint16_t>& halves : all_) {
            at_.push_back(halves.data() + beside);
        }
    }

    [[nodiscard]] const std::uint16_t* const* data() const { return at_.data(); }

    [[nodiscard]] std::span<std::uint16_t> of(std::int64_t sequence) {
        return std::span(all_[static_cast<std::size_t>(sequence)]).subspan(beside, count_);
    }

private:
    static constexpr std::size_t beside = 4096;
    static constexpr std::uint16_t poison = 0x7FFF;
    std::size_t count_;
    std::vector<std::vector<std::uint16_t>> all_;
    std::vector<const std::uint16_t*> at_;
};

AttentionJob jobOf(const Case& c, const float* q, const Context& k, const Context& v, float* out) {
    AttentionJob job;
    job.qHeads = c.heads.qHeads;
    job.kvHeads = c.heads.kvHeads;
    job.headDim = c.heads.headDim;
    job.batch = c.batch;
    job.queries = c.queries;
    job.context = c.context;
    job.q = q;
    job.keys = k.data();
    job.values = v.data();
    job.scale = static_cast<float>(1.4426950408889634 / std::sqrt(c.heads.headDim));
    job.out = out;
    return job;
}

class HostAttention : public testing::TestWithParam<InstructionSet> {
protected:
    void expectRight(const Case& c) {
        SCOPED_TRACE(describe(c));
        const auto perSequence = static_cast<std::size_t>(c.queries * c.heads.qHeads * c.heads.headDim);
        std::vector<float> q = normalValues(perSequence * static_cast<std::size_t>(c.batch), freshSeed());
        for (float& value : q) {
            value *= 3; // so that some keys count and others do not
        }
        Context k(c, 1);
        Context v(c, 1);
        Guarded<float> out(q.size());
        runner_.run(GetParam(), jobOf(c, q.data(), k, v, out.data()));
        for (std::int64_t i = 0; i < c.batch; ++i) {
            const std::size_t first = static_cast<std::size_t>(i) * perSequence;
            const std::vector<double> reference = referenceAttention(
                c.heads, c.queries, c.context, std::span(q).subspan(first, perSequence), k.of(i), v.of(i));
            EXPECT_LE(relativeError(out.values().subspan(first, perSequence), reference), tolerance) << i;
        }
        EXPECT_TRUE(out.intact());
    }

    HostRunner runner_{2};
};

TEST_P(HostAttention, DecodesAnyLength) {
    for (const int headDim : {64, 128, 256}) {
        for (const int perKv : {1, 4, 8}) {
            for (const std::int64_t context : {1, 2, 15, 32, 33, 100, 257, 2100}) {
                expectRight({{2 * perKv, 2, headDim}, 1, 1, context});
            }
            expectRight({{perKv, 1, headDim}, 3, 1, 777});
        }
    }
}

TEST_P(HostAttention, PrefillsAnyLength) {
    for (const int headDim : {64, 128, 256}) {
        for (const int perKv : {1, 4, 8}) {
            for (const std::int64_t tokens : {2, 9, 48, 97, 195}) {
                expectRight({{2 * perKv, 2, headDim}, 1, tokens, tokens});
            }
            expectRight({{perKv, 1, headDim}, 2, 131, 131});
        }
    }
}

TEST_P(HostAttention, PrefillsAChunkAtTheEndOfAContext) {
    expectRight({{4, 2, 64}, 1, 2, 300});
    expectRight({{4, 1, 128}, 2, 70, 301});
    expectRight({{1, 1, 64}, 1, 191, 192});
}

TEST_P(HostAttention, TakesOddHeadsAndSizes) {
    for (const int headDim : {16, 48, 80, 96, 112, 192}) {
        for (const int perKv : {1, 3, 5, 7}) {
            expectRight({{2 * perKv, 2, headDim}, 1, 1, 75});
            expectRight({{2 * perKv, 2, headDim}, 1, 53, 53});
        }
    }
    expectRight({{71, 1, 64}, 1, 1, 200}); // one KV head for all
    expectRight({{71, 1, 64}, 1, 20, 20});
}

/// Any number of heads on one KV head, split into those that a kernel takes at a time.
TEST_P(HostAttention, DecodesRandomLayouts) {
    std::mt19937 random(freshSeed());
    const auto upTo = [&](unsigned most) { return 1 + static_cast<int>(random() % most); };
    for (int round = 0; round < 60; ++round) {
        const int kvHeads = upTo(5);
        expectRight({{kvHeads * upTo(19), kvHeads, 16 * upTo(12)}, upTo(3), 1, upTo(300)});
    }
    expectRight({{64, 8, 64}, 1, 1, 1500}); // eight on one
    expectRight({{16, 1, 320}, 1, 1, 70});
    expectRight({{24, 2, 512}, 1, 1, 45});
    expectRight({{40, 40, 64}, 1, 1, 90}); // rows so wide that tiles are shorter
}

TEST_P(HostAttention, HasTheSameBitsOnAnyNumberOfThreads) {
    for (const std::int64_t queries : {1, 150}) {
        const Case c{{8, 2, 64}, 2, queries, 900};
        const std::vector<float> q =
            normalValues(static_cast<std::size_t>(c.batch * queries * 8 * 64), freshSeed());
        const Context k(c, 1);
        const Context v(c, 1);
        std::vector<std::vector<float>> results;
        for (const unsigned threads : {1U, 2U, 3U, 5U}) {
            HostRunner other(threads);
            std::vector<float> out(q.size());
            other.run(GetParam(), jobOf(c, q.data(), k, v, out.data()));
            results.push_back(out);
        }
        for (const std::vector<float>& result : results) {
            EXPECT_EQ(result, results.front());
        }
    }
}

/// Scores of thousands, rising and falling along the context: only differences may matter.
TEST_P(HostAttention, StaysExactWhereScoresAreLarge) {
    for (const bool rising : {true, false}) {
        for (const std::int64_t queries : {1, 200}) {
            const Case c{{1, 1, 64}, 1, queries, 200};
            const std::vector<float> q(static_cast<std::size_t>(queries * 64), 32.0F);
            Context k(c, 0);
            Context v(c, 1);
            for (std::int64_t at = 0; at < 200; ++at) {
                const auto score = static_cast<float>(rising ? at : 199 - at);
                k.of(0)[static_cast<std::size_t>(at * 64)] = halfOfFloat(score);
            }
            Guarded<float> out(q.size());
            runner_.run(GetParam(), jobOf(c, q.data(), k, v, out.data()));
            const std::vector<double> reference =
                referenceAttention(c.heads, queries, 200, q, k.of(0), v.of(0));
            EXPECT_LE(relativeError(out.values(), reference), tolerance);
        }
    }
}

/// Whatever the later positions hold, results stay the same to the bit.
TEST_P(HostAttention, LooksAtNoLaterPosition) {
    const Case c{{4, 2, 64}, 1, 150, 150};
    const std::vector<float> q = normalValues(150 * 4 * 64, freshSeed());
    Context k(c, 1);
    Context v(c, 1);
    std::vector<float> before(q.size());
    runner_.run(GetParam(), jobOf(c, q.data(), k, v, before.data()));
    constexpr std::int64_t changed = 101;
    constexpr std::size_t perPosition = 2 * 64;
    std::ranges::fill(k.of(0).subspan(changed * perPosition), halfOfFloat(40));
    std::ranges::fill(v.of(0).subspan(changed * perPosition), halfOfFloat(60000));
    std::vector<float> after(q.size());
    runner_.run(GetParam(), jobOf(c, q.data(), k, v, after.data()));
    const std::ptrdiff_t seen = changed * 4 * 64;
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + seen, after.begin()));
    for (auto at = static_cast<std::size_t>(seen); at < q.size(); at += 64) {
        EXPECT_NE(before[at], after[at]) << at / 64;
    }
}

std::string testName(const testing::TestParamInfo<InstructionSet>& info) {
    return info.param == InstructionSet::Avx512 ? "avx512"
           : info.param == InstructionSet::Avx2 ? "avx2"
                                                : "portable";
}

INSTANTIATE_TEST_SUITE_P(Host, HostAttention, testing::ValuesIn(thisCpu().sets), testName);

TEST(AttentionMath, GivesPowersOf2) {
    double worst = 0;
    for (int i = 0; i <= 126 * 4096; ++i) {
        const float x = static_cast<float>(-i) / 4096;
        const float power = exp2Of<PortableVector>(PortableVector::broadcast(x)).lane[0];
        const double exact = std::exp2(static_cast<double>(x));
        worst = std::max(worst, std::abs(power - exact) / exact);
    }
    EXPECT_LE(worst, 2e-7);
    EXPECT_EQ(exp2Of<PortableVector>(PortableVector::zero()).lane[0], 1.0F);
    EXPECT_EQ(exp2Of<PortableVector>(PortableVector::broadcast(-160)).lane[0], 0.0F);
    EXPECT_EQ(exp2Of<PortableVector>(PortableVector::broadcast(noScore)).lane[0], 0.0F);
}

TEST(AttentionParts, FillThreadsAndStayLargeEnough) {
    EXPECT_EQ(contextPartOf(1, 1), 32);
    EXPECT_EQ(contextPartOf(1, 2048), 64);
    EXPECT_EQ(contextPartOf(1, 2049), 96);
    EXPECT_EQ(contextPartOf(1, 1 << 20), 1024);
    EXPECT_EQ(contextPartOf(256, 1024), 1024);
}

/// Two keys by hand: weights 1 / (1 + e) and e / (1 + e).
TEST(AttentionReference, IsWhatTheFormulaSays) {
    const AttentionHeads heads{1, 1, 16};
    std::vector<float> q(32, 0.0F);
    q[0] = q[16] = 4; // with the scale: 1
    std::vector<std::uint16_t> k(32, 0);
    k[16] = halfOfFloat(1);
    std::vector<std::uint16_t> v(32, 0);
    v[0] = halfOfFloat(1);
    v[16] = halfOfFloat(3);
    const std::vector<double> out = referenceAttention(heads, 2, 2, q, k, v);
    EXPECT_DOUBLE_EQ(out[0], 1); // sees the first alone
    EXPECT_DOUBLE_EQ(out[16], (1 + 3 * std::exp(1)) / (1 + std::exp(1)));
    EXPECT_DOUBLE_EQ(out[17], 0);
}

} // namespace
} // namespace loadline::gpu
