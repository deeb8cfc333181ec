// The input of a batching scheduler: its configuration and its requests, in logical steps.
#pragma once

#include "core/base/tokens.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace loadline {

/// `count` consecutive token ids: first, first + 1, ...
struct TokenRun {
    std::int64_t first = 0;
    Tokens count = 0;
    bool operator==(const TokenRun&) const = default;
};

/// One request. It arrives at `arrivalStep`, or, in a closed loop, `delay` + 1 steps after `after` finished.
struct ScheduleRequest {
    std::int64_t id = 0;
    std::optional<std::int64_t> arrivalStep{};
    std::optional<std::int64_t> after{}; ///< the id of another request
    std::int64_t delay = 0;              ///< steps
    std::vector<TokenRun> prompt{};      ///< token ids; matters only to the prefix cache
    Tokens promptTokens = 0;             ///< length of the expanded prompt
    Tokens outputTokens = 0;             ///< it ends after as many, never earlier by itself
    std::int64_t firstOutputToken = 0;   ///< the k-th output token, from 0, has the id firstOutputToken + k
    std::int64_t priority = 0;           ///< VllmPolicy::Priority: smaller goes first
    Tokens cachedTokens = 0;             ///< MLX: leading prompt tokens whose KV `after` hands over
    bool operator==(const ScheduleRequest&) const = default;
};

enum class VllmPolicy : std::uint8_t { Fcfs, Priority };

/// The version of vLLM V1: the scheduler's rules changed in details over time.
enum class VllmVersion : std::uint8_t {
    Latest,     ///< 2026-08
    March2026,  ///< 2026-03-24: freed blocks all go to the back of the free queue; no reservation, no
                ///< watermark
    October2025 ///< 2025-10-02: and without chunked prefill a prompt that is too long is passed over
};

/// KV blocks that a sequence holds beside those of its tokens, for layers that do not keep the whole context:
/// a recurrent state from its admission on, and sliding windows as far as they are filled. As vLLM's hybrid
/// KV cache manager: they come from the same pool, and nothing is reserved for sequences that do not run.
struct BlocksBeside {
    double state = 0;
    double perWindowToken = 0;
    Tokens window = 0; ///< tokens from which on the windows are full

    /// Returns the blocks beside those of the tokens of a sequence with room for `capacity` tokens.
    [[nodiscard]] std::int64_t of(Tokens capacity) const {
        const double windowed = perWindowToken * static_cast<double>(std::min(capacity, window));
        return capacity > 0 ? static_cast<std::int64_t>(std::ceil(state + windowed)) : 0;
    }

    bool operator==(const BlocksBeside&) const = default;
};

/// vLLM's own names and defaults (SchedulerConfig, CacheConfig).
struct VllmConfig {
    Tokens maxNumBatchedTokens = 8192; ///< token budget of a step
    std::int64_t maxNumSeqs = 256;
    Tokens longPrefillTokenThreshold = 0; ///< most tokens of one request in a step; 0: no limit
    bool enableChunkedPrefill = true;
    bool enablePrefixCaching = true;
    Tokens blockSize = 16;
    std::int64_t numGpuBlocks = 10001; ///< one of them is the null block and holds nothing
    Tokens maxModelLen = 131072;
    VllmPolicy policy = VllmPolicy::Fcfs;
    bool asyncScheduling = false;
    bool schedulerReserveFullIsl = true; ///< admit only when the whole prompt fits
    double watermark = 0;                ///< share of the blocks that admissions leave free
    VllmVersion version = VllmVersion::Latest;
    /// Only with Latest: freed blocks all go to the back of the free queue, as until 2026-06-04, while
    /// admission already reserves the whole prompt (vLLM 0.19).
    bool freedBlocksToBack = false;
    BlocksBeside beside{}; ///< of the model's layers, no option of vLLM's
    bool operator==(const VllmConfig&) const = default;
};

/// MLX-LM's BatchGenerator.
struct MlxConfig {
    std::int64_t completionBatchSize = 32;
    std::int64_t prefillBatchSize = 8;
    Tokens prefillStepSize = 2048;
    bool reuseCache = false; ///< a follower starts from the KV its predecessor handed back
    bool operator==(const MlxConfig&) const = default;
};

using ScheduleConfig = std::variant<VllmConfig, MlxConfig>;

struct Scenario {
    std::string name;
    std::string description;
    ScheduleConfig config;
    std::vector<ScheduleRequest> requests;
    bool operator==(const Scenario&) const = default;
};

} // namespace loadline
