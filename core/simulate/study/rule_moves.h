// Bounds at which a dispatch rule changes to a slower kernel, and the cost of that to a setting.
#pragma once

#include "core/cost/kernel/kernel_naming.h"
#include "core/simulate/study/sweep.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// A bound between two kernels of the rule, and where both take equally long.
struct RuleMove {
    bool grouped = false;              ///< the bound counts rows M of each active expert
    Kernel below = Kernel::CublasFp16; ///< serves up to the bound
    Kernel above = Kernel::CublasFp16; ///< serves from there on
    std::int64_t boundM = 0;           ///< the last M that `below` serves now
    std::int64_t fasterToM = 0;        ///< the last M at which `below` is the faster one
    std::int64_t boundRows = 0;        ///< boundM in rows M of a step; the same where not grouped
    std::int64_t fasterToRows = 0;     ///< fasterToM in rows M of a step
    DispatchRule rule;                 ///< with the bound there
    KernelNaming naming = KernelNaming::Role;

    /// `below` should serve more rows than it does.
    [[nodiscard]] bool goesUp() const { return fasterToM > boundM; }
    [[nodiscard]] Kernel moreOf() const { return goesUp() ? below : above; }
    bool operator==(const RuleMove&) const = default;
};

/// At most one for each bound of the rule, as far as kernels were timed or are built (reachesOf). All GEMMs
/// of the model count together. Empty for the rule `fastest`, and where every bound is at its best place.
Result<std::vector<RuleMove>> movesOf(const SimulationInputs& inputs);
/// "MMA up to 53 rows a step instead of 16".
std::string textOf(const RuleMove& move);

/// Steps of a setting that the rule serves slower than its own kernels could.
struct RuleCost {
    RuleMove move;            ///< of all moves the one that saves most
    double stepShare = 0;     ///< of all steps: those that the move gives to another kernel
    double timeVsFp16 = 0;    ///< as the rule says
    double movedVsFp16 = 0;   ///< the same steps by the rule with that bound moved
    double fastestVsFp16 = 0; ///< the same steps, each GEMM by its fastest kernel
    bool operator==(const RuleCost&) const = default;
};

/// Returns the cost of the rule in a result of these inputs; nothing if no move saves 2 %.
Result<std::optional<RuleCost>> ruleCostOf(const SimulationInputs& inputs, const SimulationResult& result);
/// "Steps pass 16 rows, where the rule changes from MMA to dequantise + cuBLAS, though MMA is faster up to
/// 53 rows: with that bound moved the same steps take 0.85 of fp16's time instead of 1.58, with the rule
/// `fastest` 0.81."
std::string ruleCostSentence(const RuleCost& cost);

/// Between two neighbouring numbers of users the curve rises because steps pass a bound of the rule.
struct RuleJump {
    RuleMove move;
    std::int64_t fromUsers = 0; ///< the last before it
    std::int64_t toUsers = 0;   ///< the first behind it
    double before = 0;          ///< time against fp16 at fromUsers
    double after = 0;           ///< at toUsers
    double moved = 0;           ///< at toUsers, by the rule with that bound moved
    double fastest = 0;         ///< at toUsers, with the rule `fastest`
    bool operator==(const RuleJump&) const = default;
};

/// The largest of a curve at one k and chunk, by these inputs (whose k and chunk it has). A rise of 5 % or
/// more over at most a tenth more users, of which the move takes a third or more away. Closed loop only.
Result<std::optional<RuleJump>> ruleJumpOf(const SimulationInputs& inputs, std::span<const SweepPoint> curve,
                                           const std::stop_token& stop = {});
/// "From 16 to 17 users the curve jumps from 0.58 to 1.58 by the dispatch rule, not by the hardware: ..."
std::string ruleJumpSentence(const RuleJump& jump);

} // namespace loadline
