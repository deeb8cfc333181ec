// Attention's second half of a split decode: the splits' partial results become one.
#pragma once

#include "gpu/cuda/kernel/attention_shape.cuh"

namespace loadline::gpu {

inline constexpr int combineThreads = 512;
inline constexpr int combineWarps = combineThreads / warpLanes;
/// A share for each split, then the sums of each thread and a value of each warp.
LOADLINE_HD constexpr int combineSharedBytes(int splits) {
    return (splits + combineThreads + combineWarps) * 4;
}

namespace detail {

/// Over the whole block: `join` of two values, which may be in any order.
template <class Lane, class Join>
LOADLINE_LANE float overBlock(const Lane& lane, float value, std::uint32_t room, const Join& join) {
    LOADLINE_UNROLL
    for (int mask = warpLanes / 2; mask > 0; mask /= 2) {
        value = join(value, lane.shuffleXor(value, mask));
    }
    if (lane.inWarp() == 0) {
        lane.storeShared(room + static_cast<std::uint32_t>(lane.warp() * 4), value);
    }
    lane.sync();
    value =
        lane.template loadShared<float>(room + static_cast<std::uint32_t>(lane.inWarp() % combineWarps * 4));
    LOADLINE_UNROLL
    for (int mask = combineWarps / 2; mask > 0; mask /= 2) {
        value = join(value, lane.shuffleXor(value, mask));
    }
    lane.sync(); // the room can be used again
    return value;
}

} // namespace detail

/// Joins a decode's partial results in fp32, each scaled from its own maximum to the head's: all threads take
/// splits at the same time, first for what the splits weigh, then, in groups of HeadDim threads, for their
/// sums. Grid: (batch x queryHeads); combineThreads.
template <int HeadDim, class Lane>
LOADLINE_LANE void combineAttention(const Lane& lane, const AttentionArgs& a) {
    constexpr int groups = combineThreads / HeadDim;
    constexpr int atOnce = 8;
    const auto share = [](int split) { return static_cast<std::uint32_t>(split * 4); };
    const std::uint32_t sums = share(a.splits);
    const std::uint32_t room = sums + combineThreads * 4;
    const std::int64_t head = lane.blockX(); // of all sequences
    const float* const ofSplits = a.partial + head * a.splits * HeadDim;
    const float* const statistics = a.partial +
                                    static_cast<std::int64_t>(a.batch) * a.queryHeads * a.splits * HeadDim +
                                    head * a.splits * 2;

    float most = -1e30F;
    for (int s = lane.thread(); s < a.splits; s += combineThreads) {
        const float m = statistics[2 * s];
        most = m > most ? m : most;
    }
    most = detail::overBlock(lane, most, room, [](float x, float y) { return x > y ? x : y; });
    float weight = 0;
    for (int s = lane.thread(); s < a.splits; s += combineThreads) {
        const float ofSplit = lane.exp2(statistics[2 * s] - most);
        lane.storeShared(share(s), ofSplit);
        weight += ofSplit * statistics[2 * s + 1];
    }
    weight = detail::overBlock(lane, weight, room, [](float x, float y) { return x + y; });

    const int dimension = lane.thread() % HeadDim;
    float sum = 0;
    for (int begin = lane.thread() / HeadDim; begin < a.splits; begin += groups * atOnce) {
        float value[atOnce];
        LOADLINE_UNROLL
        for (int i = 0; i < atOnce; ++i) { // all under way at the same time
            const int s = begin + i * groups;
            value[i] = s < a.splits ? ofSplits[s * HeadDim + dimension] : 0;
        }
        LOADLINE_UNROLL
        for (int i = 0; i < atOnce; ++i) {
            const int s = begin + i * groups;
            sum += s < a.splits ? lane.template loadShared<float>(share(s)) * value[i] : 0;
        }
    }
    lane.storeShared(sums + static_cast<std::uint32_t>(lane.thread() * 4), sum);
    lane.sync();
    if (lane.thread() < HeadDim) {
        LOADLINE_UNROLL
        for (int group = 1; group < groups; ++group) {
            sum += lane.template loadShared<float>(
                sums + static_cast<std::uint32_t>((group * HeadDim + dimension) * 4));
        }
        a.out[head * HeadDim + dimension] = lane.toHalf(sum / weight);
    }
}

} // namespace loadline::gpu
