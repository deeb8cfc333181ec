// Scenarios from JSON, in the schema batching-oracle/1.
#pragma once

#include "core/base/result.h"
#include "core/schedule/scenario.h"

#include <string>
#include <string_view>

namespace loadline {

/// Reads `engine`, `config` and `requests`; the results that a trace also holds (steps, summary, totals,
/// source, notes, caveats) are passed over. Fields left out have their defaults, unknown ones are an Error
/// that names them. `path` is what Errors name.
Result<Scenario> scenarioFromJson(std::string_view json, const std::string& path);

} // namespace loadline
