// Runs a plan on a device and gives a profile: correct first, then timed, with everything told that was odd.
#pragma once

#include "core/cost/profile/bench_event.h"
#include "gpu/protocol/plan.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline::gpu {

/// Takes what is told while a run goes on; called on the measuring thread. Device, plan, ceilings, progress,
/// points, failed checks and remarks are told; how the run ended is the result.
using Tell = std::function<void(const BenchEvent&)>;

/// Facts of the program that measures; the device's own come from the backend.
struct MeasureContext {
    std::string version;             ///< of this program
    std::string date;                ///< ISO 8601, UTC
    std::function<double()> seconds; ///< a steady clock
    std::function<void(double)> sleepSeconds;
    Facts facts = {};       ///< more of the program and its system, for the method facts
    Facts deviceFacts = {}; ///< more than the device knows of itself
    std::string name = {};  ///< of the profile; empty: the device's
};

/// The whole protocol: ceilings, warm-up, checks, points in the plan's order, pauses where the device
/// throttles. A kernel that fails its check writes no point and is named in the method facts. When stopped,
/// or when the device fails midway, what was measured so far is the result, its method facts say that it is
/// cut, and why. An Error only where nothing was measured.
Result<Profile> measure(Backend& backend, const Plan& plan, const MeasureContext& context, const Tell& tell,
                        const std::stop_token& stop = {});

} // namespace loadline::gpu
