// Kernels with times that a dispatch rule gives no rows to, and what that costs a setting.
#pragma once

#include "core/cost/kernel/kernel_naming.h"
#include "core/simulate/study/sweep.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// Kernels that the profile has times of at this k and that could serve the model's quantised GEMMs, but are
/// in no range of the rule. Empty for the rule `fastest`, and without a profile.
std::vector<Kernel> kernelsLeftOut(const SimulationInputs& inputs);

/// Another rule, and what it changes: "MMA up to 53 rows a step instead of 16".
struct RuleChange {
    std::string words;
    DispatchRule rule;
};

/// The moves of the rule (movesOf); last, each GEMM by the fastest of all kernels that there are, those that
/// the rule leaves out among them.
Result<std::vector<RuleChange>> ruleChangesOf(const SimulationInputs& inputs);

/// The same numbers of users by the rule, and with each GEMM by its fastest kernel.
struct RuleLeftOut {
    std::vector<Kernel> kernels;
    std::vector<std::int64_t> users; ///< ascending
    std::vector<double> asRuled;     ///< time / fp16's, as many
    std::vector<double> fastest;
    KernelNaming naming = KernelNaming::Role;
    bool operator==(const RuleLeftOut&) const = default;
};

/// Nothing where the rule leaves no kernel out, where those save less than 2 % everywhere, and when stopped.
Result<std::optional<RuleLeftOut>> ruleLeftOutOf(const SimulationInputs& inputs,
                                                 std::vector<std::int64_t> users,
                                                 const std::stop_token& stop = {});
/// "The rule leaves out swap-AB MMA: with the rule `fastest` it is 0.46 instead of 0.95 of fp16's time at 1
/// user, 0.74 instead of 1.78 at 256."
std::string ruleLeftOutSentence(const RuleLeftOut& left);

} // namespace loadline
