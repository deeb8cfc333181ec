// The attention kernels' own source, run on the host, against float64.
#include "gpu/cuda/kernel/attention.cuh"

#include "gpu/cuda/kernel/attention_combine.cuh"
#include "tests/gpu/cuda/attention_case.h"

#include <gtest/gtest.h>

#include <map>

namespace loadline::gpu {
namespace {

using emulate::EmulatedLane;
using emulate::Order;

/// How often each sixteen bytes were copied to shared memory.
using CopiesSeen = std::map<const std::uint16_t*, int>;

/// A lane that notes what it copies.
class CountingLane : public EmulatedLane {
public:
    CountingLane(const EmulatedLane& lane, CopiesSeen& seen) : EmulatedLane(lane), seen_(&seen) {}

    void copyAsync(std::uint32_t offset, const void* from, bool valid) const {
        if (valid) {
            ++(*seen_)[static_cast<const std::uint16_t*>(from)];
        }
        EmulatedLane::copyAsync(offset, from, valid);
    }

private:
    CopiesSeen* seen_;
};

template <int HeadDim, bool Prefill>
std::string run(const AttentionCase& c, int splits, Order order, CopiesSeen& seen, unsigned seed = 1) {
    using Shape = AttentionShape<HeadDim, Prefill>;
    AttentionArgs args = c.args;
    args.splits = splits;
    std::vector<float> partial(
        static_cast<std::size_t>(attentionPartials(args.batch, args.queryHeads, HeadDim, splits)),
        std::nanf(""));
    args.partial = partial.data();
    const int tiles =
        Prefill ? (args.m + Shape::rows - 1) / Shape::rows : attentionRowTiles(args.queryHeads, args.kvHeads);
    const int heads = args.batch * (Prefill ? args.queryHeads : args.kvHeads);
    std::string broken = emulate::runLaunch(
        {{tiles, splits, heads}, attentionThreads, Shape::sharedBytes, order, seed},
        [&](const EmulatedLane& lane) { attention<HeadDim, Prefill>(CountingLane(lane, seen), args); });
    if (broken.empty() && splits > 1) {
        broken = emulate::runLaunch({{args.batch * args.queryHeads, 1, 1},
                                     combineThreads,
                                     static_cast<std::size_t>(combineSharedBytes(splits)),
                                     order,
                                     seed},
                                    [&](const EmulatedLane& lane) { combineAttention<HeadDim>(lane, args); });
    }
    return broken;
}

/// Each sixteen bytes of every sequence's keys and values, `times` and no more; nothing else of the cache.
void expectKvRead(const AttentionCase& c, const CopiesSeen& seen, int times) {
    std::size_t chunks = 0;
    for (int sequence = 0; sequence < c.args.batch; ++sequence) {
        for (int key = 0; key < c.lengths[static_cast<std::size_t>(sequence)]; ++key) {
            for (int i = 0; i < c.args.kvHeads * c.sizes.headDim; i += 8) {
                const std::int64_t place = c.placeOf(sequence, key, 0) + i;
                for (const auto* const cache : {&c.k, &c.v}) {
                    const auto found = seen.find(cache->data() + place);
                    ASSERT_TRUE(found != seen.end() && found->second == times)
                        << "sequence " << sequence << ", key " << key << ", " << i;
                    ++chunks;
                }
            }
        }
    }
    std::size_t ofCaches = 0;
    for (const auto& [from, count] : seen) {
        const bool inQueries = from >= c.q.data() && from < c.q.data() + c.q.size();
        ofCaches += inQueries ? 0 : 1;
    }
    EXPECT_EQ(ofCaches, chunks) << "keys that are nobody's were read";
}

template <int HeadDim>
void checkDecode(AttentionSizes sizes, int splits, Order order, unsigned seed = 1) {
    sizes.headDim = HeadDim;
    AttentionCase c(sizes, 600 + static_cast<unsigned>(sizes.lengths.front()));
    CopiesSeen seen;
    ASSERT_EQ((run<HeadDim, false>(c, splits, order, seen, seed)), "");
    EXPECT_LT(c.error(), 1.5e-3) << HeadDim << ' ' << sizes.lengths.front() << " in " << splits;
    EXPECT_TRUE(c.guardIsWhole());
    expectKvRead(c, seen, attentionRowTiles(sizes.queryHeads, sizes.kvHeads));
}

TEST(AttentionDecode, MatchesFloat64) {
    checkDecode<64>({.queryHeads = 8, .kvHeads = 8, .lengths = {1}}, 1, Order::Rising); // one key: its value
    checkDecode<64>({.queryHeads = 8, .kvHeads = 2, .lengths = {70, 70}}, 2,
                    Order::Falling); // a second tile of six keys
    checkDecode<128>({.queryHeads = 20, .kvHeads = 1, .lengths = {333}}, 3,
                     Order::Rising); // more heads than a tile of rows
    checkDecode<256>({.queryHeads = 16, .kvHeads = 2, .lengths = {200}}, 4, Order::Falling);
    checkDecode<64>({.queryHeads = 2, .kvHeads = 1, .lengths = {1200}}, 19,
                    Order::Mixed); // more splits than the combining threads take at once
}

/// One, four and eight query heads for each KV head: K and V are read once for all of them.
TEST(AttentionDecode, ReadsAKvHeadOnceForAllItsQueryHeads) {
    for (const int perKv : {1, 4, 8}) {
        const AttentionSizes sizes{.queryHeads = 2 * perKv, .kvHeads = 2, .lengths = {75, 33}};
        checkDecode<64>(sizes, 2, Order::Mixed, static_cast<unsigned>(perKv));
        checkDecode<128>(sizes, 3, Order::Mixed, static_cast<unsigned>(perKv));
    }
}

/// Sequences of unequal length share a launch: short ones leave most splits without a tile.
TEST(AttentionDecode, TakesSequencesOfUnequalLength) {
    for (const Order order : {Order::Rising, Order::Falling, Order::Mixed}) {
        const AttentionSizes sizes{.queryHeads = 4, .kvHeads = 1, .lengths = {1, 200, 16, 17, 65}};
        checkDecode<64>(sizes, 3, order);
    }
    checkDecode<64>({.queryHeads = 4, .kvHeads = 1, .lengths = {1, 100, 64}}, 1, Order::Mixed);
    checkDecode<128>({.queryHeads = 8, .kvHeads = 1, .lengths = {165, 15, 64}}, 4, Order::Mixed, 3);
}

TEST(AttentionDecode, ContiguousKeysAreATableInOrder) {
    const AttentionSizes sizes{
        .headDim = 128, .queryHeads = 4, .kvHeads = 2, .lengths = {96, 80}, .inOrder = true};
    const AttentionCase c(sizes, 1);
    for (int key = 1; key < 96; ++key) {
        ASSERT_EQ(c.placeOf(0, key, 1), c.placeOf(0, key - 1, 1) + 256) << "not contiguous";
    }
    checkDecode<128>(sizes, 2, Order::Rising);
}

/// The answer does not depend on where the blocks lie, bit by bit.
TEST(AttentionDecode, IsTheSameWhereverTheBlocksLie) {
    AttentionSizes sizes{.headDim = 64, .queryHeads = 8, .kvHeads = 1, .lengths = {150, 97}, .inOrder = true};
    AttentionCase contiguous(sizes, 5);
    sizes.inOrder = false;
    AttentionCase paged(sizes, 6);
    paged.q = contiguous.q;
    paged.args.q = paged.q.data();
    for (int sequence = 0; sequence < 2; ++sequence) {
        for (int key = 0; key < paged.lengths[static_cast<std::size_t>(sequence)]; ++key) {
            const std::int64_t from = contiguous.placeOf(sequence, key, 0);
            const std::int64_t to = paged.placeOf(sequence, key, 0);
            std::copy_n(contiguous.k.begin() + from, 64, paged.k.begin() + to);
            std::copy_n(contiguous.v.begin() + from, 64, paged.v.begin() + to);
        }
    }
    CopiesSeen seen;
    ASSERT_EQ((run<64, false>(contiguous, 3, Order::Rising, seen)), "");
    ASSERT_EQ((run<64, false>(paged, 3, Order::Falling, seen)), "");
    EXPECT_EQ(paged.out, contiguous.out);
}

template <int HeadDim>
void checkPrefill(AttentionSizes sizes, Order order) {
    sizes.headDim = HeadDim;
    AttentionCase c(sizes, 700 + static_cast<unsigned>(sizes.m));
    CopiesSeen seen;
    ASSERT_EQ((run<HeadDim, true>(c, 1, order, seen)), "");
    EXPECT_LT(c.error(), 1.5e-3) << HeadDim << ' ' << sizes.m << " of " << sizes.lengths.front();
    EXPECT_TRUE(c.guardIsWhole());
}

TEST(AttentionPrefill, MatchesFloat64) {
    checkPrefill<64>({.queryHeads = 2, .kvHeads = 1, .lengths = {64}, .m = 64}, Order::Rising);
    checkPrefill<64>({.queryHeads = 2, .kvHeads = 2, .lengths = {150, 7}, .m = 7},
                     Order::Falling); // a short chunk on a past, and on none
    checkPrefill<128>({.queryHeads = 2, .kvHeads = 1, .lengths = {130}, .m = 100},
                      Order::Rising); // the second tile of rows not full
    checkPrefill<256>({.queryHeads = 1, .kvHeads = 1, .lengths = {65}, .m = 65, .inOrder = true},
                      Order::Falling);
}

} // namespace
} // namespace loadline::gpu
