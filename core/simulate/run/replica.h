// One replica of one setting, by whichever way applies: what simulate, sweep and crossover are built from.
#pragma once

#include "core/simulate/run/cost_tables.h"
#include "core/simulate/run/rows.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// Returns what is wrong with the inputs; nothing if they can be simulated.
std::optional<Error> problemOf(const SimulationInputs& inputs);
/// Returns problemOf(), except that the weights leave no memory for the KV cache: if k are compared, that is
/// an answer (MemoryFit).
std::optional<Error> problemBesidesRoomOf(const SimulationInputs& inputs);

/// True if time scales leave fp16 without any time.
bool comparesWithNothing(const SimulationInputs& inputs);

/// True if the host's time passes while a step runs, so that a whole step is no sum of its parts.
bool overlapsHost(const SimulationInputs& inputs);

/// The turns of one seed, for any setting of at most so many turns; empty where the fast way cannot take them
/// (an output beyond its ring, a request beyond the longest).
std::vector<DrawnTurn> turnsFor(const Workload& workload, std::size_t count, std::uint64_t seed);

/// The part of a run that curves are made from: its GEMMs by M, and the time of a step besides.
struct ReplicaRows {
    std::vector<RowsCount> counts;
    double restUs = 0;     ///< whole step without its k-bit GEMMs
    double restFp16Us = 0; ///< whole step without its fp16 GEMMs
    /// Set if each format has a run of its own: the other's steps, whose time is scaled to as many turns;
    /// restUs and restFp16Us are then what the two clocks hold beside GEMMs.
    std::vector<RowsCount> otherCounts = {};
    double otherScale = 1;

    [[nodiscard]] bool isPaired() const { return !otherCounts.empty(); }

    /// k-bit time / fp16 time under any table; 0 without steps. Where isPaired, gemm.fp16Us is the other's.
    [[nodiscard]] double ratio(const GemmTime& gemm) const {
        const double fp16 = (gemm.fp16Us + restFp16Us) * otherScale;
        return fp16 > 0 ? (gemm.us + restUs) / fp16 : 0;
    }
};

/// Returns the rows of one run.
ReplicaRows rowsOf(const SimulationResult& run);
/// Pairs two formats' runs: the ratio is that of the time of a turn; after a warm-up, and without answers,
/// that of a token emitted, which is the same in the long run, as both serve the same turns, and is known
/// surer.
ReplicaRows pairedRowsOf(const SimulationResult& own, const SimulationResult& other);
/// GEMM times of such runs; `other`: the rates of the other format where isPaired.
GemmTime gemmTimeOf(const ReplicaRows& rows, const GemmRates& rates, const GemmRates* other);

/// Counts of a result's steps, each M once.
std::vector<RowsCount> countsOf(const RowsHistogram& rows);

/// The fast way, with a clock. Precondition: goesFast(inputs), turns are not empty.
SimulationResult runFast(const SimulationInputs& inputs, const GemmRates& rates,
                         std::span<const DrawnTurn> turns, RowsEngine& engine,
                         const std::stop_token& stop = {});
/// Runs a replica the fast or the exact way. `turns` of turnsFor; if they are empty the exact way draws its
/// own from `seed`. A result for each part of inputs.plan.
Result<std::vector<SimulationResult>> runParts(const SimulationInputs& inputs, const GemmRates& rates,
                                               std::span<const DrawnTurn> turns, std::uint64_t seed,
                                               RowsEngine& engine, const std::stop_token& stop = {});
/// Runs a replica that has no parts.
Result<SimulationResult> runReplica(const SimulationInputs& inputs, const GemmRates& rates,
                                    std::span<const DrawnTurn> turns, std::uint64_t seed, RowsEngine& engine,
                                    const std::stop_token& stop = {});

/// Several runs as one: sums, and quantiles over all turns weighted by runs (the mean of the runs'
/// quantiles).
SimulationResult pooled(std::span<const SimulationResult> replicas);

/// Mean, and the 5th to 95th percentile of a sample; all zero when empty.
Banded bandedOf(double value, std::vector<double> sample);
/// Standard error of the mean of a sample, as a share of its mean; 0 with fewer than two.
double relativeStandardError(std::span<const double> sample);

} // namespace loadline
