// A simulation request as the words of a command line: what PNGs and settings remember.
#pragma once

#include "core/ask/field.h"
#include "core/simulate/request/simulation_request.h"

#include <string>
#include <vector>

namespace loadline::app {

/// The options that make this request whatever the defaults are, values apart: {"--users", "14"}, flags that
/// are off as "--async=false". Only kernels whose times are not multiplied go without saying.
/// app/options/simulation_options.h reads them back.
std::vector<std::string> wordsOf(const SimulationRequest& request);
/// Those that differ from the present defaults, for a command line that is run now. Where profiles were saved
/// on this machine, --profile is never left out, as its default may be one of them.
std::vector<std::string> commandWordsOf(const SimulationRequest& request);

/// The fields of a request among the options of `loadline export`, where --against is another setting and
/// --tp the cache's: there the request's own are --simulate-against and --simulate-tp.
ask::Fields exportedFields();
/// wordsOf() for `loadline export`.
std::vector<std::string> exportWordsOf(const SimulationRequest& request);

} // namespace loadline::app
