// The scope: the part of what was loaded that every view shows.
#include "core/workload/scope/scope.h"

#include "core/text/enum_words.h"
#include "core/workload/scope/scope_filter.h"
#include "core/workload/scope/turns.h"

#include <array>
#include <utility>

namespace loadline {
namespace {

std::vector<std::uint8_t> brushedCalls(const Corpus& corpus, const Selection& selection, TurnMethod method) {
    std::vector<std::vector<std::uint8_t>> brushedRecords(corpus.files.size());
    for (const Turn& turn : turnsInScope(corpus, selection, method)) {
        if (isBrushed(turn, selection.scope)) {
            std::vector<std::uint8_t>& records = brushedRecords[turn.file];
            if (records.size() <= turn.record) {
                records.resize(turn.record + 1);
            }
            records[turn.record] = 1;
        }
    }
    std::vector<std::uint8_t> hit(corpus.calls.size());
    for (std::size_t f = 0; f < corpus.files.size(); ++f) {
        const std::vector<std::uint8_t>& records = brushedRecords[f];
        if (records.empty()) {
            continue;
        }
        const FileInCorpus& file = corpus.files[f];
        const std::vector<std::uint32_t> turnOfCall = turnsOfCalls(*file.file, method);
        for (std::size_t i = 0; i < turnOfCall.size(); ++i) {
            const bool counts = method == TurnMethod::PerLine || file.inherited[i] == 0;
            const CallIndex call = file.calls[i];
            if (counts && turnOfCall[i] < records.size() && records[turnOfCall[i]] != 0) {
                hit[call] = selection.callIn[call];
            }
        }
    }
    return hit;
}

/// Keeps in scope the sessions with a call behind the brush: with a brush, a session is in scope through its
/// calls alone.
void keepSessionsHit(const Corpus& corpus, Selection& selection) {
    selection.sessionIn.assign(corpus.sessions.size(), 0);
    selection.sessions = 0;
    for (std::size_t i = 0; i < corpus.calls.size(); ++i) {
        if (selection.callHit[i] != 0) {
            std::uint8_t& in = selection.sessionIn[corpus.files[corpus.calls[i].file].session];
            selection.sessions += in == 0 ? 1 : 0;
            in = 1;
        }
    }
}

} // namespace

std::string_view keyOf(TurnMethod method) {
    return wordOf(method, {"per-line", "api-call", "prompt"});
}

std::optional<TurnMethod> turnMethodFromKey(std::string_view key) {
    return withKey(key, TurnMethod::Prompt);
}

Selection select(const Corpus& corpus, const Scope& scope, TurnMethod method) {
    Selection selection;
    selection.scope = scope;
    selection.sessionIn.resize(corpus.sessions.size());
    selection.callIn.resize(corpus.calls.size());
    const ScopeFilter filter(corpus, scope);
    std::vector<std::uint8_t> hasCalls(corpus.sessions.size());
    for (std::size_t i = 0; i < corpus.calls.size(); ++i) {
        const CorpusCall& call = corpus.calls[i];
        const FileInCorpus& home = corpus.files[call.file];
        hasCalls[home.session] = 1;
        if (filter.accepts(call.file, home.file->calls[call.callInFile].lane, call.firstTime, call.model)) {
            selection.callIn[i] = 1;
            selection.sessionIn[home.session] = 1;
            ++selection.calls;
        }
    }
    for (std::size_t s = 0; s < corpus.sessions.size(); ++s) {
        if (hasCalls[s] == 0 && filter.acceptsEmpty(static_cast<SessionIndex>(s))) {
            selection.sessionIn[s] = 1;
        }
        selection.sessions += selection.sessionIn[s];
    }
    selection.callHit =
        scope.turnInput || scope.turnOutput ? brushedCalls(corpus, selection, method) : selection.callIn;
    for (const std::uint8_t hit : selection.callHit) {
        selection.callsHit += hit;
    }
    if (selection.callsHit < selection.calls) {
        keepSessionsHit(corpus, selection);
    }
    return selection;
}

UsageTotals progressOnlyIn(const Corpus& corpus, const Scope& scope) {
    UsageTotals totals;
    if (scope.turnInput || scope.turnOutput) {
        return totals;
    }
    const ScopeFilter filter(corpus, scope);
    for (const CorpusCall& call : corpus.progressOnly) {
        const ApiCall& recorded = corpus.files[call.file].file->progressCalls[call.callInFile];
        if (filter.accepts(call.file, recorded.lane, call.firstTime, call.model)) {
            totals.add(call.usage, call.quality, call.contentCharacters / 4, call.cost);
        }
    }
    return totals;
}

} // namespace loadline
