// Lengths, composition, groups, and what the data do not tell.
#include "core/cache/study/cache_report.h"

#include "core/ask/summary.h"
#include "core/ask/table_of.h"
#include "core/cache/figure/cache_words.h"
#include "core/cache/provider/call_before.h"
#include "core/cache/study/report_parts.h"
#include "core/cache/tier/replica_fit.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/word_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace loadline::ask {
namespace {

using Words = std::vector<std::string>;

std::string headlineOf(const CacheAnswer& answer) {
    if (!answer.tiers) {
        return "What prompts share is not told, so no figure of a cache follows.";
    }
    const KvLayout& layout = answer.machine.serving.layout;
    return !answer.tiers->fit.fits()         ? doesNotFitSentence(layout.model->key, answer.tiers->fit)
           : answer.caches().blockTokens > 0 ? sharingHeadline(answer.tiers->sharing, answer.machine.tiers,
                                                               layout, answer.caches().blockTokens)
                                             : std::string();
}

/// Which cache each figure is of: they are never mixed.
void addKinds(Report& report, bool ofProvider) {
    const char* of = ofProvider ? "provider" : "unlimited";
    report.add(listOf("figures_of.provider", ofProvider ? Words{"composition", "read_write_ratio", "gap_s",
                                                                "breaks", "held_tokens_per_session", "by"}
                                                        : Words{}));
    report.add(listOf("figures_of.unlimited",
                      ofProvider ? Words{"unlimited", "ttl", "reuse_time_s", "first_reuse_s"}
                                 : Words{"composition", "read_write_ratio", "unlimited", "ttl",
                                         "reuse_time_s", "first_reuse_s", "held_tokens_per_session"}));
    report.add(listOf("figures_of.engine", Words{"lru", "lru_contiguous", "shared", "recorded", "tiers"}));
    for (const char* key : {"prefill_decode_split", "token_cost", "move_out"}) {
        report.add(std::string("figures_of.") + key, of);
    }
}

void addSource(Report& report, const CacheAnswer& answer) {
    const ProviderFigures* provider = answer.provider();
    const Words formats = provider != nullptr ? Words{} : answer.files()->formats;
    report.add(listOf("paths", answer.paths));
    report.add("source", provider != nullptr ? "sessions" : "traces");
    report.add(listOf("formats", formats));
    report.add({}, formats.empty() ? Cell() : Cell(listed(formats)), "format", Form::Text);
    addKinds(report, answer.figure->ofProvider());
    report.add("requests", answer.overview.input.n,
               provider == nullptr                 ? "requests"
               : answer.caches().agentsCounted > 0 ? "API calls of main agents and sub-agents"
                                                   : "API calls of main agents");
    report.add("sessions", provider == nullptr ? Cell() : Cell(provider->mainSessions), "sessions");
}

void addTrace(Report& report, const CacheAnswer& answer) {
    const TraceFigures& caches = answer.caches();
    const PrefixReuse& reuse = caches.unlimited;
    const bool hasBlocks = caches.blockTokens > 0;
    report.add("block_size_tokens", hasBlocks ? Cell(caches.blockTokens) : Cell(), "tokens of a block");
    report.add("blocks_from",
               answer.provider() != nullptr ? "estimated from usage"
               : hasBlocks                  ? "the trace"
                                            : "none",
               "blocks from");
    report.add("block_refs", reuse.references, hasBlocks ? "references to blocks" : "");
    report.add("unique_blocks", reuse.uniqueBlocks, hasBlocks ? "different blocks" : "");
    report.add("first_blocks", reuse.firstBlocks);
    report.add("tokens_per_block_ref",
               quotient(static_cast<double>(reuse.inputTokens), static_cast<double>(reuse.references)));
    report.add("duration_s", caches.durationS);
    report.add("distinct_timestamps", caches.distinctTimes);
    addSummary(report, "inter_arrival_s", caches.interArrivalS);
}

void addChains(Report& report, const CacheAnswer& answer) {
    const std::uint64_t counted = answer.caches().agentsCounted;
    const CacheOverview& all = answer.overview;
    const bool ofSessions = answer.figure->ofSessions();
    const std::string chain = ofSessions                      ? "main lanes"
                              : answer.caches().conversations ? "conversations"
                                                              : "traces";
    const Below below(report, "chains");
    below.add("main", all.mainChains, chain + (counted > 0 ? " and sub-agents" : ""));
    below.add("sub_agents", all.subAgents);
    below.add("sub_agents_counted", counted, counted > 0 ? "sub-agents counted" : "");
    below.add("sub_agent_hit", all.subAgentHit);
    below.add("sub_agent_requests", all.subAgentRequests);
    if (const std::uint64_t calls = answer.figure->subAgentRequests(); calls > 0) {
        report.add({}, calls,
                   ofSessions ? "API calls of sub-agents, not counted but for prefix breaks"
                              : "requests of sub-agents, not counted");
        report.add({},
                   ofSessions && !answer.figure->ofProvider() ? Cell("not recorded") : Cell(all.subAgentHit),
                   "their hit rate", Form::Share);
    }
}

using SharesOf = std::function<const TokenShares&(std::size_t row)>;

std::vector<Column> shareColumns(const std::string& prefix, const SharesOf& of) {
    const auto column = [&](const char* key, const char* title, double TokenShares::*share) {
        return columnAt(
            prefix + key, [of, share](std::size_t row) { return of(row).*share; }, title, Form::Share);
    };
    return {column("cached", "Cached", &TokenShares::cached),
            column("new_input", "New input", &TokenShares::newInput),
            column("output", "Output", &TokenShares::output)};
}

/// "Composition (the provider's cache)", and of which sessions where some record none.
std::string titleOfComposition(const CacheAnswer& answer) {
    const ProviderFigures* provider = answer.provider();
    const std::string without =
        !answer.figure->ofProvider() || provider->sessionsWithoutCache == 0
            ? std::string()
            : fmt::format(", without {} of {} whose logs record none", provider->sessionsWithoutCache,
                          counted(provider->mainSessions, "session"));
    return fmt::format("Composition ({}{})",
                       answer.figure->ofProvider() ? "the provider's cache"
                       : provider != nullptr       ? "unlimited cache, estimated"
                                                   : "unlimited cache",
                       without);
}

void addComposition(Report& report, const CacheAnswer& answer) {
    const SharesOf shares = [&all = answer.overview](std::size_t row) -> const TokenShares& {
        return row == 0 ? all.tokenWeighted : all.meanPerRequest;
    };
    std::vector<Column> columns = shareColumns("", shares);
    report.addRow("composition.token_weighted", columns, 0);
    report.addRow("composition.mean_per_request", columns, 1);
    if (!answer.tiers) {
        return;
    }
    columns[0].words = [shares, least = answer.leastHitRate()](std::size_t row) {
        return leastCell(shares(row).cached, least);
    };
    columns[1].words = [shares, least = answer.leastHitRate()](std::size_t row) {
        return (least ? "\u2264 " : "") + formatShare(shares(row).newInput);
    };
    columns[2].words = [shares, least = answer.leastOutputs()](std::size_t row) {
        const std::string words = formatShare(shares(row).output);
        return !least ? words : words.starts_with('<') ? words + " recorded, may be more" : "\u2265 " + words;
    };
    const auto names = [](std::size_t row) { return row == 0 ? "token-weighted" : "mean per request"; };
    columns.insert(columns.begin(), columnAt("of", names, "Share of the tokens", Form::Text));
    report.add({}, titleOfComposition(answer), 2, std::move(columns));
}

void addLengths(Report& report, const CacheAnswer& answer) {
    const CacheOverview& all = answer.overview;
    addSummary(report, "gap_s", all.gapS);
    addSummary(report, "idle_s", all.idleS);
    addSummary(report, "held_tokens_per_session", all.held);
    report.add("read_write_ratio", on(answer.leastHitRate() ? Basis::AtLeast : Basis::Exact, all.readWrite),
               "cached tokens per new input token", Form::Ratio,
               std::isinf(all.readWrite) ? "nothing new" : "");
    report.add("in_out_ratio", quotient(all.input.sum, all.output.sum));
    report.add("in_out_ratio_mean_of_ratios", answer.caches().unlimited.inOutMeanOfRatios);
}

using NamedSummaries = std::vector<std::pair<const char*, const RealSummary*>>;

/// A row for each that is of something, for people.
void addSummaries(Report& report, const char* title, Form form, NamedSummaries all) {
    std::erase_if(all, [](const auto& one) { return one.second->n == 0; });
    std::vector<Column> columns =
        summaryColumns([all](std::size_t row) -> const RealSummary& { return *all[row].second; }, form);
    columns.insert(columns.begin(),
                   columnAt(
                       "of", [all](std::size_t row) { return all[row].first; }, "Of", Form::Text));
    report.add({}, title, all.size(), std::move(columns));
}

void addToldLengths(Report& report, const CacheAnswer& answer) {
    const CacheOverview& all = answer.overview;
    const bool tells = answer.tiers.has_value();
    NamedSummaries tokens = {{"Input of a request", &all.input}, {"Output", &all.output}};
    if (tells) {
        tokens.insert(tokens.end(), {{"New input", &all.newInput}, {"Held by a session", &all.held}});
        addSummaries(report, "Time", Form::Seconds,
                     {{"From one request of a session to the next", &all.gapS},
                      {"From an answer to the next request", &all.idleS}});
    }
    addSummaries(report, "Tokens", Form::Tokens, std::move(tokens));
}

/// [{"model", "bytes_per_token", "held_median_bytes", "source"}] at 2 bytes a value, on one GPU.
void addKvBytes(Report& report, double heldTokens) {
    const auto heldBytes = [heldTokens](std::size_t i) {
        return heldTokens > 0 ? Cell(kvBytesOf(cacheModels()[i], heldTokens)) : Cell();
    };
    report.add("kv_bytes", {}, cacheModels().size(),
               {columnAt("model", [](std::size_t i) { return cacheModels()[i].key; }),
                columnAt("bytes_per_token", [](std::size_t i) { return kvBytesPerToken(cacheModels()[i]); }),
                columnAt("held_median_bytes", heldBytes),
                columnAt("source", [](std::size_t i) { return cacheModels()[i].source; })});
}

/// [{"key", "label", "requests", ...}] of each group that was asked for; null for traces.
void addGroups(Report& report, const CacheAnswer& answer) {
    if (answer.provider() == nullptr) {
        report.add("by", Cell());
        return;
    }
    report.add("by.over", "main agents and sub-agents");
    using Row = CompositionRow;
    for (const Composition& composition : answer.by) {
        TableOf table("by." + std::string(keyOf(composition.group)), composition.rows);
        table.document("key", &Row::key)
            .document("label", &Row::label)
            .document("requests", [](const Row& row) { return row.totals.calls; })
            .document("input", [](const Row& row) { return row.totals.usage.context(); })
            .document("output", [](const Row& row) { return row.totals.usage.output; });
        for (const auto& [key, shares] : {std::pair("token_weighted.", &Row::tokenWeighted),
                                          std::pair("mean_per_request.", &Row::meanPerRequest)}) {
            const SharesOf of = [&rows = composition.rows, at = shares](
                                    std::size_t row) -> const TokenShares& { return rows[row].*at; };
            std::ranges::move(shareColumns(key, of), std::back_inserter(table->columns));
        }
        table
            .document("hit_rate",
                      [](const Row& row) {
                          const Usage& usage = row.totals.usage;
                          return usage.cacheRead + usage.cacheWrite > 0 ? Cell(row.hitRate) : Cell();
                      })
            .document("output_at_least",
                      [](const Row& row) { return row.totals.callsFinalOutput < row.totals.calls; });
        report.add(std::move(table));
    }
}

/// Counts outputs that are lower bounds; null for traces, which record lengths.
void addOutputs(Report& report, const CacheAnswer& answer) {
    const ProviderFigures* provider = answer.provider();
    if (provider == nullptr) {
        report.add("outputs", Cell());
        return;
    }
    const Below below(report, "outputs");
    below.add("calls", provider->totals.calls);
    below.add("lower_bounds", provider->outputBounds());
    below.add("at_least", answer.leastOutputs());
    below.add("in_out_ratio_at_most", answer.leastOutputs());
    below.add("mean_in_costs", provider->servedOutput);
}

void addDiagnostics(Report& report, const CacheAnswer& answer) {
    report.add(TableOf("diagnostics", answer.diagnostics)
                   .titled(answer.files() != nullptr ? "Odd in the data" : "")
                   .column("path", "File", &TraceFileDiagnostic::path, Form::Text)
                   .column("line", "Line", &TraceFileDiagnostic::line)
                   .column("what", "What", &TraceFileDiagnostic::what, Form::Text)
                   .document("loses_data", &TraceFileDiagnostic::losesData));
}

/// Caveats strongest first, then what to do where tiers or times are not known.
void addNotes(Report& report, const CacheAnswer& answer) {
    const auto hint = [&report](std::string text) {
        report.notes.push_back({std::move(text), Note::Kind::Hint});
    };
    report.addCaveat(answer.incomplete());
    for (const std::string& one : answer.notes()) {
        report.addCaveat(one);
    }
    if (!answer.tiers) {
        hint("A trace with blocks (Mooncake, kv-cache-tester, Qwen-Bailian) tells it; 'loadline simulate "
             "--workload FILE' serves lengths.");
    } else if (!answer.tiers->fit.fits()) {
        hint(fmt::format("On {}: {}. Try another node, --tp, more GPUs in --tiers, or --weight-bytes.",
                         answer.machine.node->name, needsOf(answer.tiers->fit, answer.machine.replicas)));
    } else if (answer.asked == nullptr && answer.caches().blockTokens > 0) {
        report.addCaveat(timesSentence(answer.tiers->sharing));
    }
    report.addCaveat(subAgentsCaveat(*answer.figure));
    if (answer.provider() != nullptr) {
        report.addCaveat(wordsOfMissingParents(answer.provider()->callsWithoutParent));
    }
    report.addCaveat(rebuiltBlocksCaveat(*answer.figure));
}

} // namespace

Report cacheReport(const CacheAnswer& answer, const CacheQuestion& question) {
    Report report;
    report.schema = "loadline.cache/1";
    report.headline = headlineOf(answer);
    const ProviderFigures* provider = answer.provider();
    addSource(report, answer);
    addSummary(report, "input", answer.overview.input);
    addSummary(report, "output", answer.overview.output);
    addSummary(report, "new_input", answer.overview.newInput);
    addTrace(report, answer);
    addChains(report, answer);
    addToldLengths(report, answer);
    addComposition(report, answer);
    addBlocks(report, answer, question);
    addLengths(report, answer);
    addBreaks(report, answer);
    report.add("calls_without_parent", provider == nullptr ? Cell() : Cell(provider->callsWithoutParent));
    addSplit(report, answer, question);
    addKvBytes(report, answer.figure->heldTokens().p50);
    addTiers(report, answer);
    addCosts(report, answer, question);
    addMoveOut(report, answer);
    addGroups(report, answer);
    report.add("repeats_left_out", answer.files() != nullptr ? answer.files()->repeats : 0);
    report.add("calls_left_out_of_blocks", answer.figure->requests.callsLeftOut);
    report.add(listOf("notes", answer.notes()));
    report.add("sessions_without_cache", provider == nullptr ? Cell() : Cell(provider->sessionsWithoutCache));
    report.add("hits_at_least", answer.caches().leastHits);
    addUpperEnd(report, answer, question);
    addOutputs(report, answer);
    report.add("complete", answer.incomplete().empty());
    addDiagnostics(report, answer);
    report.add("seconds", answer.seconds);
    addNotes(report, answer);
    if (!answer.figure->tellsReuse()) { // not known is not 0
        std::string_view unknown =
            "composition new_input unlimited unlimited_at_least reuse_time_within lru lru_cache_for ttl "
            "reuse_time_s "
            "first_reuse_s blocks_ever_reused blocks_referenced_once share_of_reuses_in_top10pct_blocks "
            "lru_contiguous lru_contiguous_token shared recorded working_set held_tokens_per_session "
            "read_write_ratio prefill_decode_split";
        while (!unknown.empty()) {
            report.forget(cutUpTo(unknown, ' '));
        }
    }
    return report;
}

} // namespace loadline::ask
