// For the tables of a request's fields: their parts, and a row of them.
#pragma once

#include "core/simulate/request/simulation_fields.h"

namespace loadline {

// In the order in which options, settings and comparisons name them.
ask::Fields askingFields();
ask::Fields policyFields();
ask::Fields costFields();

/// use(request, facts) of FormPlace::isShown and the like.
template <auto use>
auto byFacts(const void* question, const ask::Sources& sources) {
    const auto* facts = sources.get<SourceFacts>();
    return use(*static_cast<const SimulationRequest*>(question), facts == nullptr ? SourceFacts() : *facts);
}

/// A row, its rare parts left out.
inline ask::Field row(std::string_view key, std::string_view group, ask::Access access,
                      ask::FieldWords words = {}, NumberRange<double> range = {}, ask::FormPlace form = {},
                      ask::Slider slider = {}, ask::EngineWord engine = {}, ask::FieldTraits traits = {}) {
    words.group = group;
    return {key, access, words, range, form, slider, traits, engine};
}

constexpr double mostCount = static_cast<double>(limits::mostCount);

} // namespace loadline
