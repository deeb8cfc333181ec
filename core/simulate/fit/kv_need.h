// Need of the KV cache: tokens and bytes that the running requests hold, against the memory of the device.
#pragma once

#include "core/simulate/run/kv_blocks.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

namespace loadline {

/// Held after scheduling; quantiles over time (each step weighs as long as it takes). vLLM: whole blocks,
/// idle cached ones not counted.
struct KvNeed {
    std::int64_t steps = 0;
    double p50Tokens = 0;
    double p99Tokens = 0;
    double peakTokens = 0;
    double bytesPerToken = 0; ///< of a long sequence; 0: nothing is known of this model's attention
    double p99Bytes = 0;      ///< windows and recurrent states as they are; 0 where bytesPerToken is
    double peakBytes = 0;
    double memoryBytes = 0;     ///< of the device; 0: not known
    double weightBytes = 0;     ///< at k
    double weightFp16Bytes = 0; ///< none quantised
    double share = 0;           ///< MemoryFit::share
    bool contextsKnown =
        false; ///< turns come with what their sessions held before; else only their own tokens
};

inline constexpr std::int64_t kvNeedSteps = 20'000; // recorded in a second or so

/// Returns the need in the first `maxSteps` steps of the run of inputs.seed. Errors as simulate().
Result<KvNeed> kvNeed(const SimulationInputs& inputs, std::int64_t maxSteps = kvNeedSteps,
                      const std::stop_token& stop = {});

/// Returns the need of a setting of which no run is made: its weights and the memory.
KvNeed weightsAlone(const SimulationInputs& inputs);

/// Returns `need` with the peak of these runs, pooled, if their policy counts blocks: that of
/// memoryFitOf(inputs, runs).
KvNeed withPeakOf(KvNeed need, const SimulationInputs& inputs, const SimulationResult& runs);

/// "99 % of the time the KV cache holds 120 k tokens or less (14.6 GiB); ... With weights of 5.4 GiB at k = 4
/// that fits into the device's 80 GiB; fp16's weights of 15.0 GiB leave room for as much." and what is not
/// counted.
std::string kvNeedSentence(const KvNeed& need, Storage weights);

} // namespace loadline
