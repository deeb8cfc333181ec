// The document and the table of `loadline sessions`.
#include "app/cli/sessions/sessions_document.h"

#include "core/session/corpus/losses.h"
#include "core/session/corpus/version_order.h"
#include "core/session/json/utf8_repair.h"
#include "core/session/price/price_words.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

/// An object of the map's entries. The object is filled as the list that it is: operator[] looks at every key
/// before, and a log may name any number of models, tools and types. Names that are equal as the document
/// shows them, because of bytes that are no UTF-8, are one entry: their values are added.
template <typename Value, typename Document>
Json objectOf(const std::map<std::string, Value>& entries, Document document) {
    std::map<std::string, Value> shown;
    for (const auto& [name, value] : entries) {
        shown[repairUtf8(name)] += value;
    }
    Json::object_t object;
    std::vector<Json::object_t::value_type>& list = object;
    list.reserve(shown.size());
    for (const auto& [name, value] : shown) {
        list.emplace_back(name, document(value));
    }
    return Json(std::move(object));
}

Json usagesOf(const std::map<std::string, UsageTotals>& groups) {
    return objectOf(groups, usageDocument);
}

std::string qualityOf(const UsageTotals& totals) {
    const OutputQuality quality = totals.outputQuality();
    return quality == OutputQuality::None ? "none" : std::string(keyOf(quality));
}

Json timeOf(TimeMs time) {
    return isKnown(time) ? Json(formatIso8601(time)) : Json(nullptr);
}

std::map<std::string, std::uint64_t> toolsOf(const SessionFile& file) {
    std::map<std::string, std::uint64_t> tools;
    for (const ToolUse& tool : file.tools) {
        ++tools[file.name(tool.name)];
    }
    return tools;
}

Json costOf(const UsageTotals& totals) {
    const bool isPriced = totals.calls == 0 || totals.callsUnpriced < totals.calls;
    return isPriced ? Json(totals.costUsd) : Json();
}

std::uint64_t oddities(const SessionFile& file) {
    std::uint64_t count = 0;
    for (const Diagnostic& diagnostic : file.diagnostics) {
        count += diagnostic.count;
    }
    return count;
}

std::int64_t sidechainCalls(const SessionFile& file) {
    return std::ranges::count(file.calls, true, &ApiCall::sidechain);
}

Json countsOf(const std::map<std::string, std::uint64_t>& counts) {
    return objectOf(counts, [](std::uint64_t count) { return Json(count); });
}

Json fileDocument(const Corpus& corpus, const FileInCorpus& entry) {
    const SessionFile& file = *entry.file;
    const UsageTotals totals = totalsOfFile(corpus, entry);
    Json inheritedFrom = Json::array();
    for (const FileIndex other : entry.inheritedFrom) {
        inheritedFrom.push_back(corpus.files[other].file->path);
    }
    return {{"path", file.path},
            {"agent", file.agent},
            {"session_id", file.sessionId},
            {"project", corpus.sessions[entry.session].project},
            {"title", file.title},
            {"kind", file.role == FileRole::Main ? "main" : "subagent"},
            {"cli_versions", versionsInOrder(file)},
            {"first_timestamp", timeOf(file.firstTime)},
            {"last_timestamp", timeOf(file.lastTime)},
            {"records", countsOf(file.recordTypes)},
            {"prompts", humanPrompts(file)},
            {"turns", file.promptTurns.size()},
            {"tools", countsOf(toolsOf(file))},
            {"sidechain_calls", sidechainCalls(file)},
            {"inherited_calls", entry.inheritedCalls},
            {"inherited_from", std::move(inheritedFrom)},
            {"totals", usageDocument(totals)},
            {"output_quality", qualityOf(totals)},
            {"cost_is_lower_bound", totals.costIsLeast()},
            {"diagnostics", oddities(file)}};
}

/// Without its inherited calls, so that all sessions add up to the totals.
Json sessionDocument(const Corpus& corpus, const Session& session) {
    Json files = Json::array();
    for (const FileIndex file : session.files) {
        files.push_back(corpus.files[file].file->path);
    }
    return {{"session_id", session.sessionId},
            {"agent", session.agent},
            {"project", session.project},
            {"title", session.title},
            {"files", std::move(files)},
            {"first_timestamp", timeOf(session.firstTime)},
            {"last_timestamp", timeOf(session.lastTime)},
            {"prompts", session.prompts},
            {"turns", session.promptTurns},
            {"totals", usageDocument(session.ownTotals)},
            {"inherited", {{"calls", session.inherited.calls}, {"cost_usd", costOf(session.inherited)}}},
            {"output_quality", qualityOf(session.ownTotals)},
            {"cost_is_lower_bound", session.ownTotals.costIsLeast()},
            {"diagnostics", session.diagnostics}};
}

Json diagnosticDocument(const std::string& path, const Diagnostic& diagnostic) {
    return {{"path", path},
            {"line", diagnostic.line},
            {"what", sentenceOf(diagnostic)},
            {"kind", keyOf(diagnostic.kind)},
            {"count", diagnostic.count},
            {"other_lines", diagnostic.otherLines},
            {"all_lines_listed", !leavesOutLines(diagnostic)},
            {"loses_data", losesData(diagnostic.kind)},
            {"left_aside", effectOf(diagnostic.kind) == DiagnosticEffect::LeftAside}};
}

Json diagnosticsOf(const Corpus& corpus) {
    Json result = Json::array();
    for (const PathDiagnostic& entry : corpus.diagnostics) {
        result.push_back(diagnosticDocument(entry.path, entry.diagnostic));
    }
    for (const FileInCorpus& entry : corpus.files) {
        for (const Diagnostic& diagnostic : entry.file->diagnostics) {
            result.push_back(diagnosticDocument(entry.file->path, diagnostic));
        }
    }
    return result;
}

Json notReadOf(const Corpus& corpus) {
    Json result = Json::array();
    for (const NotRead& file : corpus.notRead) {
        result.push_back(
            {{"path", file.path}, {"looks_like", file.looksLike->key}, {"name", file.looksLike->one}});
    }
    return result;
}

/// Returns the cell of a JSON number or text; an empty cell for null.
Cell cellOf(const Json& value) {
    return value.is_number_float() ? Cell(value.get<double>())
           : value.is_number()     ? Cell(value.get<std::int64_t>())
           : value.is_null()       ? Cell()
                                   : Cell(value.get<std::string>());
}

} // namespace

nlohmann::ordered_json usageDocument(const UsageTotals& totals) {
    return {{"calls", totals.calls},
            {"input_tokens", totals.usage.input},
            {"cache_creation_input_tokens", totals.usage.cacheWrite},
            {"cache_creation_5m", totals.usage.cacheWrite5m},
            {"cache_creation_1h", totals.usage.cacheWrite1h},
            {"cache_read_input_tokens", totals.usage.cacheRead},
            {"output_tokens", totals.usage.output},
            {"calls_final_output", totals.callsFinalOutput},
            {"output_tokens_of_final_calls", totals.outputOfFinalCalls},
            {"content_est_tokens", totals.contentEstimate},
            {"prompt_tokens_cache_untold", totals.untoldContext},
            {"cost_usd", costOf(totals)},
            {"calls_unpriced", totals.callsUnpriced},
            {"calls_partly_unpriced", totals.callsPartlyUnpriced},
            {"calls_fast", totals.callsFast},
            {"web_search_requests", totals.usage.webSearches},
            {"earlier_tries", totals.usage.earlierTries}};
}

nlohmann::ordered_json sessionsDocument(const Corpus& corpus, double seconds) {
    Json files = Json::array();
    for (const FileInCorpus& file : corpus.files) {
        files.push_back(fileDocument(corpus, file));
    }
    Json sessions = Json::array();
    for (const Session& session : corpus.sessions) {
        sessions.push_back(sessionDocument(corpus, session));
    }
    const UsageTotals totals = totalsOf(corpus.calls);
    return {{"schema", "loadline.sessions/1"},
            {"files", corpus.files.size()},
            {"bytes", corpus.bytes},
            {"seconds", seconds},
            {"complete", isComplete(corpus)},
            {"totals", usageDocument(totals)},
            {"cost_is_lower_bound", totals.costIsLeast()},
            {"by_model", usagesOf(totalsByModel(corpus))},
            {"by_utc_day", usagesOf(totalsByUtcDay(corpus))},
            {"prices", {{"source", corpus.pricesSource}, {"unpriced_models", unpricedModels(corpus)}}},
            {"progress_only", usageDocument(totalsOf(corpus.progressOnly))},
            {"sessions", std::move(files)},
            {"by_session", std::move(sessions)},
            {"not_read", notReadOf(corpus)},
            {"diagnostics", diagnosticsOf(corpus)}};
}

Table sessionsTable(const Corpus& corpus) {
    Table table;
    table.columns = {"path",
                     "agent",
                     "session_id",
                     "project",
                     "title",
                     "kind",
                     "first_timestamp_utc",
                     "last_timestamp_utc",
                     "prompts",
                     "turns",
                     "calls",
                     "sidechain_calls",
                     "inherited_calls",
                     "input_tokens",
                     "cache_creation_input_tokens",
                     "cache_creation_5m",
                     "cache_creation_1h",
                     "cache_read_input_tokens",
                     "output_tokens",
                     "calls_final_output",
                     "output_tokens_of_final_calls",
                     "content_est_tokens",
                     "cost_usd",
                     "calls_unpriced",
                     "calls_partly_unpriced",
                     "output_quality",
                     "diagnostics"};
    for (const FileInCorpus& entry : corpus.files) {
        const Json document = fileDocument(corpus, entry);
        std::vector<Cell>& row = table.rows.emplace_back();
        for (const std::string& column : table.columns) {
            const std::string key = column.substr(0, column.find("_utc"));
            row.push_back(cellOf(document.contains(key) ? document[key] : document["totals"][key]));
        }
    }
    if (!isComplete(corpus)) {
        addColumn(table, "incomplete", Cell(incompleteSentence(corpus)));
    }
    return table;
}

} // namespace loadline::app
