// The fields of a simulation request, from which options, forms, settings, comparisons and vLLM's words
// follow.
#pragma once

#include "core/ask/field.h"
#include "core/simulate/request/simulation_request.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Facts of the workload and the shapes that decide which fields matter; one of the fields' sources.
struct SourceFacts {
    bool knowsArrivals = false; ///< the workload is a trace
    bool knowsGaps = false;     ///< the workload tells how long users think
    bool knowsSessions = false; ///< the workload can be replayed
    bool knowsOutputs = false;  ///< the workload is of sessions' logs, whose outputs may be lower bounds
    bool knowsAttention = true; ///< the shapes tell what a whole step needs
    /// Token budget that "auto" resolves to (inputsOf); 0: not known yet.
    Tokens autoBudget = 0;
    std::int64_t autoSeqs = 0;
    bool operator==(const SourceFacts&) const = default;
};

/// Headings of their options, as the help lists them.
inline constexpr std::string_view asksGroup = "Who asks", costsGroup = "What a step costs",
                                  holdsGroup = "Who decides what a step holds", runGroup = "The run";
inline constexpr std::array simulationGroups = {asksGroup, costsGroup, holdsGroup, runGroup};

/// Their questions are SimulationRequests.
ask::Fields simulationFields();
/// Precondition: there is one of this key.
const ask::Field& simulationField(std::string_view key);

/// False of "weights" where "k" says how weights are stored, and of "k" where no k does.
bool isSaid(const ask::Field& field, const SimulationRequest& request);

inline constexpr NumberRange<double> timeScales{0, maxTimeScale};
/// "scalar=0.5": the factors that are not 1, as options write them.
std::vector<std::string> factorsOf(const SimulationRequest& request);
bool readFactor(SimulationRequest& request, std::string_view text);

} // namespace loadline
