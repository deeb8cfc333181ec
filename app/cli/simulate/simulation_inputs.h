// What a command simulates: from options to core's inputs, and both as part of its document.
#pragma once

#include "app/cli/commands.h"
#include "app/cli/terminal/interruption.h"
#include "core/base/result.h"
#include "core/simulate/answer/what_counts.h"
#include "core/simulate/request/simulation_request.h"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
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

/// Every choice with its value, defaults included, and what its names stood for: enough to run it again.
/// `command`: the words of the command line that does.
nlohmann::ordered_json inputsDocument(const SimulationRequest& request, const SimulationInputs& inputs,
                                      const std::vector<std::string>& command);

/// "8 users in a closed loop; vLLM V1, ...": the same for people, a few lines. In a sweep without what is
/// swept.
std::string inputsText(const SimulationRequest& request, const SimulationInputs& inputs, bool sweep = false);

/// whatCounts by key, and as lines.
nlohmann::ordered_json whatCountsDocument(const std::vector<CountedFact>& facts);
std::string whatCountsText(const std::vector<CountedFact>& facts);

/// What the data cannot tell, and where times and turns come from, a line each.
std::string sourcesText(const Workload& workload, const std::vector<std::string>& provenance);

/// Shares by serving kernel: always "scalar", "mma" and "dequant_cublas", others where they take time.
nlohmann::ordered_json kernelShares(const std::array<double, kernelCount>& shares);

/// Puts "fits" (null: nobody knows), "memory_needed_bytes", "memory_available_bytes", "fp16_fits" and
/// "fp16_shortfall" (fp16ShortfallOf; empty: none, or nobody knows).
void addMemory(nlohmann::ordered_json& document, const MemoryFit& fit);
/// What does not fit takes no time on this device: all but these members become null.
void withoutFigures(nlohmann::ordered_json& document, std::initializer_list<std::string_view> kept);
/// What does not fit, quantised or fp16, with a line of its own; "" where nothing is to be said.
std::string memoryText(const MemoryFit& fit);

/// Says what is wrong with an option's value; returns exitUsage.
int wrongValue(const std::string& command, const Error& error);

} // namespace loadline::app
