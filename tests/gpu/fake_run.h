// A whole measurement on the made-up device, and what it told on the way.
#pragma once

#include "core/cost/profile/bench_run.h"
#include "fake_backend.h"
#include "gpu/protocol/measure.h"

#include <algorithm>
#include <functional>
#include <stop_token>
#include <variant>

namespace loadline::gpu {

inline MeasureContext contextWith(double& now) {
    return {"1.2.3", "2026-01-01T00:00:00Z", [&now] { return now += 0.001; }, [&now](double s) { now += s; }};
}

struct Measured {
    Result<Profile> profile = Error{};
    BenchRun run; ///< what was told
    std::size_t announced = 0;
};

inline Measured run(FakeDevice& device, Preset preset = Preset::Quick,
                    const ModelShapes& model = studyShapes(), const std::stop_token& stop = {},
                    const std::function<void(std::size_t)>& onPoint = {}) {
    FakeBackend backend(device);
    const Plan plan = makePlan(backend, model, {3, 4}, preset, 5);
    Measured measured;
    double now = 0;
    const Tell tell = [&](const BenchEvent& event) {
        apply(measured.run, event);
        if (std::holds_alternative<BenchPoint>(event)) {
            ++measured.announced;
            if (onPoint) {
                onPoint(measured.announced);
            }
        }
    };
    measured.profile = measure(backend, plan, contextWith(now), tell, stop);
    return measured;
}

inline bool hasFlag(const ProfilePoint& point, const char* flag) {
    return std::find(point.flags.begin(), point.flags.end(), flag) != point.flags.end();
}

} // namespace loadline::gpu
