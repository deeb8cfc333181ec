// The choices of a simulation: policy, arrivals, length of the run. All that the sliders hold, and nothing
// measured.
#pragma once

#include "core/base/tokens.h"
#include "core/schedule/scenario.h"
#include "core/simulate/setup/setup_limits.h"

#include <cstdint>
#include <optional>
#include <string>

namespace loadline {

/// The scheduler that decides the batch of a step.
enum class Policy : std::uint8_t {
    VllmV1,        ///< exact (core/schedule/policy/vllm_v1.h)
    SinglePrefill, ///< the published study's description taken literally: all who decode, then one prefill
                   ///< chunk
    Mlx,           ///< MLX-LM's BatchGenerator
};
/// Changes that the study's own script may have made to prompts: unknown, fitted to its tables
/// (spec/published_study section 7, variant C: 16384 and 32). Zero: none, the default.
struct StudyFit {
    Tokens promptCap = 0;  ///< longer prompts are cut to it
    Tokens freePrompt = 0; ///< prompts up to here cost no step of their own
    bool operator==(const StudyFit&) const = default;
};

/// The policy and its limits. Names and defaults of vLLM's fields are vLLM's.
struct PolicySetup {
    Policy policy = Policy::VllmV1;
    /// Most prompt tokens of one request in a step. vLLM: long_prefill_token_threshold, none: no such limit;
    /// single-prefill: the chunk, none: 512; MLX: prefill_step_size, none: 2048.
    std::optional<Tokens> chunkTokens;
    /// max_num_batched_tokens; MLX has none. None: as the server chooses (serverDefaultsOf); inputsOf sets
    /// it.
    std::optional<Tokens> budgetTokens = 8192;
    /// max_num_seqs; MLX: completion_batch_size. None: likewise.
    std::optional<std::int64_t> maxSeqs = 256;
    bool chunkedPrefill = true;           ///< vLLM
    bool prefixCache = false;             ///< vLLM; matters where turns of a session share their prefix
    Tokens blockTokens = 16;              ///< vLLM
    std::optional<std::int64_t> kvBlocks; ///< vLLM: num_gpu_blocks; none: more than are ever needed
    /// vLLM: gpu_memory_utilization. Where kvBlocks is none: as many blocks as this share of the device's
    /// memory holds beside the weights.
    std::optional<double> memoryShare;
    Tokens maxModelLen = 1'048'576; ///< vLLM: requests end here, longer prompts are refused
    double watermark = 0;           ///< vLLM
    bool reserveFullPrompt = true;  ///< vLLM: scheduler_reserve_full_isl
    VllmPolicy order = VllmPolicy::Fcfs;
    bool async = false; ///< vLLM: async_scheduling
    VllmVersion version = VllmVersion::Latest;
    std::int64_t prefillBatch = 8; ///< MLX: prefill_batch_size
    StudyFit fit;                  ///< single-prefill
    bool operator==(const PolicySetup&) const = default;
};

/// The budget and the most sequences in force; where none are set those of PolicySetup.
Tokens budgetOf(const PolicySetup& setup);
std::int64_t seqsOf(const PolicySetup& setup);

enum class ArrivalKind : std::uint8_t {
    Closed,  ///< N users: each sends its next turn when the last is answered and it has thought
    Poisson, ///< turns at a mean rate, whatever the engine does
    Trace,   ///< at the times of the request trace
};
enum class ThinkTime : std::uint8_t { None, Fixed, FromData };
enum class TurnOrder : std::uint8_t {
    Auto,     ///< Replayed where sessions meet users, else Sampled; resolved by inputsOf
    Sampled,  ///< independent draws
    Replayed, ///< each user plays sessions, turn by turn, with their contexts
};

struct ArrivalSetup {
    ArrivalKind kind = ArrivalKind::Closed;
    std::int64_t users = 8; ///< Closed
    double ratePerS = 1;    ///< Poisson: turns a second
    ThinkTime think = ThinkTime::None;
    double thinkS = 0; ///< Fixed
    TurnOrder order = TurnOrder::Sampled;
    bool operator==(const ArrivalSetup&) const = default;
};

/// "8 users", "0.5 turns a second", "the trace's own arrivals".
std::string describe(const ArrivalSetup& arrivals);
/// True if prompts begin as others did: sessions replayed, and traces. Otherwise all prompts are new.
bool knowsPrefixes(const ArrivalSetup& arrivals);
/// Returns the order of turns with Auto resolved.
TurnOrder orderOf(const ArrivalSetup& arrivals, bool knowsSessions);

/// The end of a run: after so many steps, or when so many turns are answered; whichever is set. Such a run
/// begins empty, and all of it is counted. Neither: the run lasts until its figures are settled (settle.h); a
/// trace, until its last turn is answered.
struct RunLength {
    std::optional<std::int64_t> iterations;
    std::optional<std::int64_t> turns;
    bool operator==(const RunLength&) const = default;

    [[nodiscard]] bool isGiven() const { return iterations.has_value() || turns.has_value(); }
};

/// Steps of the published study's runs, which begin empty.
inline constexpr std::int64_t studyIterations = 10'000;

/// The steps of a run that are left out, and those that are measured after them.
struct RunPlan {
    std::int64_t warmUpSteps = 0;
    std::int64_t measuredSteps = 0;
    std::int64_t parts = 1; ///< of the measured steps, as long as each other: a result each (batch means)
    double followed = 1; ///< at most so many of all these steps more, until every turn that began is answered
    bool operator==(const RunPlan&) const = default;

    /// Steps at the end of the part, counted from 0.
    [[nodiscard]] std::int64_t endOf(std::int64_t part) const {
        return warmUpSteps + measuredSteps * (part + 1) / parts;
    }
};

/// Parts of each run that lasts until it is settled, of so many results asked for: up to four, as long as
/// four runs are left. Few long runs outlive their beginning, which many short ones do not.
constexpr std::int64_t partsOf(std::int64_t replicas) {
    constexpr std::int64_t few = 4;
    std::int64_t parts = few;
    while (parts > 1 && (replicas % parts != 0 || replicas / parts < few)) {
        --parts;
    }
    return parts;
}

/// How sure figures have to be: half the width of their 95 % interval, as a share of the figure.
struct Precision {
    double throughput = 0.025;
    double typical = 0.05; ///< means, and medians of TTFT and TPOT
    double tail = 0.1;     ///< their 90th percentiles
    bool operator==(const Precision&) const = default;
};

/// The end of runs without a given length.
struct SettleGoal {
    Precision precision;
    std::int64_t firstSteps = 1 << 10; ///< of each run in the first round; a multiple of 64
    std::int64_t mostSteps = 1 << 21;  ///< of all runs together
    std::int64_t leastOfRun = 1 << 12; ///< but that many of each, however many runs there are
    std::uint64_t mostTurns = 1 << 20; ///< of all runs together
    double followed = 1;               ///< RunPlan::followed
    bool operator==(const SettleGoal&) const = default;
};

/// A point of a curve: looser, so that many points cost what one setting does.
inline SettleGoal curveGoal() {
    return {.precision = {0.04, 0.1, 0.2}, .mostSteps = 1 << 17, .mostTurns = 1 << 17, .followed = 0.5};
}

/// Returns curveGoal() with half of the steps: for cells of a map, and of a search.
inline SettleGoal roughGoal() {
    SettleGoal goal = curveGoal();
    goal.mostSteps /= 2;
    return goal;
}

/// The parts of a step's time that are counted.
enum class StepScope : std::uint8_t {
    Auto,      ///< WholeStep where attention can be timed, else GemmOnly; resolved by inputsOf
    GemmOnly,  ///< the matrix products alone, as the published study
    WholeStep, ///< and attention, and the host's share
};

} // namespace loadline
