// Whether it pays to load a prefix's blocks from a tier, or to compute them again.
#pragma once

#include "core/cache/tier/cache_tiers.h"
#include "core/cache/tier/kv_layout.h"

#include <optional>

namespace loadline {

inline constexpr NumberRange<double> gpuCounts{1, 1e6};
inline constexpr NumberRange<double> gpuTflops{1e-3, 1e6};
inline constexpr NumberRange<double> utilisations{1e-3, 1};
inline constexpr NumberRange<double> fixedTimesS{0, 3600};

/// The GPUs that compute prompts: t = t0 + F / (GPUs x peak x MFU).
struct PrefillCompute {
    double gpus = 8;
    double peakTflops = 989; ///< of one GPU, dense, in the precision it computes in
    double mfu = 0.5;        ///< share of the peak that a long prompt reaches; an assumption
    double fixedS = 0; ///< t0: launches, the scheduler. 0, as it is not known: short prompts take longer
};

/// Returns the seconds to compute a prompt of `n` tokens of which `cached` are in the cache, without t0.
double computeS(const KvLayout& layout, const PrefillCompute& compute, double n, double cached);

/// Returns latency + bytes / bandwidth, of the bytes that this tier keeps.
double loadS(const KvLayout& layout, const CacheTier& tier, double tokens);

/// Bandwidth above which loading a prefix of `n` tokens is faster than computing it, latency left out:
/// KV(n) / (F(n, 0) / (GPUs x peak x MFU)), in 1e9 bytes a second; KV as it is stored off the GPUs.
double breakEvenGBs(const KvLayout& layout, const PrefillCompute& compute, double n);

/// Longest prefix that is looked at.
inline constexpr double longestPrefix = 1 << 30;

/// The shortest prefix, in whole tokens, that the tier loads in less time than computing it takes: all longer
/// ones too, as computing grows with their square. Nothing where none up to longestPrefix does.
std::optional<double> breakEvenTokens(const KvLayout& layout, const PrefillCompute& compute,
                                      const CacheTier& tier);

/// Times of a prompt of `n` tokens of which the first `cached` lie in a tier.
struct PromptTime {
    double loadS = 0;
    double computeS = 0; ///< of the rest
    double ttftS = 0;    ///< t0 + load + compute, one after the other: an engine that overlaps them is faster
    double recomputeS = 0; ///< t0 + all of it computed
};

PromptTime promptTimeOf(const KvLayout& layout, const PrefillCompute& compute, const CacheTier& tier,
                        double n, double cached);

/// Returns the times of a prompt whose cached tokens take `loadingS` to be loaded, from any tiers.
PromptTime promptTimeOf(const KvLayout& layout, const PrefillCompute& compute, double n, double cached,
                        double loadingS);

} // namespace loadline
