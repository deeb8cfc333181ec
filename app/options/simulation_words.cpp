// From a simulation request to command line words.
#include "app/options/simulation_words.h"

#include "app/faces/field_options.h"
#include "app/files/profile_library.h"
#include "core/simulate/request/simulation_fields.h"

namespace loadline::app {
namespace {

/// Words of the fields that have an option and are wanted.
template <typename IsWanted>
std::vector<std::string> wordsOf(const SimulationRequest& request, const IsWanted& isWanted) {
    static const SimulationRequest usual;
    std::vector<std::string> words;
    for (const ask::Field& field : simulationFields()) {
        if (field.traits.isOption && isWanted(field, usual)) {
            for (std::string& word : optionWords(field, &request, &usual)) {
                words.push_back(std::move(word));
            }
        }
    }
    return words;
}

} // namespace

std::vector<std::string> wordsOf(const SimulationRequest& request) {
    return wordsOf(request, [](const ask::Field&, const SimulationRequest&) { return true; });
}

std::vector<std::string> commandWordsOf(const SimulationRequest& request) {
    return wordsOf(request, [&](const ask::Field& field, const SimulationRequest& usual) {
        const bool machine = field.key == "profile" && hasSavedProfiles();
        // --turns once lifted a limit on iterations
        const bool limited = field.key == "iterations" && request.length.turns;
        return machine || limited || field.traits.text.several != nullptr ||
               textOf(field, &request) != textOf(field, &usual);
    });
}

} // namespace loadline::app
