// What `loadline simulate` says: one setting's steps, times and latencies, as a document and as text.
#pragma once

#include "core/simulate/fit/kv_need.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/run/simulate.h"
#include "core/simulate/study/format_pair.h"
#include "core/simulate/study/rule_moves.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace loadline::app {

/// What was asked for, and what came of it.
struct Simulated {
    SimulationRequest request;
    SimulationInputs inputs;
    SimulationReplicas result;
    KvNeed kv;
    std::optional<RuleCost> ruleCost = {};
    KernelErrors kernelErrors = {};      ///< in the intervals; those of `pair` are in its ratios
    std::optional<FormatPair> pair = {}; ///< where formats are compared; `result` is its own format's
};

/// The document "loadline.simulate/1". Counts, times and tokens are those of one run: the mean over the
/// replicas, of which "sd" is the standard deviation. Ratios are those of all runs together; latencies of all
/// turns; where the weights do not fit, null. `command`: words that run it again.
nlohmann::ordered_json simulateDocument(const Simulated& simulated, const std::vector<std::string>& command);

/// For a terminal.
std::string simulateText(const Simulated& simulated);

} // namespace loadline::app
