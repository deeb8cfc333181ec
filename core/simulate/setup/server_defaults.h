// Limits that a vLLM server chooses if nobody set them: by the memory of its device.
#pragma once

#include "core/base/tokens.h"
#include "core/cost/device/hardware.h"

#include <cstdint>

namespace loadline {

struct ServerDefaults {
    Tokens budgetTokens = 2048; ///< max_num_batched_tokens
    std::int64_t maxSeqs = 256; ///< max_num_seqs
    bool operator==(const ServerDefaults&) const = default;
};

/// vLLM's defaults of `vllm serve` (engine/arg_utils.py, 2026-08): 16384 tokens from 160 GB on, 8192 from 70
/// GB on but for the A100, else 2048; 1024 sequences from 70 GB on but for the A100, else 256. Of an unknown
/// device, and of Apple's, those of a small one.
ServerDefaults serverDefaultsOf(const Hardware* hardware);

} // namespace loadline
