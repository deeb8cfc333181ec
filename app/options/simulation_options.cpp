// What each option of a simulation accepts: the parameters' rows as options.
#include "app/options/simulation_options.h"

#include "app/options/literal_words.h"
#include "app/options/number_option.h"
#include "core/simulate/request/parameters.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace loadline::app {
namespace {

/// Kernels that have times of their own.
std::string timedKernels() {
    std::string list;
    for (const Kernel kernel : allKernels) {
        if (!partsOf(kernel).second) {
            list += (list.empty() ? "" : ", ") + std::string(keyOf(kernel));
        }
    }
    return brokenAfterCommas(list);
}

CLI::Option* addFactors(CLI::App& app, const ParameterSpec& spec, SimulationRequest& request) {
    const std::string option = optionOf(spec);
    const std::string takes = fmt::format("KERNEL={}", wordsOf(timeScales));
    return app
        .add_option_function<std::vector<std::string>>(
            option,
            [option, takes, &request](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) {
                    if (!readFactor(text, request)) {
                        throw notTaken(option, takes, text);
                    }
                }
            },
            "A kernel's times multiplied, 0: free; may be given several times [" + wordsOf(timeScales) +
                "]:\n" + timedKernels())
        ->option_text(formOf(spec))
        ->allow_extra_args(false);
}

/// "--async" and "--async=false", "--no-chunked-prefill" and its "=false". What is on by default is also
/// understood as it is called, "--prefix-cache".
CLI::Option* addFlag(CLI::App& app, const ParameterSpec& spec, SimulationRequest& request) {
    const bool usual = textOf(spec, {}) == "true";
    if (usual) {
        app.add_flag_function(fmt::format("--{}", spec.key),
                              [&spec, &request](std::int64_t count) {
                                  readText(spec, count > 0 ? "true" : "false", request);
                              })
            ->group(""); // not in the help
    }
    return app.add_flag_function(
        optionOf(spec),
        [&spec, usual, &request](std::int64_t count) {
            readText(spec, (count > 0) == usual ? "false" : "true", request);
        },
        std::string(spec.words.help));
}

CLI::Option* addValue(CLI::App& app, const ParameterSpec& spec, SimulationRequest& request) {
    const std::string option = optionOf(spec);
    const std::string form = formOf(spec);
    const std::string takes = takesOf(spec);
    return addTaken(app, option, form, std::string(spec.words.help), takes,
                    [&spec, option, form, takes, &request](const std::string& text) {
                        if (!readText(spec, text, request)) {
                            const bool both = !spec.traits.option.form.empty() && !takes.empty();
                            throw notTaken(option,
                                           both            ? fmt::format("{} ({})", form, takes)
                                           : takes.empty() ? form
                                                           : takes,
                                           text);
                        }
                    });
}

CLI::Option* addParameter(CLI::App& app, const ParameterSpec& spec, SimulationRequest& request) {
    if (std::holds_alternative<FactorsPlace>(spec.field)) {
        return addFactors(app, spec, request);
    }
    return formOf(spec).empty() ? addFlag(app, spec, request) : addValue(app, spec, request);
}

/// Not those that addCost() adds.
bool isAdded(const ParameterSpec& spec) {
    const bool factors = std::holds_alternative<FactorsPlace>(spec.field);
    return spec.traits.isOption && (factors || !spec.words.help.empty());
}

} // namespace

void SimulationOptions::add(CLI::App& app, bool singles) {
    using enum ParameterGroup;
    for (const ParameterGroup group : {Asks, Costs, Holds, Run}) { // as the help lists them
        if (group == Costs) {
            addCost(app, cost_);
        }
        for (const ParameterSpec& spec : parameterSpecs()) {
            if (spec.group == group && isAdded(spec) && (singles || !spec.traits.listed)) {
                add(app, spec);
            }
        }
    }
}

void SimulationOptions::add(CLI::App& app, const ParameterSpec& spec) {
    CLI::Option* option = addParameter(app, spec, request_)->group(std::string(titleOf(spec.group)));
    if (spec.key == "iterations") {
        option->each([this](const std::string&) { iterationsGiven_ = true; });
    }
}

std::string SimulationOptions::takeLocalProfile(std::vector<int> kBits) {
    if (kBits.empty()) {
        kBits = {request_.kBits};
    }
    return app::takeLocalProfile(cost_, request_.modelMissing ? std::vector<int>() : kBits);
}

SimulationRequest SimulationOptions::request() const {
    SimulationRequest request = request_;
    request.profile = cost_.profile;
    request.shapes = cost_.shapes;
    request.rule = cost_.rule;
    if (request.length.turns && !iterationsGiven_) {
        request.length.iterations.reset();
    }
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
