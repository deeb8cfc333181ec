// How a KV cache lies in memory that is given out block by block.
#pragma once

namespace loadline::gpu {

/// Tokens whose keys, or values, lie together. A cache of one layer is [KV blocks, kvBlockTokens, KV heads,
/// head size], K and V apart, and a table names the blocks of each sequence: as vLLM's FlashAttention backend
/// keeps it (get_kv_cache_shape in vllm/v1/attention/backends/flash_attn.py: 2, blocks, tokens of a block, KV
/// heads, head size; layout NHD). A table in order makes it contiguous.
inline constexpr int kvBlockTokens = 16;

} // namespace loadline::gpu
