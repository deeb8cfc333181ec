// MLX-LM's BatchGenerator as a policy of simulations.
#pragma once

#include "core/schedule/policy/mlx_batch.h"
#include "core/simulate/policy/policy_spec.h"

namespace loadline {

struct MlxPolicy {
    static constexpr PolicySpec spec{
        .policy = Policy::Mlx,
        .key = "mlx",
        .name = "MLX-LM",
        .label = "MLX",
        .words = "MLX-LM: one decode of the whole batch and one padded prefill take turns, in forwards of "
                 "their own. vLLM V1 instead mixes both in one forward.",
        .usualChunk = 2048,
        .usualSeqs = 32, // --decode-concurrency
        .whyNoBudget = "MLX-LM has no token budget: its batch is bounded by the most sequences",
        .severalForwards = true};

    using Scheduler = MlxBatch;

    static MlxBatch scheduler(const PolicySetup& setup, const SchedulerNeeds& /*needs*/) {
        return MlxBatch({.completionBatchSize = seqsOf(setup),
                         .prefillBatchSize = setup.prefillBatch,
                         .prefillStepSize = chunkOf(setup),
                         .reuseCache = setup.prefixCache});
    }

    static Tokens promptLeft(const PolicySetup& /*setup*/, Tokens prompt, Tokens cached) {
        return prompt - cached;
    }

    static std::int64_t rowsReached(const PolicySetup& setup, std::int64_t /*users*/, Tokens chunk) {
        return setup.prefillBatch * chunk + seqsOf(setup);
    }
};

} // namespace loadline
