// The simulated engine of a replay on its clock.
#pragma once

#include "core/replay/replay.h"
#include "core/schedule/policy/vllm_v1.h"
#include "core/schedule/run/run_scenario.h"
#include "core/schedule/stand_still.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace loadline {

/// The progress of one request.
struct ReplayCourse {
    Tokens computed = 0; ///< KV exists or is in flight
    Tokens length = 0;   ///< prompt and outputs scheduled so far
    Tokens produced = 0;
    double firstTokenS = -1;
    double lastTokenS = -1;
    std::int64_t preemptions = 0;
    Tokens cachedTokens = 0;
};

/// Drives the scheduler with the run's arrivals, each step as long as its composition takes.
class ReplayDriver {
public:
    /// Precondition: checkScenario(scenario); its requests are the run's, in order. Holds on to both.
    ReplayDriver(const EngineRun& run, const Scenario& scenario);

    /// To the last token. The Error: a request waits for ever, or `stop` was asked for.
    Status drive(const std::stop_token& stop);

    [[nodiscard]] const std::vector<ReplayCourse>& courses() const { return courses_; }

    [[nodiscard]] const ReplayBudget& budget() const { return budget_; }

    [[nodiscard]] std::int64_t steps() const { return steps_; }

private:
    void admitUntil(double now);
    double secondsOf(const Step& step);
    void emit(const Step& step, double atS);

    const EngineRun& run_;
    const Scenario& scenario_;
    const VllmConfig& config_;
    StepTimes times_;
    VllmV1 engine_;
    std::vector<ReplayCourse> courses_;
    std::size_t next_ = 0; ///< the next to arrive
    StepLoad load_;        ///< of the present step; kept for its memory
    ReplayBudget budget_;
    std::int64_t steps_ = 0;
    StandStill still_;
};

} // namespace loadline
