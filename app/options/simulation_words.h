// A simulation request as the words of a command line: what PNGs and settings remember.
#pragma once

#include "core/simulate/setup/simulation_request.h"

#include <string>
#include <string_view>
#include <vector>

namespace loadline::app {

/// The options that make the defaults into this request, values apart: {"--users", "14"}. What is as by
/// default is left out. app/options/simulation_options.h reads them back.
std::vector<std::string> wordsOf(const SimulationRequest& request);
/// The same for a command line that is to be run: where profiles were saved on this machine, --profile is
/// never left out, as its default may be one of them.
std::vector<std::string> commandWordsOf(const SimulationRequest& request);

// The words for choices that have none in core.
std::string_view keyOf(VllmPolicy order);    ///< "fcfs", "priority"
std::string_view keyOf(VllmVersion version); ///< "latest", "2026-03", "2025-10"

} // namespace loadline::app
