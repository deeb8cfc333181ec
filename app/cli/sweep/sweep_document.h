// What `loadline sweep` says: what formats serve, or the time against fp16, over users, chunk sizes and bits,
// and where the ratio passes 1.
#pragma once

#include "core/simulate/request/simulation_request.h"
#include "core/simulate/study/crossover.h"
#include "core/text/table.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace loadline::app {

/// What was asked for, and what came of it.
struct Swept {
    SimulationRequest request;
    SweepInputs inputs;
    SweepResult result;
    std::vector<Crossover> crossovers;     ///< in the scope asked for; by k, then chunk
    std::vector<Crossover> gemmCrossovers; ///< whole steps: of the GEMMs alone, beside them
    std::vector<std::string> provenance;
    double pointsWallS = 0;     ///< what computing the points took
    double crossoversWallS = 0; ///< and the intervals of the crossovers
};

/// The document "loadline.sweep/1". One crossover for each k and chunk: its first crossing, null where there
/// is none in range; "crossings" lists all of them. `command`: words that run it again.
nlohmann::ordered_json sweepDocument(const Swept& swept, const std::vector<std::string>& command);

/// For a terminal: the crossovers in words, then a table for each chunk.
std::string sweepText(const Swept& swept);

/// One row per point: for CSV.
Table sweepTable(const Swept& swept);

} // namespace loadline::app
