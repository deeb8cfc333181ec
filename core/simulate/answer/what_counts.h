// Facts about what an answer of a simulation counts and what it does not.
#pragma once

#include "core/simulate/fit/memory_fit.h"
#include "core/simulate/study/format_pair.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadline {

struct CountedFact {
    /// The name in JSON: "prefix_cache", "model", "step", "workload", "outputs", "turns", "recorded_latency",
    /// "log_differences", "preemptions", "memory", "flagged", "warm", "slow_experts", "measured_servers", "modelled",
    /// "time_scale".
    std::string key;
    std::string words;  ///< short, without a full stop
    std::string more;   ///< what else is to be known, in sentences; may be empty
    bool warns = false; ///< an answer read without it misleads
    bool operator==(const CountedFact&) const = default;
};

/// Returns the facts in the order above, but "modelled" first if the kernel times are unvalidated; facts that
/// do not apply are left out. `present`: a run of the setting; null: there is none. `fit`: with the KV cache
/// if it was counted. `pair`: the one whose servedFactsOf() stands before these facts; null: none does.
std::vector<CountedFact> whatCounts(const SimulationInputs& inputs, const MemoryFit& fit,
                                    const SimulationResult* present = nullptr,
                                    const FormatPair* pair = nullptr);

/// The facts without which an answer misleads, each as sentences: words and more. First what lacks memory.
std::vector<std::string> caveatsOf(std::span<const CountedFact> facts);

/// Adds "modelled" of the points of a curve, unless it is there: the share of their GEMM time, of the k-bit
/// one or fp16's, whichever is larger at a point.
void addModelledShares(std::vector<CountedFact>& facts, std::span<const ModelledShares> points);

} // namespace loadline
