// Measured servers beside the errors of their predictions, as the program carries them.
#pragma once

#include "core/base/result.h"
#include "core/serving/measured_row.h"
#include "core/serving/server_point.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// One measured server. Errors are predicted / measured - 1; null where nothing was measured or predicted.
struct JudgedServer {
    std::string model; ///< "meta-llama/Llama-3.1-70B"
    ServerPoint at;
    std::string tier; ///< MeasuredLabel::tier
    std::optional<double> ttftError{};
    std::optional<double> tpotError{};
    bool operator==(const JudgedServer&) const = default;
};

struct JudgedServers {
    std::string source;  ///< of the measurements
    std::string licence; ///< of the measurements
    std::string date;    ///< of the predictions: "2026-11-27"
    std::string program; ///< version that predicted
    std::vector<JudgedServer> servers;
    std::vector<RowDiagnostic> diagnostics; ///< of the text that was read
};

inline constexpr std::size_t mostJudgedServers = std::size_t{1} << 16;

/// Reads the text form: comments "# source: ...", likewise licence, date and program; then a CSV with the
/// columns that judgedServersCsv writes, in any order. A row with a field that is none of its column is left
/// out and makes a diagnostic. The Error: no such columns, no row that can be used, or more than
/// mostJudgedServers.
Result<JudgedServers> judgedServersFrom(std::string_view text, const std::string& path);

/// Returns the text form; judgedServersFrom() reads it back equal if it can hold the values (words of
/// printable ASCII without commas and quotes, numbers in their columns' ranges).
std::string judgedServersCsv(const JudgedServers& judged);

} // namespace loadline
