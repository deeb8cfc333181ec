// The cost tables of several formats, made once for many settings.
#pragma once

#include "core/simulate/run/result.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace loadline {

/// The row of tables by M up to `lastRow` that holds the time of these steps, and how many such steps they
/// take: beyond the table, in proportion to M. `headSteps`: the same of heads.
struct StepsAt {
    std::size_t row = 0;
    double steps = 0;
    double headSteps = 0;

    StepsAt(const RowsCount& count, std::int64_t lastRow)
        : row(static_cast<std::size_t>(std::min<std::int64_t>(count.rows, lastRow))),
          steps(static_cast<double>(count.steps) * scale(count.rows, lastRow)),
          headSteps(static_cast<double>(count.headSteps) * scale(count.rows, lastRow)) {}

private:
    static double scale(std::int64_t rows, std::int64_t lastRow) {
        return rows > lastRow ? static_cast<double>(rows) / static_cast<double>(lastRow) : 1;
    }
};

/// A cost table, and its time by serving kernel laid out for sums.
class GemmRates {
public:
    explicit GemmRates(CostTable table);

    [[nodiscard]] const CostTable& table() const { return table_; }

    /// Serving kernels that occur at some M, in the enumeration's order.
    [[nodiscard]] const std::vector<Kernel>& kernels() const { return kernels_; }

    /// Returns the GEMM time of all counted steps.
    [[nodiscard]] GemmTime timeOf(std::span<const RowsCount> counts) const;

private:
    template <bool withHead>
    [[nodiscard]] GemmTime sumOf(std::span<const RowsCount> counts) const;

    /// Times by rows, of the layers or of the head.
    struct Rates {
        std::vector<std::vector<double>> kernelUs;      ///< by kernels_, then rows
        std::vector<double> modelledUs, modelledFp16Us; ///< empty where none is modelled

        void add(GemmTime& time, std::size_t row, double steps, const std::vector<Kernel>& kernels) const;
    };

    CostTable table_;
    std::vector<Kernel> kernels_;
    Rates layers_;
    Rates head_; ///< empty where there is none
};

/// All of the same profile, engine, shapes and rule; they differ in format alone.
class CostTables {
public:
    /// Makes the table of each format of the list; tables of inputs.tables are taken over if they fit.
    /// `rows`: M up to which the tables must reach (beyond, times go in proportion to M). The Error names the
    /// kernel the profile, or the engine, lacks. An engine that has no kernels for the model in fp16 leaves
    /// these to the profile, where weights are stored otherwise.
    static Result<std::shared_ptr<const CostTables>>
    make(const SimulationInputs& inputs, const std::vector<Format>& formats, std::int64_t rows);

    /// Precondition: the format was in the list.
    [[nodiscard]] const GemmRates& at(const Format& format) const { return *byFormat_.at(format); }

    [[nodiscard]] bool has(const Format& format) const { return byFormat_.count(format) > 0; }

private:
    [[nodiscard]] bool fits(const SimulationInputs& inputs, std::int64_t rows) const;

    std::shared_ptr<const Profile> profile_;
    const Hardware* hardware_ = nullptr;
    bool modelMissing_ = false;
    CostSetup setup_; ///< of all; its format means nothing
    ServedEngine engine_;
    Tokens largestGraph_ = 0; ///< rows up to which the engine pads
    bool isWholeStep_ = false;
    std::map<Format, std::shared_ptr<const GemmRates>> byFormat_;
};

/// Returns the most rows a step of this setting can have, and no more than a table is made for.
std::int64_t rowsReached(const PolicySetup& policy, std::int64_t users, Tokens chunk);

} // namespace loadline
