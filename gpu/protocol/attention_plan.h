// Which calls of attention are timed: values only, no device is touched.
#pragma once

#include "core/cost/shapes/shapes.h"
#include "gpu/backend.h"
#include "gpu/protocol/samples.h"

#include <cstdint>
#include <vector>

namespace loadline::gpu {

/// The calls of a preset.
struct AttentionRule {
    std::vector<int> batches;               ///< of decode; prefill is timed with one sequence
    std::vector<std::int64_t> cachedTokens; ///< of decode, per sequence
    std::vector<std::int64_t> promptTokens; ///< of prefill
    double mostSeconds = 0;                 ///< calls that do not fit are left out, the longest first
};

struct AttentionPlan {
    std::vector<AttentionCall> calls; ///< in the order of measuring: a random permutation given by the seed
    std::vector<AttentionCall>
        checks; ///< small calls with the same heads: both phases, one sequence and more
    std::vector<AttentionCall> leftOut; ///< supported, but too long or too large
    double guessedSeconds = 0;
};

/// Returns the plan; an empty one if the shapes say nothing of attention, or the device has none. Calls whose
/// contexts, as they rotate, would take more than half of the free memory are left out.
AttentionPlan planAttention(const Backend& backend, const ModelShapes& model, const AttentionRule& rule,
                            const SamplingRule& sampling, std::uint64_t seed);

/// Returns the rotation as for points, except that one copy is enough if it is larger than the cache by
/// itself.
Rotation rotationFor(const Backend& backend, const AttentionCall& call);

} // namespace loadline::gpu
