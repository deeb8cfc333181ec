// One setting simulated: what was asked for, and what came of it.
#pragma once

#include "core/ask/report.h"
#include "core/simulate/fit/kv_need.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/format_pair.h"
#include "core/simulate/study/rule_moves.h"
#include "core/simulate/study/study_tables.h"

#include <optional>
#include <stop_token>
#include <string>

namespace loadline {

struct Simulated {
    SimulationRequest request;
    SimulationInputs inputs; ///< with the longest request that its figures are of
    SimulationReplicas result;
    SimulationResult all; ///< its replicas, pooled
    KvNeed kv;
    MemoryFit fit;
    std::optional<RuleCost> ruleCost = {};
    KernelErrors kernelErrors = {};         ///< in the intervals; those of `pair` are in its ratios
    std::optional<FormatPair> pair = {};    ///< where formats are compared; `result` is its own format's
    std::optional<StudyTables> tables = {}; ///< where the published study was asked for

    /// True if the device could not run this: then no figure is one of its.
    [[nodiscard]] bool isMisfit() const { return fit.fits() == false || (pair && !pair->own.fits); }
};

/// The runs of both formats where these are compared, else of one, and what its KV cache needs. `request`:
/// resolved. After a stop the value means nothing.
Result<Simulated> simulatedOf(const SimulationRequest& request, const SimulationInputs& inputs,
                              bool withStudyTables, unsigned threads, const std::stop_token& stop);

namespace ask {

/// The document "loadline.simulate/1". Counts, times and tokens are those of one run: the mean over the
/// replicas, of which "sd" is the standard deviation. Ratios are those of all runs together; latencies of all
/// turns; where the weights do not fit, null. `command`: the line that runs it again.
Report simulateReport(const Simulated& simulated, const std::string& command);

} // namespace ask
} // namespace loadline
