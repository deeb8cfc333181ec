// A curve over users with points added where it turns, so that a line through them can be believed.
#pragma once

#include "core/simulate/study/sweep.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

/// When a line between two points, straight over log users, is good enough.
struct LineError {
    double ofRatio = 0.01;       ///< of SweepPoint::pace, or the band of the points, whichever is larger
    double ofUsers = 0.02;       ///< where the curve passes 1: of the users there
    std::size_t mostPoints = 96; ///< of users; then it stays as it is
};

/// A sweep at inputs.users (ascending), and at more between them until each line between two neighbours errs
/// less than `error`, or they are one user apart. What is learnt is that a line failed at its middle; nothing
/// else is assumed of the curve. Of several k the inputs' own leads: the users that it alone would have asked
/// for are SweepResult::leadingUsers. When stopped: what is there so far, which has no points before the
/// first sweep.
Result<SweepResult> usersCurve(const SweepInputs& inputs, const LineError& error = {},
                               const std::stop_token& stop = {});

/// The present setting has one answer: puts its settled runs into its place in a curve over users or rates.
/// `other`: of the format compared with, null where formats are not compared. Runs of a given length change
/// nothing, as a curve has the same.
void putPresent(SweepResult& curve, const SimulationInputs& present, const SimulationReplicas& runs,
                const SimulationReplicas* other);

/// A preview's curve over users, of every k, in which simulated points take the place of the preview's as
/// they come. Of sweeps over users at one chunk.
class CurveUnderWay {
public:
    /// `grid`: the users that are simulated first, ascending. Between two of these that are neighbours and
    /// both simulated, the preview's points are gone.
    CurveUnderWay(SweepResult preview, std::vector<std::int64_t> grid);

    /// The points of one setting, by k.
    void take(std::span<const SweepPoint> points);

    [[nodiscard]] const SweepResult& sweep() const { return sweep_; }

private:
    [[nodiscard]] bool isSimulated(std::int64_t users) const;

    SweepResult sweep_;
    std::vector<std::int64_t> grid_;
};

/// Returns the first users of a curve, the inputs' own among them: `grid`; but step by step, where a point
/// takes hundreds of times as long, 1, 2, 4, ... up to the grid's last.
std::vector<std::int64_t> firstUsers(const SimulationInputs& inputs, std::vector<std::int64_t> grid);

} // namespace loadline
