// vLLM V1 as a policy of simulations, exact.
#pragma once

#include "core/schedule/policy/vllm_v1.h"
#include "core/simulate/loop/vllm_loop.h"
#include "core/simulate/policy/policy_spec.h"

namespace loadline {

struct VllmV1Policy {
    static constexpr PolicySpec spec{
        .policy = Policy::VllmV1,
        .key = "vllm-v1",
        .name = "vLLM V1",
        .label = "vLLM V1",
        .words = "vLLM V1, exact: everyone running gets its tokens, then as many waiting prompts as the "
                 "token budget holds.",
        .isVllm = true,
        .paged = true,
        .steady = true};

    using Scheduler = VllmV1;
    template <typename Clock>
    using Loop = VllmLoop<Clock>;

    static VllmV1 scheduler(const PolicySetup& setup, const SchedulerNeeds& needs) {
        return VllmV1({.maxNumBatchedTokens = budgetOf(setup),
                       .maxNumSeqs = seqsOf(setup),
                       .longPrefillTokenThreshold = chunkOf(setup),
                       .enableChunkedPrefill = setup.chunkedPrefill,
                       .enablePrefixCaching = needs.sharesPrefixes,
                       .blockSize = setup.blockTokens,
                       .numGpuBlocks = needs.kvBlocks,
                       .maxModelLen = setup.maxModelLen,
                       .policy = setup.order,
                       .asyncScheduling = setup.async,
                       .schedulerReserveFullIsl = setup.reserveFullPrompt,
                       .watermark = setup.watermark,
                       .version = setup.version,
                       .beside = needs.beside},
                      needs.listsQueues);
    }

    static Tokens promptLeft(const PolicySetup& /*setup*/, Tokens /*prompt*/, Tokens /*cached*/) {
        return 0; // until it is admitted, when the step tells
    }

    /// True if there are no blocks and no length that cuts requests; turns drawn one by one share no prefix.
    static bool goesFast(const PolicySetup& setup) {
        return setup.chunkedPrefill && !setup.async && setup.order == VllmPolicy::Fcfs &&
               setup.maxModelLen >= PolicySetup{}.maxModelLen;
    }

    static std::int64_t rowsReached(const PolicySetup& setup, std::int64_t /*users*/, Tokens /*chunk*/) {
        return budgetOf(setup);
    }
};

} // namespace loadline
