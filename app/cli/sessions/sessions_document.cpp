// What `loadline sessions` says: the document, its table, and text for a terminal.
#include "app/cli/sessions/sessions_document.h"

#include "app/cli/terminal/text_table.h"
#include "core/session/corpus/version_order.h"
#include "core/session/price/price_words.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json usagesOf(const std::map<std::string, UsageTotals>& groups) {
    Json result = Json::object();
    for (const auto& [name, totals] : groups) {
        result[name] = usageDocument(totals);
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
            {"diagnostics", oddities(file)}};
}

Json diagnosticDocument(const std::string& path, const Diagnostic& diagnostic) {
    return {{"path", path},
            {"line", diagnostic.line},
            {"what", sentenceOf(diagnostic)},
            {"kind", keyOf(diagnostic.kind)},
            {"count", diagnostic.count},
            {"other_lines", diagnostic.otherLines},
            {"all_lines_listed", !leavesOutLines(diagnostic)},
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

/// Of a whole number, text, or null.
Cell cellOf(const Json& value) {
    return value.is_number() ? Cell(value.get<std::int64_t>())
                             : Cell(value.is_null() ? std::string() : value.get<std::string>());
}

constexpr std::size_t titleWidth = 48;
constexpr std::size_t shortId = 8;
constexpr std::size_t diagnosticsShown = 20;

/// Output counts that are not exact say so.
std::string outputText(const UsageTotals& totals) {
    std::string count = formatCount(static_cast<double>(totals.usage.output));
    switch (totals.outputQuality()) {
    case OutputQuality::None:
    case OutputQuality::Final:
        return count;
    case OutputQuality::StartOnly:
        return "≥ " + count + " (placeholder)";
    case OutputQuality::LowerBound:
    case OutputQuality::Mixed:
        break;
    }
    return "≥ " + count;
}

/// calls, input, cache write, cache read, output, hit rate, cost.
void appendUsage(std::vector<std::string>& row, const UsageTotals& totals) {
    const auto add = [&row](Tokens n) { row.push_back(formatCount(static_cast<double>(n))); };
    row.push_back(formatExact(static_cast<std::int64_t>(totals.calls)));
    add(totals.usage.input);
    add(totals.usage.cacheWrite);
    add(totals.usage.cacheRead);
    row.push_back(outputText(totals));
    row.push_back(totals.usage.context() == 0 ? "" : formatShare(totals.hitRate()));
    row.push_back(costText(totals));
}

std::vector<TextColumn> columns(std::vector<TextColumn> first) {
    for (const char* head : {"Calls", "Input", "Cache write", "Cache read", "Output", "Hit rate", "Cost"}) {
        first.push_back({head, true});
    }
    return first;
}

/// The id's beginning, as `--session` takes it, and the title.
std::string nameOf(const Session& session) {
    const std::string id = visibleText(session.sessionId.substr(0, shortId));
    return session.title.empty()
               ? id
               : id + "  " + shortened(visibleText(session.title, 4 * titleWidth), titleWidth);
}

Tokens tokensOf(const Session& session) {
    return session.ownTotals.usage.context() + session.ownTotals.usage.output;
}

std::string mostTokens(const Corpus& corpus) {
    const auto most = std::ranges::max_element(corpus.sessions, {}, tokensOf);
    if (corpus.sessions.size() < 2 || tokensOf(*most) == 0) {
        return "";
    }
    return fmt::format("Most tokens: {}, {} in prompts and {} of output{}.\n", nameOf(*most),
                       formatCount(static_cast<double>(most->ownTotals.usage.context())),
                       outputText(most->ownTotals),
                       most->inheritedCalls > 0 ? ", without inherited calls" : "");
}

std::string highestCost(const Corpus& corpus) {
    const auto most =
        std::ranges::max_element(corpus.sessions, {}, [](const Session& s) { return s.ownTotals.costUsd; });
    if (corpus.sessions.size() < 2 || !(most->ownTotals.costUsd > 0)) {
        return "";
    }
    return fmt::format("Highest cost: {}, {}.\n", nameOf(*most), costText(most->ownTotals));
}

std::string sessionsPart(const Corpus& corpus) {
    TextTable table{columns({{"Start (UTC)", false}, {"Prompts", true}}), {}};
    table.columns.push_back({"Inherited", true});
    table.columns.push_back({"Session", false});
    std::string project;
    for (const Session& session : corpus.sessions) {
        if (table.rows.empty() || session.project != project) {
            project = session.project;
            table.rows.push_back({project.empty() ? "(no project)" : project});
        }
        const std::string start = formatIso8601(session.firstTime);
        std::vector<std::string> row = {start.empty() ? "" : start.substr(0, 10) + " " + start.substr(11, 5),
                                        formatExact(static_cast<std::int64_t>(session.prompts))};
        appendUsage(row, session.totals);
        row.push_back(session.inheritedCalls == 0
                          ? ""
                          : formatExact(static_cast<std::int64_t>(session.inheritedCalls)));
        row.push_back(nameOf(session));
        table.rows.push_back(std::move(row));
    }
    const bool inherited =
        std::ranges::any_of(corpus.sessions, [](const Session& s) { return s.inheritedCalls > 0; });
    return alignedText(table) +
           (inherited ? "Inherited calls stand in the rows of both sessions; All counts each call once.\n"
                      : "");
}

std::string totalsPart(const Corpus& corpus) {
    TextTable table{columns({{"Distinct API calls", false}}), {}};
    const auto add = [&table](const std::string& name, const UsageTotals& totals) {
        std::vector<std::string> row = {name};
        appendUsage(row, totals);
        table.rows.push_back(std::move(row));
    };
    for (const auto& [model, totals] : totalsByModel(corpus)) {
        add(model.empty() ? "(no model named)" : model, totals);
    }
    add("All", totalsOf(corpus.calls));
    if (!corpus.progressOnly.empty()) {
        add("Not in All: known from progress records only", totalsOf(corpus.progressOnly));
    }
    const std::string prices = visibleText(priceSentence(corpus));
    return alignedText(table) + prices + (prices.empty() ? "" : "\n");
}

std::string diagnosticsPart(const Corpus& corpus) {
    std::vector<PathDiagnostic> all = corpus.diagnostics;
    for (const FileInCorpus& entry : corpus.files) {
        for (const Diagnostic& diagnostic : entry.file->diagnostics) {
            all.push_back({entry.file->path, diagnostic});
        }
    }
    if (all.empty()) {
        return "";
    }
    std::stable_partition(all.begin(), all.end(),
                          [](const PathDiagnostic& d) { return losesData(d.diagnostic.kind); });
    std::string text = "\nOdd in the data:\n";
    for (std::size_t i = 0; i < all.size() && i < diagnosticsShown; ++i) {
        const Diagnostic& diagnostic = all[i].diagnostic;
        const std::string line = diagnostic.line == 0 ? "" : fmt::format(":{}", diagnostic.line);
        const std::string lines = diagnostic.otherLines.empty() ? "" : ", " + linesOf(diagnostic);
        text += fmt::format("  {}{}: {}{}\n", visibleText(all[i].path), line,
                            visibleText(sentenceOf(diagnostic)), lines);
    }
    if (all.size() > diagnosticsShown) {
        text += fmt::format("  and {} more (--json lists them all)\n", all.size() - diagnosticsShown);
    }
    return text;
}

} // namespace

nlohmann::ordered_json usageDocument(const UsageTotals& totals) {
    const bool isPriced = totals.calls == 0 || totals.callsUnpriced < totals.calls;
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
            {"cost_usd", isPriced ? Json(totals.costUsd) : Json()},
            {"calls_unpriced", totals.callsUnpriced}};
}

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
            {"totals", usageDocument(totalsOf(corpus.calls))},
            {"by_model", usagesOf(totalsByModel(corpus))},
            {"by_utc_day", usagesOf(totalsByUtcDay(corpus))},
            {"prices", {{"source", corpus.pricesSource}, {"unpriced_models", unpricedModels(corpus)}}},
            {"progress_only", usageDocument(totalsOf(corpus.progressOnly))},
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
                     "cost_usd",
                     "calls_unpriced",
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
    return table;
}

std::string sessionsText(const Corpus& corpus, double seconds) {
    const std::string head = fmt::format(
        "{} {}, {} in {} {}, read in {}{}\n", formatExact(static_cast<std::int64_t>(corpus.sessions.size())),
        corpus.sessions.size() == 1 ? "session" : "sessions", formatBytes(corpus.bytes),
        formatExact(static_cast<std::int64_t>(corpus.files.size())),
        corpus.files.size() == 1 ? "file" : "files",
        formatDuration(static_cast<std::int64_t>(seconds * 1000)), corpus.complete ? "" : " (stopped early)");
    if (corpus.files.empty()) {
        return head + diagnosticsPart(corpus);
    }
    return head + "\n" + sessionsPart(corpus) + "\n" + totalsPart(corpus) + "\n" + mostTokens(corpus) +
           highestCost(corpus) + diagnosticsPart(corpus);
}

} // namespace loadline::app
