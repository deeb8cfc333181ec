// The gain of another chunk or token budget: the same turns at each value of a grid.
#pragma once

#include "core/simulate/run/cost_tables.h"
#include "core/simulate/study/same_turns.h"
#include "core/simulate/study/sensitivity.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace loadline {

class ChoicePays {
public:
    /// `present`: the runs of `inputs`, whose figures are those of the present value; `formats`: of tables;
    /// `users`: of the curve. All but `formats` outlive this.
    ChoicePays(const SimulationInputs& inputs, const SimulationReplicas& present, std::vector<Format> formats,
               const std::vector<std::int64_t>& users, const std::stop_token& stop);

    /// Returns the best value by the time of the same turns: looked for in few runs, its gain and all
    /// latencies of as many as the present setting has. A value that cannot be simulated is passed over.
    /// Empty of change unless look is All.
    OtherPay of(PayKind kind, PayLook look);

private:
    [[nodiscard]] Tokens valueOf(PayKind kind) const;
    [[nodiscard]] SimulationInputs withChoice(PayKind kind, Tokens value) const;
    [[nodiscard]] std::optional<SameTurns> sameTurns(const SimulationInputs& changed, std::int64_t turns,
                                                     std::int64_t replicas) const;
    [[nodiscard]] std::int64_t turnsOfRun() const;
    [[nodiscard]] std::optional<SameTurns> settledAt(PayKind kind, Tokens value, Tokens now,
                                                     std::int64_t turns) const;

    const SimulationInputs& inputs_;
    const SimulationReplicas& present_;
    std::vector<Format> formats_;
    const std::vector<std::int64_t>& users_;
    const std::stop_token& stop_;
    std::optional<RunPlan> plan_;              ///< of the present runs, where their length was not given
    std::shared_ptr<const CostTables> tables_; ///< wide enough for every value; null before the first
};

} // namespace loadline
