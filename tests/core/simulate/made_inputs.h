// A small made-up profile and inputs that simulate in no time.
#pragma once

#include "core/simulate/result.h"

#include <memory>

namespace loadline {

/// Times that follow a formula: scalar and MMA win at few rows, dequantise + cuBLAS loses at many.
inline std::shared_ptr<const Profile> madeProfile() {
    Profile profile;
    profile.name = "made up";
    profile.source = "a test";
    profile.device = "no device";
    const GemmSize size{2048, 2048};
    for (const int k : {2, 3, 4, 5}) {
        for (const std::int64_t m : {1, 2, 4}) {
            profile.points.push_back({Kernel::Scalar, size, 1, m, k, 5.0 + 0.5 * static_cast<double>(k * m)});
        }
        for (const std::int64_t m : {1, 8, 16, 64}) {
            profile.points.push_back({Kernel::Mma, size, 1, m, k, 8.0 + 0.2 * static_cast<double>(m)});
        }
        profile.points.push_back({Kernel::Dequantise, size, 1, 0, k, 6.0});
    }
    for (const std::int64_t m : {1, 16, 64, 256, 1024, 4096, 16384}) {
        profile.points.push_back(
            {Kernel::CublasFp16, size, 1, m, fp16Bits, 14.0 + 0.04 * static_cast<double>(m)});
    }
    for (ProfilePoint& point : profile.points) {
        point.origin = PointOrigin::Published;
    }
    return std::make_shared<const Profile>(std::move(profile));
}

inline SimulationInputs madeInputs() {
    SimulationInputs inputs;
    inputs.workload = std::make_shared<const Workload>(referenceWorkload());
    inputs.profile = madeProfile();
    inputs.cost.model = {"made", "Made up", "a test", {{"only", {2048, 2048}}}, std::nullopt};
    inputs.policy.policy = Policy::SinglePrefill;
    inputs.length.iterations = 2000;
    return inputs;
}

} // namespace loadline
