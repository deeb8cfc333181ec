// The row of each kind.
#include "core/cost/atlas/atlas_kind.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace loadline {
namespace {

template <std::size_t count>
using AtlasColumns = std::array<std::string_view, count>;

constexpr AtlasColumns<1> oneTime{"time_us"};
constexpr AtlasColumns<3> gemmKeys{"n", "k", "m"};
constexpr AtlasColumns<4> gemmTimes{"bf16_us", "fp8_us", "fp8_block_us", "nvfp4_us"};
constexpr AtlasColumns<3> weightOnlyTimes{"bf16_us", "int8_weights_us", "int4_weights_us"};
constexpr AtlasColumns<7> decodeKeys{"kv", "heads", "kv_heads", "head_dim", "window", "batch", "kv_tokens"};
constexpr AtlasColumns<9> prefillKeys{"kv",     "attn_dtype",    "heads", "kv_heads",  "head_dim",
                                      "window", "cached_tokens", "batch", "new_tokens"};
constexpr AtlasColumns<9> expertKeys{"dtype", "hidden", "inter",        "topk",  "experts",
                                     "tp",    "ep",     "distribution", "tokens"};
constexpr AtlasColumns<7> mlaDecodeKeys{"model", "gemm_type", "kv", "heads", "tp", "batch", "kv_tokens"};
constexpr AtlasColumns<8> mlaPrefillKeys{"model", "gemm_type",     "kv",        "heads", "tp",
                                         "batch", "cached_tokens", "new_tokens"};
constexpr AtlasColumns<5> mlaAttentionDecodeKeys{"kv", "heads", "tp", "batch", "kv_tokens"};
constexpr AtlasColumns<6> mlaAttentionPrefillKeys{"kv",    "heads",         "tp",
                                                  "batch", "cached_tokens", "new_tokens"};
constexpr AtlasColumns<4> mlaProductKeys{"op", "dtype", "heads", "tokens"};
constexpr AtlasColumns<6> sparseDecodeKeys{"model", "gemm_type", "kv", "heads", "batch", "kv_tokens"};
constexpr AtlasColumns<7> sparsePrefillKeys{"model", "gemm_type",     "kv",        "heads",
                                            "batch", "cached_tokens", "new_tokens"};
constexpr AtlasColumns<8> compressedDecodeKeys{"kind",  "model", "gemm_type", "kv",
                                               "heads", "tp",    "batch",     "kv_tokens"};
constexpr AtlasColumns<9> compressedPrefillKeys{"kind", "model", "gemm_type",     "kv",        "heads",
                                                "tp",   "batch", "cached_tokens", "new_tokens"};
constexpr AtlasColumns<7> compressedKernelKeys{"kernel", "model",         "kv",        "heads",
                                               "batch",  "cached_tokens", "new_tokens"};
constexpr AtlasColumns<6> hyperKeys{"op", "hidden", "hc_mult", "sites", "sinkhorn_iters", "tokens"};
constexpr AtlasColumns<10> linearKeys{"phase", "kernel", "model", "k_heads", "v_heads",
                                      "k_dim", "v_dim",  "conv",  "batch",   "new_tokens"};
constexpr AtlasColumns<4> quantiseKeys{"op", "dtype", "k", "m"};
constexpr AtlasColumns<4> allReduceKeys{"dtype", "backend", "gpus", "elements"};
constexpr AtlasColumns<4> collectiveKeys{"op", "dtype", "gpus", "elements"};

constexpr bool differences = true;
constexpr bool fastest = true;

constexpr std::array<AtlasKindSpec, atlasKindCount> atlasSpecs{{
    {AtlasKind::Gemm, "gemm", "linear layers", gemmKeys, gemmTimes, "m"},
    {AtlasKind::WeightOnlyGemm, "weight_only_gemm_trtllm", "weight-only linear layers", gemmKeys,
     weightOnlyTimes, "m"},
    {AtlasKind::DecodeAttention, "decode_attention", "decode attention", decodeKeys, oneTime, "kv_tokens"},
    {AtlasKind::PrefillAttention, "prefill_attention", "prefill attention", prefillKeys, oneTime,
     "new_tokens"},
    {AtlasKind::Experts, "moe", "expert layers", expertKeys, oneTime, "tokens", !differences, fastest},
    {AtlasKind::MlaDecode, "mla_decode", "MLA modules in decode", mlaDecodeKeys, oneTime, "kv_tokens",
     !differences, fastest},
    {AtlasKind::MlaPrefill, "mla_prefill", "MLA modules in prefill", mlaPrefillKeys, oneTime, "new_tokens",
     !differences, fastest},
    {AtlasKind::MlaAttentionDecode, "mla_attention_decode", "MLA attention in decode", mlaAttentionDecodeKeys,
     oneTime, "kv_tokens", !differences, fastest},
    {AtlasKind::MlaAttentionPrefill, "mla_attention_prefill", "MLA attention in prefill",
     mlaAttentionPrefillKeys, oneTime, "new_tokens", !differences, fastest},
    {AtlasKind::MlaProducts, "mla_bmm", "products around MLA decode", mlaProductKeys, oneTime, "tokens"},
    {AtlasKind::SparseDecode, "dsa_decode", "DeepSeek sparse attention in decode", sparseDecodeKeys, oneTime,
     "kv_tokens"},
    {AtlasKind::SparsePrefill, "dsa_prefill", "DeepSeek sparse attention in prefill", sparsePrefillKeys,
     oneTime, "new_tokens"},
    {AtlasKind::CompressedDecode, "dsv4_decode", "DeepSeek-V4 attention in decode", compressedDecodeKeys,
     oneTime, "kv_tokens"},
    {AtlasKind::CompressedPrefill, "dsv4_prefill", "DeepSeek-V4 attention in prefill", compressedPrefillKeys,
     oneTime, "new_tokens"},
    {AtlasKind::CompressedKernels, "dsv4_kernels", "kernels of DeepSeek-V4 attention", compressedKernelKeys,
     oneTime, "new_tokens"},
    {AtlasKind::BlockSparseDecode, "msa_decode", "MiniMax sparse attention in decode", sparseDecodeKeys,
     oneTime, "kv_tokens"},
    {AtlasKind::BlockSparsePrefill, "msa_prefill", "MiniMax sparse attention in prefill", sparsePrefillKeys,
     oneTime, "new_tokens"},
    {AtlasKind::HyperConnections, "mhc", "hyper-connections", hyperKeys, oneTime, "tokens"},
    {AtlasKind::LinearAttention, "gdn", "gated delta net", linearKeys, oneTime, "new_tokens"},
    {AtlasKind::DeltaAttention, "kda", "Kimi delta attention", linearKeys, oneTime, "new_tokens"},
    {AtlasKind::Quantise, "quantise", "quantisation of activations", quantiseKeys, oneTime, "m", differences},
    {AtlasKind::AllReduce, "all_reduce_vllm", "vLLM's all-reduce", allReduceKeys, oneTime, "elements"},
    {AtlasKind::Collectives, "nccl", "NCCL collectives", collectiveKeys, oneTime, "elements"},
}};

constexpr AtlasColumns<11> wordColumns{"kv",   "attn_dtype", "dtype", "distribution", "model",  "gemm_type",
                                       "kind", "kernel",     "phase", "op",           "backend"};
constexpr AtlasColumns<2> columnsFromZero{"window", "cached_tokens"};

} // namespace

std::span<const AtlasKindSpec> atlasKinds() {
    return atlasSpecs;
}

const AtlasKindSpec& specOf(AtlasKind kind) {
    return atlasSpecs.at(static_cast<std::size_t>(kind));
}

const AtlasKindSpec* findAtlasKind(std::string_view key) {
    const auto* const found = std::ranges::find(atlasSpecs, key, &AtlasKindSpec::key);
    return found == atlasSpecs.end() ? nullptr : found;
}

bool isAtlasWordKey(std::string_view column) {
    return std::ranges::find(wordColumns, column) != wordColumns.end();
}

std::int64_t leastAtlasNumber(std::string_view column) {
    return std::ranges::find(columnsFromZero, column) != columnsFromZero.end() ? 0 : 1;
}

std::string_view atlasTimesName(std::string_view csvColumn) {
    constexpr std::string_view unit = "_us";
    return csvColumn.ends_with(unit) ? csvColumn.substr(0, csvColumn.size() - unit.size()) : csvColumn;
}

bool isAtlasWord(std::string_view word) {
    return !word.empty() && word.size() <= mostAtlasWordBytes &&
           std::ranges::all_of(word, [](char c) { return c > ' ' && c <= '~'; });
}

bool areAtlasTimes(AtlasKind kind, std::span<const std::string> names) {
    const auto known = specOf(kind).times;
    auto next = known.begin();
    for (const std::string& name : names) { // in the order of the kind, some left out
        next = std::find_if(next, known.end(),
                            [&](std::string_view column) { return atlasTimesName(column) == name; });
        if (next == known.end()) {
            return false;
        }
        ++next;
    }
    return !names.empty();
}

} // namespace loadline
