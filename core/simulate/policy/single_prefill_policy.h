// The published study's description, taken literally, as a policy of simulations.
#pragma once

#include "core/schedule/policy/single_prefill.h"
#include "core/simulate/loop/single_prefill_loop.h"
#include "core/simulate/policy/policy_spec.h"

#include <algorithm>
#include <cmath>

namespace loadline {

struct SinglePrefillPolicy {
    static constexpr PolicySpec spec{
        .policy = Policy::SinglePrefill,
        .key = "single-prefill",
        .name = "Single prefill (published study)",
        .label = "single",
        .words = "The published study taken literally: all who decode, then one chunk of one prompt. vLLM V1 "
                 "instead prefills as many prompts in a step as its token budget holds.",
        .usualChunk = 512,
        .onePrompt = true};

    using Scheduler = SinglePrefill;
    template <typename Clock>
    using Loop = SinglePrefillLoop<Clock>;

    static SinglePrefill scheduler(const PolicySetup& setup, const SchedulerNeeds& needs) {
        return SinglePrefill({.chunkTokens = chunkOf(setup),
                              .budgetTokens = budgetOf(setup),
                              .maxSeqs = seqsOf(setup),
                              .promptCap = setup.fit.promptCap,
                              .freePrompt = setup.fit.freePrompt},
                             needs.listsQueues);
    }

    /// Returns the prompt tokens to compute, with the rule of core/schedule/policy/single_prefill.h.
    static Tokens promptLeft(const PolicySetup& setup, Tokens prompt, Tokens cached) {
        if (prompt <= setup.fit.freePrompt) {
            return 0;
        }
        const Tokens cap = setup.fit.promptCap;
        return std::max<Tokens>((cap > 0 ? std::min(cap, prompt) : prompt) - cached, 1);
    }

    static bool goesFast(const PolicySetup& /*setup*/) { return true; }

    static std::int64_t rowsReached(const PolicySetup& setup, std::int64_t users, Tokens chunk) {
        return std::min(budgetOf(setup), std::min(users, seqsOf(setup)) + chunk);
    }

    /// Steps that a prompt keeps others waiting: asked of policies of one prompt at a time.
    static double stepsOf(Tokens prompt, const RowsSetup& setup) {
        if (prompt <= setup.fit.freePrompt) {
            return 0;
        }
        const Tokens cap = setup.fit.promptCap;
        return std::ceil(static_cast<double>(cap > 0 ? std::min(prompt, cap) : prompt) /
                         static_cast<double>(std::min(setup.chunkTokens, setup.budgetTokens)));
    }
};

} // namespace loadline
