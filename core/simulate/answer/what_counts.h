// What an answer of a simulation counts and what it does not, in a few facts.
#pragma once

#include "core/simulate/fit/memory_fit.h"
#include "core/simulate/study/format_pair.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadline {

struct CountedFact {
    /// In JSON: "prefix_cache", "model", "step", "workload", "outputs", "turns", "recorded_latency",
    /// "log_differences", "preemptions", "memory", "flagged", "warm", "modelled", "time_scale".
    std::string key;
    std::string words;  ///< short, without a full stop
    std::string more;   ///< what else is to be known, in sentences; may be empty
    bool warns = false; ///< an answer read without it misleads
    bool operator==(const CountedFact&) const = default;
};

/// In the order above, but "modelled" first where the kernel times are unvalidated; those that say nothing
/// here are left out. `present`: a run of the setting; null where there is none. `fit`: with the KV cache
/// where it was counted. `pair`: of which servedFactsOf() stands before these; null where none does.
std::vector<CountedFact> whatCounts(const SimulationInputs& inputs, const MemoryFit& fit,
                                    const SimulationResult* present = nullptr,
                                    const FormatPair* pair = nullptr);

/// Adds "modelled" of the points of a curve, unless it is there: the share of their GEMM time, of the k-bit
/// one or fp16's, whichever is larger at a point.
void addModelledShares(std::vector<CountedFact>& facts, std::span<const ModelledShares> points);

} // namespace loadline
