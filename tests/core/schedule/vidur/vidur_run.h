// Runs Vidur's schedulers in the loop that runs ours.
#pragma once

#include "core/schedule/run/run_loop.h"
#include "vidur_sarathi.h"
#include "vidur_vllm_v0.h"

#include <vector>

namespace loadline::test {

/// Lists running and waiting in every step.
inline Result<ScheduleTrace> runVidur(const VidurConfig& config,
                                      const std::vector<ScheduleRequest>& requests) {
    const RunLimits limits;
    const std::stop_token never;
    RunLoop loop(requests, limits, never);
    return config.scheduler == VidurScheduler::Sarathi ? loop.with(VidurSarathi(config, true))
                                                       : loop.with(VidurVllmV0(config, true));
}

} // namespace loadline::test
