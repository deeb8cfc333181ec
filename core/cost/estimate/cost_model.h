// The GEMM time of a step by its rows: one table, one lookup per step and one for its head.
#pragma once

#include "core/cost/estimate/engine_times.h"
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

/// The inputs of a cost table.
struct CostSetup {
    ModelShapes model = studyShapes();
    Format format = {};
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

/// Rows of one forward: all M meet the layers' GEMMs, `head` of them the model's head. Engines compute logits
/// of one row of each sequence: all rows of a step that only decodes, the last of a prompt's chunk (vLLM's
/// logits_indices = query_start_loc[1:] - 1, of chunks that do not end their prompt as well).
struct ForwardRows {
    std::int64_t m = 0;
    std::int64_t head = 0;

    /// All decode.
    ForwardRows(std::int64_t rows) : m(rows), head(rows) {} // NOLINT(google-explicit-constructor)

    ForwardRows(std::int64_t rows, std::int64_t headRows) : m(rows), head(headRows) {}
};

/// Microseconds by rows, each list from 0 on.
struct TimesByRows {
    std::vector<double> layersUs = {0.0};
    std::vector<double> headUs = {}; ///< as long; empty: no head

    [[nodiscard]] double us(ForwardRows rows) const {
        return at(layersUs, rows.m) + (headUs.empty() ? 0.0 : at(headUs, rows.head));
    }

    /// Returns the time of so many rows; beyond the table, in proportion to the rows.
    static double at(std::span<const double> us, std::int64_t rows) {
        const auto last = static_cast<std::int64_t>(us.size()) - 1;
        if (rows < 1) {
            return 0;
        }
        return rows <= last ? us[static_cast<std::size_t>(rows)]
                            : us.back() * (static_cast<double>(rows) / static_cast<double>(last));
    }
};

/// Time of the GEMMs of a step for M = 1 .. maxRows: quantised and fp16, by serving kernel. For a model the
/// whole of it; for the study's shapes one layer, as the study counts. Where an engine's kernels were timed
/// and whole steps are counted, small kernels and transfers among GPUs are part of it.
class CostTable {
public:
    [[nodiscard]] std::int64_t maxRows() const {
        return static_cast<std::int64_t>(kBit_.layersUs.size()) - 1;
    }

    /// Quantised, in microseconds. No rows: 0; beyond the table: in proportion to the rows.
    [[nodiscard]] double us(ForwardRows rows) const { return kBit_.us(rows); }

    /// Returns the time of the same step with fp16 weights everywhere, in microseconds.
    [[nodiscard]] double fp16Us(ForwardRows rows) const { return fp16_.us(rows); }

    /// The part of us(rows) that `kernel` (a serving one) takes; fp16 kernels: what stays fp16 (lm_head).
    [[nodiscard]] double kernelUs(ForwardRows rows, Kernel kernel) const;

    /// Returns the table itself, for loops that look up every step.
    [[nodiscard]] const TimesByRows& usByRows() const { return kBit_; }

    [[nodiscard]] const TimesByRows& fp16UsByRows() const { return fp16_; }

    [[nodiscard]] bool hasHead() const { return !kBit_.headUs.empty(); }

    /// Half the error bar as a share of the time. Kernels and GEMMs err apart: their bars add in squares.
    /// Modelled parts of one kernel share a model and err together: their bars add up.
    [[nodiscard]] double relativeError(ForwardRows rows) const;
    [[nodiscard]] double fp16RelativeError(ForwardRows rows) const;
    /// Share of us(rows), and of fp16Us(rows), that is modelled rather than from points of the shape.
    [[nodiscard]] double modelledShare(ForwardRows rows) const;
    [[nodiscard]] double fp16ModelledShare(ForwardRows rows) const;
    /// The part of us(rows), and of fp16Us(rows), that has no error bar.
    [[nodiscard]] double usWithoutBar(ForwardRows rows) const;
    [[nodiscard]] double fp16UsWithoutBar(ForwardRows rows) const;
    /// True if any time has an error bar, so that draws differ.
    [[nodiscard]] bool hasErrorBars() const;

    /// Which kernel each GEMM of the model takes, in the model's order; without parts where it has no rows.
    /// Rows are held within the table.
    [[nodiscard]] std::vector<GemmService> services(ForwardRows rows) const;

    /// A table as it might be, given the error bars: each (timed kernel, GEMM) is multiplied by one factor
    /// exp(z e / 1.645), z standard normal, at every M alike and in fp16 and quantised alike; e the error bar
    /// taken as a 90 % interval. What is modelled shares one z per kernel. Times stay kernel times
    /// (isKernelTime). The same seed gives the same table.
    [[nodiscard]] CostTable drawn(std::uint64_t seed) const;

    [[nodiscard]] const CostSetup& setup() const { return setup_; }

private:
    friend Result<CostTable> makeCostTable(const KernelTimes& times, const CostSetup& setup,
                                           const EngineKernels& engine);

    struct Cell { // one timed kernel in one GEMM at one M
        float us = 0;
        float error = 0;
        Kernel kernel = Kernel::CublasFp16;
        EstimateKind kind = EstimateKind::Modelled;
        PointOrigin origin = PointOrigin::Modelled;
    };

    struct Row { // one GEMM, or one kind of kernel beside them, at one M
        std::array<Cell, 2> quantised;
        Cell fp16;
        Kernel serving = Kernel::CublasFp16;
        std::uint8_t parts = 1;
        float factorError = 0; ///< ServedTime::factorError
        float ownShare = 1;    ///< ServedTime::ownShare
    };

    /// Returns the row of one column; `rows` is held within the table.
    [[nodiscard]] const Row& rowAt(std::int64_t rows, std::size_t column) const;
    template <typename Use>
    void eachRow(ForwardRows rows, const Use& use) const;
    void sum();

    CostSetup setup_;
    std::vector<bool> ofHead_; // by column: the model's GEMMs, then kernels beside them
    std::vector<Row> rows_;    // M - 1 major, column minor
    TimesByRows kBit_;
    TimesByRows fp16_;
};

/// The Error names what cannot be computed: a kernel the rule needs and the profile lacks, a rule with a gap,
/// a model without GEMMs, a scale that is not a number of 0 or more. No time in a table is
/// negative, infinite or NaN. Kernels of an engine take the place of fp16's, and are all that there is of
/// weights that no rule serves (WeightKernels::Library).
Result<CostTable> makeCostTable(const KernelTimes& times, const CostSetup& setup,
                                const EngineKernels& engine = {});

} // namespace loadline
