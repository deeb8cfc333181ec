// Measured servers as a table: a row each, its settings apart from what was measured.
#pragma once

#include "core/base/result.h"
#include "core/serving/server_settings.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Figures that the client measured: means over its requests, in milliseconds; null where empty or not
/// believed.
struct ServerMeasurement {
    std::optional<double> ttftMs;
    std::optional<double> tpotMs;
    bool operator==(const ServerMeasurement&) const = default;
};

/// Remarks on a measurement; no prediction may read it.
struct MeasuredLabel {
    std::string source;     ///< name of the measurement
    std::string tier;       ///< "A", "B", "C"; may be empty
    bool isKvBound = false; ///< the KV cache was too small for all users
    std::string family;     ///< rows that differ in users and version alone share it
    std::string note;
    bool operator==(const MeasuredLabel&) const = default;
};

struct MeasuredRow {
    std::uint64_t line = 0; ///< 1-based
    ServerSettings settings;
    ServerMeasurement measured;
    MeasuredLabel label;
    std::string refusal; ///< why the settings are none of a server; empty if they are fine
};

/// An oddity in the table.
struct RowDiagnostic {
    std::uint64_t line = 0;
    std::string column; ///< empty: the whole row is meant
    std::string what;
    bool operator==(const RowDiagnostic&) const = default;

    [[nodiscard]] std::string sentence() const; ///< "line 7, column tp: ..."
};

struct MeasuredRows {
    std::vector<MeasuredRow> rows; ///< in the order of the file
    std::vector<RowDiagnostic> diagnostics;
};

/// Reads a CSV like data/serving/measured_vllm.csv, columns in any order. Settings that are missing, not
/// numbers or out of any server's range make a row's `refusal` and a diagnostic; bad measured values a
/// diagnostic alone, and the value is null. A line with an open quote or another number of fields than the
/// header is refused as a whole. Rows with equal settings are kept and counted. Empty
/// cudagraph_max, async, gpu_memory_utilization, cudagraph_mode and allreduce_fusion take the version's
/// default.
/// The Error: no rows, columns that are missing, or times in seconds (most values of ttft_ms or tpot_ms are
/// below any server's).
Result<MeasuredRows> readMeasuredRows(std::string_view csv, const std::string& path);

} // namespace loadline
