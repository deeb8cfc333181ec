// Steps of the simulated engine, one after the other on the clock.
#include "core/replay/replay_driver.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

constexpr double usPerSecond = 1e6;

} // namespace

ReplayDriver::ReplayDriver(const EngineRun& run, const Scenario& scenario)
    : run_(run), scenario_(scenario), config_(std::get<VllmConfig>(scenario.config)), times_(run),
      engine_(config_), courses_(run.requests.size()) {
    for (std::size_t i = 0; i < courses_.size(); ++i) {
        courses_[i].length = run.requests[i].input;
        still_.begin(run.requests[i].input, run.requests[i].output);
    }
}

Status ReplayDriver::drive(const std::stop_token& stop) {
    double endOfLast = 0;       // step k - 1
    double endOfBeforeLast = 0; // step k - 2
    for (std::int64_t k = 0; !stop.stop_requested(); ++k) {
        double now = config_.asyncScheduling ? endOfBeforeLast : endOfLast;
        if (engine_.idle()) {
            if (next_ == run_.requests.size()) {
                return Done{};
            }
            now = std::max(endOfLast, run_.requests[next_].arrivalS);
        }
        admitUntil(now);
        const Step& step = engine_.step(k);
        const double start = std::max(endOfLast, now);
        const double end = start + secondsOf(step);
        budget_.idleS += start - endOfLast;
        emit(step, config_.asyncScheduling ? endOfLast : end);
        if (still_.isReachedBy(step)) {
            const Obstacle obstacle = engine_.obstacle();
            return Error{fmt::format("the request {} waits for ever: it {}",
                                     run_.requests[static_cast<std::size_t>(obstacle.request)].id,
                                     obstacle.why),
                         run_.name, "more KV blocks (--blocks N)"};
        }
        endOfBeforeLast = endOfLast;
        endOfLast = end;
    }
    return Error{"the replay was stopped", run_.name, ""};
}

void ReplayDriver::admitUntil(double now) {
    for (; next_ < run_.requests.size() && run_.requests[next_].arrivalS <= now; ++next_) {
        engine_.add(static_cast<RequestIndex>(next_), scenario_.requests[next_],
                    static_cast<std::int64_t>(next_));
    }
}

double ReplayDriver::secondsOf(const Step& step) {
    for (const RequestIndex request : step.preempted) {
        courses_[static_cast<std::size_t>(request)].computed = 0;
        ++courses_[static_cast<std::size_t>(request)].preemptions;
    }
    for (const RequestTokens& hit : step.hits) {
        courses_[static_cast<std::size_t>(hit.request)].computed = hit.tokens;
    }
    for (const RequestIndex request : step.admitted) {
        ReplayCourse& course = courses_[static_cast<std::size_t>(request)];
        course.cachedTokens = course.computed;
    }
    load_.clear();
    for (const RequestTokens& scheduled : step.scheduled) {
        ReplayCourse& course = courses_[static_cast<std::size_t>(scheduled.request)];
        if (scheduled.tokens == 1) {
            load_.addDecode(course.computed);
        } else {
            load_.chunks.push_back({.tokens = scheduled.tokens, .context = course.computed});
        }
        course.computed += scheduled.tokens;
        course.length += course.computed == course.length ? 1 : 0;
    }
    steps_ += step.scheduled.empty() ? 0 : 1;
    const StepParts parts = times_.of(load_);
    budget_.denseS += parts.denseUs / usPerSecond;
    budget_.attentionS += parts.attentionUs / usPerSecond;
    budget_.linksS += parts.linksUs / usPerSecond;
    budget_.headS += parts.headUs / usPerSecond;
    return parts.totalUs() / usPerSecond;
}

void ReplayDriver::emit(const Step& step, double atS) {
    for (const RequestIndex request : step.emitted) {
        ReplayCourse& course = courses_[static_cast<std::size_t>(request)];
        course.firstTokenS = course.produced == 0 ? atS : course.firstTokenS;
        course.lastTokenS = atS;
        ++course.produced;
    }
}

} // namespace loadline
