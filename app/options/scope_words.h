// A scope's fields, and a scope as the words of a command line and back: for PNGs' commands and for settings.
#pragma once

#include "core/ask/field.h"
#include "core/workload/scope/scope.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadline::app {

/// --session ID, --from TIME, ...: their question is a Scope.
ask::Fields scopeFields();
/// "--session", "claude:1a2b", "--from", "2026-01-20T00:00:00.000Z", ...; nothing where it restricts nothing.
std::vector<std::string> wordsOf(const Scope& scope);
/// Nothing where the words are not such a list.
std::optional<Scope> scopeFrom(std::span<const std::string> words);

} // namespace loadline::app
