// From a request to its drawing.
#include "app/chart/chart_request.h"

#include "app/asked/asked.h"
#include "app/cache/cache_shown.h"
#include "app/chart/session_chart.h"
#include "app/chart/simulation_chart.h"
#include "app/simulation/simulation_bench.h"
#include "app/study/study_sources.h"
#include "core/session/corpus/losses.h"

#include <algorithm>

namespace loadline::app {

bool needsCorpus(const ChartRequest& request) {
    const ChartSpec& chart = *request.chart;
    return chart.subject == ChartSubject::Sessions || (chart.asks != nullptr && readsSessions(*chart.asks)) ||
           (chart.subject == ChartSubject::Cache && request.asked.cache.shownTrace().empty()) ||
           (chart.subject == ChartSubject::Simulation &&
            speaksOfOpen(request.simulation, chart.compares ? request.against : std::nullopt));
}

Error stoppedError() {
    return {"stopped", "", ""};
}

ChartDrawing drawingFor(const ChartRequest& request, std::shared_ptr<const Corpus> corpus,
                        ChartMemory* memory) {
    const ChartSpec& chart = *request.chart;
    if (!needsCorpus(request)) {
        return chart.study ? simulationDrawing(request, nullptr, memory)
                           : chart.draw(request, nullptr, memory);
    }
    if (!corpus) {
        return Error{"no sessions are open", "", "a folder of sessions"};
    }
    const Result<Scope> scope = withKeys(request.scope, *corpus);
    if (!scope) {
        return scope.error();
    }
    const auto scoped = std::make_shared<const ScopedCorpus>(
        scopedCorpus(std::move(corpus), *scope, request.asked.sessions.distribution.method));
    if (scoped->selection.calls == 0 && scoped->selection.sessions == 0) {
        return Error{"there is nothing in scope to draw", scoped->description,
                     "fewer restrictions, or other paths"};
    }
    if (!chart.study) {
        return chart.draw(request, scoped, memory);
    }
    ChartRequest resolved = request;
    if (resolved.against && resolved.against->workload.scope) {
        Scope& other = *resolved.against->workload.scope;
        Result<Scope> keys = withKeys(other, *scoped->corpus);
        if (!keys) {
            return keys.error();
        }
        other = std::move(*keys);
    }
    return simulationDrawing(resolved, scoped, memory);
}

std::string incompleteFor(std::span<const ChartRequest> requests, const ChartMemory& memory,
                          const std::shared_ptr<const Corpus>& corpus) {
    if (corpus && std::ranges::any_of(requests, needsCorpus) && !isComplete(*corpus)) {
        return incompleteSentence(*corpus);
    }
    for (const auto& answer : memory.answers) {
        const SimulationQuestion& question = answer->question;
        if (question.sources && question.sources->sources.workload) {
            if (const std::string& sentence = question.sources->sources.workload->incomplete;
                !sentence.empty()) {
                return sentence;
            }
        }
    }
    const bool trace = memory.cache && memory.cache->figure && memory.cache->figure->requests.files;
    return trace ? incompleteSentence(*memory.cache->figure->requests.files) : "";
}

std::string captionFor(const ChartRequest& request, const std::shared_ptr<const Corpus>& corpus) {
    return request.chart->caption(request, corpus);
}

} // namespace loadline::app
