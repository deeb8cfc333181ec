// Errors of predicted servers against measured ones.
#pragma once

#include "core/serving/measured_row.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The prediction for one row: means in milliseconds, or why there is none.
struct ServerPrediction {
    double ttftMs = 0;
    double tpotMs = 0;
    bool isKvBound = false;    ///< as simulated
    std::string notModelled{}; ///< empty: the row is modelled
    bool operator==(const ServerPrediction&) const = default;
};

/// Errors predicted / measured - 1 of one figure; a row that is not modelled counts as an error of 1.
struct ErrorFigures {
    std::size_t n = 0;
    double median = 0; ///< of the errors without their signs
    double mape = 0;   ///< mean of the errors without their signs
    double bias = 0;   ///< median of the errors with their signs
    double p90 = 0;    ///< 90 % quantile of the errors without their signs
    bool operator==(const ErrorFigures&) const = default;
};

/// A goal for errors without their signs, as shares: spec of measured servers, section 10.
struct ErrorGoal {
    double median = 0, mape = 0, p90 = 0;
};

inline constexpr ErrorGoal tpotGoal{.median = 0.05, .mape = 0.065, .p90 = 0.13};
inline constexpr ErrorGoal ttftGoal{.median = 0.12, .mape = 0.15, .p90 = 0.30};

struct ServerErrors {
    std::size_t n = 0;           ///< rows that have a measured figure
    std::size_t notModelled = 0; ///< of them
    std::optional<ErrorFigures> ttft;
    std::optional<ErrorFigures> tpot;
    bool operator==(const ServerErrors&) const = default;
};

/// Rows that are alike in all of these.
struct ErrorGroup {
    std::string model;
    std::string system;
    std::string precision;
    int tensorParallel = 1;
    std::string users; ///< usersClassOf
    std::string tier;
    bool isKvBound = false; ///< as the measured table states it
    ServerErrors errors;
};

struct ErrorTable {
    std::vector<ErrorGroup> groups; ///< in the order of their first rows; empty: nothing was measured
    ServerErrors judged;            ///< rows that isJudged
};

/// Returns "1-16", "17-128" or "129-".
std::string_view usersClassOf(std::int64_t users);

/// True if the table states tier A and enough memory for the KV cache: rows by which a model is judged.
bool isJudged(const MeasuredLabel& label);

/// Returns the errors of the rows that `takes`. Precondition: a prediction for each row.
ServerErrors serverErrorsOf(std::span<const MeasuredRow> rows, std::span<const ServerPrediction> predictions,
                            const std::function<bool(const MeasuredRow&)>& takes);

/// Precondition: a prediction for each row.
ErrorTable errorTableOf(std::span<const MeasuredRow> rows, std::span<const ServerPrediction> predictions);

/// One value of a key, and the errors of the rows that have it.
struct KeyedErrors {
    std::string key;
    ServerErrors errors;
};

/// Returns the errors of measured rows by `keyOfRow` (model and system, version, users ...), by key; rows
/// with an empty key are left out. Precondition: a prediction for each row.
std::vector<KeyedErrors> errorsBy(std::span<const MeasuredRow> rows,
                                  std::span<const ServerPrediction> predictions,
                                  const std::function<std::string(const MeasuredRow&)>& keyOfRow);

} // namespace loadline
