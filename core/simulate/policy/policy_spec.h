// Name and bounds of a batching policy: the same few facts of each.
#pragma once

#include "core/simulate/setup/setup.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace loadline {

struct PolicySpec {
    Policy policy = Policy::VllmV1;
    std::string_view key{};         ///< in options, settings and JSON
    std::string_view name{};        ///< for people
    std::string_view label{};       ///< the same, where room is scarce
    std::string_view words{};       ///< one sentence: its rule, and how it differs from vLLM V1
    Tokens usualChunk = 0;          ///< PolicySetup::chunkTokens where none is chosen; 0: no limit
    std::int64_t usualSeqs = 256;   ///< PolicySetup::maxSeqs likewise; of vLLM serverDefaultsOf's
    std::string_view whyNoBudget{}; ///< it has no token budget; empty: it has one
    bool isVllm = false;            ///< vLLM's options speak of it, asynchronous scheduling among them
    bool paged = false;     ///< KV blocks bound it and are shared by prefix, and requests end at the longest
    bool onePrompt = false; ///< one prompt at a time is prefilled
    bool severalForwards = false; ///< a step is several forwards, and does not tell who waits
    bool steady = false; ///< the step that ends a prompt emits: steps of nothing but decodes are all alike
};

/// Returns the policies' rows, in the order of Policy.
std::span<const PolicySpec> policySpecs();
const PolicySpec& specOf(Policy policy);
std::string_view keyOf(Policy policy);  ///< "vllm-v1", "single-prefill", "mlx"
std::string_view nameOf(Policy policy); ///< for people

/// Returns the chunk in force: 0 if there is none.
Tokens chunkOf(const PolicySetup& setup);

/// Inputs of a policy's scheduler, besides the choices.
struct SchedulerNeeds {
    std::int64_t kvBlocks = 0;   ///< paged: the null block is one of them
    BlocksBeside beside{};       ///< paged
    bool sharesPrefixes = false; ///< paged: prompts are told by their token ids
    bool listsQueues = false;    ///< Step::running and Step::waiting are filled
};

} // namespace loadline
