// The options of Vidur's replica schedulers (microsoft/vidur, 2024): simplified models of old engines,
// without a prefix cache.
#pragma once

#include "core/base/tokens.h"

#include <cstdint>

namespace loadline::test {

enum class VidurScheduler : std::uint8_t { Sarathi, VllmV0 };

/// Vidur's replica schedulers.
struct VidurConfig {
    VidurScheduler scheduler = VidurScheduler::Sarathi;
    Tokens chunkSize = 512;          ///< Sarathi: budget of a step, decodes counted
    Tokens maxTokensInBatch = 4096;  ///< VllmV0: prompts of a step, padded to the longest
    std::int64_t batchSizeCap = 128; ///< requests
    Tokens blockSize = 16;
    std::int64_t numBlocks = 10000;
    double watermarkBlocksFraction = 0.01;
    bool operator==(const VidurConfig&) const = default;
};

} // namespace loadline::test
