// How the engine of a recorded run was set up: the run's meta.json.
#pragma once

#include "core/base/result.h"
#include "core/base/tokens.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Limit of KV blocks: no engine has more.
inline constexpr std::int64_t mostKvBlocks = std::int64_t{1} << 24;

/// The engine's set-up. Fields absent in meta.json have the default of the vLLM that was recorded (0.19).
struct RunMeta {
    std::string model; ///< "meta-llama/Llama-3.1-8B"
    std::string vllmVersion;
    std::string device;                   ///< "NVIDIA GeForce RTX 4090"; "" if not told
    std::optional<double> deviceBytes;    ///< memory of one GPU
    std::int64_t tensorParallel = 1;      ///< GPUs
    std::int64_t maxNumSeqs = 256;        ///< sequences at once
    Tokens maxNumBatchedTokens = 2048;    ///< token budget of a step
    std::optional<Tokens> maxModelLen;    ///< absent: the model's own
    std::string dtype = "bfloat16";       ///< of weights
    std::string kvCacheDtype = "auto";    ///< "auto": as the weights
    double gpuMemoryUtilization = 0.9;    ///< share of the memory that weights, activations and KV may take
    Tokens blockSize = 16;                ///< tokens of a KV block
    std::optional<std::int64_t> kvBlocks; ///< num_gpu_blocks, the null block included
    bool prefixCaching = true;
    bool chunkedPrefill = true;
    bool asyncScheduling = true;
    bool reserveFullPrompt = true; ///< scheduler_reserve_full_isl
    Tokens longPrefillTokenThreshold = 0;
    bool priorityPolicy = false;
    bool graphs = true;                ///< CUDA graphs
    std::vector<Tokens> captureTokens; ///< tokens at which graphs were captured, ascending

    [[nodiscard]] double valueBytes() const;   ///< of a weight or an activation
    [[nodiscard]] double kvValueBytes() const; ///< of a value in the KV cache
    /// A vLLM known to give all freed blocks to the back of the free queue (until 2026-06-04; 0.19 is older).
    [[nodiscard]] bool freesBlocksToBack() const;

    bool operator==(const RunMeta&) const = default;
};

/// Capture sizes of vLLM 0.19 where none are given: 1, 2, 4, then by 8 to 256, then by 16, up to
/// min(2 x sequences, 512).
std::vector<Tokens> defaultCaptureTokens(std::int64_t maxNumSeqs);

/// The Error: not JSON, no model, a field of the wrong kind or out of range, or more than one engine (data
/// parallel, pipeline parallel, expert parallel), which is not replayed.
Result<RunMeta> runMetaFromJson(std::string_view json, const std::string& path);

} // namespace loadline
