// How much room MMA kernels need for sums that meet.
#include "gpu/cuda/launch/launch.cuh"

#include <algorithm>

namespace loadline::gpu {

WorkspaceSize workspaceFor(int n, int rows, int groups) {
    // swapAb: whole units of 32 rows of W per warp of rows, of 64 up to 8 tokens, by whole tiles of 8 tokens;
    // planeMma: whole tiles of 128 columns by whole tiles of 16 rows.
    const int tokenTiles = swapAbTokens(rows);
    const std::int64_t unitRows = std::max(64LL, 32LL * tokenTiles);
    const std::int64_t units = (n + unitRows - 1) / unitRows;
    const std::int64_t paddedN = (n + planesTileN - 1LL) / planesTileN * planesTileN;
    WorkspaceSize size;
    size.partials = std::max(units * unitRows * 8 * tokenTiles, paddedN * ((rows + 15) / 16) * 16) * groups;
    size.counters = std::max(units, paddedN / 64) * groups;
    return size;
}

} // namespace loadline::gpu
