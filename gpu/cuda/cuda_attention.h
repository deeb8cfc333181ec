// Calls of attention as the plugin's work, and a check of them.
#pragma once

#include "core/base/result.h"
#include "gpu/backend.h"
#include "gpu/cuda/plugin_abi.h"

#include <cstdint>
#include <string>

namespace loadline::gpu {

/// True if the plugin has a kernel for the call: heads of 64, 128 or 256, query heads a multiple of KV heads,
/// no more than 65535 query heads in the batch.
bool hasAttentionKernel(const AttentionCall& call);
CudaWork cudaWorkOf(const AttentionCall& call, const Rotation& rotation);
/// Guesses a call's time for planning: context at half of the bandwidth, arithmetic at a tenth of what tensor
/// cores can.
double guessAttentionUs(const AttentionCall& call, const CudaDeviceFacts& facts);
std::string cudaAttentionName(AttentionPhase phase);

/// Blocks of a check of a decode (CudaWork::maxBlocks): so few that each goes twice and once more through its
/// stages, as far as the context has tiles for it. 0: any.
std::int32_t checkBlocks(const AttentionCall& call);

/// Random queries, keys and values, the plugin's answer to them and the answer in float64.
Result<CheckOutcome> checkAttentionOnDevice(const CudaPluginApi& api, CudaSession* session,
                                            const AttentionCall& call, std::uint64_t seed);

} // namespace loadline::gpu
