// The attention kernels' own source, run on the host, against float64.
#include "gpu/cuda/kernel/attention.cuh"

#include "gpu/format/aligned_vector.h"
#include "tests/gpu/emulate/emulated_lane.h"

#include <gtest/gtest.h>

#include <random>

namespace loadline::gpu {
namespace {

using emulate::EmulatedLane;
using emulate::Order;

/// Sizes, inputs in fp16 and outputs poisoned.
struct AttentionCase {
    AttentionArgs args;
    int headDim = 0;
    AlignedVector<std::uint16_t> q, k, v, out;
};

AttentionCase makeCase(int headDim, int batch, int m, int context, int queryHeads, int kvHeads,
                       unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    AttentionCase c;
    c.headDim = headDim;
    c.args.batch = batch;
    c.args.m = m;
    c.args.context = context;
    c.args.queryHeads = queryHeads;
    c.args.kvHeads = kvHeads;
    c.args.scale = static_cast<float>(1.4426950408889634 / std::sqrt(headDim));
    const auto fill = [&](AlignedVector<std::uint16_t>& values, int count) {
        for (int i = 0; i < count; ++i) {
            values.push_back(emulate::halfFromDouble(2 * normal(random)));
        }
    };
    fill(c.q, batch * m * queryHeads * headDim);
    fill(c.k, batch * context * kvHeads * headDim);
    fill(c.v, batch * context * kvHeads * headDim);
    c.out.assign(c.q.size() + 64, 0x7fff);
    return c;
}

template <int HeadDim, bool Prefill>
std::string run(AttentionCase& c, int splits, Order order) {
    using Shape = AttentionShape<HeadDim, Prefill>;
    AttentionArgs args = c.args;
    args.q = c.q.data();
    args.k = c.k.data();
    args.v = c.v.data();
    args.out = c.out.data();
    args.splits = splits;
    std::vector<float> partial(static_cast<std::size_t>(attentionPartials(args.batch, args.queryHeads,
                                                                          args.kvHeads, HeadDim, splits)),
                               std::nanf(""));
    args.partial = partial.data();
    const int tiles =
        Prefill ? (args.m + Shape::rows - 1) / Shape::rows : attentionRowTiles(args.queryHeads, args.kvHeads);
    const int heads = args.batch * (Prefill ? args.queryHeads : args.kvHeads);
    std::string broken =
        emulate::runLaunch({{tiles, splits, heads}, attentionThreads, Shape::sharedBytes, order},
                           [&](const EmulatedLane& lane) { attention<HeadDim, Prefill>(lane, args); });
    if (broken.empty() && !Prefill) {
        broken = emulate::runLaunch({{args.batch * args.queryHeads, 1, 1},
                                     combineThreads,
                                     static_cast<std::size_t>(combineSharedBytes(splits)),
                                     order},
                                    [&](const EmulatedLane& lane) { combineAttention<HeadDim>(lane, args); });
    }
    return broken;
}

/// ||difference|| / ||reference||, NaN included.
double errorOf(const AttentionCase& c) {
    const AttentionArgs& a = c.args;
    const auto at = [](const AlignedVector<std::uint16_t>& values, std::int64_t i) {
        return static_cast<double>(emulate::halfToFloat(values[static_cast<std::size_t>(i)]));
    };
    double difference = 0;
    double size = 0;
    for (int row = 0; row < a.batch * a.m * a.queryHeads; ++row) {
        const int head = row % a.queryHeads;
        const int position = row / a.queryHeads % a.m;
        const int sequence = row / a.queryHeads / a.m;
        const int kvHead = head / (a.queryHeads / a.kvHeads);
        std::vector<double> sum(static_cast<std::size_t>(c.headDim));
        double weight = 0;
        for (int key = 0; key <= a.context - a.m + position; ++key) {
            const std::int64_t first =
                (static_cast<std::int64_t>(sequence * a.context + key) * a.kvHeads + kvHead) * c.headDim;
            double score = 0;
            for (int d = 0; d < c.headDim; ++d) {
                score += at(c.q, static_cast<std::int64_t>(row) * c.headDim + d) * at(c.k, first + d);
            }
            const double p = std::exp2(score * a.scale);
            weight += p;
            for (int d = 0; d < c.headDim; ++d) {
                sum[static_cast<std::size_t>(d)] += p * at(c.v, first + d);
            }
        }
        for (int d = 0; d < c.headDim; ++d) {
            const double expected = sum[static_cast<std::size_t>(d)] / weight;
            const double got = at(c.out, static_cast<std::int64_t>(row) * c.headDim + d);
            difference += (got - expected) * (got - expected);
            size += expected * expected;
        }
    }
    return std::sqrt(difference / size);
}

void expectGuard(const AttentionCase& c) {
    for (std::size_t i = c.q.size(); i < c.out.size(); ++i) {
        ASSERT_EQ(c.out[i], 0x7fff) << "wrote behind the output";
    }
}

template <int HeadDim>
void checkDecode(int batch, int context, int queryHeads, int kvHeads, int splits, Order order) {
    AttentionCase c =
        makeCase(HeadDim, batch, 1, context, queryHeads, kvHeads, 600 + static_cast<unsigned>(context));
    ASSERT_EQ((run<HeadDim, false>(c, splits, order)), "");
    EXPECT_LT(errorOf(c), 1.5e-3) << HeadDim << ' ' << context;
    expectGuard(c);
}

TEST(AttentionDecode, MatchesFloat64) {
    checkDecode<64>(1, 1, 8, 8, 1, Order::Rising);     // one key: its value
    checkDecode<64>(2, 70, 8, 2, 2, Order::Falling);   // a second tile of six keys
    checkDecode<128>(1, 333, 20, 1, 3, Order::Rising); // more heads than a tile of rows
    checkDecode<256>(1, 200, 16, 2, 4, Order::Falling);
    checkDecode<64>(1, 1200, 2, 1, 19, Order::Mixed); // more parts than the combining threads take at once
}

template <int HeadDim>
void checkPrefill(int batch, int m, int context, int queryHeads, int kvHeads, Order order) {
    AttentionCase c =
        makeCase(HeadDim, batch, m, context, queryHeads, kvHeads, 700 + static_cast<unsigned>(m));
    ASSERT_EQ((run<HeadDim, true>(c, 1, order)), "");
    EXPECT_LT(errorOf(c), 1.5e-3) << HeadDim << ' ' << m << " of " << context;
    expectGuard(c);
}

TEST(AttentionPrefill, MatchesFloat64) {
    checkPrefill<64>(1, 64, 64, 2, 1, Order::Rising);
    checkPrefill<64>(2, 7, 150, 2, 2, Order::Falling);   // a short chunk on a past
    checkPrefill<128>(1, 100, 130, 2, 1, Order::Rising); // the second tile of rows not full
    checkPrefill<256>(1, 65, 65, 1, 1, Order::Falling);
}

} // namespace
} // namespace loadline::gpu
