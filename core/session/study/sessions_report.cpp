// Files, sessions, models and days of a corpus, described once for documents, CSV and text.
#include "core/session/study/sessions_report.h"

#include "core/session/corpus/losses.h"
#include "core/session/corpus/price_words.h"
#include "core/session/corpus/usage_caveats.h"
#include "core/session/study/usage_columns.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace loadline::ask {
namespace {

std::uint64_t odditiesOf(const SessionFile& file) {
    std::uint64_t count = 0;
    for (const Diagnostic& diagnostic : file.diagnostics) {
        count += diagnostic.count;
    }
    return count;
}

TableOf<SessionFileRow> filesTable(const SessionsAnswer& answer) {
    using R = const SessionFileRow&;
    TableOf<SessionFileRow> table("sessions", answer.files);
    table.document("path", [](R row) { return row.file->path; })
        .document("agent", [](R row) { return row.file->agent; })
        .document("session_id", [](R row) { return row.file->sessionId; })
        .document("project", [](R row) { return row.session->project; })
        .document("title", [](R row) { return row.file->title; })
        .document("kind", [](R row) { return row.file->role == FileRole::Main ? "main" : "subagent"; })
        .document("first_timestamp", [](R row) { return row.file->firstTime; })
        .document("last_timestamp", [](R row) { return row.file->lastTime; })
        .document("prompts", [](R row) { return humanPrompts(*row.file); })
        .document("turns", [](R row) { return row.file->promptTurns.size(); })
        .document("sidechain_calls",
                  [](R row) { return std::ranges::count(row.file->calls, true, &ApiCall::sidechain); })
        .document("inherited_calls", &SessionFileRow::inheritedCalls);
    addUsage(table, "totals.", &SessionFileRow::totals);
    table.document("output_quality", [](R row) { return outputQualityKey(row.totals); })
        .document("cost_is_lower_bound", [](R row) { return row.totals.costIsLeast(); })
        .document("diagnostics", [](R row) { return odditiesOf(*row.file); });
    return table;
}

/// Output counts that are not exact say so.
Cell outputCell(const UsageTotals& totals) {
    const OutputQuality quality = totals.outputQuality();
    const bool isExact = quality == OutputQuality::None || quality == OutputQuality::Final;
    if (quality == OutputQuality::StartOnly) {
        return fmt::format("≥ {} (placeholder)", formatCount(static_cast<double>(totals.usage.output)));
    }
    return on(isExact ? Basis::Exact : Basis::AtLeast, totals.usage.output);
}

/// Calls, tokens by kind, hit rate and cost, for people.
template <typename Row, typename Read>
void addToldUsage(TableOf<Row>& table, Read read) {
    using T = const UsageTotals&;
    const auto add = [&](const char* title, Form form, auto of) {
        table.textColumn(
            title, [read, of](const Row& row) { return of(std::invoke(read, row)); }, form);
    };
    add("Calls", Form::Whole, [](T t) { return t.calls; });
    add("Input", Form::Tokens, [](T t) { return t.usage.input; });
    add("Cache write", Form::Tokens, [](T t) { return t.usage.cacheWrite; });
    add("Cache read", Form::Tokens, [](T t) { return t.usage.cacheRead; });
    add("Output", Form::Tokens, outputCell);
    add("Hit rate", Form::Share, [](T t) { return t.toldContext() == 0 ? Cell("") : Cell(t.hitRate()); });
    add("Cost", Form::Usd, costText);
}

std::string startOf(const Session& session) {
    const std::string start = formatIso8601(session.firstTime);
    return start.empty() ? "" : start.substr(0, 10) + " " + start.substr(11, 5);
}

/// The id's beginning, as `--session` takes it, and the title.
std::string nameOf(const Session& session) {
    constexpr std::size_t idBytes = 8;
    constexpr std::size_t titleWidth = 120;
    const std::string id = session.sessionId.substr(0, idBytes);
    return session.title.empty() ? id : id + "  " + visibleText(session.title, titleWidth);
}

/// Documents leave inherited calls out, so that all sessions add up to the totals.
Table sessionsTable(const std::vector<Session>& sessions) {
    using S = const Session&;
    TableOf<Session> table("by_session", sessions);
    table.titled("Sessions", sessions.size())
        .document("session_id", &Session::sessionId)
        .document("agent", &Session::agent)
        .document("project", &Session::project)
        .document("title", &Session::title)
        .document("first_timestamp", &Session::firstTime)
        .document("last_timestamp", &Session::lastTime)
        .document("prompts", &Session::prompts)
        .document("turns", &Session::promptTurns);
    addUsage(table, "totals.", &Session::ownTotals);
    table.document("inherited.calls", [](S s) { return s.inherited.calls; })
        .document("inherited.cost_usd", [](S s) { return costOf(s.inherited); })
        .document("output_quality", [](S s) { return outputQualityKey(s.ownTotals); })
        .document("cost_is_lower_bound", [](S s) { return s.ownTotals.costIsLeast(); })
        .document("diagnostics", &Session::diagnostics)
        .textColumn("Start (UTC)", startOf, Form::Text)
        .textColumn("Prompts", &Session::prompts, Form::Whole);
    addToldUsage(table, &Session::totals);
    return table
        .textColumn(
            "Inherited", [](S s) { return s.inheritedCalls == 0 ? Cell("") : Cell(s.inheritedCalls); },
            Form::Whole)
        .textColumn("Project", &Session::project, Form::Text)
        .textColumn("Session", nameOf, Form::Text);
}

Table usagesTable(const char* path, const std::vector<NamedTotals>& rows) {
    TableOf<NamedTotals> table(path, rows, Shape::MapRows);
    table.document("name", &NamedTotals::first);
    addUsage(table, "", &NamedTotals::second);
    return table;
}

/// Models, everything, and what is known from progress records alone.
Table shownTotalsTable(const SessionsAnswer& answer) {
    TableOf<NamedTotals> table("", answer.shownTotals);
    table.titled("Distinct API calls", answer.shownTotals.size())
        .textColumn("Model", &NamedTotals::first, Form::Text);
    addToldUsage(table, &NamedTotals::second);
    return table;
}

Table countsTable(const char* path, const Grouped<NamedCount>& counts) {
    return tableWithin(path, counts, Shape::Map)
        .document("name", &NamedCount::first)
        .document("count", &NamedCount::second);
}

Table notReadTable(const std::vector<NotRead>& files) {
    return TableOf("not_read", files)
        .document("path", &NotRead::path)
        .document("looks_like", [](const NotRead& file) { return file.looksLike->key; })
        .document("name", [](const NotRead& file) { return file.looksLike->one; });
}

Table diagnosticsTable(const std::vector<PathDiagnostic>& diagnostics) {
    using P = const PathDiagnostic&;
    return TableOf("diagnostics", diagnostics)
        .document("path", &PathDiagnostic::path)
        .document("line", [](P one) { return one.diagnostic.line; })
        .document("what", [](P one) { return diagnosticSentence(one.diagnostic); })
        .document("kind", [](P one) { return keyOf(one.diagnostic.kind); })
        .document("count", [](P one) { return one.diagnostic.count; })
        .document("all_lines_listed", [](P one) { return !leavesOutLines(one.diagnostic); })
        .document("loses_data", [](P one) { return losesData(one.diagnostic.kind); })
        .document("left_aside",
                  [](P one) { return effectOf(one.diagnostic.kind) == DiagnosticEffect::LeftAside; });
}

std::string placeOf(const PathDiagnostic& one) {
    return one.diagnostic.line == 0 ? one.path : fmt::format("{}:{}", one.path, one.diagnostic.line);
}

std::string whatWasOdd(const PathDiagnostic& one) {
    return diagnosticSentence(one.diagnostic) +
           (one.diagnostic.otherLines.empty() ? "" : ", " + linesOf(one.diagnostic));
}

Tokens tokensOf(const Session& session) {
    return session.ownTotals.usage.context() + session.ownTotals.usage.output;
}

std::string mostTokens(const Corpus& corpus) {
    const auto most = std::ranges::max_element(corpus.sessions, {}, tokensOf);
    if (corpus.sessions.size() < 2 || tokensOf(*most) == 0) {
        return "";
    }
    return fmt::format("Most tokens: {}, {} in prompts and {} of output{}.", nameOf(*most),
                       formatCount(static_cast<double>(most->ownTotals.usage.context())),
                       wordsOf(outputCell(most->ownTotals), Form::Tokens),
                       most->inheritedCalls > 0 ? ", without inherited calls" : "");
}

std::string inheritedCaveat(const Corpus& corpus) {
    return std::ranges::any_of(corpus.sessions, [](const Session& s) { return s.inheritedCalls > 0; })
               ? "Inherited calls stand in the rows of both sessions; All counts each call once."
               : "";
}

std::string untoldCaveat(const SessionsAnswer& answer) {
    const std::vector<Session>& sessions = answer.corpus->sessions;
    const auto without =
        std::ranges::count_if(sessions, [](const Session& s) { return s.ownTotals.untoldContext > 0; });
    return untoldCacheCaveat(answer.totals.untoldContext, static_cast<std::uint64_t>(without),
                             sessions.size());
}

std::string highestCost(const Corpus& corpus) {
    const auto most =
        std::ranges::max_element(corpus.sessions, {}, [](const Session& s) { return s.ownTotals.costUsd; });
    return corpus.sessions.size() < 2 || !(most->ownTotals.costUsd > 0)
               ? ""
               : fmt::format("Highest cost: {}, {}.", nameOf(*most), costText(most->ownTotals));
}

std::string headlineOf(const SessionsAnswer& answer) {
    const Corpus& corpus = *answer.corpus;
    return fmt::format("{}, {} in {}, read in {}{}", counted(corpus.sessions.size(), "session"),
                       formatBytes(corpus.bytes), counted(corpus.files.size(), "file"),
                       formatDuration(static_cast<std::int64_t>(answer.seconds * 1000)),
                       !corpus.complete     ? " (stopped early)"
                       : isComplete(corpus) ? ""
                                            : " (incomplete)");
}

} // namespace

Table sessionFilesTable(const SessionsAnswer& answer) {
    constexpr std::array<std::string_view, 27> keys = {"path",
                                                       "agent",
                                                       "session_id",
                                                       "project",
                                                       "title",
                                                       "kind",
                                                       "first_timestamp",
                                                       "last_timestamp",
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
    const Table all = filesTable(answer);
    Table table = all;
    table.columns.clear();
    for (const std::string_view key : keys) {
        const auto found = std::ranges::find_if(all.columns, [key](const Column& column) {
            return column.key == key || column.key == fmt::format("totals.{}", key);
        });
        table.columns.push_back(*found);
        table.columns.back().key = std::string(key) + (key.ends_with("_timestamp") ? "_utc" : "");
    }
    if (!isComplete(*answer.corpus)) {
        table.columns.push_back(
            {"incomplete", {}, Form::Text, [words = incompleteSentence(*answer.corpus)](std::size_t) {
                 return Cell(words);
             }});
    }
    return table;
}

Report sessionsReport(const SessionsAnswer& answer) {
    const Corpus& corpus = *answer.corpus;
    Report report;
    report.schema = "loadline.sessions/1";
    report.headline = headlineOf(answer);
    report.add("files", corpus.files.size());
    report.add("bytes", corpus.bytes);
    report.add("seconds", answer.seconds);
    report.add("complete", isComplete(corpus));
    addUsage(report, "totals", answer.totals);
    report.add("cost_is_lower_bound", answer.totals.costIsLeast());
    report.add(usagesTable("by_model", answer.byModel));
    report.add(usagesTable("by_utc_day", answer.byUtcDay));
    report.add("prices.source", corpus.pricesSource);
    report.add(listOf("prices.unpriced_models", answer.unpricedModels));
    addUsage(report, "progress_only", answer.progressOnly);
    report.add(filesTable(answer));
    report.add(listsWithin("sessions.cli_versions", answer.versions));
    report.add(countsTable("sessions.records", answer.records));
    report.add(countsTable("sessions.tools", answer.tools));
    report.add(listsWithin("sessions.inherited_from", answer.inheritedFrom));
    report.add(sessionsTable(corpus.sessions));
    report.add(listsWithin("by_session.files", answer.filesOfSessions));
    report.add(notReadTable(corpus.notRead));
    report.add(diagnosticsTable(answer.diagnostics));
    report.add(listsWithin("diagnostics.other_lines", answer.otherLines));
    if (!corpus.files.empty()) {
        const std::string inherited = inheritedCaveat(corpus);
        const std::string untold = untoldCaveat(answer);
        const std::string prices = priceSentence(corpus);
        report.say(inherited);
        report.add(shownTotalsTable(answer));
        report.say(untold);
        report.say(prices);
        report.addCaveat(incompleteSentence(corpus));
        report.addCaveat(leastOutputCaveat(answer.totals));
        report.addCaveat(untold, true);
        report.addCaveat(prices, true);
        report.addCaveat(inherited, true);
        report.say(mostTokens(corpus));
        report.say(highestCost(corpus));
    }
    report.add(TableOf("", answer.worstFirst)
                   .titled("Odd in the data")
                   .textColumn("Where", placeOf, Form::Text)
                   .textColumn("What", whatWasOdd, Form::Text));
    return report;
}

} // namespace loadline::ask
