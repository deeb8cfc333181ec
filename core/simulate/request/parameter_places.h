// For the tables of parameters: their parts, and where a value lies in a request.
#pragma once

#include "core/simulate/request/parameters.h"

#include <span>
#include <type_traits>

namespace loadline {

// In the order in which options, settings and comparisons name them.
std::span<const ParameterSpec> askingParameters();
std::span<const ParameterSpec> policyParameters();
std::span<const ParameterSpec> costParameters();

template <auto... members>
struct PlaceOf {
    static auto& get(SimulationRequest& request) { return (request.*....*members); }

    static int index(const SimulationRequest& request) { return static_cast<int>((request.*....*members)); }

    static void setIndex(SimulationRequest& request, int index) {
        auto& value = get(request);
        value = static_cast<std::remove_reference_t<decltype(value)>>(index);
    }
};

/// place<&SimulationRequest::policy, &PolicySetup::maxSeqs>
template <auto... members>
constexpr auto place = &PlaceOf<members...>::get;

/// The same for an enum; its choices in its order.
template <auto... members>
constexpr ChosenPlace chosen(std::span<const ParameterChoice> choices) {
    return {&PlaceOf<members...>::index, &PlaceOf<members...>::setIndex, choices};
}

/// A row, its rare parts left out.
inline ParameterSpec row(std::string_view key, ParameterGroup group, ParameterField field,
                         ParameterWords words = {}, NumberRange<double> range = {}, FormPlace form = {},
                         SliderSpec slider = {}, VllmWord vllm = {}, ParameterTraits traits = {}) {
    return {key, group, field, words, range, form, slider, vllm, traits};
}

constexpr double mostCount = static_cast<double>(limits::mostCount);

} // namespace loadline
