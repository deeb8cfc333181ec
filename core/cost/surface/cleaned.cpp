// Floors and anomalies of measured curves.
#include "core/cost/surface/cleaned.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadline {

std::vector<MeasuredPoint> cleanedPoints(std::span<const double> m, std::span<const double> us,
                                         const LayerFloors& floors, CleanedCounts& counts) {
    std::vector<MeasuredPoint> points;
    points.reserve(m.size());
    double leastOfLarger = std::numeric_limits<double>::infinity();
    for (std::size_t i = m.size(); i-- > 0;) {
        if (std::isnan(us[i])) {
            continue;
        }
        ++counts.cells;
        MeasuredPoint point{.x = m[i], .us = us[i]};
        point.isAnomalous = us[i] > (1 + noiseShare) * leastOfLarger;
        leastOfLarger = std::min(leastOfLarger, us[i]);
        counts.anomalous += point.isAnomalous ? 1U : 0U;
        counts.warm += us[i] < floors.bytesUs ? 1U : 0U;
        counts.belowTensor += us[i] < floors.usPerRow * m[i] ? 1U : 0U;
        if (us[i] < floors.at(m[i])) {
            point.us = floors.at(m[i]);
            point.isRaised = true;
        }
        points.push_back(point);
    }
    std::ranges::reverse(points);
    return points;
}

} // namespace loadline
