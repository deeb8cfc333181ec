// GPUs that reuse frees in a fleet in which some GPUs compute prompts and others generate.
#pragma once

#include "core/cache/split/cache_model.h"

#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// A fleet before reuse.
struct SplitFleet {
    double gpus = 64;
    double prefillShare = 0.5;          ///< of GPU time, without reuse; 0 to 1
    std::optional<double> hitRate = {}; ///< 0 to 1; nothing: what was counted
    bool operator==(const SplitFleet&) const = default;
};

/// The fleet after reuse. `workLeft` = r; F = N p (1 - r); S = 1 / ((1 - p) + p r) <= 1 / (1 - p), Amdahl's
/// bound.
struct PrefillDecodeSplit {
    double workLeft = 1;    ///< of the work of computing prompts: 1 - h where it grows with tokens alone
    double gpusFreed = 0;   ///< at the same load
    double speedUp = 1;     ///< with the freed GPUs put to work in the same proportion
    double bound = 1;       ///< what no hit rate goes beyond; infinity where all is prefill
    double prefillGpus = 0; ///< after that
    double decodeGpus = 0;
    bool operator==(const PrefillDecodeSplit&) const = default;
};

inline constexpr double mostFleetGpus = 1'000'000;
/// "gpus=64,prefill=0.5,hit=0.94", any of them; nothing where it is none, or out of range: gpus from 1 on.
std::optional<SplitFleet> fleetFromText(std::string_view text);
std::string textOf(const SplitFleet& fleet);

PrefillDecodeSplit splitWith(const SplitFleet& fleet, double workLeft);

/// FLOPs of computing the tokens of a prompt of `n` behind `cached` ones:
/// 2 P (n - c) + 2 q (d_qk + d_v) (L (p(n) - p(c)) + L_w (p_w(n) - p_w(c))), where P are the weights that a
/// token meets, p(n) = n (n + 1) / 2 are query-key pairs, and p_w(n) those within the window of L_w layers.
double prefillFlops(double weightsPerToken, const AttentionFacts& attention, double n, double cached);

/// r with the attention term: F(n, c) / F(n, 0). Above 1 - c / n, as new tokens attend to the cached ones
/// too.
double prefillWorkLeft(const CacheModel& model, double n, double cached);

} // namespace loadline
