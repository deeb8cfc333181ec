// Options of a simulation: the fields of a request.
#include "app/options/simulation_options.h"

#include "app/faces/field_options.h"
#include "app/options/cost_option.h"
#include "app/options/literal_words.h"

#include <CLI/CLI.hpp>

namespace loadline::app {

void SimulationOptions::add(CLI::App& app, bool singles, ask::Fields fields) {
    for (const std::string_view group : simulationGroups) {
        if (group == costsGroup) {
            addFields(app, {&profileField(), 1}, &request_);
            profile_ = app.get_option("--profile");
        }
        addFields(app, fields, &request_, [=](const ask::Field& field) {
            return field.words.group == group && (singles || !field.traits.takesList);
        });
    }
    if (singles) {
        excludeEachOther(app, "--k", "--weights");
    }
}

std::string SimulationOptions::takeLocalProfile(const std::vector<Storage>& weights) {
    std::vector<int> kBits; // without any each profile serves
    for (const Storage one : weights.empty() ? std::vector{request_.weights} : weights) {
        if (const auto k = quantisedK(one); k && !request_.modelMissing) {
            kBits.push_back(*k);
        }
    }
    return takeProfileFor(kBits);
}

std::string SimulationOptions::takeProfileFor(const std::vector<int>& kBits) {
    if (profile_->count() > 0) {
        return {};
    }
    CostOption cost{request_.profile, request_.shapes, request_.rule};
    std::string sentence = app::takeLocalProfile(cost, kBits);
    request_.profile = cost.profile;
    return sentence;
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
