// From how many users on the quantised kernels are slower than fp16, and how sure that is.
#pragma once

#include "core/simulate/study/rule_left_out.h"
#include "core/simulate/study/rule_moves.h"
#include "core/simulate/study/sweep.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

enum class CrossoverKind : std::uint8_t {
    QuantisedFaster, ///< over the whole range
    QuantisedSlower, ///< over the whole range
    One,
    Several,
};

/// The load at which the curve passes 1, linear in log users between the two settings on either side.
struct Crossing {
    double users = 0;
    bool quantisedFasterBelow = true; ///< false: slower below, faster above
    std::int64_t fromUsers = 0;       ///< the setting before it
    std::int64_t toUsers = 0;         ///< the one behind it
    bool operator==(const Crossing&) const = default;

    /// Users between the two were not simulated, and are too many to say where among them it is.
    [[nodiscard]] bool isWide() const {
        constexpr double close = 1.1; // times as many users
        return toUsers > fromUsers + 1 &&
               static_cast<double>(toUsers) > close * static_cast<double>(fromUsers);
    }
};

/// The first whole number of users behind a crossing: "from 17 users on".
std::int64_t firstUsersBehind(double crossing);
/// The same; of a wide crossing the setting behind it, the last of the range that "from 4 to 8 users on"
/// names.
std::int64_t firstUsersBehind(const Crossing& crossing);

/// Crossings of one curve of ratios over ascending users.
std::vector<Crossing> crossingsOf(std::span<const std::int64_t> users, std::span<const double> ratios);

/// The middle 90 % of the draws' crossings (setIntervals says of which), and as far as the mean curve's own.
/// An end that is absent lies outside the range of users. Where the mean curve crosses nowhere, a draw's
/// crossing is where it ceases to say otherwise: slower throughout in the mean, a draw is faster here and
/// there up to its own; faster throughout, it is slower here and there from its own on.
struct CrossoverInterval {
    std::optional<double> low;
    std::optional<double> high;
    double shareWithCrossing = 0; ///< of the draws, those that cross at all
    /// For a mean curve without a crossing: the share of draws that disagree with it somewhere, and the users
    /// up to which (faster throughout: from which) the middle 90 % of all draws disagree; the range's end if
    /// it is beyond, nothing if the middle 90 % agree with the mean.
    double shareOtherwise = 0;
    std::optional<double> otherwiseUsers = {};
    bool operator==(const CrossoverInterval&) const = default;
};

/// Latencies at one number of users, of both formats; 0: not known.
struct PointLatency {
    double ttftP50S = 0, againstTtftP50S = 0;
    bool operator==(const PointLatency&) const = default;
};

struct Crossover {
    Storage weights = Storage::K4;
    Format format, against = fp16Format;
    /// True: the ratio is of turns per second, each format served by itself. False: of the time of the same
    /// batches; pace (SweepPoint) is then timeVsFp16.
    bool byTurns = false;
    std::string misfit; ///< why the formats cannot be compared: one of them does not fit; else empty
    Tokens chunkTokens = 0;
    StepScope scope = StepScope::GemmOnly;
    std::int64_t fromUsers = 1; ///< range looked at
    std::int64_t toUsers = 256;
    CrossoverKind kind = CrossoverKind::QuantisedFaster;
    std::vector<Crossing> crossings; ///< of the mean curve
    CrossoverInterval all;           ///< everything together; of the first of several crossings
    /// Everything together, of each of `crossings`; empty where no intervals were worked out.
    std::vector<CrossoverInterval> byCrossing;
    CrossoverInterval replicas; ///< chance in the draws of turns alone
    CrossoverInterval sessions; ///< which sessions happened to be recorded, alone
    CrossoverInterval kernels;  ///< the error bars of kernel times, alone
    Banded best;                ///< smallest pace in range, by mean curve; `bestUsers` where
    std::int64_t bestUsers = 0;
    Banded worst;
    std::int64_t worstUsers = 0;
    /// In the bands of best and worst (SweepPoint::paceKernelError).
    KernelError bestKernelError, worstKernelError;
    double bestError = 0;  ///< standard error of best.value by the chance of its runs
    double worstError = 0; ///< of worst.value
    double bestTimeVsFp16 = 0, worstTimeVsFp16 = 0; ///< there, on the same batches
    PointLatency atBest, atWorst;
    bool isPreview = false; ///< of a few short runs: the sentence says so, in fewer digits
    /// Share of the k-bit GEMM time at the crossing (else at the largest users) that is modelled, not
    /// measured. Absent if no intervals were computed.
    std::optional<double> modelledShare;
    MemoryFit memory; ///< of the weights; where they are too large the sentence says only that
    std::optional<RuleJump> ruleJump; ///< looked for where intervals are
    bool isUntold = false;    ///< a preview's intervals hold 1 on one side of a crossing, or everywhere
    std::string leftOutLoads; ///< SweepResult::leftOut of its k
    std::optional<RuleLeftOut> leftOut; ///< the same, at the best and the worst number of users
    /// "Quantised kernels (k = 4) lose from 15 users on (12 to 18), by up to 24 %; below, they win by up to
    /// 43 %.", with fp16ShortfallOf the memory; of turns per second, "k = 4 serves more turns per second than
    /// fp16 below 15 users (12 to 18), then fewer."
    std::string sentence;

    /// There is nothing to compare: the answer is that one of the formats does not fit.
    [[nodiscard]] bool isMisfit() const { return !misfit.empty() || memory.isTooLarge(); }
};

struct CrossoverOptions {
    std::int64_t draws = 64; ///< of replicas, resampled workloads and drawn tables
    unsigned threads = 0;
    WorkProgress* progress = nullptr; ///< counts runs; null: nobody asks
};

/// One for each k and chunk of the sweep's lists, in that order.
Result<std::vector<Crossover>> crossoversOf(const SweepInputs& inputs, const CrossoverOptions& options = {},
                                            const std::stop_token& stop = {});
/// The same from a sweep of these inputs that is there.
Result<std::vector<Crossover>> crossoversOf(const SweepInputs& inputs, const SweepResult& mean,
                                            const CrossoverOptions& options,
                                            const std::stop_token& stop = {});
/// Without intervals, from a sweep that is there.
std::vector<Crossover> crossoversOf(const SweepResult& sweep, StepScope scope, bool isPreview = false);

} // namespace loadline
