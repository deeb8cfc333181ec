// A table of measured servers against their predictions.
#pragma once

#include "core/ask/study.h"
#include "core/cost/step/atlas_library.h"
#include "core/cost/step/coverage.h"
#include "core/cost/step/used_tables.h"
#include "core/validate/error_table.h"
#include "core/validate/predict.h"

#include <map>
#include <string>
#include <vector>

namespace loadline {

struct ValidationQuestion {
    std::string file; ///< shaped like data/serving/measured_vllm.csv
    bool operator==(const ValidationQuestion&) const = default;
};

/// One measured server beside its prediction.
struct ValidatedServer {
    MeasuredRow row;
    ServerPrediction predicted;

    /// predicted / measured - 1; none where one of them is missing.
    [[nodiscard]] std::optional<double> tpotError() const;
};

/// Returns why a row is not judged: "tier B", "bound by KV"; "" of one that is.
std::string notJudgedWords(const MeasuredLabel& label);

struct Validation {
    std::string file;
    std::vector<ValidatedServer> servers;
    ErrorTable errors;
    std::vector<KeyedErrors> judged;                ///< judged rows by model, GPU and format
    std::vector<KeyedErrors> others;                ///< rows that are not judged, by the reason
    std::vector<RowDiagnostic> diagnostics;         ///< of the file
    std::map<std::string, std::size_t> notModelled; ///< rows by reason
    std::vector<UsedTables> sources;
    std::vector<StepCoverage> coverage; ///< of every GPU of the library
};

/// Predicts every row of the file. The Error: it cannot be read or is no such table.
Result<Validation> validationOf(const ValidationQuestion& question, const AtlasLibrary& library,
                                const ask::Run& run);

} // namespace loadline
