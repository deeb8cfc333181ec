// How many KV blocks an engine has: told, or computed from memory, weights and utilisation.
#pragma once

#include "core/base/result.h"
#include "core/replay/engine_run.h"

#include <cstdint>
#include <string>

namespace loadline {

struct KvCapacity {
    std::int64_t blocks = 0; ///< the null block included, as vLLM counts num_gpu_blocks
    Tokens blockTokens = 16;
    bool computed = false; ///< from memory, weights and utilisation
    std::string origin;    ///< a sentence

    /// All blocks but the null block.
    [[nodiscard]] Tokens tokens() const { return (blocks - 1) * blockTokens; }

    bool operator==(const KvCapacity&) const = default;
};

/// meta.json's num_gpu_blocks; else what vLLM would resolve:
///     blocks = (memory x utilisation - weights - reservedMemoryOf) / (2 x layers x kv heads x head size x
///     bytes x block size),
/// all of one rank. The Error: neither the memory nor the blocks are known, or nothing is left for KV.
Result<KvCapacity> kvCapacityOf(const EngineRun& run);

/// Bytes of weights on one rank: the GEMMs, and an embedding the size of the LM head.
double weightBytesPerRank(const EngineRun& run);

} // namespace loadline
