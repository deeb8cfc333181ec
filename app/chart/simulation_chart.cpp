// Charts of simulations for exports: the same answers as in the window, refined.
#include "app/chart/simulation_chart.h"

#include "app/options/simulation_words.h"
#include "core/simulate/answer/remarks.h"
#include "ui/chart/simulation/batch_drawing.h"
#include "ui/chart/simulation/study_drawing.h"

#include <QObject>
#include <fmt/format.h>

namespace loadline::app {
namespace {

Page pageOf(ChartKind kind) {
    switch (kind) {
    case ChartKind::Crossover:
        return Page::Crossover;
    case ChartKind::WhatPays:
        return Page::WhatPays;
    case ChartKind::Batch:
    case ChartKind::BatchStep:
        return Page::Batch;
    case ChartKind::StudyUsers:
    case ChartKind::StudyTurn:
        return Page::Published;
    default:
        return Page::Simulator;
    }
}

std::shared_ptr<const ui::Drawing> drawn(const ChartRequest& wanted, const SimulationShown& shown,
                                         const Simulated& against) {
    using ui::SimulationChart;
    const auto chart = [&](SimulationChart which) {
        return ui::drawingOf(which, shown.simulator, {}, pinnedFigure(shown, against));
    };
    switch (wanted.kind) {
    case ChartKind::Crossover:
        return ui::drawingOf(curvesOf(shown), {}, pinnedCurves(shown, against));
    case ChartKind::WhatPays:
        return ui::drawingOf(shown.whatPays);
    case ChartKind::KernelTimes:
        return ui::kernelCurvesOf(shown.simulator);
    case ChartKind::Batch:
        return ui::drawingOf(ui::BatchView{shown.batch, wanted.batchStep});
    case ChartKind::BatchStep:
        return ui::stepDrawingOf({shown.batch, wanted.batchStep});
    case ChartKind::StudyUsers:
        return ui::usersDrawingOf(shown.study);
    case ChartKind::StudyTurn:
        return ui::turnDrawingOf(shown.study);
    case ChartKind::SimulatorRows:
        return chart(SimulationChart::Rows);
    case ChartKind::KernelShare:
        return chart(SimulationChart::Kernels);
    case ChartKind::SimulatorDecode:
        return chart(SimulationChart::Decode);
    case ChartKind::SimulatorLatency:
        return chart(SimulationChart::Latency);
    case ChartKind::SimulatorMap:
        return chart(SimulationChart::Map);
    default:
        return chart(SimulationChart::Users);
    }
}

Simulated answerOf(ChartKind kind, const SimulationRequest& request, const Scoped& scoped,
                   SimulationMemory* memory) {
    const Page page = pageOf(kind);
    if (memory != nullptr) {
        for (const Simulated& answer : memory->answers) {
            const bool same = request.workload != openWorkload || answer->question.sources->open == scoped;
            if (answer->question.page == page && answer->question.request == request && same) {
                return answer;
            }
        }
    }
    SimulationQuestion question{page, request, nullptr};
    question.sources = std::make_shared<const SourcesShown>(sourcesOf(namesOf(request), scoped, nullptr, {}));
    SimulationShown shown = simulated(question, FigureStage::Refined, nullptr, {});
    if (kind == ChartKind::Crossover && !shown.error) {
        shown = withOtherScope(std::move(shown), {});
    }
    auto answer = std::make_shared<const SimulationShown>(std::move(shown));
    if (memory != nullptr) {
        memory->answers.push_back(answer);
    }
    return answer;
}

QString textOr(const std::string& text, const char* otherwise) {
    return text.empty() ? QString::fromLatin1(otherwise) : QString::fromStdString(text);
}

} // namespace

Result<std::shared_ptr<const ui::Drawing>> simulationDrawing(const ChartRequest& request,
                                                             const Scoped& scoped, SimulationMemory* memory) {
    const Simulated shown = answerOf(request.kind, request.simulation, scoped, memory);
    if (shown->error) {
        return *shown->error;
    }
    Simulated against;
    if (request.against && compares(request.kind)) {
        Scoped other = scoped;
        if (request.againstScope && scoped) {
            other = std::make_shared<const ScopedCorpus>(
                scopedCorpus(scoped->corpus, *request.againstScope, request.distribution.method));
        }
        against = answerOf(request.kind, *request.against, other, memory);
        if (against->error) {
            return *against->error;
        }
    }
    return drawn(request, *shown, against);
}

std::string simulationCaption(const ChartRequest& request) {
    const SimulationRequest& now = request.simulation;
    if (pageOf(request.kind) == Page::Published) {
        return fmt::format("printed: {}; kernel times {}", studySource, now.profile);
    }
    std::string text =
        fmt::format("workload {}; {}; {} users; shapes {}, k = {}; kernel times {}", now.workload,
                    nameOf(now.policy.policy), now.arrivals.users, now.shapes, now.kBits, now.profile);
    if (request.against && compares(request.kind)) {
        std::vector<ChoiceDifference> differences = differencesOf(now, *request.against);
        if (request.againstScope) {
            differences.insert(differences.begin(), {"sessions", "", "others"});
        }
        text += "; against " + pinnedNameOf(differences);
    }
    return text;
}

std::vector<ChoiceDifference> differencesOf(const SimulationShown& now, const SimulationShown& pinned) {
    auto differences = differencesOf(now.question.request, pinned.question.request);
    const Scoped& here = now.question.sources->open;
    const Scoped& there = pinned.question.sources->open;
    if (here && there && !(here->scope == there->scope)) {
        differences.insert(differences.begin(), {"sessions:", here->description, there->description});
    }
    return differences;
}

ui::PinnedFigure pinnedFigure(const SimulationShown& now, const Simulated& pinned) {
    if (!pinned || !pinned->simulator) {
        return {};
    }
    const auto differences = differencesOf(now, *pinned);
    return {pinned->simulator, textOr(nowNameOf(differences), "now"),
            QObject::tr("pinned: %1").arg(textOr(pinnedNameOf(differences), "the same"))};
}

ui::CrossoverCurves curvesOf(const SimulationShown& shown) {
    const SimulationRequest& request = shown.question.request;
    std::string remarks;
    for (const std::string& remark : remarksOf(inputsOf(request, shown.question.sources->sources))) {
        remarks += (remarks.empty() ? "" : " ") + remark;
    }
    return {shown.sweep,
            shown.crossovers,
            shown.otherSweep,
            shown.otherCrossovers,
            QString::fromStdString(shown.otherWhyNot),
            request.kBits,
            request.arrivals.users,
            {},
            QString::fromStdString(remarks)};
}

ui::CrossoverCurves pinnedCurves(const SimulationShown& now, const Simulated& pinned) {
    if (!pinned || !pinned->sweep) {
        return {};
    }
    ui::CrossoverCurves curves = curvesOf(*pinned);
    const auto differences = differencesOf(now, *pinned);
    curves.name = QObject::tr("pinned: %1").arg(textOr(pinnedNameOf(differences), "the same"));
    return curves;
}

} // namespace loadline::app
