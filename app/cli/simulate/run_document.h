// How runs that last until they are settled ended, as a part of documents and for a terminal.
#pragma once

#include "core/simulate/run/result.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace loadline::app {

/// "run": whether the figures are settled, what was left out and measured. Null for runs of a given length.
nlohmann::ordered_json runDocument(const std::optional<RunReport>& run);
/// "interval": 95 % intervals by the name of the figure; an end that is not bounded is null. With `tells` the
/// latencies too. Empty for runs of a given length.
nlohmann::ordered_json intervalDocument(const std::optional<RunReport>& run, bool tells);

/// A line on what was measured and how sure the first figures are; "" for runs of a given length.
std::string runText(const std::optional<RunReport>& run, bool tells);

} // namespace loadline::app
