// Resolves what is simulated.
#include "app/cli/simulate/simulation_inputs.h"

#include "app/chart/chart_request.h"
#include "app/cli/simulate/resolve_workload.h"
#include "app/cli/terminal/output.h"
#include "app/files/bundled_servers.h"
#include "app/options/cost_option.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace loadline::app {

std::vector<std::string> filesReadFor(const SimulationRequest& request) {
    std::vector<std::string> files = {request.profile, request.shapes};
    std::error_code failed;
    if (!std::filesystem::is_directory(request.workload.name, failed)) { // of folders load() knows the files
        files.push_back(request.workload.name);
    }
    return files;
}

Result<SimulationInputs> resolveInputs(const SimulationRequest& request, unsigned threads,
                                       const std::vector<std::string>& outputs,
                                       const Interruption& interruption) {
    if (Status possible = canWriteOutputs(outputs); !possible) {
        return possible.error();
    }
    if (Status allowed = refuseToOverwrite(outputs, filesReadFor(request)); !allowed) {
        return allowed.error();
    }
    Result<CostChoice> cost = resolveCost({request.profile, request.shapes, request.rule});
    if (!cost) {
        return cost.error();
    }
    Result<Workload> workload =
        resolveWorkload(request.workload, request.outputs, threads, interruption, outputs);
    if (!workload) {
        return workload.error();
    }
    SimulationInputs inputs =
        inputsOf(request, {.workload = std::make_shared<const Workload>(std::move(workload.value())),
                           .profile = std::move(cost->profile),
                           .hardware = cost->hardware,
                           .attention = std::move(cost->attention),
                           .surfaces = std::move(cost->surfaces),
                           .judged = judgedServers(),
                           .shapes = std::move(cost->shapes),
                           .rule = std::move(cost->rule)});
    if (const auto problem = clockProblemOf(inputs)) {
        return *problem;
    }
    return inputs;
}

int wrongValue(const std::string& command, const Error& error) {
    say(command + ": " + error.sentence());
    say(command + " --help tells more.");
    return exitUsage;
}

} // namespace loadline::app
