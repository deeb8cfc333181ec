// Cleans a measured curve of a linear layer before use.
#pragma once

#include "core/cost/surface/measured_curve.h"

#include <cstddef>
#include <span>
#include <vector>

namespace loadline {

/// A cell that is slower than a larger one by more than this share is an anomaly.
inline constexpr double noiseShare = 0.1;

/// How many cells of a table were touched.
struct CleanedCounts {
    std::size_t cells = 0;
    std::size_t warm = 0;        ///< faster than their weights can be read from memory; raised
    std::size_t belowTensor = 0; ///< faster than the tensor cores' dense throughput; raised
    std::size_t anomalous = 0;   ///< slower than a larger m by more than noise; marked, left out of errors
    std::size_t smoothed = 0;    ///< anomalies that stand alone among their neighbours; lowered to them
};

/// Least times of one linear layer.
struct LayerFloors {
    double bytesUs = 0;  ///< reading the weights once
    double usPerRow = 0; ///< 2 n k / dense throughput

    [[nodiscard]] double at(double m) const { return bytesUs > usPerRow * m ? bytesUs : usPerRow * m; }
};

/// Returns the cells of one curve, `us` over ascending `m` (cells with NaN are left out), raised to the
/// floors. Anomalies are marked and keep their times: most are real cost, such as padding to whole tiles or
/// another kernel. Their neighbours in n predict them within 2 to 10 % (median) as they are, and only within
/// 13 to 41 % after a running minimum over larger m (H200, B200, L40S, RTX PRO 6000).
std::vector<MeasuredPoint> cleanedPoints(std::span<const double> m, std::span<const double> us,
                                         const LayerFloors& floors, CleanedCounts& counts);

} // namespace loadline
