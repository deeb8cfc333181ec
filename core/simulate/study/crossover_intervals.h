// Crossings of the draws behind a crossover's curve, and the intervals that follow.
#pragma once

#include "core/simulate/run/kernel_draws.h"
#include "core/simulate/study/crossover.h"

#include <cstddef>
#include <span>
#include <vector>

namespace loadline {

/// One curve over users: the runs behind it. Any table turns it into ratios.
using CurveRows = std::vector<ReplicaRows>;
/// k-bit time / fp16 time over the numbers of users.
using Ratios = std::vector<double>;

/// Sums over runs, at each number of users: their ratio is that of all runs together.
struct CurveSums {
    std::vector<double> us, fp16Us;

    void add(const CurveRows& curve, const RowTimes& times);
    void add(const CurveSums& more);
    [[nodiscard]] Ratios ratios() const;
};

/// Curves of all draws at one k and chunk.
struct DrawnCurves {
    std::vector<Ratios> turns; ///< by draw: a run, with turns of its own, or parts of the curve's runs
    std::vector<Ratios> all;   ///< by draw: turns, sessions and times of its own; empty: the others' together
    std::vector<CurveSums> sessions;             ///< by draw, then by run: sessions of the draw
    std::vector<std::vector<CurveSums>> kernels; ///< by run, then by draw: times of the draw
    std::vector<CurveSums> usual;                ///< by run: the same with the usual times

    DrawnCurves(std::size_t draws, std::size_t sessionRuns, std::size_t kernelRuns)
        : turns(draws), all(draws), sessions(draws * sessionRuns), kernels(kernelRuns), usual(kernelRuns) {}
};

/// Draws of a curve by the chance of its turns: at each number of users the mean of as many parts as it was
/// simulated in (SweepPoint::replicaPaces), drawn again. `points`: of the curve.
std::vector<Ratios> drawnParts(std::span<const SweepPoint> points, std::size_t draws, std::uint64_t seed);

/// Sets the intervals of a crossover whose crossings are known. `mean`: the ratios of its curve at `users`.
/// Turns, and everything together: the draws' curves as they are; without these, the three moves together.
/// Sessions and kernels alone: the mean curve, moved at each number of users as the draw's differs from that
/// without its doubt, so that the chance of single runs stays out and the intervals lie about the crossing. A
/// draw counts where it passes 1 in the direction of the first crossing; one that does not lies outside the
/// range. Without a crossing, see CrossoverInterval. No interval ends amid a wide crossing. byCrossing: of
/// each crossing of the mean curve those of the draws in its direction that no other such crossing is nearer
/// to, the middle 90 % of the draws that have one.
void setIntervals(Crossover& crossover, const DrawnCurves& drawn, std::span<const std::int64_t> users,
                  const Ratios& mean);

} // namespace loadline
