// Which rows of x and y a block of a GEMM serves: all of one matrix, or those routed to one expert.
#pragma once

#include "gpu/cuda/lane/lane.cuh"

namespace loadline::gpu {

/// Routed rows, sorted by expert and cut into groups of at most as many rows as the kernel takes
/// (moe_route.cuh). All in device memory; `count` is nullptr for a dense GEMM.
struct Groups {
    const int* count = nullptr;  ///< 1: how many groups there are
    const int* expert = nullptr; ///< per group
    const int* first = nullptr;  ///< per group: its first place in `row`
    const int* size = nullptr;   ///< per group: rows, at least 1
    const int* row =
        nullptr;     ///< per place: the assignment (token * top + choice), which is also the row of y
    int rowsOfX = 1; ///< assignments per row of x: `top` where x has a row per token, else 1
};

/// One group's rows.
struct GroupRows {
    int expert = 0;
    int size = 0;
    const int* row = nullptr;
    int rowsOfX = 1;

    LOADLINE_LANE std::int64_t ofY(int i) const { return row == nullptr ? i : row[i]; }
    LOADLINE_LANE std::int64_t ofX(int i) const { return row == nullptr ? i : row[i] / rowsOfX; }
};

LOADLINE_LANE int groupCount(const Groups& groups) {
    return groups.count == nullptr ? 1 : *groups.count;
}

/// Returns the rows of a group; of a dense GEMM: all `m` rows.
LOADLINE_LANE GroupRows rowsOfGroup(const Groups& groups, int group, int m) {
    if (groups.count == nullptr) {
        return {0, m, nullptr, 1};
    }
    return {groups.expert[group], groups.size[group], groups.row + groups.first[group], groups.rowsOfX};
}

} // namespace loadline::gpu
