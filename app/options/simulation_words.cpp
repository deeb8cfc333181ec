// From a simulation request to command line words.
#include "app/options/simulation_words.h"

#include "app/faces/field_options.h"
#include "app/files/profile_library.h"
#include "core/simulate/request/simulation_fields.h"

namespace loadline::app {
namespace {

/// Words of the fields that have an option and are wanted.
template <typename IsWanted>
std::vector<std::string> wordsOf(const SimulationRequest& request, ask::Fields fields,
                                 const IsWanted& isWanted) {
    static const SimulationRequest usual;
    std::vector<std::string> words;
    for (const ask::Field& field : fields) {
        if (field.traits.isOption && isSaid(field, request) && isWanted(field, usual)) {
            for (std::string& word : optionWords(field, &request, &usual)) {
                words.push_back(std::move(word));
            }
        }
    }
    return words;
}

bool isAny(const ask::Field& /*field*/, const SimulationRequest& /*usual*/) {
    return true;
}

} // namespace

std::vector<std::string> wordsOf(const SimulationRequest& request) {
    return wordsOf(request, simulationFields(), isAny);
}

ask::Fields exportedFields() {
    static const std::vector<ask::Field> fields = [] {
        std::vector<ask::Field> all(simulationFields().begin(), simulationFields().end());
        for (ask::Field& field : all) {
            field.key = field.key == "against" ? "simulate-against"
                        : field.key == "tp"    ? "simulate-tp"
                                               : field.key;
        }
        return all;
    }();
    return fields;
}

std::vector<std::string> exportWordsOf(const SimulationRequest& request) {
    return wordsOf(request, exportedFields(), isAny);
}

std::vector<std::string> commandWordsOf(const SimulationRequest& request) {
    return wordsOf(request, simulationFields(), [&](const ask::Field& field, const SimulationRequest& usual) {
        const bool machine = field.key == "profile" && hasSavedProfiles();
        // --turns once lifted a limit on iterations
        const bool limited = field.key == "iterations" && request.length.turns;
        return machine || limited || field.traits.text.several != nullptr ||
               textOf(field, &request) != textOf(field, &usual);
    });
}

} // namespace loadline::app
