// A recorded stretch of simulated steps, to be looked at one by one.
#pragma once

#include "core/simulate/run/batch_recorder.h"
#include "core/text/table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

std::string_view describe(WaitReason reason);
std::string_view nameOf(BatchRow::Kind kind); ///< "decode", "prefill", "idle", "waiting", "preempted"

/// One pass of the GEMMs: a step's only one, or one of MLX's.
struct BatchForward {
    std::string name; ///< "step"; MLX: "decode", "last prompt token", "prefill"
    std::int64_t rowsM = 0;
    std::int64_t headRows = 0;         ///< of them, that meet the head
    std::vector<GemmService> services; ///< which kernel each GEMM of the model took, in its order

    /// Rows that met this GEMM.
    [[nodiscard]] std::int64_t rowsOf(const LayerGemm& gemm) const {
        return gemm.isHead() ? headRows : rowsM;
    }
};

/// One step in full.
struct BatchStep {
    std::int64_t step = 0;
    double startS = 0;
    double us = 0; ///< k-bit, in the scope that was simulated
    double fp16Us = 0;
    double gemmUs = 0;             ///< of `us`: what the services of all forwards take, the head's among them
    double attentionUs = 0;        ///< of `us`; an async engine's with what it waits for its host
    double hostUs = 0;             ///< of `us`; 0 where the host works beside the device (async)
    std::int64_t rowsM = 0;        ///< of all forwards
    std::int64_t usedBlocks = -1;  ///< after scheduling, idle cached blocks not counted; -1: not counted
    std::int64_t totalBlocks = -1; ///< -1: not bounded
    std::vector<BatchRow> rows;    ///< running in the scheduler's order, then waiting in the queue's
    std::vector<BatchForward> forwards;
};

/// One step of it. Precondition: 0 <= step < recording.steps().
BatchStep batchStepOf(const BatchRecording& recording, std::int64_t step);
/// "Step 812 at 4.21 s: 7 decode, user 3 prefills 512 of 4 096; M = 519. 2 wait: the free KV blocks do not
/// hold the prompt."
std::string batchStepSentence(const BatchRecording& recording, const BatchStep& step);
Table tableOf(const BatchRecording& recording); ///< one row a step
Table tableOf(const BatchRecording& recording,
              const BatchStep& step); ///< one row a request; its
                                      ///< kernels are those of the whole step

} // namespace loadline
