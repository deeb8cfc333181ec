// What `loadline sessions` says: who used what, as a document, as text and as a table.
#pragma once

#include "core/session/corpus/corpus.h"
#include "core/text/table.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace loadline::app {

/// Calls and tokens by kind: part of documents.
nlohmann::ordered_json usageDocument(const UsageTotals& totals);

/// The document "loadline.sessions/1". `seconds`: wall time of the reading. Paths and text may hold bytes
/// that are not UTF-8: dump it with error_handler_t::replace.
nlohmann::ordered_json sessionsDocument(const Corpus& corpus, double seconds);

/// For a terminal: one row per session, totals, models, what was odd.
std::string sessionsText(const Corpus& corpus, double seconds);

/// One row per file, as the document's "sessions": for CSV.
Table sessionsTable(const Corpus& corpus);

} // namespace loadline::app
