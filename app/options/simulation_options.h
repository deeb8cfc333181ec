// The options that say what is simulated, shared by every command and chart that simulates.
#pragma once

#include "app/options/cost_option.h"
#include "core/ask/question.h"
#include "core/simulate/request/simulation_request.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace loadline::app {

/// Variables that CLI11 writes into while it parses: they must outlive the parsing.
class SimulationOptions {
public:
    /// --workload, --profile, --users, ...: all that a request holds. Not `singles`: without --users, --chunk
    /// and --k, which are lists in a sweep.
    void add(CLI::App& app, bool singles = true);

    /// After parsing, before request(): see cost_option.h. Without `kBits` for --k's.
    std::string takeLocalProfile(std::vector<int> kBits = {});
    /// The same for what only draws a profile, whatever k it has.
    std::string takeAnyLocalProfile() { return app::takeLocalProfile(cost_, {}); }

    /// After parsing.
    [[nodiscard]] SimulationRequest request() const;

private:
    [[nodiscard]] const SimulationRequest& asked() const { return request_.as<SimulationRequest>(); }

    CostOption cost_;
    ask::Question request_ = ask::Question::of(SimulationRequest());
};

/// Reads wordsOf(request) back. The Error: a word that is no option, or a value it does not take.
Result<SimulationRequest> simulationRequestFrom(const std::vector<std::string>& words);

} // namespace loadline::app
