// A small made-up profile and inputs that simulate in no time.
#pragma once

#include "core/simulate/run/result.h"

#include <memory>

namespace loadline {

/// Times that follow a formula: scalar and MMA win at few rows, dequantise + cuBLAS loses at many.
inline std::shared_ptr<const Profile> madeProfile() {
    Profile profile;
    profile.name = "made up";
    profile.source = "a test";
    profile.device = "no device";
    const auto add = [&profile](Kernel kernel, std::int64_t m, int k, double us) {
        ProfilePoint& point = profile.points.emplace_back();
        point.kernel = kernel;
        point.size = {2048, 2048};
        point.rowsM = m;
        point.kBits = k;
        point.timeUs = us;
        point.origin = PointOrigin::Published;
    };
    for (const int k : {2, 3, 4, 5}) {
        for (const std::int64_t m : {1, 2, 4}) {
            add(Kernel::Scalar, m, k, 5.0 + 0.5 * static_cast<double>(k * m));
        }
        for (const std::int64_t m : {1, 8, 16, 64}) {
            add(Kernel::Mma, m, k, 8.0 + 0.2 * static_cast<double>(m));
        }
        add(Kernel::Dequantise, 0, k, 6.0);
    }
    for (const std::int64_t m : {1, 16, 64, 256, 1024, 4096, 16384}) {
        add(Kernel::CublasFp16, m, fp16Bits, 14.0 + 0.04 * static_cast<double>(m));
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

/// The same model with a head in fp16.
inline SimulationInputs withHead(SimulationInputs inputs) {
    inputs.cost.model.gemms.push_back({.name = "lm_head", .size = {2048, 2048}, .quantised = false});
    return inputs;
}

/// Of a trace, by an engine as it is by default.
inline SimulationInputs tracedInputs(std::vector<TraceRequest> requests) {
    SimulationInputs inputs = madeInputs();
    inputs.workload =
        std::make_shared<const Workload>(*workloadOfTrace(std::move(requests), "made", "Made up", "a test"));
    inputs.arrivals.kind = ArrivalKind::Trace;
    inputs.policy = {};
    return inputs;
}

} // namespace loadline
