// Leaving out cells of a grid of linear layers.
#include "core/cost/surface/gemm_errors.h"

#include <algorithm>

namespace loadline {
namespace {

struct AxisErrors {
    RegionErrors inside{gemmRegions};
    RegionErrors end{gemmRegions};
};

/// Three cells of a line of the grid: the one left out between two others.
struct LeftOutCell {
    const GemmCell& left;
    const GemmCell& target;
    const GemmCell& right;

    [[nodiscard]] bool counts() const {
        return target.isClean() && left.isMeasured && right.isMeasured && !left.isAnomalous &&
               !right.isAnomalous;
    }
};

/// Along n (isN) or k, at one m.
void addShapeErrors(const GemmCells& grid, const std::vector<GemmCell>& clean, bool isN, AxisErrors& errors) {
    const std::vector<double>& axis = isN ? grid.n : grid.k;
    const std::vector<double>& other = isN ? grid.k : grid.n;
    const auto cell = [&](std::size_t at, std::size_t across, std::size_t m) -> const GemmCell& {
        return clean[isN ? grid.at(at, across, m) : grid.at(across, at, m)];
    };
    for (std::size_t at = 1; at < axis.size(); ++at) {
        const bool isEnd = at + 1 == axis.size();
        for (std::size_t across = 0; across < other.size(); ++across) {
            for (std::size_t m = 0; m < grid.m.size(); ++m) {
                const GemmCell& left = cell(at - 1, across, m);
                const GemmCell& target = cell(at, across, m);
                const LeftOutCell three{left, target, isEnd ? left : cell(at + 1, across, m)};
                if (!three.counts()) {
                    continue;
                }
                const std::size_t region = gemmRegionOf(axis[at], other[across], grid.m[m]);
                if (isEnd) {
                    errors.end.add(region, left.us * axis[at] / axis[at - 1], target.us);
                } else {
                    errors.inside.add(region,
                                      lineAt(axis[at - 1], left.us, axis[at + 1], three.right.us, axis[at]),
                                      target.us);
                }
            }
        }
    }
}

void addRowErrors(const GemmCells& grid, const std::vector<GemmCell>& clean, AxisErrors& errors) {
    const std::vector<AxisGroup> groups = axisGroups(grid.m);
    const auto addLine = [&](std::size_t n, std::size_t k) {
        const GemmCell* line = &clean[grid.at(n, k)];
        for (std::size_t group = 1; group < groups.size(); ++group) {
            const std::size_t before = groups[group].first - 1;
            const bool isEnd = group + 1 == groups.size();
            const std::size_t after = isEnd ? before : groups[group].last + 1;
            for (std::size_t m = groups[group].first; m <= groups[group].last; ++m) {
                const LeftOutCell three{line[before], line[m], line[after]};
                if (!three.counts()) {
                    continue;
                }
                const std::size_t region = gemmRegionOf(grid.n[n], grid.k[k], grid.m[m]);
                if (isEnd) {
                    errors.end.add(region, three.left.us * grid.m[m] / grid.m[before], three.target.us);
                } else {
                    errors.inside.add(
                        region,
                        lineAt(grid.m[before], three.left.us, grid.m[after], three.right.us, grid.m[m]),
                        three.target.us);
                }
            }
        }
    };
    for (std::size_t n = 0; n < grid.n.size(); ++n) {
        for (std::size_t k = 0; k < grid.k.size(); ++k) {
            addLine(n, k);
        }
    }
}

} // namespace

std::size_t gemmRegionOf(double n, double k, double m) {
    const std::size_t rows = m <= 16 ? 0U : m <= 256 ? 1U : 2U;
    return rows + (std::min(n, k) < 1024 ? 0U : 3U);
}

GemmErrors gemmErrorsOf(const GemmCells& grid, const std::vector<GemmCell>& clean) {
    AxisErrors n;
    AxisErrors k;
    AxisErrors m;
    addShapeErrors(grid, clean, true, n);
    addShapeErrors(grid, clean, false, k);
    addRowErrors(grid, clean, m);
    return {.n = n.inside.summaries(),
            .k = k.inside.summaries(),
            .m = m.inside.summaries(),
            .endN = n.end.summaries(),
            .endK = k.end.summaries(),
            .endM = m.end.summaries(),
            .overallN = n.inside.overall(),
            .overallK = k.inside.overall(),
            .overallM = m.inside.overall()};
}

} // namespace loadline
