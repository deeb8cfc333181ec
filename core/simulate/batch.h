// A recorded stretch of simulated steps, to be looked at one by one.
#pragma once

#include "core/schedule/step.h"
#include "core/simulate/result.h"
#include "core/text/table.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// A turn as the recording knows it; by RequestIndex.
struct BatchRequest {
    std::int64_t user = 0; ///< who sent it (open loop: its own number)
    Tokens promptTokens = 0;
    Tokens outputTokens = 0;
    double arrivalS = 0;
    std::int64_t arrivalStep = -1;
    std::int64_t firstScheduledStep = -1;
    std::int64_t firstTokenStep = -1;
    std::int64_t finishStep = -1;
    std::int64_t preemptions = 0;
};

/// Why somebody waits.
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
std::string_view describe(WaitReason reason);

/// One request in one step.
struct BatchRow {
    RequestIndex request = 0;
    enum class Kind : std::uint8_t { Decode, Prefill, Waiting, Preempted } kind = Kind::Decode;
    std::int32_t tokens = 0;   ///< computed in this step
    Tokens computedBefore = 0; ///< tokens in KV before the step
    Tokens emittedBefore = 0;
    WaitReason reason = WaitReason::None;
    bool admitted = false, resumed = false, finishes = false;
};

/// One step in full.
struct BatchStep {
    std::int64_t step = 0;
    double startS = 0;
    double us = 0; ///< k-bit, in the scope that was simulated
    double fp16Us = 0;
    std::int64_t rowsM = 0;
    std::int64_t freeBlocks = -1; ///< after scheduling; -1: not counted
    std::int64_t totalBlocks = -1;
    std::vector<BatchRow> rows;        ///< running in the scheduler's order, then waiting in the queue's
    std::vector<GemmService> services; ///< which kernel each shape took, in the model's order
    std::vector<std::string> shapeNames;
};

/// What every step holds in short: for the strip one scrubs along.
struct BatchStrip {
    std::vector<double> startS;
    std::vector<float> us;
    std::vector<std::int32_t> rowsM, decodes, prefillTokens, running, waiting, freeBlocks, preempted;
};

struct BatchRecording {
    SimulationInputs inputs;
    std::vector<BatchRequest> requests;
    BatchStrip strip;
    std::vector<Step> steps; ///< with `running` and `waiting` listed
    bool cut = false;        ///< the run went on beyond the last recorded step
};

/// The first `maxSteps` steps of the run of inputs.seed.
Result<BatchRecording> recordBatch(const SimulationInputs& inputs, std::int64_t maxSteps = 20'000,
                                   const std::stop_token& stop = {});
/// One step of it. Precondition: 0 <= step < steps.size().
BatchStep batchStepOf(const BatchRecording& recording, std::int64_t step);
/// "Step 812, at 4.21 s: 7 decode, user 3 prefills 512 of 4,096, M = 519, 2 wait for blocks."
std::string sentenceOf(const BatchStep& step);
Table tableOf(const BatchRecording& recording); ///< one row a step
Table tableOf(const BatchStep& step, const BatchRecording& recording);

} // namespace loadline
