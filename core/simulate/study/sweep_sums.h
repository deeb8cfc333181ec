// What the runs of one setting and format add up to.
#pragma once

#include "core/simulate/run/replica.h"
#include "core/simulate/study/sweep.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace loadline {

struct SweepSums {
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
    std::vector<double> ratios, averageM, decodeOnlyShare, throughput, turnsPerS; ///< by run
    std::vector<double> ttftP50, ttftP90, ttftP99, tpotP50, tpotP90, tpotP99, e2eMean;

    /// One run more. A run without a clock has neither throughput nor latencies.
    void add(const RowsRun& run, const GemmRates& rates);
    void add(const SimulationResult& result);

    [[nodiscard]] ServedFigures figures() const;

    /// Fills all but what tells the setting.
    void put(SweepPoint& point) const;

    /// The other format's runs, on the same seeds, beside these. By tokens where one of the two answered no
    /// turn yet; none without tokens. `atRate`: turns come at a rate.
    [[nodiscard]] std::optional<PointAgainst> against(const SweepSums& other, bool atRate) const;

private:
    void addRows(double moreRows, double moreSteps, double moreDecodeOnly);
};

/// Latencies of runs that are measured after a warm-up: those of all their turns together, with their 95 %
/// intervals. Changes nothing of other runs.
void setSettled(ServedFigures& figures, std::span<const SimulationResult> runs);

} // namespace loadline
