// Options of a simulation: the fields of a request.
#include "app/options/simulation_options.h"

#include "app/faces/field_options.h"
#include "app/options/literal_words.h"
#include "core/simulate/request/simulation_fields.h"

#include <CLI/CLI.hpp>

namespace loadline::app {

void SimulationOptions::add(CLI::App& app, bool singles) {
    for (const std::string_view group : simulationGroups) {
        if (group == costsGroup) {
            addCost(app, cost_);
        }
        addFields(app, simulationFields(), request_.data(), [=](const ask::Field& field) {
            return field.words.group == group && (singles || !field.traits.takesList);
        });
    }
}

std::string SimulationOptions::takeLocalProfile(std::vector<int> kBits) {
    if (kBits.empty()) {
        kBits = {asked().kBits};
    }
    return app::takeLocalProfile(cost_, asked().modelMissing ? std::vector<int>() : kBits);
}

SimulationRequest SimulationOptions::request() const {
    SimulationRequest request = asked();
    request.profile = cost_.profile;
    request.shapes = cost_.shapes;
    request.rule = cost_.rule;
    return request;
}

Result<SimulationRequest> simulationRequestFrom(const std::vector<std::string>& words) {
    CLI::App app;
    SimulationOptions options;
    options.add(app);
    try {
        parseLiterally(app, words);
    } catch (const CLI::ParseError& error) {
        return Error{error.what(), "", "the options of 'loadline simulate --help'"};
    }
    return options.request();
}

} // namespace loadline::app
