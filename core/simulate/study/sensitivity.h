// The gain of making one kernel faster for this workload: Amdahl's question, answered by re-simulation.
#pragma once

#include "core/cost/kernel/kernel_naming.h"
#include "core/simulate/study/crossover.h"
#include "core/simulate/study/same_turns.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// One kernel made `factor` times faster (infinite: free).
struct Improvement {
    double factor = 1;
    std::optional<double> timeVsFp16; ///< at the present users; none where fp16 takes no time any more
    double speedUp = 1;               ///< k-bit time before / after; infinite where none is left
    std::optional<double> crossing;   ///< first crossing in users; none in range otherwise
    bool fasterAtFirst = true;     ///< quantised kernels, at the fewest users: without a crossing, everywhere
    bool crossingKnown = true;     ///< false: no curve was looked at, and the two above say nothing
    std::optional<Banded> saved{}; ///< of a choice: 1 - 1 / speedUp, and its band over runs; none of one run
    bool operator==(const Improvement&) const = default;
};

/// A timed kernel (not a sum: dequantise and cuBLAS apart).
struct KernelPay {
    Kernel kernel = Kernel::CublasFp16;
    double share = 0;                      ///< of the k-bit time at the present users, in the scope asked for
    double aloneShare = 0;                 ///< of share: serving a GEMM by itself, not behind dequantise
    double modelledShare = 0;              ///< of its time
    std::vector<Improvement> improvements; ///< 1.5, 2, free
    /// To the device's limit: all bytes at its rate of reading, or all arithmetic at its peak, by the steps
    /// of the present setting. Factor 1: it is there. None where these rates are not known.
    std::optional<Improvement> limit;
    bool operator==(const KernelPay&) const = default;
};

/// Other things that can be changed, or that take time that no kernel here changes.
enum class PayKind : std::uint8_t { Dispatch, Chunk, Budget, Attention, Host };

/// Latencies of a choice: now, at the value with the least TPOT p99 of those looked at, and at the best value
/// by time.
struct ChoiceLatency {
    double ttftP50S = 0, tpotP99S = 0;
    Tokens leastAt = 0; ///< tokens; the present value where none is less
    double leastTtftP50S = 0, leastTpotP99S = 0;
    double leastTime = 1; ///< time of the same turns there, as a share of the present time
    double bestTtftP50S = 0, bestTpotP99S = 0; ///< 0: the present value is best
    bool operator==(const ChoiceLatency&) const = default;
};

/// "TPOT p99 215 ms instead of 161 ms": what the best value by time makes longer; "" where nothing is.
std::string priceOf(const ChoiceLatency& latency);
/// Returns the latencies at the present value `at`.
ChoiceLatency latencyOf(const std::optional<SameTurns>& now, Tokens at);
/// Takes `other`, the same turns at another value, where its TPOT p99 is less.
void keepLeast(ChoiceLatency& latency, const SameTurns& other, const SameTurns& now, Tokens value);

struct OtherPay {
    PayKind kind = PayKind::Dispatch;
    std::string
        change; ///< "MMA up to 53 rows a step instead of 16"; "512 is best" where nothing is to be changed
    double share = 0; ///< of the k-bit time now; 0 for what is a choice
    /// Attention and host: 1.5, 2, free, of the same steps; empty of attention that is a roofline, which is
    /// at its limit. A choice: one, its best value; empty where that is the present one, or while it is not
    /// looked for.
    std::vector<Improvement> improvements;
    /// A choice whose best value preempts less: "0.3 preemptions instead of 165, 2.77 M prompt tokens
    /// computed instead of 6.56 M"; else "".
    std::string why{};
    std::optional<ChoiceLatency> latency{}; ///< of a choice of which turns were simulated
    /// Turns that a choice's gain is computed on: "the same turns: the first 61 answered in each of 16 runs".
    std::string turns{};
    bool operator==(const OtherPay&) const = default;
};

/// A faster fp16 GEMM serves both sides: it is scaled on both.
struct WhatPays {
    ArrivalSetup arrivals;
    Storage weights = Storage::K4;
    double timeVsFp16 = 0;
    std::optional<double> crossing;
    std::vector<KernelPay>
        kernels; ///< k-bit ones first, the largest share first; then fp16's. None of no share
    std::vector<OtherPay>
        others; ///< moves of the rule, the best first; chunk, budget; attention and host of whole steps
    double restShare = 0; ///< of the k-bit time: attention and the host, which no kernel here makes faster
    std::string limits;   ///< where KernelPay::limit comes from; "" where there is none
    KernelNaming naming = KernelNaming::Role; ///< of the profile's kernels
    std::string fp16Gemms;                    ///< whose weights stay fp16: "lm_head"; "" where none do
    MemoryFit memory;                         ///< of the weights
    bool isPreview = false; ///< of PayLook::Kernels: nothing is ranked, as chunk and budget are not known
    double shareError = 0;  ///< of a preview: about, of its shares and gains; 0: else
    std::string sentence;
};

/// How far it goes.
enum class PayLook : std::uint8_t {
    Kernels, ///< and moves of the rule, attention and host: follows a drag
    All,     ///< and the best chunk and budget, a run for each value
};

/// The present setting and the curve over `users` are those of a sweep of the same inputs: the same runs.
/// Without `users`, and where turns do not wait for answers, nothing is said of a crossing.
Result<WhatPays> whatPays(const SimulationInputs& inputs, const std::vector<std::int64_t>& users,
                          const std::stop_token& stop = {}, PayLook look = PayLook::All);

} // namespace loadline
