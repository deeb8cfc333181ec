// Predictions for measured servers, row by row, from their settings alone.
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/cost/engine/front_end.h"
#include "core/cost/engine/step_work.h"
#include "core/serving/measured_row.h"
#include "core/validate/error_table.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace loadline {

/// The kernels and the memory of one server.
struct PricedServer {
    std::unique_ptr<StepPrices> prices; ///< of one engine: with data parallelism, of one of them
    std::int64_t kvBlocks = 0;          ///< of tokensPerKvBlock tokens, vLLM's null block among them
};

/// Gives the kernels and the memory of a server. The Error: why the server is not modelled. Called from
/// several threads at once.
using PriceServer = std::function<Result<PricedServer>(const ServerSettings&)>;

/// Returns the prediction for a server.
ServerPrediction predictServer(const ServerSettings& settings, const PriceServer& price,
                               const FrontEndCosts& costs = {}, const std::stop_token& stop = {});

/// Returns the prediction for each row; rows with a refusal are not modelled, for that reason. Rows are
/// independent of each other. `threads`: 0 for all of the machine. After `stop` rows that were not begun are
/// not modelled.
std::vector<ServerPrediction> predictServers(std::span<const MeasuredRow> rows, const PriceServer& price,
                                             unsigned threads = 0, const std::stop_token& stop = {},
                                             const FrontEndCosts& costs = {},
                                             WorkProgress* progress = nullptr);

} // namespace loadline
