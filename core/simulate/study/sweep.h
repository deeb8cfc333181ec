// Many settings at once: users x chunk sizes x k, on common random numbers so that curves do not jitter.
#pragma once

#include "core/base/progress.h"
#include "core/simulate/fit/memory_fit.h"
#include "core/simulate/run/kernel_draws.h"
#include "core/simulate/study/format_pair.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

struct SweepPoint;

/// `base` with every combination of these. Where a list is empty, base's own value.
struct SweepInputs {
    SimulationInputs base;
    std::vector<std::int64_t> users;
    std::vector<Tokens> chunks;
    std::vector<Storage> weights;
    std::vector<double> ratesPerS; ///< of arrivals at a rate: in place of `users`, which is then empty
    std::int64_t turnsPerUser = 0; ///< where base's length is in turns: at least so many for each user, so
                                   ///< that the crowd of the first turns does not decide
    bool latencies = false;        ///< TTFT, TPOT and throughput are wanted too
    bool kernelErrors = false;     ///< bands hold the error of the kernel times beside the runs' chance
    /// Draws that these errors are computed from, if already made; null: made when needed.
    std::shared_ptr<const KernelDraws> kernelDraws;
    unsigned threads = 0;             ///< 0: the machine's
    WorkProgress* progress = nullptr; ///< counts settings; null: nobody asks
    /// Numbers of users: settings near these are run before others. Of the order alone, not of the answer.
    std::vector<double> nearFirst;
    /// Called with the points of each setting, one for each k, when it is done: by the sweep's threads, one
    /// at a time, in no order. Null: nobody asks.
    std::function<void(std::span<const SweepPoint>)> arrived;
};

/// Served figures of runs in one format: mean over the runs with the 5th to 95th percentile as band; for runs
/// until they are settled the 95 % interval of the value.
struct ServedFigures {
    Banded turnsPerS;
    Banded throughputTokensPerS;
    Banded ttftP50S, ttftP90S, ttftP99S;
    Banded tpotP50S, tpotP90S, tpotP99S;
    Banded e2eMeanS;
    bool queueGrows = false; ///< SimulationResult::queueGrows of the runs
};

/// The runs of the format that is compared with, on the same seeds and turns.
struct PointAgainst {
    ServedFigures figures;
    PairedRatio turnsPerS; ///< own / against; above 1: own serves more
    /// The time of a turn, own / against: turns per second the other way round; where turns come at a rate,
    /// which both serve as they can, mean latencies from end to end. Below 1: own is faster. Band: 5th to
    /// 95th percentile of the replicas; in closed loop, of runs until they are settled, the 95 % interval of
    /// the value.
    Banded pace;
    std::vector<double> replicaPaces; ///< in the replicas' order
    double standardError = 0;         ///< of pace.value, as a share of it, by the replicas' chance
    /// In the interval of turnsPerS, and of pace in a closed loop; none unless asked for, and where turns
    /// come at a rate that both keep whatever steps take.
    KernelError kernelError = {};
    std::optional<Banded> paceOfRuns = {}; ///< pace by the runs' chance alone, where kernelError is in it
};

struct SweepPoint : ServedFigures {
    std::int64_t users = 0;
    double ratePerS = 0;    ///< of arrivals at a rate; 0 in closed loop
    Tokens chunkTokens = 0; ///< in force; 0: none
    Storage weights = Storage::K4;
    Banded timeVsFp16; ///< on the same batches: all replicas together; band: 5th to 95th percentile
    Banded averageM;
    Banded decodeOnlyFraction;
    ModelledShares modelled;                       ///< of the GEMM time
    std::array<double, kernelCount> kernelShare{}; ///< of the k-bit GEMM time, by serving kernel
    std::vector<double> replicaRatios;             ///< timeVsFp16 of each replica, in the replicas' order
    double standardError = 0;     ///< of timeVsFp16.value, as a share of it, by the replicas' chance
    KernelError kernelError = {}; ///< in the band of timeVsFp16; none unless asked for
    std::optional<Banded> timeVsFp16OfRuns = {}; ///< by the runs' chance alone, where kernelError is in it
    bool settled = true;                         ///< RunReport::settled; of a given length: true
    std::optional<PointAgainst> against; ///< none unless formats are compared (comparesFormats) and both fit
    /// KV cache with which the weights outgrow the device, as for `simulate` (run_fit.h); 0: they do not, or
    /// nobody knows. Such a point's figures are of no device, and it has no `against`.
    double outgrownKvBytes = 0, againstOutgrownKvBytes = 0;
    bool isPreview = false;   ///< of a few short runs, until it is simulated in full
    double answersOfUser = 0; ///< in a run on average, of users who wait for their answers; 0: not counted

    /// Returns the ratio of curves and crossovers: PointAgainst::pace, else timeVsFp16. Below 1: own is
    /// faster.
    [[nodiscard]] const Banded& pace() const { return against ? against->pace : timeVsFp16; }
    /// The same with the band of the runs' chance alone: what more runs can narrow.
    [[nodiscard]] const Banded& paceOfRuns() const {
        const std::optional<Banded>& alone = against ? against->paceOfRuns : timeVsFp16OfRuns;
        return alone ? *alone : pace();
    }
    [[nodiscard]] const KernelError& paceKernelError() const {
        return against ? against->kernelError : kernelError;
    }
    [[nodiscard]] const std::vector<double>& replicaPaces() const {
        return against ? against->replicaPaces : replicaRatios;
    }
    /// Returns the value that charts draw: turns per second over the other format's, above 1 own serves more;
    /// at a rate, and if formats are not compared, pace().
    [[nodiscard]] Banded measure() const {
        const Banded& time = pace();
        if (!against || ratePerS > 0 || !(time.value > 0)) {
            return time;
        }
        const double most = 1 / (time.low > 0 ? time.low : time.value); // a run of the other answered no turn
        return {1 / time.value, 1 / time.high, most};
    }
    /// True if the interval of paceOfRuns() holds 1: the runs do not tell which format is ahead.
    [[nodiscard]] bool isEven() const { return paceOfRuns().low < 1 && paceOfRuns().high > 1; }
    /// True if the whole interval of pace() holds 1: the error of kernel times may turn the order round.
    [[nodiscard]] bool isEvenAtMost() const { return pace().low < 1 && pace().high > 1; }
    [[nodiscard]] bool fits() const { return outgrownKvBytes == 0; }
    [[nodiscard]] bool againstFits() const { return againstOutgrownKvBytes == 0; }
    [[nodiscard]] double paceError() const { return against ? against->standardError : standardError; }

    /// Returns the x value of a curve: turns a second at a rate, else users.
    [[nodiscard]] double load() const { return ratePerS > 0 ? ratePerS : static_cast<double>(users); }
};

/// Fit and longest requests of one k and of the format compared with, at the fewest users.
struct SweptPair {
    Format format, againstFormat;
    MemoryFit against;                                ///< of that format's weights
    bool fits = true, againstFits = true;             ///< the weights, and at least one turn beside them
    Tokens longest = 0, againstLongest = 0;           ///< requests that their KV room allows
    double refusedShare = 0, againstRefusedShare = 0; ///< of the workload's turns: longer than that

    [[nodiscard]] bool isCompared() const { return fits && againstFits; }
    /// Returns the longest request of the turns compared, in tokens.
    [[nodiscard]] Tokens longestRequest() const { return std::min(longest, againstLongest); }
};

/// Points in the order of weights, then chunks, then users, or rates: then `users` holds as many equal ones.
struct SweepResult {
    std::vector<std::int64_t> users;
    std::vector<double> ratesPerS;
    std::vector<Tokens> chunks;
    std::vector<Storage> weights;
    std::vector<MemoryFit> memory;   ///< by weights; the weights alone, at the fewest users
    std::vector<double> kvPeakBytes; ///< by weights, of all points; 0 where blocks are not counted
    std::vector<SweptPair> pairs;    ///< by weights; empty where formats are not compared
    std::vector<SweepPoint> points;
    std::uint64_t steps = 0;
    std::uint64_t turns = 0;
    /// With several weights: those whose users were chosen first (usersCurve), and these users; empty: all
    /// users were chosen for all of them.
    Storage leadingWeights = Storage::K4;
    std::vector<std::int64_t> leadingUsers;
    /// Sentences of withoutMisfits(), by weights: "From 48 users on k = 4 does not fit: needs 25.1 GiB of 24
    /// GiB."; "" or empty where nothing was left out.
    std::vector<std::string> leftOut = {};
    double mostLeftOut = 0; ///< the largest load (SweepPoint::load) that withoutMisfits() left out; 0: none

    /// The points of a curve that were simulated for its own sake: where they pass 1 does not depend on which
    /// other k are beside it.
    [[nodiscard]] std::vector<SweepPoint> ownCurve(std::size_t k, std::size_t chunk) const;

    [[nodiscard]] const SweepPoint& at(std::size_t k, std::size_t chunk, std::size_t user) const {
        return points[(k * chunks.size() + chunk) * users.size() + user];
    }
    [[nodiscard]] std::span<const SweepPoint> curve(std::size_t k, std::size_t chunk) const {
        return std::span(points).subspan((k * chunks.size() + chunk) * users.size(), users.size());
    }

    /// Returns the memory of a swept k, with the KV cache if it takes what weights leave: fp16SentenceOf then
    /// reports what fp16's weights would leave. Nothing is known of a k that was not swept.
    [[nodiscard]] MemoryFit memoryWithKv(Storage asked) const;
};

/// Returns the modelled shares of each point.
std::vector<ModelledShares> modelledSharesOf(const SweepResult& sweep);

/// The point of a curve at `place`, of other runs of the same setting; `other`: of the format compared with,
/// null where formats are not compared.
SweepPoint withRuns(const SweepPoint& place, const SimulationReplicas& runs,
                    const SimulationReplicas* other = nullptr);

/// Draws of the kernel times of all formats that a sweep serves; null where kernelErrors are not asked for.
/// Made of tables up to the most rows of its settings.
Result<std::shared_ptr<const KernelDraws>> kernelDrawsOf(const SweepInputs& sweep,
                                                         const std::stop_token& stop = {});

/// When the runs of its settings end: base's goal, or curveGoal.
SettleGoal goalOf(const SweepInputs& sweep);

/// Returns the pair of formats of these inputs. Precondition: comparesFormats(inputs).
SweptPair sweptPairOf(const SimulationInputs& inputs);

/// How long a run of so many users is: base's length, and turnsPerUser.
RunLength lengthFor(const SweepInputs& sweep, std::int64_t users);

/// The answer does not depend on threads. At a k that is too large for the device (`memory`) the points are
/// those of a device that held it. When stopped, the result has no points.
Result<SweepResult> sweep(const SweepInputs& inputs, const std::stop_token& stop = {});

} // namespace loadline
