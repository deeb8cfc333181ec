// Events and sentences of a run, from its values: device, plan, points, wrong outputs.
#pragma once

#include "core/cost/kernel/kernel_naming.h"
#include "gpu/protocol/measure.h"
#include "gpu/protocol/point_timer.h"

#include <string>
#include <vector>

namespace loadline::gpu {

BenchDevice benchDeviceOf(const DeviceInfo& device);
/// `profile`: with its method and its row tiles.
BenchPlan benchPlanOf(const Plan& plan, KernelNaming naming, const MeasureContext& context,
                      const Profile& profile);
/// The point with the samples of the visit.
BenchPoint benchPointOf(const ProfilePoint& point, const Visit& visit);

AttentionTiming timingOf(const AttentionVisit& visit, PointOrigin origin);

/// Programs beside this one that compute on the profile's device; 0: none, or not known.
int otherProgramsOn(const Profile& profile);

/// `what` was timed, and `why` its output is wrong.
std::string wrongOutput(const std::string& what, const std::string& why);

/// Remark on points without a single uninterrupted sample, where they are over a quarter; else empty.
std::string interruptedWords(const std::vector<ProfilePoint>& points);

} // namespace loadline::gpu
