// The text of `loadline sessions`: a row a session, the models, diagnostics.
#include "app/cli/sessions/sessions_document.h"
#include "core/text/text_table.h"
#include "core/session/corpus/losses.h"
#include "core/session/price/price_words.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::app {
namespace {

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
    row.push_back(totals.toldContext() == 0 ? "" : formatShare(totals.hitRate()));
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
    const UsageTotals all = totalsOf(corpus.calls);
    add("All", all);
    if (!corpus.progressOnly.empty()) {
        add("Not in All: known from progress records only", totalsOf(corpus.progressOnly));
    }
    const std::string prices = visibleText(priceSentence(corpus));
    const std::string untold =
        all.untoldContext == 0
            ? ""
            : fmt::format("Hit rates leave out {} prompt tokens of sessions whose logs record no cache.\n",
                          formatCount(static_cast<double>(all.untoldContext)));
    return alignedText(table) + untold + prices + (prices.empty() ? "" : "\n");
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

std::string sessionsText(const Corpus& corpus, double seconds) {
    const std::string head = fmt::format(
        "{} {}, {} in {} {}, read in {}{}\n", formatExact(static_cast<std::int64_t>(corpus.sessions.size())),
        corpus.sessions.size() == 1 ? "session" : "sessions", formatBytes(corpus.bytes),
        formatExact(static_cast<std::int64_t>(corpus.files.size())),
        corpus.files.size() == 1 ? "file" : "files",
        formatDuration(static_cast<std::int64_t>(seconds * 1000)),
        corpus.complete ? isComplete(corpus) ? "" : " (incomplete)" : " (stopped early)");
    if (corpus.files.empty()) {
        return head + diagnosticsPart(corpus);
    }
    return head + "\n" + sessionsPart(corpus) + "\n" + totalsPart(corpus) + "\n" + mostTokens(corpus) +
           highestCost(corpus) + diagnosticsPart(corpus);
}

} // namespace loadline::app
