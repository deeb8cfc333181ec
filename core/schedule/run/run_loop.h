// The loop around a scheduler, the same for all of them.
#pragma once

#include "core/base/result.h"
#include "core/schedule/arrivals.h"
#include "core/schedule/obstacle.h"
#include "core/schedule/run/run_scenario.h"
#include "core/schedule/scenario.h"
#include "core/schedule/stand_still.h"
#include "core/schedule/step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace loadline {

/// Steps any scheduler: what runScenario() says of time, of arrivals and of standing still. Preconditions:
/// those of checkScenario(). Holds on to what it is given.
class RunLoop {
public:
    RunLoop(const std::vector<ScheduleRequest>& requests, const RunLimits& limits,
            const std::stop_token& stop)
        : requests_(requests), limits_(limits), stop_(stop), arrivals_(requests) {
        trace_.requests.resize(requests.size());
        for (const ScheduleRequest& request : requests) {
            still_.begin(request.promptTokens, request.outputTokens);
        }
    }

    /// The error of a run that does not end within the limits.
    static Error tooMuch(const RunLimits& limits) {
        return {fmt::format("the scenario takes more than {} steps, or {} entries in them: too much to list",
                            limits.steps, limits.entries),
                "", "fewer or shorter requests, or a larger token budget"};
    }

    /// Runs it to its end. A scheduler has idle(), add(index, request, t), step(t) and obstacle(). Once only.
    template <typename Scheduler>
    Result<ScheduleTrace> with(Scheduler scheduler) {
        std::int64_t t = 0;
        while (!stop_.stop_requested()) {
            if (scheduler.idle()) {
                const std::optional<std::int64_t> next = arrivals_.next();
                if (!next) {
                    break;
                }
                t = std::max(t, *next);
            }
            while (const std::optional<RequestIndex> request = arrivals_.take(t)) {
                scheduler.add(*request, requests_[*request], t);
            }
            const Step& step = scheduler.step(t);
            note(step);
            if (still_.isReachedBy(step)) {
                return stuck(scheduler.obstacle());
            }
            if (static_cast<std::int64_t>(trace_.steps.size()) >= limits_.steps ||
                entries_ > limits_.entries) {
                return tooMuch(limits_);
            }
            trace_.steps.push_back(step);
            ++t;
        }
        return std::move(trace_);
    }

private:
    RequestSummary& summary(RequestIndex request) { return trace_.requests[request]; }

    static void setFirst(std::int64_t& place, std::int64_t t) { place = place < 0 ? t : place; }

    void note(const Step& step) {
        for (const RequestIndex request : step.arrived) {
            summary(request).arrivalStep = step.t;
        }
        for (const RequestTokens& scheduled : step.scheduled) {
            setFirst(summary(scheduled.request).firstScheduledStep, step.t);
        }
        for (const MlxForward& forward : step.forwards) {
            for (const RequestIndex request : forward.rows) {
                setFirst(summary(request).firstScheduledStep, step.t);
            }
            entries_ += static_cast<std::int64_t>(forward.rows.size());
        }
        for (const RequestTokens& hit : step.hits) {
            if (summary(hit.request).firstScheduledStep == step.t) {
                summary(hit.request).firstHitTokens = hit.tokens;
            }
        }
        for (const RequestIndex request : step.preempted) {
            ++summary(request).preemptions;
        }
        for (const RequestIndex request : step.emitted) {
            setFirst(summary(request).firstTokenStep, step.t);
        }
        for (const RequestIndex request : step.finished) {
            summary(request).finishStep = step.t;
            arrivals_.finished(request, step.t);
        }
        entries_ += static_cast<std::int64_t>(step.scheduled.size());
    }

    Error stuck(const Obstacle& obstacle) const {
        return {fmt::format("request {} waits for ever: it {}", requests_[obstacle.request].id, obstacle.why),
                "", "a larger cache or budget, or shorter requests"};
    }

    const std::vector<ScheduleRequest>& requests_;
    const RunLimits& limits_;
    const std::stop_token& stop_;
    Arrivals arrivals_;
    ScheduleTrace trace_;
    std::int64_t entries_ = 0;
    StandStill still_;
};

} // namespace loadline
