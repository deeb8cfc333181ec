// Charts of simulations for exports: the same answers as in the window, refined.
#include "app/chart/simulation_chart.h"

#include "app/chart/simulation_caption.h"
#include "app/options/simulation_words.h"
#include "core/simulate/request/simulation_fields.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/study/remarks.h"
#include "ui/chart/simulation/batch_drawing.h"
#include "ui/chart/simulation/study_drawing.h"
#include "ui/theme/theme.h"

#include <QObject>
#include <fmt/format.h>

#include <algorithm>

namespace loadline::app {
namespace {

Simulated answerOf(const Study& study, const SimulationRequest& request, const Scoped& scoped,
                   ChartMemory* memory) {
    if (memory != nullptr) {
        for (const Simulated& answer : memory->answers) {
            const auto& [asked, with, sources] = answer->question;
            if (asked == &study && with == request &&
                sourcesKey(with, sources->open) == sourcesKey(request, scoped)) {
                return answer;
            }
        }
    }
    SimulationQuestion question{&study, request, nullptr};
    question.sources = std::make_shared<const SourcesShown>(sourcesOf(namesOf(request), scoped, nullptr, {}));
    Reused reused;
    reused.schedules =
        memory != nullptr && memory->schedules ? memory->schedules : std::make_shared<ScheduleMemo>();
    const std::stop_token stop = memory != nullptr ? memory->stop : std::stop_token();
    SimulationShown shown = simulated(question, FigureStage::Refined, reused, stop);
    if (study.hasOtherScope && !shown.error) {
        shown = withOtherScope(std::move(shown), reused, stop);
    }
    if (stop.stop_requested()) {
        shown.error = stoppedError();
    }
    auto answer = std::make_shared<const SimulationShown>(std::move(shown));
    if (memory != nullptr) {
        memory->schedules = reused.schedules;
        memory->answers.push_back(answer);
    }
    return answer;
}

QString textOr(const std::string& text, const char* otherwise) {
    return text.empty() ? QString::fromLatin1(otherwise) : QString::fromStdString(text);
}

std::string studyCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& /*none*/) {
    return fmt::format("printed: {}; kernel times {}", studySource, request.simulation.profile);
}

/// What is set now and was not when the answer was computed.
ui::SetByHand handOf(const PlotQuestion& q) {
    const SimulationRequest& then = q.shown.question.request;
    ui::SetByHand hand;
    if (q.now.arrivals.kind == ArrivalKind::Closed && q.now.arrivals.users != then.arrivals.users) {
        hand.load = static_cast<double>(q.now.arrivals.users);
    } else if (q.now.arrivals.kind == ArrivalKind::Poisson &&
               q.now.arrivals.ratePerS != then.arrivals.ratePerS) {
        hand.load = q.now.arrivals.ratePerS;
    }
    hand.load = q.now.arrivals.kind == then.arrivals.kind ? hand.load : std::nullopt;
    if (q.now.policy.chunkTokens != then.policy.chunkTokens) {
        hand.chunkTokens = q.now.policy.chunkTokens;
    }
    if (q.now.timeScale != then.timeScale) {
        hand.timeScale = q.now.timeScale;
    }
    return hand;
}

template <ui::SimulationChart chart>
Plot plotSetting(const PlotQuestion& q) {
    return ui::drawingOf(chart, q.shown.simulator, q.held, pinnedFigure(q.shown, q.pinned), handOf(q));
}

template <ui::SimulationChart chart>
ChartSpec settingChart(std::string_view key, std::string_view description) {
    return {.key = key,
            .description = description,
            .subject = ChartSubject::Simulation,
            .caption = simulationCaption,
            .study = &settingStudy,
            .plot = plotSetting<chart>,
            .title = [] { return ui::titleOf(chart); },
            .followsHand = chart != ui::SimulationChart::Rows && chart != ui::SimulationChart::Kernels,
            .compares = true,
            .leastHeight = chart == ui::SimulationChart::Latency ? 32 * ui::spacing : 0, // it has four panels
            .variesLoad = chart == ui::SimulationChart::Users || chart == ui::SimulationChart::Decode ||
                          chart == ui::SimulationChart::Map};
}

ui::BatchView batchView(const PlotQuestion& q) {
    return {q.shown.figure.as<BatchRecording>(), q.choices[choices::batchStep]};
}

} // namespace

namespace choices {

const Choice<std::int64_t> batchStep =
    numberChoice({.option = "--at-step", .help = "batch, batch-step: the step that is looked at (0)"},
                 std::int64_t{0}, {0, limits::mostCount});

} // namespace choices

namespace charts {

using ui::SimulationChart;

const ChartSpec simulatorUsers =
    settingChart<SimulationChart::Users>("simulator-users", "simulated time against fp16 over users");
const ChartSpec simulatorRows = settingChart<SimulationChart::Rows>(
    "simulator-rows", "how often a simulated step has M rows, by kernel; a row is a sequence "
                      "that decodes or a prompt token that is computed");
const ChartSpec kernelShare =
    settingChart<SimulationChart::Kernels>("kernel-share", "which kernels take the simulated time");
const ChartSpec decodeShare = settingChart<SimulationChart::Decode>(
    "simulator-decode", "share of simulated steps that only decode, over users");
const ChartSpec latency = settingChart<SimulationChart::Latency>(
    "simulator-latency", "simulated throughput, TTFT and TPOT over users");
const ChartSpec simulatorMap = settingChart<SimulationChart::Map>(
    "simulator-map", "simulated time against fp16 over users and chunk sizes");
const ChartSpec crossover{.key = "crossover",
                          .description = "from how many users on quantised kernels lose, for each k",
                          .subject = ChartSubject::Simulation,
                          .caption = simulationCaption,
                          .study = &crossoverStudy,
                          .plot =
                              [](const PlotQuestion& q) {
                                  ui::CrossoverCurves curves = curvesOf(q.shown);
                                  curves.users = q.now.arrivals.users;
                                  return ui::drawingOf(std::move(curves), q.held,
                                                       pinnedCurves(q.shown, q.pinned));
                              },
                          .title = [] { return QObject::tr("Against fp16, and where it passes 1"); },
                          .followsHand = true,
                          .compares = true};
const ChartSpec whatPays{
    .key = "what-pays",
    .description = "what making a kernel faster would buy",
    .subject = ChartSubject::Simulation,
    .caption = simulationCaption,
    .study = &paysStudy,
    .plot = [](const PlotQuestion& q) { return ui::drawingOf(q.shown.figure.as<WhatPays>()); },
    .title = [] { return QObject::tr("What a faster kernel buys"); }};
const ChartSpec kernelTimes{
    .key = "kernel-times",
    .description = "time of each kernel over the rows M of a step; a row is a sequence that decodes or a "
                   "prompt token that is computed",
    .subject = ChartSubject::Simulation,
    .caption = simulationCaption,
    .study = &settingStudy,
    .plot = [](const PlotQuestion& q) { return ui::kernelCurvesOf(q.shown.simulator, q.held, handOf(q)); },
    .title = [] { return QObject::tr("Kernel times: drag a curve up or down"); },
    .followsHand = true};
const ChartSpec batch{.key = "batch",
                      .description = "simulated steps: rows, who runs, who waits, KV blocks, preemptions",
                      .subject = ChartSubject::Simulation,
                      .caption = simulationCaption,
                      .choices = {&choices::batchStep.spec},
                      .study = &batchStudy,
                      .plot = [](const PlotQuestion& q) { return ui::drawingOf(batchView(q)); },
                      .title = [] { return QObject::tr("Steps: drag to scrub"); }};
const ChartSpec batchStep{.key = "batch-step",
                          .description = "one simulated step: its requests and kernels (--at-step)",
                          .subject = ChartSubject::Simulation,
                          .caption = simulationCaption,
                          .choices = {&choices::batchStep.spec},
                          .study = &batchStudy,
                          .plot = [](const PlotQuestion& q) { return ui::stepDrawingOf(batchView(q)); }};
const ChartSpec studyUsers{
    .key = "study-users",
    .description = "the published study's table over users, printed and simulated",
    .subject = ChartSubject::Simulation,
    .caption = studyCaption,
    .study = &publishedStudy,
    .plot = [](const PlotQuestion& q) { return ui::usersDrawingOf(q.shown.figure.as<StudyTables>()); },
    .title = [] { return QObject::tr("Printed, and simulated"); },
    .hasOwnTimes = true};
const ChartSpec studyTurn{
    .key = "study-turn",
    .description = "the published study's single user, printed and simulated",
    .subject = ChartSubject::Simulation,
    .caption = studyCaption,
    .study = &publishedStudy,
    .plot = [](const PlotQuestion& q) { return ui::turnDrawingOf(q.shown.figure.as<StudyTables>()); },
    .title = [] { return QObject::tr("A single user's turn"); },
    .hasOwnTimes = true};

} // namespace charts

ChartDrawing simulationDrawing(const ChartRequest& request, const Scoped& scoped, ChartMemory* memory) {
    const Simulated shown = answerOf(*request.chart->study, request.simulation, scoped, memory);
    if (shown->error) {
        return *shown->error;
    }
    Simulated against;
    if (request.against && request.chart->compares) {
        against = answerOf(*request.chart->study->pinnedAs, *request.against, scoped, memory);
        if (against->error) {
            return *against->error;
        }
    }
    return std::shared_ptr<const ui::Drawing>(
        request.chart->plot({*shown, against, ui::PlotExtents(), request.choices, shown->question.request}));
}

ChartRequest writtenDown(ChartRequest request, const ChartMemory& memory) {
    const auto write = [&](SimulationRequest& asked) {
        const auto found = std::ranges::find_if(
            memory.answers, [&](const Simulated& answer) { return answer->question.request == asked; });
        if (found != memory.answers.end() && !(*found)->error) {
            asked = resolved(asked, inputsOf(asked, (*found)->question.sources->sources));
        }
    };
    write(request.simulation);
    if (request.against) {
        write(*request.against);
    }
    return request;
}

namespace {

/// With what "auto" came to: two words for one thing are no difference.
SimulationRequest asAnswered(const SimulationShown& shown) {
    const SimulationRequest& asked = shown.question.request;
    if (shown.error) {
        return asked;
    }
    const SimulationInputs inputs = inputsOf(asked, shown.question.sources->sources);
    SimulationRequest request = resolved(asked, inputs);
    if (request.workload == autoWorkload && inputs.workload) {
        request.workload = inputs.workload->key;
    }
    return request;
}

} // namespace

std::vector<ChoiceDifference> differencesOf(const SimulationShown& now, const SimulationShown& pinned) {
    auto differences = differencesOf(asAnswered(now), asAnswered(pinned));
    const auto profileName = [](const SimulationShown& shown) {
        const auto& profile = shown.question.sources->sources.profile;
        return profile ? profile->name : std::string();
    };
    for (ChoiceDifference& one : differences) {
        const std::string name = profileName(now);
        const std::string other = profileName(pinned);
        if (one.choice == simulationField("profile").words.name && name != other) {
            one.now = name.empty() ? one.now : name;
            one.pinned = other.empty() ? one.pinned : other;
        }
    }
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
    const SimulationInputs inputs = inputsOf(request, shown.question.sources->sources);
    const MemoryFit memory = shown.sweep ? shown.sweep->memoryWithKv(request.kBits) : memoryFitOf(inputs);
    for (const std::string& remark : remarksOf(inputs, memory)) {
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
