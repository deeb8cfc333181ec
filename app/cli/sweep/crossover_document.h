// Crossovers in the document of a sweep.
#pragma once

#include "core/simulate/study/crossover.h"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace loadline::app {

/// One entry each. Where a format does not fit only its setting and the sentence that says so are not null.
nlohmann::ordered_json crossoversDocument(const std::vector<Crossover>& crossovers);

} // namespace loadline::app
