// The document of `loadline sessions`, and its table.
#include "app/cli/sessions/sessions_document.h"

#include "core/session/corpus/version_order.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json usageOf(const UsageTotals& totals) {
    return {{"calls", totals.calls},
            {"input_tokens", totals.usage.input},
            {"cache_creation_input_tokens", totals.usage.cacheWrite},
            {"cache_creation_5m", totals.usage.cacheWrite5m},
            {"cache_creation_1h", totals.usage.cacheWrite1h},
            {"cache_read_input_tokens", totals.usage.cacheRead},
            {"output_tokens", totals.usage.output},
            {"calls_final_output", totals.callsFinalOutput},
            {"output_tokens_of_final_calls", totals.outputOfFinalCalls},
            {"content_est_tokens", totals.contentEstimate}};
}

Json usagesOf(const std::map<std::string, UsageTotals>& groups) {
    Json result = Json::object();
    for (const auto& [name, totals] : groups) {
        result[name] = usageOf(totals);
    }
    return result;
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
    Json result = Json::object();
    for (const auto& [name, count] : counts) {
        result[name] = count;
    }
    return result;
}

Json fileDocument(const Corpus& corpus, const FileInCorpus& entry) {
    const SessionFile& file = *entry.file;
    const UsageTotals totals = totalsOfFile(file);
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
            {"totals", usageOf(totals)},
            {"output_quality", qualityOf(totals)},
            {"diagnostics", oddities(file)}};
}

Json diagnosticDocument(const std::string& path, const Diagnostic& diagnostic) {
    return {{"path", path},
            {"line", diagnostic.line},
            {"what", sentenceOf(diagnostic)},
            {"kind", keyOf(diagnostic.kind)},
            {"count", diagnostic.count},
            {"loses_data", losesData(diagnostic.kind)}};
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

Cell wholeNumber(std::uint64_t n) {
    return static_cast<std::int64_t>(n);
}

} // namespace

nlohmann::ordered_json sessionsDocument(const Corpus& corpus, double seconds) {
    Json sessions = Json::array();
    for (const FileInCorpus& file : corpus.files) {
        sessions.push_back(fileDocument(corpus, file));
    }
    return {{"schema", "loadline.sessions/1"},
            {"files", corpus.files.size()},
            {"bytes", corpus.bytes},
            {"seconds", seconds},
            {"complete", corpus.complete},
            {"totals", usageOf(totalsOf(corpus.calls))},
            {"by_model", usagesOf(totalsByModel(corpus))},
            {"by_utc_day", usagesOf(totalsByUtcDay(corpus))},
            {"progress_only", usageOf(totalsOf(corpus.progressOnly))},
            {"sessions", std::move(sessions)},
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
                     "output_quality",
                     "diagnostics"};
    for (const FileInCorpus& entry : corpus.files) {
        const SessionFile& file = *entry.file;
        const UsageTotals totals = totalsOfFile(file);
        table.rows.push_back({file.path,
                              file.agent,
                              file.sessionId,
                              corpus.sessions[entry.session].project,
                              file.title,
                              file.role == FileRole::Main ? "main" : "subagent",
                              formatIso8601(file.firstTime),
                              formatIso8601(file.lastTime),
                              wholeNumber(humanPrompts(file)),
                              wholeNumber(file.promptTurns.size()),
                              wholeNumber(totals.calls),
                              sidechainCalls(file),
                              wholeNumber(entry.inheritedCalls),
                              totals.usage.input,
                              totals.usage.cacheWrite,
                              totals.usage.cacheWrite5m,
                              totals.usage.cacheWrite1h,
                              totals.usage.cacheRead,
                              totals.usage.output,
                              wholeNumber(totals.callsFinalOutput),
                              totals.outputOfFinalCalls,
                              totals.contentEstimate,
                              qualityOf(totals),
                              wholeNumber(oddities(file))});
    }
    return table;
}

} // namespace loadline::app
