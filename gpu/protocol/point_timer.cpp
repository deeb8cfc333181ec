// Takes samples of one point after the other.
#include "gpu/protocol/point_timer.h"

#include "core/base/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace loadline::gpu {
namespace {

// A device that throttles is left alone for a moment, longer each time until it has recovered.
constexpr double leastPauseSeconds = 0.05;
constexpr double mostPauseSeconds = 0.5;

bool isThrottled(const PointSummary& summary) {
    return std::find(summary.flags.begin(), summary.flags.end(), "throttled") != summary.flags.end();
}

} // namespace

PointTimer::PointTimer(Backend& backend, const SamplingRule& rule, const std::function<void(double)>& pause,
                       std::stop_token stop)
    : backend_(backend), rule_(rule), pause_(pause), stop_(std::move(stop)),
      pauseSeconds_(leastPauseSeconds) {}

Result<Visit> PointTimer::time(const PlannedPoint& planned) {
    Visit visit;
    visit.planned = planned;
    visit.rotation = rotationFor(backend_, planned.spec);
    auto prepared = backend_.prepare(planned.spec, visit.rotation);
    if (!prepared) {
        return prepared.error();
    }
    auto taken = take(**prepared, visit.rotation);
    if (!taken) {
        return taken.error();
    }
    visit.samples = std::move(taken->samples);
    visit.summary = std::move(taken->summary);
    auto wrong = wrongWith(**prepared);
    if (!wrong) {
        return wrong.error();
    }
    visit.wrong = std::move(*wrong);
    if (planned.isolated && !stop_.stop_requested()) {
        auto us = isolated(**prepared);
        if (!us) {
            return us.error();
        }
        visit.isolatedUs = *us;
    }
    return visit;
}

Result<AttentionVisit> PointTimer::time(const AttentionCall& call) {
    const Rotation rotation = rotationFor(backend_, call);
    auto prepared = backend_.prepareAttention(call, rotation);
    if (!prepared) {
        return prepared.error();
    }
    auto taken = take(**prepared, rotation);
    if (!taken) {
        return taken.error();
    }
    auto wrong = wrongWith(**prepared);
    if (!wrong) {
        return wrong.error();
    }
    return AttentionVisit{call, std::move(taken->summary), std::move(*wrong)};
}

Result<std::string> PointTimer::wrongWith(PreparedPoint& prepared) {
    const auto outcome = prepared.checkOutput();
    if (!outcome) {
        return outcome.error();
    }
    return outcome->passed ? std::string() : outcome->what;
}

Result<PointTimer::Taken> PointTimer::take(PreparedPoint& prepared, const Rotation& rotation) {
    Taken taken;
    for (const bool again : {false, true}) {
        auto samples = sample(prepared, rotation);
        if (!samples) {
            return samples.error();
        }
        taken.samples = std::move(*samples);
        taken.summary = summarise(taken.samples, clock_);
        if (!isThrottled(taken.summary)) {
            pauseSeconds_ = leastPauseSeconds;
            break;
        }
        if (!again) {
            pause_(pauseSeconds_); // let it cool, then once more
            pauseSeconds_ = std::min(2 * pauseSeconds_, mostPauseSeconds);
        }
    }
    return taken;
}

Result<std::vector<Sample>> PointTimer::sample(PreparedPoint& prepared, const Rotation& rotation) {
    std::vector<Sample> samples;
    std::vector<double> us;
    double spentMs = 0; // on samples that count
    double allMs = 0;
    const auto impatient = [&] {
        const auto taken = static_cast<int>(samples.size());
        return taken >= patienceForInterrupted * rule_.mostSamples ||
               (taken > 0 && taken >= leastOf(rule_, allMs / taken) &&
                allMs >= patienceForInterrupted * rule_.mostMs);
    };
    for (int i = -2; !(i >= 0 && (enough(rule_, us, spentMs) || impatient())); ++i) {
        const auto one = prepared.sample();
        if (!one) {
            return one.error();
        }
        if (!(one->us > 0) || !std::isfinite(one->us)) {
            return Error{"the device gave a time that is not above zero", backend_.device().name,
                         "run it again"};
        }
        if (i < 0) {
            continue; // caches, clocks and lazy loading
        }
        samples.push_back(*one);
        clock_.add(one->clockMhz);
        const double ms = one->us * rotation.calls / 1000;
        allMs += ms;
        if (!isInterrupted(*one)) {
            us.push_back(one->us);
            spentMs += ms;
        }
        if (stop_.stop_requested()) {
            break;
        }
    }
    return samples;
}

Result<std::optional<double>> PointTimer::isolated(PreparedPoint& prepared) {
    std::vector<double> us(5);
    for (double& one : us) {
        auto time = prepared.isolatedUs();
        if (!time || !*time) {
            return time;
        }
        if (!(**time > 0) || !std::isfinite(**time)) {
            return std::optional<double>(); // shorter than what timing itself takes
        }
        one = **time;
    }
    return std::optional(medianOf(std::move(us)));
}

} // namespace loadline::gpu
