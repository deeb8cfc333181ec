// What follows from a parameter's row: its words, its value as text and as a number, when it matters.
#include "core/simulate/request/parameters.h"

#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/request/parameter_places.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <type_traits>

namespace loadline {
namespace {

template <typename... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>; // clang 14 asks for it

template <typename Value>
struct NumberOf {
    using Type = Value;
    static constexpr bool mayBeNone = false;
};

template <typename Value>
struct NumberOf<std::optional<Value>> {
    using Type = Value;
    static constexpr bool mayBeNone = true;
};

template <typename Value>
using Number = typename NumberOf<Value>::Type;

/// Calls what takes its place; the last of them takes any number's.
template <typename... F>
auto visit(const ParameterSpec& spec, F... uses) {
    return std::visit(Overloaded{uses...}, spec.field);
}

/// use(place) of a number, else `otherwise`.
template <typename Answer, typename Use>
Answer ofNumber(const ParameterSpec& spec, Answer otherwise, Use use) {
    const auto visited = Overloaded{
        [&](const auto&) { return otherwise; }, [&](ParameterPlace<std::string>) { return otherwise; },
        [&](ParameterPlace<bool>) { return otherwise; },
        [&]<typename Value>(ParameterPlace<Value> place) -> Answer { return use(place); }};
    return std::visit(visited, spec.field);
}

/// For functions that only look: rows have one place for reading and writing.
template <typename Value>
const Value& in(const SimulationRequest& request, ParameterPlace<Value> place) {
    return place(const_cast<SimulationRequest&>(request));
}

template <typename Value>
NumberRange<Number<Value>> rangeOf(const ParameterSpec& spec) {
    if constexpr (std::is_same_v<Value, std::uint64_t>) {
        return {0, std::numeric_limits<std::uint64_t>::max()};
    } else {
        return {static_cast<Number<Value>>(spec.range.least), static_cast<Number<Value>>(spec.range.most)};
    }
}

const ParameterChoice& choiceIn(const ChosenPlace& place, const SimulationRequest& request) {
    return place.choices[static_cast<std::size_t>(place.get(request))];
}

/// The number, or nothing where it is none.
template <typename Value>
std::optional<Number<Value>> heldIn(const Value& value) {
    return value;
}

template <typename Value>
std::string numberText(Value value, bool forPeople) {
    if constexpr (std::is_floating_point_v<Value>) {
        return forPeople ? fmt::format("{:g}", value) : fmt::format("{}", value);
    } else {
        return forPeople ? formatExact(static_cast<std::int64_t>(value)) : fmt::format("{}", value);
    }
}

std::string valueText(const ParameterSpec& spec, const SimulationRequest& request, bool forPeople) {
    const auto flagText = [&](bool on) {
        return std::string(forPeople ? (on ? "on" : "off") : (on ? "true" : "false"));
    };
    return visit(
        spec, [&](ParameterPlace<std::string> place) { return in(request, place); },
        [&](ParameterPlace<bool> place) { return flagText(in(request, place)); },
        [](const FactorsPlace&) { return std::string(); },
        [&](const ChosenPlace& place) {
            const ParameterChoice& choice = choiceIn(place, request);
            return std::string(forPeople && !choice.said.empty() ? choice.said : choice.key);
        },
        [&]<typename Value>(ParameterPlace<Value> place) {
            const auto number = heldIn(in(request, place));
            return number ? numberText(*number, forPeople) : std::string(spec.traits.none);
        });
}

std::string nounOf(const ParameterSpec& spec) {
    return spec.words.noun.empty() ? fmt::format("the {}", spec.words.name) : std::string(spec.words.noun);
}

/// "1", "1e-06", "1 048 576"
std::string boundText(double bound) {
    return std::abs(bound) < 1000 ? fmt::format("{:g}", bound)
                                  : formatExact(static_cast<std::int64_t>(bound));
}

} // namespace

std::string_view titleOf(ParameterGroup group) {
    constexpr std::array titles = {"Who asks", "Who decides what a step holds", "What a step costs",
                                   "The run"};
    return titles[static_cast<std::size_t>(group)];
}

std::span<const ParameterSpec> parameterSpecs() {
    static const std::vector<ParameterSpec> all = [] {
        std::vector<ParameterSpec> rows;
        for (const auto& part : {askingParameters(), policyParameters(), costParameters()}) {
            rows.insert(rows.end(), part.begin(), part.end());
        }
        return rows;
    }();
    return all;
}

const ParameterSpec& parameterOf(std::string_view key) {
    const auto found = std::ranges::find(parameterSpecs(), key, &ParameterSpec::key);
    assert(found != parameterSpecs().end());
    return *found;
}

std::string optionOf(const ParameterSpec& spec) {
    const auto* flag = std::get_if<ParameterPlace<bool>>(&spec.field);
    const bool takesAway = flag != nullptr && in(SimulationRequest(), *flag);
    return fmt::format("--{}{}", takesAway ? "no-" : "", spec.key);
}

std::string formOf(const ParameterSpec& spec) {
    if (!spec.traits.option.form.empty()) {
        return std::string(spec.traits.option.form);
    }
    if (const auto* chosen = std::get_if<ChosenPlace>(&spec.field)) {
        std::string form;
        for (const ParameterChoice& choice : chosen->choices) {
            form += (form.empty() ? "" : "|") + std::string(choice.key);
        }
        return form;
    }
    return ofNumber(spec, std::string(), [&]<typename Value>(ParameterPlace<Value>) {
        return std::string(std::is_floating_point_v<Number<Value>> ? "X" : "N") +
               (NumberOf<Value>::mayBeNone ? "|" + std::string(spec.traits.none) : std::string());
    });
}

std::string takesOf(const ParameterSpec& spec) {
    if (const OptionForm& option = spec.traits.option; !option.number.empty()) {
        return fmt::format("{}: {}..{}", option.number, option.range.least, option.range.most);
    }
    return ofNumber(spec, std::string(), [&]<typename Value>(ParameterPlace<Value>) {
        const auto range = rangeOf<Value>(spec);
        return fmt::format("{}..{}{}", range.least, range.most,
                           NumberOf<Value>::mayBeNone ? fmt::format(" or {}", spec.traits.none)
                                                      : std::string());
    });
}

std::string textOf(const ParameterSpec& spec, const SimulationRequest& request) {
    auto* const text = spec.traits.option.text;
    return text != nullptr ? text(request) : valueText(spec, request, false);
}

std::string wordOf(const ParameterSpec& spec, const SimulationRequest& request) {
    return valueText(spec, request, true);
}

bool readText(const ParameterSpec& spec, std::string_view text, SimulationRequest& request) {
    if (spec.traits.option.read != nullptr) {
        return spec.traits.option.read(request, text);
    }
    return visit(
        spec,
        [&](ParameterPlace<std::string> place) {
            place(request) = text;
            return true;
        },
        [&](ParameterPlace<bool> place) {
            const bool known = text == "true" || text == "false";
            place(request) = known ? text == "true" : place(request);
            return known;
        },
        [&](const FactorsPlace&) { return readFactor(text, request); },
        [&](const ChosenPlace& place) {
            const auto found = std::ranges::find(place.choices, text, &ParameterChoice::key);
            if (found != place.choices.end()) {
                place.set(request, static_cast<int>(found - place.choices.begin()));
            }
            return found != place.choices.end();
        },
        [&]<typename Value>(ParameterPlace<Value> place) {
            const auto number = parseNumber(text, rangeOf<Value>(spec));
            if (number) {
                place(request) = *number;
            } else if constexpr (NumberOf<Value>::mayBeNone) {
                if (text == spec.traits.none) {
                    place(request).reset();
                    return true;
                }
            }
            return number.has_value();
        });
}

std::optional<double> numberOf(const ParameterSpec& spec, const SimulationRequest& request) {
    using Held = std::optional<double>;
    return ofNumber(spec, Held(), [&]<typename Value>(ParameterPlace<Value> place) {
        const auto number = heldIn(in(request, place));
        return number ? Held(static_cast<double>(*number)) : Held();
    });
}

std::optional<double> autoNumberOf(const ParameterSpec& spec, const SimulationRequest& request,
                                   const SourceFacts& facts) {
    if (numberOf(spec, request)) {
        return std::nullopt;
    }
    if (!specOf(request.policy.policy).isVllm) { // no server of vLLM's
        return spec.key == "budget"     ? std::optional(static_cast<double>(budgetOf({})))
               : spec.key == "max-seqs" ? std::optional(static_cast<double>(seqsOf({})))
                                        : std::nullopt;
    }
    const std::int64_t number = spec.key == "budget"     ? facts.autoBudget
                                : spec.key == "max-seqs" ? facts.autoSeqs
                                                         : 0;
    return number > 0 ? std::optional(static_cast<double>(number)) : std::nullopt;
}

void setNumber(const ParameterSpec& spec, std::optional<double> number, SimulationRequest& request) {
    ofNumber(spec, false, [&]<typename Value>(ParameterPlace<Value> place) {
        if (!number) {
            if constexpr (NumberOf<Value>::mayBeNone) {
                place(request).reset();
            }
        } else if constexpr (std::is_floating_point_v<Number<Value>>) {
            place(request) = *number;
        } else {
            place(request) = static_cast<Number<Value>>(std::llround(*number));
        }
        return true;
    });
}

std::optional<bool> isWhole(const ParameterSpec& spec) {
    return ofNumber(spec, std::optional<bool>(),
                    []<typename Value>(ParameterPlace<Value>) { return std::is_integral_v<Number<Value>>; });
}

std::optional<Error> problemOf(const ParameterSpec& spec, const SimulationRequest& request) {
    using Problem = std::optional<Error>;
    return ofNumber(spec, Problem(), [&]<typename Value>(ParameterPlace<Value> place) {
        const auto number = heldIn(in(request, place));
        if (!number || rangeOf<Value>(spec).contains(*number)) { // never contains NaN
            return Problem();
        }
        const bool real = std::is_floating_point_v<Number<Value>> && !spec.slider.unit.empty();
        return Problem(
            Error{fmt::format("{} is {}", nounOf(spec), *number), "",
                  fmt::format("choose {} to {}{}{}", boundText(spec.range.least), boundText(spec.range.most),
                              real ? " " : "", real ? spec.slider.unit : "")});
    });
}

bool isShown(const ParameterSpec& spec, const SimulationRequest& request, const SourceFacts& facts) {
    return spec.form.isShown == nullptr || spec.form.isShown(request, facts);
}

std::string whyNot(const ParameterSpec& spec, const SimulationRequest& request, const SourceFacts& facts) {
    if (spec.traits.only && request.policy.policy != *spec.traits.only) {
        return fmt::format("Only {} knows this: choose it as the policy", nameOf(*spec.traits.only));
    }
    return std::string(spec.form.whyNot == nullptr ? "" : spec.form.whyNot(request, facts));
}

std::string nameOfChange(const ParameterSpec& spec) {
    return fmt::format("Change {}", spec.words.change.empty() ? nounOf(spec) : spec.words.change);
}

std::vector<std::string> factorsOf(const SimulationRequest& request) {
    std::vector<std::string> factors;
    for (const Kernel kernel : allKernels) {
        const double factor = request.timeScale[static_cast<std::size_t>(kernel)];
        if (factor != 1) {
            factors.push_back(fmt::format("{}={}", keyOf(kernel), factor));
        }
    }
    return factors;
}

bool readFactor(std::string_view text, SimulationRequest& request) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::optional<Kernel> kernel = kernelFromKey(text.substr(0, equals));
    const auto factor = parseNumber(text.substr(std::min(equals + 1, text.size())), timeScales);
    if (kernel && factor) {
        request.timeScale[static_cast<std::size_t>(*kernel)] = *factor;
    }
    return kernel && factor;
}

} // namespace loadline
