// Predicted over measured latencies of servers, and words for one server.
#pragma once

#include "core/ask/report.h"
#include "core/validate/validation.h"

#include <optional>
#include <string>

namespace loadline {

/// "meta-llama/Llama-3.1-70B on 4 x h200_sxm, fp8, 1024 + 1024 tokens, 16 users"
std::string serverWords(const ServerSettings& settings);

/// "5.80 ms, measured 6.02 (-3.7 %)"; without a measurement the prediction alone.
std::string differenceWords(std::optional<double> measuredMs, double predictedMs);

/// Adds "validation-tpot" and "validation-ttft" with their tables. The validation outlives the report.
void addValidationPlots(ask::Report& report, const Validation& validation);

} // namespace loadline
