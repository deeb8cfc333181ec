// The parts of a scope in the words of its chips.
#pragma once

#include "core/workload/scope/scope.h"

#include <QString>

#include <array>

namespace loadline::ui {

enum class ScopePart { Sessions, Projects, Models, Agents, Dates, Text, TurnInput, TurnOutput };
inline constexpr std::array scopeParts = {ScopePart::Sessions,  ScopePart::Projects,  ScopePart::Models,
                                          ScopePart::Agents,    ScopePart::Dates,     ScopePart::Text,
                                          ScopePart::TurnInput, ScopePart::TurnOutput};

struct PartWords {
    QString kind;  ///< "model"
    QString value; ///< "opus-4-5"; "3 models" for several
    QString full;  ///< everything, a line each
};

[[nodiscard]] bool isActive(const Scope& scope, ScopePart part);
[[nodiscard]] Scope without(Scope scope, ScopePart part);
/// `corpus` gives sessions their titles; may be null. `outputIsABound`: of calls in scope, some record less
/// than they generated.
[[nodiscard]] PartWords wordsOf(const Scope& scope, ScopePart part, const Corpus* corpus,
                                bool outputIsABound = false);

} // namespace loadline::ui
