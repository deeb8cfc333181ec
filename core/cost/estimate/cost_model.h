// The GEMM time of a step by its rows M: one table, one lookup per step.
#pragma once

#include "core/cost/estimate/kernel_times.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace loadline {

/// A time scale of 1 for every kernel.
constexpr std::array<double, kernelCount> unscaled() {
    std::array<double, kernelCount> scale{};
    scale.fill(1);
    return scale;
}

inline constexpr double maxTimeScale = 1e6;

/// What a table is made for.
struct CostSetup {
    ModelShapes model = studyShapes();
    int kBits = 4;
    DispatchRule rule = *findDispatchPreset("code");
    std::int64_t maxRows = 16384; ///< the table's last M, at most 2^20
    /// 0 to maxTimeScale; multiplies the time of each timed kernel ("what would it buy if dequantise took
    /// half?"); by Kernel.
    std::array<double, kernelCount> timeScale = unscaled();
};

/// One timed kernel within one GEMM of the model, all its calls together.
struct GemmPart {
    Kernel kernel = Kernel::CublasFp16;
    TimeEstimate estimate; ///< `us` for all calls
};

/// How a GEMM of the model is served at one M.
struct GemmService {
    Kernel kernel = Kernel::CublasFp16;
    double us = 0; ///< all calls
    std::array<GemmPart, 2> parts;
    int partCount = 0;
};

/// Time of the GEMMs of a step for M = 1 .. maxRows: quantised and fp16, by serving kernel. For a model the
/// whole of it; for the study's shapes one layer, as the study counts.
class CostTable {
public:
    [[nodiscard]] std::int64_t maxRows() const { return static_cast<std::int64_t>(us_.size()) - 1; }

    /// Quantised, in microseconds. M below 1: 0; beyond the table: in proportion to M.
    [[nodiscard]] double us(std::int64_t m) const { return at(us_, m); }

    /// The same step with fp16 weights everywhere.
    [[nodiscard]] double fp16Us(std::int64_t m) const { return at(fp16Us_, m); }

    /// The part of us(m) that `kernel` (a serving one) takes; fp16 kernels: what stays fp16 (lm_head).
    [[nodiscard]] double kernelUs(std::int64_t m, Kernel kernel) const;

    /// us(1..maxRows) at index M; index 0 is 0. For loops that look up every step.
    [[nodiscard]] std::span<const double> usByRows() const { return us_; }

    [[nodiscard]] std::span<const double> fp16UsByRows() const { return fp16Us_; }

    /// Half the error bar as a share of the time. Kernels and GEMMs err apart: their bars add in squares.
    /// What is modelled errs together within a kernel, as one model stands behind it: those add up.
    [[nodiscard]] double relativeError(std::int64_t m) const;
    [[nodiscard]] double fp16RelativeError(std::int64_t m) const;
    /// Share of us(m), and of fp16Us(m), that is modelled rather than from points of the shape.
    [[nodiscard]] double modelledShare(std::int64_t m) const;
    [[nodiscard]] double fp16ModelledShare(std::int64_t m) const;

    /// Which kernel each GEMM of the model takes at M, in the model's order. `m` is held within the table.
    [[nodiscard]] std::vector<GemmService> services(std::int64_t m) const;

    /// A table as it might be, given the error bars: each (timed kernel, GEMM) is multiplied by one factor
    /// exp(z e / 1.645), z standard normal, at every M alike and in fp16 and quantised alike; e the error bar
    /// taken as a 90 % interval. What is modelled shares one z per kernel. The same seed gives the same
    /// table.
    [[nodiscard]] CostTable drawn(std::uint64_t seed) const;

    [[nodiscard]] const CostSetup& setup() const { return setup_; }

private:
    friend Result<CostTable> makeCostTable(const KernelTimes& times, const CostSetup& setup);

    struct Cell { // one timed kernel in one GEMM at one M
        float us = 0;
        float error = 0;
        Kernel kernel = Kernel::CublasFp16;
        EstimateKind kind = EstimateKind::Modelled;
        PointOrigin origin = PointOrigin::Modelled;
    };

    struct Row { // one GEMM at one M
        std::array<Cell, 2> quantised;
        Cell fp16;
        Kernel serving = Kernel::CublasFp16;
        std::uint8_t parts = 1;
    };

    [[nodiscard]] double at(const std::vector<double>& times, std::int64_t m) const {
        if (m < 1) {
            return 0;
        }
        const std::int64_t last = maxRows();
        return m <= last ? times[static_cast<std::size_t>(m)]
                         : times.back() * (static_cast<double>(m) / static_cast<double>(last));
    }

    [[nodiscard]] std::span<const Row> rowsAt(std::int64_t m) const;
    void sum();

    CostSetup setup_;
    std::vector<Row> rows_; // M - 1 major, GEMM minor
    std::vector<double> us_ = {0.0};
    std::vector<double> fp16Us_ = {0.0};
};

/// The Error names what cannot be computed: a kernel the rule needs and the profile lacks, a rule with a gap,
/// k out of 2..5, a model without GEMMs, a scale that is not a number of 0 or more. No time in a table is
/// negative, infinite or NaN.
Result<CostTable> makeCostTable(const KernelTimes& times, const CostSetup& setup);

} // namespace loadline
