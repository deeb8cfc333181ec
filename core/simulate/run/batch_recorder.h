// A recorded stretch of simulated steps.
#pragma once

#include "core/schedule/step.h"
#include "core/simulate/setup/inputs.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

/// A turn as the recording knows it; by RequestIndex. Steps are -1 where it did not come to that.
struct BatchRequest {
    std::int64_t user = 0; ///< who sent it, from 0 (open loop: its own number)
    Tokens promptTokens = 0;
    Tokens outputTokens = 0;
    double arrivalS = 0;
    std::int64_t arrivalStep = -1;
    std::int64_t firstScheduledStep = -1;
    std::int64_t firstTokenStep = -1;
    std::int64_t finishStep = -1;
    std::int64_t preemptions = 0;
    bool operator==(const BatchRequest&) const = default;
};

/// The reason why a request waits.
enum class WaitReason : std::uint8_t {
    None,        ///< does not wait
    NoPlace,     ///< max_num_seqs are running
    NoBudget,    ///< the step's token budget is used up
    NoBlocks,    ///< its prompt does not fit into the free KV blocks
    BehindOther, ///< the head of the queue is stuck, nobody passes it
    Preempted,   ///< in this step
    OnePrefill,  ///< single-prefill: another prompt has the step's chunk
    BatchFull,   ///< MLX: the prompt batch is full
};

/// One request in one step.
struct BatchRow {
    enum class Kind : std::uint8_t {
        Decode,
        Prefill,
        Idle, ///< runs, but has no tokens in this step
        Waiting,
        Preempted
    };
    RequestIndex request = 0;
    std::int32_t tokens = 0;         ///< computed in this step
    std::int32_t computedBefore = 0; ///< tokens in the KV cache before the step, prefix hits included
    std::int32_t emittedBefore = 0;
    Kind kind = Kind::Decode;
    WaitReason reason = WaitReason::None;
    bool admitted = false; ///< for the first time
    bool resumed = false;  ///< after a preemption
    bool finishes = false;
    bool operator==(const BatchRow&) const = default;
};

/// Totals of every step, for the strip above the recording. One entry a step.
struct BatchStrip {
    std::vector<double> startS;
    std::vector<float> us, fp16Us;
    std::vector<std::int32_t> rowsM, headRows, decodes, prefillTokens, running, waiting, preempted;
    std::vector<std::int64_t> usedBlocks; ///< -1: not counted
    bool operator==(const BatchStrip&) const = default;
};

struct BatchRecording {
    SimulationInputs inputs; ///< with the tables that timed it
    std::vector<BatchRequest> requests;
    BatchStrip strip;
    std::int64_t totalBlocks = -1; ///< -1: not bounded
    bool cut = false;              ///< the run goes on beyond the last recorded step

    [[nodiscard]] std::int64_t steps() const { return static_cast<std::int64_t>(strip.startS.size()); }
    /// Precondition: 0 <= step < steps().
    [[nodiscard]] std::span<const BatchRow> rowsOf(std::int64_t step) const;

    /// All steps' rows, one after the other, and where each step's begin.
    std::vector<BatchRow> allRows;
    std::vector<std::size_t> firstRow;
    /// Forwards of all steps, and where each step's begin.
    struct Forward {
        ForwardKind kind = ForwardKind::Decode;
        std::int32_t rowsM = 0;
        std::int32_t headRows = 0;
    };
    std::vector<Forward> allForwards;
    std::vector<std::size_t> firstForward;
};

/// The first steps of the run of inputs.seed: `maxSteps`, or fewer where they hold very many requests.
/// Steps without rows are not listed. Errors as simulate().
Result<BatchRecording> recordBatch(const SimulationInputs& inputs, std::int64_t maxSteps = 20'000,
                                   const std::stop_token& stop = {});

} // namespace loadline
