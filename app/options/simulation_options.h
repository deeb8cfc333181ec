// The options that say what is simulated, shared by every command and chart that simulates.
#pragma once

#include "core/simulate/request/simulation_fields.h"

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace loadline::app {

/// Variables that CLI11 writes into while it parses: they must outlive the parsing.
class SimulationOptions {
public:
    /// --workload, --profile, --users, ...: all that a request holds. Not `singles`: without --users,
    /// --chunk,
    /// --k and --weights, which are lists in a sweep. `fields`: of a request, under names that are free.
    void add(CLI::App& app, bool singles = true, ask::Fields fields = simulationFields());

    /// After parsing, as long as the app is there, before request(): where no --profile was given, see
    /// cost_option.h. Without `weights` for the request's.
    std::string takeLocalProfile(const std::vector<Storage>& weights = {});
    /// The same for what only draws a profile, whatever k it has.
    std::string takeAnyLocalProfile() { return takeProfileFor({}); }

    /// After parsing.
    [[nodiscard]] const SimulationRequest& request() const { return request_; }

private:
    std::string takeProfileFor(const std::vector<int>& kBits);

    SimulationRequest request_;
    const CLI::Option* profile_ = nullptr;
};

/// Reads wordsOf(request) back. The Error: a word that is no option, or a value it does not take.
Result<SimulationRequest> simulationRequestFrom(const std::vector<std::string>& words);

} // namespace loadline::app
