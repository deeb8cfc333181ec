// From a simulation request to command line words.
#include "app/options/simulation_words.h"

#include "app/files/profile_library.h"
#include "core/simulate/request/parameters.h"

namespace loadline::app {
namespace {

void addWords(const ParameterSpec& spec, const SimulationRequest& request, std::vector<std::string>& words) {
    const std::string option = optionOf(spec);
    if (std::holds_alternative<FactorsPlace>(spec.field)) {
        for (std::string& factor : factorsOf(request)) {
            words.insert(words.end(), {option, std::move(factor)});
        }
    } else if (formOf(spec).empty()) {
        const bool usual = textOf(spec, request) == textOf(spec, {});
        words.push_back(usual ? option + "=false" : option); // a flag takes the default away
    } else {
        words.insert(words.end(), {option, textOf(spec, request)});
    }
}

} // namespace

std::vector<std::string> wordsOf(const SimulationRequest& request) {
    std::vector<std::string> words;
    for (const ParameterSpec& spec : parameterSpecs()) {
        if (spec.traits.isOption) {
            addWords(spec, request, words);
        }
    }
    return words;
}

std::vector<std::string> commandWordsOf(const SimulationRequest& request) {
    std::vector<std::string> words;
    for (const ParameterSpec& spec : parameterSpecs()) {
        const bool machine = spec.key == "profile" && hasSavedProfiles();
        // --turns alone would lift the limit on iterations
        const bool limited = spec.key == "iterations" && request.length.turns;
        const bool factors = std::holds_alternative<FactorsPlace>(spec.field);
        if (spec.traits.isOption &&
            (machine || limited || factors || textOf(spec, request) != textOf(spec, {}))) {
            addWords(spec, request, words);
        }
    }
    return words;
}

} // namespace loadline::app
