// Times one point: its rotation, samples until there are enough, a pause where the device throttles.
#pragma once

#include "gpu/protocol/plan.h"
#include "gpu/protocol/samples.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline::gpu {

/// One stay at a point.
struct Visit {
    PlannedPoint planned;
    Rotation rotation;
    PointSummary summary;
    std::optional<double> isolatedUs; ///< where the plan asks for it and the device can
    std::vector<Sample> samples;      ///< in the order they were taken
    std::string wrong;                ///< what is wrong with the timed output; empty: nothing is
};

/// A visit of a call of attention.
struct AttentionVisit {
    AttentionCall call;
    PointSummary summary;
    std::string wrong; ///< as Visit's
};

class PointTimer {
public:
    /// `pause` waits for as many seconds. All must outlive the timer.
    PointTimer(Backend& backend, const SamplingRule& rule, const std::function<void(double)>& pause,
               std::stop_token stop);

    /// The Error ends the run. When stopped, the samples until then are the visit's.
    Result<Visit> time(const PlannedPoint& planned);
    Result<AttentionVisit> time(const AttentionCall& call);

    /// A clock that was read outside of points.
    void addClock(double mhz) { clock_.add(mhz); }

private:
    struct Taken {
        std::vector<Sample> samples;
        PointSummary summary;
    };

    /// Samples until there are enough, once more after a pause where the device throttled.
    Result<Taken> take(PreparedPoint& prepared, const Rotation& rotation);
    Result<std::vector<Sample>> sample(PreparedPoint& prepared, const Rotation& rotation);
    /// Says what is wrong with the output of the samples; empty: nothing.
    static Result<std::string> wrongWith(PreparedPoint& prepared);
    /// The median of a few calls by themselves.
    static Result<std::optional<double>> isolated(PreparedPoint& prepared);

    Backend& backend_;
    SamplingRule rule_;
    const std::function<void(double)>& pause_;
    std::stop_token stop_;
    ClockTrack clock_;
    double pauseSeconds_;
};

} // namespace loadline::gpu
