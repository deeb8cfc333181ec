// Made-up timings of kernels, for tests.
#pragma once

#include "core/cost/figure/kernel_figure.h"
#include "core/cost/profile/profile.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace loadline::test {

/// `kBits` counts for kernels that read k-bit weights; others have fp16 weights.
inline ProfilePoint timedPoint(Kernel kernel, const TimedShape& shape, std::int64_t rowsM, double us,
                               int kBits = 4) {
    ProfilePoint point;
    point.kernel = kernel;
    point.size = shape.size;
    point.experts = shape.experts;
    point.rowsM = rowsM;
    point.kBits = readsKBits(kernel) ? kBits : fp16Bits;
    point.timeUs = us;
    return point;
}

inline constexpr TimedShape denseShape{{.k = 2048, .n = 5120}, 1};

inline ProfilePoint densePoint(Kernel kernel, std::int64_t rowsM, double us, int kBits = 4) {
    return timedPoint(kernel, denseShape, rowsM, us, kBits);
}

inline std::shared_ptr<const Profile> madeUpProfile(std::vector<ProfilePoint> points, Facts ceilings = {},
                                                    const std::string& name = "made up") {
    Profile profile;
    profile.name = name;
    profile.device = "a device";
    profile.points = std::move(points);
    profile.ceilings = std::move(ceilings);
    return std::make_shared<const Profile>(std::move(profile));
}

using TimesByM = std::map<std::int64_t, double>; ///< microseconds

/// The figure of denseShape at k = 4, with these times alone.
inline KernelFigure figureOfTimes(const std::map<Kernel, TimesByM>& kernels) {
    std::vector<ProfilePoint> points;
    for (const auto& [kernel, times] : kernels) {
        for (const auto& [rowsM, us] : times) {
            points.push_back(densePoint(kernel, rowsM, us));
        }
    }
    return kernelFigure({madeUpProfile(std::move(points)), nullptr, denseShape, 4});
}

/// The curve of a kernel; null where the figure has none.
inline const KernelCurve* curveIn(const KernelFigure& figure, Kernel kernel, int profile = 0) {
    const auto found = std::ranges::find_if(figure.curves, [&](const KernelCurve& curve) {
        return curve.kernel == kernel && curve.profile == profile;
    });
    return found == figure.curves.end() ? nullptr : &*found;
}

} // namespace loadline::test
