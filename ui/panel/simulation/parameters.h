// What the form of a simulation offers to choose from, and core's words in it.
#pragma once

#include "core/simulate/request/parameters.h"
#include "ui/form/field_rows.h"

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace loadline::ui {

/// What there is to choose from.
struct ParameterChoices : SourceFacts {
    std::vector<NamedChoice> workloads, profiles, shapes, rules;
    bool operator==(const ParameterChoices&) const = default;
};

inline QString shown(std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
}

} // namespace loadline::ui
