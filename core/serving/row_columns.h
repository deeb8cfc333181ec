// The columns of a table of measured servers, and how each field is read.
#pragma once

#include "core/serving/measured_row.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace loadline {

enum class RowColumnUse : std::uint8_t {
    Setting,  ///< a bad value refuses the row
    Measured, ///< a bad value is left out
    Label     ///< says something about the row
};

/// A row while it is read: defaults depend on the version, so settings that were stated are kept apart.
struct RowDraft {
    MeasuredRow row;
    std::optional<int> moeTensorParallel; ///< null: the GPUs that expert parallelism leaves
    std::optional<Tokens> cudagraphMax;
    std::optional<GraphMode> graphs;
    std::optional<bool> asyncScheduling;
    std::optional<double> memoryUtilisation;
    std::optional<ReduceFusion> fusion;
};

struct RowColumn {
    std::string_view name; ///< lower case
    RowColumnUse use = RowColumnUse::Setting;
    bool isRequired = false; ///< the table must have it
    bool mayBeEmpty = false; ///< an empty field keeps the default
    /// Puts the field, which is not empty, into the draft; returns what is wrong with it, or "".
    std::string (*read)(std::string_view field, RowDraft& draft) = nullptr;
};

std::span<const RowColumn> rowColumns();

/// Returns the row with the defaults of its version for what was not stated.
MeasuredRow measuredRowOf(RowDraft draft);

/// The shortest times in milliseconds that are believed of a server: a prompt takes longer than 1 ms through
/// any front end, and no model gives 10,000 tokens a second to one user. Times in seconds are below.
inline constexpr double leastTtftMs = 1;
inline constexpr double leastTpotMs = 0.1;
inline constexpr double mostMeasuredMs = 1e8;

} // namespace loadline
