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

/// Grid: one block. Order within an expert is not fixed; every group's rows belong to one expert.
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
    if (lane.thread() == 0) { // a few hundred additions
        int rows = 0;
        int groups = 0;
        for (int e = 0; e < a.experts; ++e) {
            const int n = lane.template loadShared<int>(count(e));
            lane.storeShared(place(e), rows);
            lane.storeShared(group(e), groups);
            rows += n;
            groups += (n + a.rowsPerGroup - 1) / a.rowsPerGroup;
        }
        *a.count = groups;
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
