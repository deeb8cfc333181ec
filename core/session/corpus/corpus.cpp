// All files read together: each API call once, files grouped into sessions and projects.
#include "core/session/corpus/corpus.h"

#include "core/session/corpus/call_origin.h"
#include "core/session/corpus/continued_prompts.h"
#include "core/session/corpus/group_sessions.h"
#include "core/session/corpus/merge_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

namespace loadline {
namespace {

Tokens contentEstimate(std::uint32_t characters) {
    return characters / 4;
}

void add(UsageTotals& totals, const CorpusCall& call) {
    totals.add(call.usage, call.quality, contentEstimate(call.contentCharacters), call.cost);
}

CallCost costOf(const Corpus& corpus, ModelIndex model, const Usage& usage) {
    const bool ownPrice = usage.fast && corpus.fastPrices[model];
    const std::optional<ModelPrices>& prices = ownPrice ? corpus.fastPrices[model] : corpus.prices[model];
    return prices ? CallCost{costUsd(*prices, usage), usage.fast && !ownPrice} : unpriced;
}

void price(Corpus& corpus, const PriceList& list) {
    corpus.pricesSource = list.source;
    for (const std::string& model : corpus.models) {
        const ModelPrices* const found = pricesOf(list, model);
        corpus.prices.push_back(found != nullptr ? std::optional(*found) : std::nullopt);
        const ModelPrices* const fast = pricesOf(list, model + std::string(fastSuffix));
        corpus.fastPrices.push_back(fast != nullptr ? std::optional(*fast) : std::nullopt);
    }
    for (auto* calls : {&corpus.calls, &corpus.progressOnly}) {
        for (CorpusCall& call : *calls) {
            call.cost = costOf(corpus, call.model, call.usage);
        }
    }
}

/// Totals and models of a session; `seenBy` tells the last session that counted a call.
void countCalls(Corpus& corpus, SessionIndex index, std::vector<SessionIndex>& seenBy) {
    Session& session = corpus.sessions[index];
    std::map<ModelIndex, std::uint64_t> callsByModel;
    for (const FileIndex file : session.files) {
        for (const CallIndex callIndex : corpus.files[file].calls) {
            if (std::exchange(seenBy[callIndex], index) == index) {
                continue;
            }
            const CorpusCall& call = corpus.calls[callIndex];
            add(session.totals, call);
            ++callsByModel[call.model];
            if (corpus.files[call.file].session == index) {
                add(session.ownTotals, call);
            } else {
                add(session.inherited, call);
                ++session.inheritedCalls;
            }
        }
    }
    std::vector<std::pair<ModelIndex, std::uint64_t>> models(callsByModel.begin(), callsByModel.end());
    std::ranges::stable_sort(models, [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [model, calls] : models) {
        session.models.push_back(model);
    }
}

PathDiagnostic ambiguity(const Corpus& corpus, const SharedBlock& block) {
    const SessionFile& home = *corpus.files[block.origin].file;
    std::string detail = "also in " + corpus.files[block.files[1]].file->path;
    if (block.files.size() > 2) {
        detail += fmt::format(" and {} more", block.files.size() - 2);
    }
    return {home.path,
            {.kind = DiagnosticKind::AmbiguousOrigin,
             .line = home.calls[block.firstCallInOrigin].place.line,
             .count = block.calls,
             .detail = std::move(detail)}};
}

bool inSeveralSessions(const Corpus& corpus, const SharedBlock& block) {
    return std::ranges::any_of(block.files, [&](FileIndex file) {
        return corpus.files[file].session != corpus.files[block.files.front()].session;
    });
}

} // namespace

Corpus buildCorpus(SessionFiles files, const PriceList& prices) {
    Corpus corpus;
    corpus.diagnostics = std::move(files.diagnostics);
    corpus.notRead = std::move(files.notRead);
    corpus.bytes = files.bytes;
    corpus.complete = files.complete;

    std::ranges::stable_sort(files.files, {},
                             [](const auto& file) -> const std::string& { return file->path; });
    MergedCalls merged = mergeCalls(files.files);
    corpus.calls = std::move(merged.calls);
    corpus.progressOnly = std::move(merged.progressOnly);
    corpus.models = std::move(merged.models);
    price(corpus, prices);
    for (std::size_t f = 0; f < files.files.size(); ++f) {
        FileInCorpus& file = corpus.files.emplace_back();
        file.file = std::move(files.files[f]);
        file.calls = std::move(merged.ofFile[f]);
    }

    corpus.sessions = groupSessions(corpus.files);
    for (std::size_t s = 0; s < corpus.sessions.size(); ++s) {
        for (const FileIndex file : corpus.sessions[s].files) {
            corpus.files[file].session = static_cast<SessionIndex>(s);
        }
    }
    for (const SharedBlock& block : nameOrigins(corpus)) {
        if (block.ambiguous && inSeveralSessions(corpus, block)) {
            corpus.diagnostics.push_back(ambiguity(corpus, block));
        }
    }
    markContinuedPrompts(corpus);
    std::vector<SessionIndex> seenBy(corpus.calls.size(), std::numeric_limits<SessionIndex>::max());
    for (std::size_t s = 0; s < corpus.sessions.size(); ++s) {
        countCalls(corpus, static_cast<SessionIndex>(s), seenBy);
    }
    return corpus;
}

UsageTotals totalsOf(std::span<const CorpusCall> calls) {
    UsageTotals totals;
    for (const CorpusCall& call : calls) {
        add(totals, call);
    }
    return totals;
}

std::map<std::string, UsageTotals> totalsByModel(const Corpus& corpus) {
    std::vector<UsageTotals> byIndex(corpus.models.size());
    for (const CorpusCall& call : corpus.calls) {
        add(byIndex[call.model], call);
    }
    std::map<std::string, UsageTotals> byModel;
    for (std::size_t m = 0; m < byIndex.size(); ++m) {
        if (byIndex[m].calls > 0) { // models of progress calls alone have none
            byModel.emplace(corpus.models[m], byIndex[m]);
        }
    }
    return byModel;
}

std::map<std::string, UsageTotals> totalsByUtcDay(const Corpus& corpus) {
    std::unordered_map<std::int64_t, UsageTotals> byNumber;
    std::map<std::string, UsageTotals> byDay;
    for (const CorpusCall& call : corpus.calls) {
        add(isKnown(call.firstTime) ? byNumber[utcDayNumber(call.firstTime)] : byDay[""], call);
    }
    for (const auto& [number, totals] : byNumber) {
        byDay.emplace(utcDay(TimeMs{number * 86'400'000}), totals);
    }
    return byDay;
}

UsageTotals totalsOfFile(const Corpus& corpus, const FileInCorpus& file) {
    UsageTotals totals;
    for (std::size_t i = 0; i < file.calls.size(); ++i) {
        const ApiCall& call = file.file->calls[i];
        Usage usage = call.usage;
        usage.cacheUntold = corpus.calls[file.calls[i]].usage.cacheUntold;
        totals.add(usage, call.quality, contentEstimate(call.contentCharacters),
                   costOf(corpus, corpus.calls[file.calls[i]].model, call.usage));
    }
    return totals;
}

} // namespace loadline
