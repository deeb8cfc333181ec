// Usage of a corpus: everything that its documents, tables and text show.
#pragma once

#include "core/ask/grouped.h"
#include "core/session/corpus/corpus.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace loadline {

using NamedCount = std::pair<std::string, std::uint64_t>;
using NamedTotals = std::pair<std::string, UsageTotals>;

struct SessionFileRow {
    const SessionFile* file = nullptr;
    const Session* session = nullptr;
    std::uint64_t inheritedCalls = 0;
    UsageTotals totals;
};

struct SessionsAnswer {
    std::shared_ptr<const Corpus> corpus;
    double seconds = 0; ///< wall time of the reading
    UsageTotals totals, progressOnly;
    std::vector<NamedTotals> byModel,
        byUtcDay; ///< by name; names that are equal as documents show them are one
    std::vector<std::string> unpricedModels;
    // Parallel to Corpus::files.
    std::vector<SessionFileRow> files;
    ask::Grouped<NamedCount> records, tools;
    ask::Grouped<std::string> versions, inheritedFrom;
    ask::Grouped<std::string> filesOfSessions; ///< parallel to Corpus::sessions
    std::vector<PathDiagnostic> diagnostics;   ///< of paths without a file, then by file
    ask::Grouped<std::uint64_t> otherLines;    ///< parallel to them
    // Members for text alone.
    std::vector<NamedTotals> shownTotals;   ///< each model, all, and what progress records alone tell
    std::vector<PathDiagnostic> worstFirst; ///< the diagnostics, those that lose data first
};

SessionsAnswer sessionsAnswer(std::shared_ptr<const Corpus> corpus, double seconds);

} // namespace loadline
