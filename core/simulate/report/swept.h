// Many settings simulated: what was asked for, and what came of it.
#pragma once

#include "core/ask/report.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/study/crossover.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

struct Swept {
    SimulationRequest request;
    SweepInputs inputs;
    SweepResult result;
    std::vector<Crossover> crossovers;     ///< in the scope asked for; by k, then chunk
    std::vector<Crossover> gemmCrossovers; ///< whole steps: of the GEMMs alone, beside them
    std::vector<std::string> provenance;
    double pointsWallS = 0;     ///< what computing the points took
    double crossoversWallS = 0; ///< and the intervals of the crossovers

    [[nodiscard]] bool isClosed() const { return request.arrivals.kind == ArrivalKind::Closed; }
    /// The weights of a k that was swept; nothing is known of another.
    [[nodiscard]] MemoryFit memoryAt(Storage weights) const;
    /// Both formats at a k that was swept; null where formats are not compared.
    [[nodiscard]] const SweptPair* pairAt(Storage weights) const;
};

/// `draws`: behind the interval of a crossover; 0: none. `request`: resolved. After a stop the value means
/// nothing.
Result<Swept> sweptOf(SimulationRequest request, SweepInputs inputs, std::int64_t draws,
                      const std::stop_token& stop);

namespace ask {

/// The document "loadline.sweep/1". One crossover for each k and chunk: its first crossing, null where there
/// is none in range; "crossings" lists all of them. `command`: the line that runs it again. Report::tables
/// has "csv", one row a point.
Report sweepReport(const Swept& swept, const std::string& command);

/// "points", one row a setting; for CSV Report::tables gets "csv".
void addPoints(Report& report, const Swept& swept);
/// One row each. Where a format does not fit, only its setting and the sentence that says so are not null.
void addCrossovers(Report& report, const std::string& path, const std::vector<Crossover>& crossovers);

} // namespace ask
} // namespace loadline
