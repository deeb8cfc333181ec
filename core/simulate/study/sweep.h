// Many settings at once: users x chunk sizes x k, on common random numbers so that curves do not jitter.
#pragma once

#include "core/base/progress.h"
#include "core/simulate/answer/memory_fit.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

struct SweepPoint;

/// `base` with every combination of these. Where a list is empty, base's own value.
struct SweepInputs {
    SimulationInputs base;
    std::vector<std::int64_t> users;
    std::vector<Tokens> chunks;
    std::vector<int> kBits;
    std::vector<double> ratesPerS;    ///< of arrivals at a rate: in place of `users`, which is then empty
    std::int64_t turnsPerUser = 0;    ///< where base's length is in turns: at least so many for each user, so
                                      ///< that the crowd of the first turns does not decide
    bool latencies = false;           ///< TTFT, TPOT and throughput are wanted too
    unsigned threads = 0;             ///< 0: the machine's
    WorkProgress* progress = nullptr; ///< counts settings; null: nobody asks
    /// Numbers of users: settings near these are run before others. Of the order alone, not of the answer.
    std::vector<double> nearFirst;
    /// Called with the points of each setting, one for each k, when it is done: by the sweep's threads, one
    /// at a time, in no order. Null: nobody asks.
    std::function<void(std::span<const SweepPoint>)> arrived;
};

struct SweepPoint {
    std::int64_t users = 0;
    double ratePerS = 0;    ///< of arrivals at a rate; 0 in closed loop
    Tokens chunkTokens = 0; ///< in force; 0: none
    int kBits = 0;
    Banded timeVsFp16; ///< all replicas together; band: 5th to 95th percentile of the replicas
    Banded averageM;
    Banded decodeOnlyFraction;
    Banded throughputTokensPerS; ///< band of settled runs: the 95 % interval of the value; the same below
    Banded ttftP50S, ttftP90S, tpotP50S, tpotP90S;
    bool queueGrows = false;                       ///< SimulationResult::queueGrows of the runs
    ModelledShares modelled;                       ///< of the GEMM time
    std::array<double, kernelCount> kernelShare{}; ///< of the k-bit GEMM time, by serving kernel
    std::vector<double> replicaRatios;             ///< timeVsFp16 of each replica, in the replicas' order
    double standardError = 0;                      ///< of timeVsFp16.value, as a share of it
    bool settled = true;                           ///< RunReport::settled; of a given length: true
    bool isPreview = false;                        ///< of a few short runs, until it is simulated in full

    /// What a curve runs over: turns a second, else users.
    [[nodiscard]] double load() const { return ratePerS > 0 ? ratePerS : static_cast<double>(users); }
};

/// Points in the order of kBits, then chunks, then users, or rates: then `users` holds as many equal ones.
struct SweepResult {
    std::vector<std::int64_t> users;
    std::vector<double> ratesPerS;
    std::vector<Tokens> chunks;
    std::vector<int> kBits;
    std::vector<MemoryFit> memory;   ///< by kBits; the weights alone, at the fewest users
    std::vector<double> kvPeakBytes; ///< by kBits, of all points; 0 where blocks are not counted
    std::vector<SweepPoint> points;
    std::uint64_t steps = 0;
    std::uint64_t turns = 0;

    [[nodiscard]] const SweepPoint& at(std::size_t k, std::size_t chunk, std::size_t user) const {
        return points[(k * chunks.size() + chunk) * users.size() + user];
    }
    [[nodiscard]] std::span<const SweepPoint> curve(std::size_t k, std::size_t chunk) const {
        return std::span(points).subspan((k * chunks.size() + chunk) * users.size(), users.size());
    }

    /// Of a k that was swept, with the KV cache where it takes what weights leave: then fp16SentenceOf tells
    /// what fp16's would leave. Nothing is known of another k.
    [[nodiscard]] MemoryFit memoryWithKv(int kBits) const;
};

/// The point of a curve at `place`, of other runs of the same setting.
SweepPoint withRuns(const SweepPoint& place, const SimulationReplicas& runs);

/// When the runs of its settings end: base's goal, or curveGoal.
SettleGoal goalOf(const SweepInputs& sweep);

/// How long a run of so many users is: base's length, and turnsPerUser.
RunLength lengthFor(const SweepInputs& sweep, std::int64_t users);

/// The answer does not depend on threads. At a k that is too large for the device (`memory`) the points are
/// those of a device that held it. When stopped, the result has no points.
Result<SweepResult> sweep(const SweepInputs& inputs, const std::stop_token& stop = {});

} // namespace loadline
