// Sums over the runs of one setting and format.
#pragma once

#include "core/simulate/run/replica.h"
#include "core/simulate/study/sweep.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace loadline {

/// Facts of a setting's turns that are known before any is simulated. Tokens per second tell turns per second
/// by it, and these the time of a turn (Little's law), surer than the few turns of short runs do: answers
/// have long tails.
struct KnownTurns {
    double meanAnswerTokens = 0; ///< of the turns that are served; 0: not known, so turns are counted
    double users = 0;            ///< of a closed loop; 0: latencies are measured alone
    double thinkS = 0;           ///< between its turns
};

/// Fewer runs keep the band of their values: an interval by Student's t of two or three spans decades.
inline constexpr std::size_t enoughForInterval = 4;

struct SweepSums {
    KnownTurns known;
    GemmTime gemm;
    double wholeUs = 0;
    double wholeFp16Us = 0;
    double rows = 0;
    double steps = 0;
    double decodeOnly = 0;
    double simulatedS = 0;
    double tokensOut = 0;
    double turns = 0;
    std::uint64_t growingQueues = 0;
    std::int64_t peakKvBlocks = 0;
    bool keepsRows = false;        ///< what deviations by the error of kernel times are worked out from
    std::vector<RowsCount> counts; ///< at index M; empty unless keepsRows
    std::vector<double> ratios, averageM, decodeOnlyShare, throughput, turnsPerS; ///< by run
    std::vector<double> ttftP50, ttftP90, ttftP99, tpotP50, tpotP90, tpotP99, e2eMean;

    /// One run more. A run without a clock has neither throughput nor latencies.
    void add(const RowsRun& run, const GemmRates& rates);
    void add(const SimulationResult& result);

    [[nodiscard]] ServedFigures figures() const;

    /// Fills all but what tells the setting.
    void put(SweepPoint& point) const;

    /// The other format's runs, on the same seeds, beside these. By tokens where turns are known, and where
    /// one of the two answered none yet; none without tokens. `atRate`: turns come at a rate.
    [[nodiscard]] std::optional<PointAgainst> against(const SweepSums& other, bool atRate) const;

    /// All runs as one: by their own clock, on the same batches in both formats, and beside those of the
    /// format compared with. Precondition: keepsRows.
    [[nodiscard]] ReplicaRows alone() const;
    [[nodiscard]] ReplicaRows sameBatches() const;
    [[nodiscard]] ReplicaRows beside(const SweepSums& other) const;

private:
    void addRows(double moreRows, double moreSteps, double moreDecodeOnly);
    void addCounts(std::span<const RowsCount> more);
};

/// Puts the error of the kernel times of these runs into a point and its intervals; `other`: of the format
/// compared with, null where there is none. Precondition: both keep rows.
void putKernelErrors(SweepPoint& point, const KernelDraws& draws, const Format& format, const SweepSums& own,
                     const Format& against, const SweepSums* other);
/// Widens the intervals of a point by the kernel errors that it holds; once.
void widenByKernelErrors(SweepPoint& point);

/// Figures of runs that are measured after a warm-up: latencies of all their turns together, all with their
/// 95 % intervals. Changes nothing of other runs.
void setSettled(ServedFigures& figures, std::span<const SimulationResult> runs, const KnownTurns& known = {});

} // namespace loadline
