// A server as it was started and used: all that a prediction may know of it.
#pragma once

#include "core/base/tokens.h"
#include "core/cost/engine/engine_settings.h"

#include <cstdint>
#include <optional>
#include <string>

namespace loadline {

/// The settings of one measured server and of its client's run. Words that only a model or a table can judge
/// are kept as they stand.
struct ServerSettings {
    std::string model;       ///< "meta-llama/Llama-3.1-70B"
    std::string system;      ///< the kernel tables' word for the GPU: "h200_sxm"
    std::string precision;   ///< of the launch script; may be empty
    std::string gemmFormat;  ///< the tables' word: "bf16", "fp8", "fp8_block", "nvfp4"
    std::string moeFormat;   ///< of the experts, likewise; empty without experts
    Tokens promptTokens = 0; ///< nominal length
    Tokens outputTokens = 0; ///< nominal length
    double lengthRatio = 1;  ///< lengths are drawn from lengthRatio times the nominal length on
    std::int64_t users = 0;  ///< each waits for its answer before it sends the next prompt
    int tensorParallel = 1;
    int dataParallel = 1;
    int moeTensorParallel = 1;
    int moeExpertParallel = 1;
    EngineSettings engine;                ///< what was not stated has the version's default
    std::optional<int> measuredFrom = {}; ///< the date as the number YYYYMMDD; null: not known
    bool operator==(const ServerSettings&) const = default;
};

} // namespace loadline
