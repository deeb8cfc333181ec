// From a request to its drawing.
#include "app/chart/chart_request.h"

#include "app/chart/kernels_chart.h"
#include "app/chart/simulation_chart.h"
#include "app/figures.h"
#include "ui/chart/self_check/self_check_drawings.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace loadline::app {
namespace {

struct KindWords {
    ChartKind kind{};
    std::string_view key;
    std::string_view description;
};

constexpr KindWords kindWords[] = {
    {ChartKind::Distributions, "distributions", "input and output tokens per turn, as histograms"},
    {ChartKind::Timeline, "timeline", "one session over time: agents, tools, context, pauses"},
    {ChartKind::Composition, "composition",
     "cache read, cache write, uncached input and output by session, day, model or project"},
    {ChartKind::SimulatorUsers, "simulator-users", "simulated time against fp16 over users"},
    {ChartKind::SimulatorRows, "simulator-rows", "how often a simulated step has M rows, by kernel"},
    {ChartKind::KernelShare, "kernel-share", "which kernels take the simulated time"},
    {ChartKind::SimulatorDecode, "simulator-decode", "share of simulated steps that only decode, over users"},
    {ChartKind::SimulatorLatency, "simulator-latency", "simulated throughput, TTFT and TPOT over users"},
    {ChartKind::SimulatorMap, "simulator-map", "simulated time against fp16 over users and chunk sizes"},
    {ChartKind::Crossover, "crossover", "from how many users on quantised kernels lose, for each k"},
    {ChartKind::WhatPays, "what-pays", "what making a kernel faster would buy"},
    {ChartKind::KernelTimes, "kernel-times", "time of each kernel over the rows M of a step"},
    {ChartKind::Batch, "batch", "simulated steps: rows, who runs, who waits, KV blocks, preemptions"},
    {ChartKind::BatchStep, "batch-step", "one simulated step: its requests and kernels (--at-step)"},
    {ChartKind::StudyUsers, "study-users", "the published study's table over users, printed and simulated"},
    {ChartKind::StudyTurn, "study-turn", "the published study's single user, printed and simulated"},
    {ChartKind::SelfCheckTtft, "self-check-ttft",
     "time to first token of a recorded run, predicted over recorded"},
    {ChartKind::SelfCheckTpot, "self-check-tpot", "time per output token of a recorded run, the same"},
    {ChartKind::SelfCheckE2e, "self-check-e2e", "end-to-end time of a recorded run, the same"},
    {ChartKind::SelfCheckErrors, "self-check-errors", "errors of a recorded run's replay beside the peer's"},
    {ChartKind::Kernels, "kernels", "timings of a profile's kernels over M, for one shape"},
    {ChartKind::KernelsCeiling, "kernels-ceiling", "how much of the device's rates they reach"},
    {ChartKind::KernelsAttention, "kernels-attention", "timings of a profile's attention over tokens"},
};
static_assert(std::size(kindWords) == std::size(chartKinds));

const KindWords& wordsOf(ChartKind kind) {
    return kindWords[static_cast<std::size_t>(kind)];
}

/// Rank of how well a name fits a session; 0: not at all.
int fit(const Session& session, const std::string& name) {
    if (session.key == name) {
        return 3;
    }
    if (session.sessionId == name) {
        return 2;
    }
    return session.sessionId.starts_with(name) || session.key.starts_with(name) ? 1 : 0;
}

/// The requests' names of sessions as keys.
Result<Scope> withKeys(const Scope& scope, const Corpus& corpus) {
    Scope result = scope;
    for (std::string& name : result.sessions) {
        Result<std::string> key = sessionKey(corpus, name);
        if (!key) {
            return key.error();
        }
        name = *key;
    }
    return result;
}

/// The session that a timeline of the request shows.
Result<SessionIndex> sessionOf(const ChartRequest& request, const ScopedCorpus& scoped) {
    std::string key = request.session;
    if (!key.empty()) {
        Result<std::string> found = sessionKey(*scoped.corpus, key);
        if (!found) {
            return found.error();
        }
        key = *found;
    }
    const std::optional<SessionIndex> index = sessionShown(scoped, key);
    if (!index || (!key.empty() && scoped.corpus->sessions[*index].key != key)) {
        return Error{"the session is not in scope", request.session, "fewer restrictions"};
    }
    return *index;
}

Result<std::shared_ptr<const ui::Drawing>> timelineFor(const ChartRequest& request, const Scoped& scoped) {
    const Result<SessionIndex> session = sessionOf(request, *scoped);
    if (!session) {
        return session.error();
    }
    auto timeline =
        std::make_shared<const Timeline>(loadline::timelineOf(*scoped->corpus, scoped->selection, *session));
    return std::shared_ptr<const ui::Drawing>(
        ui::drawingOf(std::move(timeline), scoped->corpus, request.timeline));
}

/// "2026-01-20", "2026-01-20 to 2026-02-03" or, without times, "".
std::string daysOf(TimeMs first, TimeMs last) {
    return utcDay(first) == utcDay(last) ? utcDay(first)
                                         : fmt::format("{} to {}", utcDay(first), utcDay(last));
}

/// Days of the calls in scope.
std::string daysOf(const ScopedCorpus& scoped) {
    TimeMs first = unknownTime;
    TimeMs last = unknownTime;
    for (std::size_t i = 0; i < scoped.corpus->calls.size(); ++i) {
        const CorpusCall& call = scoped.corpus->calls[i];
        if (scoped.selection.callIn[i] != 0 && isKnown(call.firstTime)) {
            first = isKnown(first) ? std::min(first, call.firstTime) : call.firstTime;
            last = std::max(last, call.lastTime); // unknownTime is the smallest
        }
    }
    return daysOf(first, last);
}

Result<std::shared_ptr<const ui::Drawing>> selfCheckDrawing(const ChartRequest& request) {
    if (request.selfCheck.run.empty()) {
        return Error{"there is no recorded run to check", "", "--run RUN_DIR"};
    }
    const SelfCheckShown shown = selfCheckOf(request.selfCheck, {});
    if (shown.error) {
        return *shown.error;
    }
    const auto place =
        static_cast<std::size_t>(request.kind) - static_cast<std::size_t>(ChartKind::SelfCheckTtft);
    return std::shared_ptr<const ui::Drawing>(ui::drawingOf(ui::selfCheckCharts[place], shown.figure));
}

std::string selfCheckCaption(const SelfCheckChoice& choice) {
    const std::filesystem::path run(choice.run);
    std::string text =
        "recorded run " + (run.has_filename() ? run.filename() : run.parent_path().filename()).string();
    text += choice.prompts.empty() ? "" : ", prompts known";
    return choice.kvBlocks ? text + fmt::format(", {} KV blocks", *choice.kvBlocks) : text;
}

} // namespace

std::string keyOf(ChartKind kind) {
    return std::string(wordsOf(kind).key);
}

std::string describe(ChartKind kind) {
    return std::string(wordsOf(kind).description);
}

bool needsCorpus(const ChartRequest& request) {
    if (checksItself(request.kind) || showsKernels(request.kind)) {
        return false;
    }
    return !simulates(request.kind) || request.simulation.workload == openWorkload ||
           (compares(request.kind) && request.against && request.against->workload == openWorkload);
}

Result<std::string> sessionKey(const Corpus& corpus, const std::string& name) {
    int best = 0;
    std::vector<const Session*> found;
    for (const Session& session : corpus.sessions) {
        const int rank = fit(session, name);
        if (rank > best) {
            found.clear();
            best = rank;
        }
        if (rank > 0 && rank == best) {
            found.push_back(&session);
        }
    }
    if (found.empty()) {
        return Error{"no session has this id", name, "'loadline sessions' lists the ids"};
    }
    if (found.size() > 1) {
        return Error{fmt::format("{} sessions have an id that begins so", found.size()), name,
                     "more of the id; 'loadline sessions' lists them"};
    }
    return found.front()->key;
}

Result<std::shared_ptr<const ui::Drawing>>
drawingFor(const ChartRequest& request, std::shared_ptr<const Corpus> corpus, SimulationMemory* memory) {
    if (checksItself(request.kind)) {
        return selfCheckDrawing(request);
    }
    if (showsKernels(request.kind)) {
        return kernelsDrawing(request);
    }
    if (!needsCorpus(request)) {
        return simulationDrawing(request, nullptr, memory);
    }
    if (!corpus) {
        return Error{"no sessions are open", "", "a folder of sessions"};
    }
    const Result<Scope> scope = withKeys(request.scope, *corpus);
    if (!scope) {
        return scope.error();
    }
    const auto scoped = std::make_shared<const ScopedCorpus>(
        scopedCorpus(std::move(corpus), *scope, request.distribution.method));
    if (scoped->selection.calls == 0 && scoped->selection.sessions == 0) {
        return Error{"there is nothing in scope to draw", scoped->description,
                     "fewer restrictions, or other paths"};
    }
    if (simulates(request.kind)) {
        ChartRequest resolved = request;
        if (request.againstScope) {
            const Result<Scope> other = withKeys(*request.againstScope, *scoped->corpus);
            if (!other) {
                return other.error();
            }
            resolved.againstScope = *other;
        }
        return simulationDrawing(resolved, scoped, memory);
    }
    switch (request.kind) {
    case ChartKind::Distributions:
        return distributionOf(scoped, request.distribution).drawing;
    case ChartKind::Timeline:
        return timelineFor(request, scoped);
    default:
        break;
    }
    return compositionOf(scoped, request.group, request.composition).drawing;
}

std::string captionFor(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus) {
    if (checksItself(request.kind)) {
        return selfCheckCaption(request.selfCheck);
    }
    if (showsKernels(request.kind)) {
        return kernelsCaption(request);
    }
    if (simulates(request.kind)) {
        return simulationCaption(request);
    }
    const Result<Scope> scope = withKeys(request.scope, *corpus);
    const ScopedCorpus scoped =
        scopedCorpus(corpus, scope ? *scope : request.scope, request.distribution.method);
    std::string text = scoped.description;
    std::string days = daysOf(scoped);
    if (request.kind == ChartKind::Timeline) {
        if (const Result<SessionIndex> index = sessionOf(request, scoped)) {
            const Session& session = corpus->sessions[*index];
            text = fmt::format("session {} of {}", session.sessionId, session.project);
            days = daysOf(session.firstTime, session.lastTime);
        }
    }
    text += days.empty() ? "" : ", " + days;
    return request.paths.empty() ? text + " (made-up sample)" : text;
}

} // namespace loadline::app
