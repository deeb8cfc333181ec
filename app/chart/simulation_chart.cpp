// Charts of simulations for exports: the same answers as in the window, refined.
#include "app/chart/simulation_chart.h"

#include "app/chart/simulation_caption.h"
#include "app/options/simulation_words.h"
#include "core/simulate/plot/simulation_plots.h"
#include "core/simulate/request/simulation_fields.h"
#include "core/simulate/run/schedule_memo.h"
#include "core/simulate/study/remarks.h"
#include "ui/chart/simulation/batch_drawing.h"
#include "ui/plot/report_drawing.h"
#include "ui/theme/theme.h"

#include <QObject>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

std::string textOr(const std::string& text, const char* otherwise) {
    return text.empty() ? otherwise : text;
}

std::string studyCaption(const ChartRequest& request, const std::shared_ptr<const Corpus>& /*none*/) {
    return fmt::format("printed: {}; kernel times {}", studySource, request.simulation.profile);
}

SettingShown settingOf(const PlotQuestion& q) {
    const bool isPinned = q.pinned && q.pinned->simulator;
    SettingShown setting(q.shown.simulator, isPinned ? q.pinned->simulator : nullptr);
    if (isPinned) {
        const auto differences = differencesOf(q.shown, *q.pinned);
        setting.nowName = textOr(nowNameOf(differences), "now");
        setting.pinnedName = "pinned: " + textOr(pinnedNameOf(differences), "the same");
    }
    setting.hand = q.now;
    return setting;
}

Plot drawn(ask::Report report, const PlotQuestion& q) {
    return ui::drawingOf(std::move(report), simulationFields(), {}, q.held);
}

template <ask::Report (*reportOf)(const SettingShown&)>
ChartSpec settingChart(std::string_view key, std::string_view description, QString (*title)()) {
    return {.key = key,
            .description = description,
            .subject = ChartSubject::Simulation,
            .caption = simulationCaption,
            .study = &settingStudy,
            .plot = [](const PlotQuestion& q) { return drawn(reportOf(settingOf(q)), q); },
            .title = title,
            .followsHand = reportOf != rowsReport && reportOf != kernelShareReport,
            .compares = reportOf != kernelTimesReport,
            .leastHeight = reportOf == latencyReport ? 32 * ui::spacing : 0, // it has four panels
            .variesLoad = reportOf == usersReport || reportOf == decodeReport || reportOf == mapReport};
}

CrossoverCurves curvesOf(const SimulationShown& shown) {
    const SimulationRequest& request = shown.question.request;
    std::string remarks;
    const SimulationInputs inputs = inputsOf(request, shown.question.sources->sources);
    const MemoryFit memory = shown.sweep ? shown.sweep->memoryWithKv(request.weights) : memoryFitOf(inputs);
    for (const std::string& remark : remarksOf(inputs, memory)) {
        remarks += (remarks.empty() ? "" : " ") + remark;
    }
    return {shown.sweep,
            shown.crossovers,
            shown.otherSweep,
            shown.otherCrossovers,
            shown.otherWhyNot,
            request.weights,
            request.arrivals.users,
            {},
            remarks};
}

Plot crossoverPlot(const PlotQuestion& q) {
    CrossoverCurves curves = curvesOf(q.shown), pinned;
    curves.users = q.now.arrivals.users;
    if (q.pinned && q.pinned->sweep) {
        pinned = curvesOf(*q.pinned);
        pinned.name = "pinned: " + textOr(pinnedNameOf(differencesOf(q.shown, *q.pinned)), "the same");
    }
    return drawn(crossoverReport(curves, pinned), q);
}

ui::BatchView batchView(const PlotQuestion& q) {
    return {q.shown.figure.as<BatchRecording>(), q.asked.batch.step};
}

} // namespace

namespace charts {

const ChartSpec simulatorUsers = settingChart<usersReport>(
    "simulator-users", "simulated time against fp16 over users", [] { return QObject::tr("Against fp16"); });
const ChartSpec simulatorRows =
    settingChart<rowsReport>("simulator-rows",
                             "how often a simulated step has M rows, by kernel; a row is a sequence "
                             "that decodes or a prompt token that is computed",
                             [] { return QObject::tr("Rows M of a step"); });
const ChartSpec kernelShare =
    settingChart<kernelShareReport>("kernel-share", "which kernels take the simulated time",
                                    [] { return QObject::tr("Where the time goes"); });
const ChartSpec decodeShare =
    settingChart<decodeReport>("simulator-decode", "share of simulated steps that only decode, over users",
                               [] { return QObject::tr("Steps that only decode"); });
const ChartSpec latency =
    settingChart<latencyReport>("simulator-latency", "simulated throughput, TTFT and TPOT over users",
                                [] { return QObject::tr("Throughput and latencies"); });
const ChartSpec simulatorMap =
    settingChart<mapReport>("simulator-map", "simulated time against fp16 over users and chunk sizes",
                            [] { return QObject::tr("Users or rate, and chunk size"); });
const ChartSpec kernelTimes = settingChart<kernelTimesReport>(
    "kernel-times",
    "time of each kernel over the rows M of a step; a row is a sequence that decodes or a "
    "prompt token that is computed",
    [] { return QObject::tr("Kernel times: drag a curve up or down"); });
const ChartSpec crossover{.key = "crossover",
                          .description = "from how many users on quantised kernels lose, for each k",
                          .subject = ChartSubject::Simulation,
                          .caption = simulationCaption,
                          .study = &crossoverStudy,
                          .plot = crossoverPlot,
                          .title = [] { return QObject::tr("Against fp16, and where it passes 1"); },
                          .followsHand = true,
                          .compares = true};
const ChartSpec whatPays{
    .key = "what-pays",
    .description = "what making a kernel faster would buy",
    .subject = ChartSubject::Simulation,
    .caption = simulationCaption,
    .study = &paysStudy,
    .plot = [](const PlotQuestion& q) { return drawn(whatPaysReport(q.shown.figure.as<WhatPays>()), q); },
    .title = [] { return QObject::tr("What a faster kernel buys"); }};
const ChartSpec batch{.key = "batch",
                      .description = "simulated steps: rows, who runs, who waits, KV blocks, preemptions",
                      .subject = ChartSubject::Simulation,
                      .caption = simulationCaption,
                      .fields = {"at-step"},
                      .study = &batchStudy,
                      .plot = [](const PlotQuestion& q) { return ui::drawingOf(batchView(q)); },
                      .title = [] { return QObject::tr("Steps: drag to scrub"); }};
const ChartSpec batchStep{
    .key = "batch-step",
    .description = "one simulated step: its requests and kernels (--at-step)",
    .subject = ChartSubject::Simulation,
    .caption = simulationCaption,
    .fields = {"at-step"},
    .study = &batchStudy,
    .plot = [](const PlotQuestion& q) {
        return drawn(batchStepReport(q.shown.figure.as<BatchRecording>(), q.asked.batch.step), q);
    }};
const ChartSpec studyUsers{
    .key = "study-users",
    .description = "the published study's table over users, printed and simulated",
    .subject = ChartSubject::Simulation,
    .caption = studyCaption,
    .study = &publishedStudy,
    .plot =
        [](const PlotQuestion& q) { return drawn(studyUsersReport(q.shown.figure.as<StudyTables>()), q); },
    .title = [] { return QObject::tr("Printed, and simulated"); },
    .hasOwnTimes = true};
const ChartSpec studyTurn{
    .key = "study-turn",
    .description = "the published study's single user, printed and simulated",
    .subject = ChartSubject::Simulation,
    .caption = studyCaption,
    .study = &publishedStudy,
    .plot = [](const PlotQuestion& q) { return drawn(studyTurnReport(q.shown.figure.as<StudyTables>()), q); },
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
        request.chart->plot({*shown, against, ui::PlotExtents(), request.asked, shown->question.request}));
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

} // namespace loadline::app
