// --workload: where the turns of a simulation come from.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace loadline::app {

struct WorkloadOption {
    std::string workload = "reference"; ///< "reference", a distribution file, a trace, session files
    std::string outputs = "recorded";   ///< key of OutputCounts; for session files
    bool operator==(const WorkloadOption&) const = default;
};

/// --workload W, --outputs recorded|visible
void addWorkload(CLI::App& app, WorkloadOption& option);

} // namespace loadline::app
