// Cost of tokens in time of GPUs, and in money where a price is known.
#pragma once

#include "core/cache/tier/load_or_recompute.h"

#include <optional>
#include <string>
#include <vector>

namespace loadline {

inline constexpr NumberRange<double> gpuHourPrices{1e-4, 1e6};
inline constexpr NumberRange<double> decodeBatches{1, 1e6};

/// Most sequences that vLLM's V1 scheduler runs at once unless it is told otherwise (max_num_seqs).
inline constexpr double usualMostSequences = 256;

/// The serving machine: GPUs that compute prompts and generate, and the tier of cached blocks.
struct ServingSetup {
    KvLayout layout = {};
    PrefillCompute compute = {};
    CacheTier tier = {};       ///< that cached prompts are loaded from
    double bytesPerWeight = 2; ///< as decoding reads them
    double gpuBandwidthGBs = 3350;
    /// Share of the bandwidth that decoding reaches: 0.71 was measured on an RTX 4090 (llama.cpp discussion
    /// 15013, Llama-2-7B Q4_0, batch 1), less on H100 with so small a model. An assumption.
    double bandwidthShare = 0.7;
    double batch = 64; ///< sequences that decode together
    /// Share of GPUs that compute prompts and never decode; nothing: as many as the work needs.
    std::optional<double> prefillShare = std::nullopt;
};

/// The request that all are taken to be like.
struct MeanRequest {
    double input = 0; ///< tokens of the prompt
    double hitRate = 0;
    double output = 0;
};

/// GPU-seconds; dollars are price x GPU-seconds / 3600.
struct TokenCost {
    std::optional<double> perMillionUncached; ///< input that is computed; nothing where all is cached
    std::optional<double> perMillionCached;   ///< input that is loaded; nothing where none is
    std::optional<double> perMillionOutput;   ///< nothing without output
    double perRequest = 0;
    double perMillionTokens = 0; ///< of all kinds, as the request has them; 0 without tokens
    double computeGpuS = 0;      ///< of the request: prompt tokens that are not cached
    double loadGpuS = 0;         ///< GPUs wait while cached blocks are loaded
    double decodeGpuS = 0;
    double idleGpuS = 0;      ///< of whichever of the two kinds of GPUs has less to do than its share
    double balancedShare = 0; ///< share of GPUs for prompts at which none idles
};

/// Prefill: t0 + F(n, c) / (N peak MFU), and KV(c) / B + latency before it, during which all N GPUs wait.
/// Decode, for each step of a batch b at the mean context n + output / 2: max((W_touched bytes + b KV) / (N
/// BW share), 2 b P / (N peak)); W_touched as weightsTouched. With a fixed share of GPUs for prompts, the
/// GPUs that wait for the others are charged to the tokens they serve. Everything is of the mean request:
/// long prompts cost more than in proportion, so a mix costs more.
TokenCost tokenCostOf(const ServingSetup& setup, const MeanRequest& request);

/// Returns the cost if cached tokens take `loadingS` to be loaded, from any tiers.
TokenCost tokenCostOf(const ServingSetup& setup, const MeanRequest& request, double loadingS);

/// Returns the request with nothing cached: every prompt is computed whole.
MeanRequest withoutReuse(MeanRequest request);

/// Dollars of so many GPU-seconds.
double dollarsOf(double gpuS, double pricePerGpuHour);

/// Sequences of the mean context that `memory` holds, at most usualMostSequences, at least 1.
double batchThatFits(const KvLayout& layout, const CacheTier& memory, double contextTokens);

/// The cost with one thing changed.
struct CostMove {
    std::string what; ///< "hit rate" "cached in" "GPUs for prompts"
    std::string to;   ///< "0.5", "NVMe", "0.25", "balanced"
    TokenCost cost;
};

/// Returns the cost under another hit rate, tier of cached prompts, or split of GPUs, one changed at a time.
std::vector<CostMove> costMoves(const ServingSetup& setup, const MeanRequest& request,
                                const CacheTiers& tiers);

} // namespace loadline
