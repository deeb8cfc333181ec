// Runs a plan on a device and gives a profile: correct first, then timed, with everything told that was odd.
#pragma once

#include "gpu/protocol/plan.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline::gpu {

/// How far a run is.
struct MeasureProgress {
    std::string doing; ///< "warming up", "checking", "timing scalar, 2048x5120, k = 4, M = 8"
    std::size_t done = 0;
    std::size_t total = 0;
    double secondsSpent = 0;
    double secondsLeft = 0; ///< from the pace so far
};

/// What is told while a run goes on; both are called on the measuring thread.
struct MeasureListener {
    std::function<void(const MeasureProgress&)> progress;
    std::function<void(const ProfilePoint&)> point; ///< each as it arrives, never one of a kernel that failed
    std::function<void(const std::string&)> remark; ///< odd things, in a sentence each
};

/// Facts of the program that measures; the device's own come from the backend.
struct MeasureContext {
    std::string version;             ///< of this program
    std::string date;                ///< ISO 8601, UTC
    std::function<double()> seconds; ///< a steady clock
    std::function<void(double)> sleepSeconds;
};

/// The whole protocol: ceilings, warm-up, checks, points in the plan's order, pauses where the device
/// throttles. A kernel that fails its check writes no point and is named in the method facts. When stopped,
/// or when the device fails midway, what was measured so far is the result, its method facts say that it is
/// cut, and why. An Error only where nothing was measured.
Result<Profile> measure(Backend& backend, const Plan& plan, const MeasureContext& context,
                        const MeasureListener& listener, const std::stop_token& stop = {});

/// Spread of the anchor over the run: (largest - least) / median of its medians; 0 with fewer than two.
double anchorDrift(const std::vector<double>& anchorUs);

/// Above this drift the points between two anchors are flagged "drift".
inline constexpr double mostDrift = 0.03;

} // namespace loadline::gpu
