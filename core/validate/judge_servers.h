// Measured servers beside their predictions, as points that other settings are compared with.
#pragma once

#include "core/base/result.h"
#include "core/serving/judged_servers.h"
#include "core/validate/error_table.h"

#include <span>
#include <vector>

namespace loadline {

/// Returns the point of a measured server. Its prompts are random, so nothing is cached; lengths are those
/// that its client draws (servingPlanOf); the batch is the users of one engine, max_num_seqs at most. The
/// Error: the sizes of the model or a format are not known, or there is no plan.
Result<ServerPoint> serverPointOf(const ServerSettings& settings);

/// Returns the rows that have a point, in their order, with the label's isKvBound. Errors are rounded to
/// 0.0001, tokens to 0.1. Precondition: a prediction for each row.
std::vector<JudgedServer> judgedServersOf(std::span<const MeasuredRow> rows,
                                          std::span<const ServerPrediction> predictions);

} // namespace loadline
