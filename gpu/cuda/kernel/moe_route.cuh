// Sorts routed rows by expert and cuts them into groups, on the device: counts, a prefix sum, places.
#pragma once

#include "gpu/cuda/kernel/rows.cuh"

namespace loadline::gpu {

struct MoeRouteArgs {
    const int* choice = nullptr; ///< the expert of each assignment
    int assignments = 0;
    int experts = 0;
    int rowsPerGroup = 0; ///< at most this many rows in a group
    int* count = nullptr; ///< out: as Groups
    int* expert = nullptr;
    int* first = nullptr;
    int* size = nullptr;
    int* row = nullptr;
};

inline constexpr int moeRouteThreads = 1024;

/// Groups that may come of it: room for `expert`, `first`, `size`.
constexpr int moeMaxGroups(int assignments, int experts, int rowsPerGroup) {
    const int active = assignments < experts ? assignments : experts;
    return active + assignments / rowsPerGroup;
}

constexpr int moeRouteSharedBytes(int experts) {
    return experts * 3 * 4;
}

namespace detail {

/// To each value those of the lanes before: whole numbers below 2^24, so exact. All lanes of the warp.
template <class Lane>
LOADLINE_LANE void addThoseBefore(const Lane& lane, float (&value)[2]) {
    LOADLINE_UNROLL
    for (int apart = 1; apart < warpLanes; apart *= 2) {
        const auto from = static_cast<std::uint32_t>((lane.inWarp() - apart) & (warpLanes - 1));
        LOADLINE_UNROLL
        for (float& one : value) {
            const float other = lane.shuffle(one, from);
            one += lane.inWarp() >= apart ? other : 0;
        }
    }
}

} // namespace detail

/// Grid: one block. At most 2^20 assignments. Order within an expert is not fixed; every group's rows belong
/// to one expert.
template <class Lane>
LOADLINE_LANE void moeRoute(const Lane& lane, const MoeRouteArgs& a) {
    const auto count = [](int e) { return static_cast<std::uint32_t>(e * 4); };
    const auto place = [&](int e) { return static_cast<std::uint32_t>((a.experts + e) * 4); };
    const auto group = [&](int e) { return static_cast<std::uint32_t>((2 * a.experts + e) * 4); };
    for (int e = lane.thread(); e < a.experts; e += lane.threads()) {
        lane.storeShared(count(e), 0);
    }
    lane.sync();
    for (int i = lane.thread(); i < a.assignments; i += lane.threads()) {
        lane.addSharedAtomic(count(a.choice[i]), 1);
    }
    lane.sync();
    if (lane.warp() == 0) {
        float rows = 0;
        float groups = 0;
        for (int base = 0; base < a.experts; base += warpLanes) {
            const int e = base + lane.inWarp();
            const bool there = e < a.experts;
            const int n = there ? lane.template loadShared<int>(count(e)) : 0;
            const auto ofExpert = static_cast<float>(n);
            const auto groupsOfExpert = static_cast<float>((n + a.rowsPerGroup - 1) / a.rowsPerGroup);
            float before[2] = {ofExpert, groupsOfExpert};
            detail::addThoseBefore(lane, before);
            if (there) {
                lane.storeShared(place(e), static_cast<int>(rows + before[0] - ofExpert));
                lane.storeShared(group(e), static_cast<int>(groups + before[1] - groupsOfExpert));
            }
            rows += lane.shuffle(before[0], warpLanes - 1);
            groups += lane.shuffle(before[1], warpLanes - 1);
        }
        if (lane.thread() == 0) {
            *a.count = static_cast<int>(groups);
        }
    }
    lane.sync();
    for (int e = lane.thread(); e < a.experts; e += lane.threads()) {
        const int n = lane.template loadShared<int>(count(e));
        const int firstGroup = lane.template loadShared<int>(group(e));
        for (int done = 0; done < n; done += a.rowsPerGroup) {
            const int at = firstGroup + done / a.rowsPerGroup;
            a.expert[at] = e;
            a.first[at] = lane.template loadShared<int>(place(e)) + done;
            a.size[at] = n - done < a.rowsPerGroup ? n - done : a.rowsPerGroup;
        }
    }
    lane.sync();
    for (int i = lane.thread(); i < a.assignments; i += lane.threads()) {
        a.row[lane.addSharedAtomic(place(a.choice[i]), 1)] = i;
    }
}

} // namespace loadline::gpu
