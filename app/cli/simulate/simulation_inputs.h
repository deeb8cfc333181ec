// Converts the options of a command to core's inputs of a simulation.
#pragma once

#include "app/cli/help/command.h"
#include "app/cli/terminal/interruption.h"
#include "core/base/result.h"
#include "core/simulate/request/simulation_request.h"

#include <string>
#include <vector>

namespace loadline::app {

/// The files, and folders of a profile's files, that the request names: what results must not overwrite.
std::vector<std::string> filesReadFor(const SimulationRequest& request);

/// Reads the workload, profile, shapes and rule that the request names. `outputs`: files that will be
/// written; it is an Error where they cannot be, and to overwrite one that is read. After an interruption the
/// value means nothing.
Result<SimulationInputs> resolveInputs(const SimulationRequest& request, unsigned threads,
                                       const std::vector<std::string>& outputs,
                                       const Interruption& interruption);

/// Says what is wrong with an option's value; returns exitUsage.
int wrongValue(const std::string& command, const Error& error);

} // namespace loadline::app
