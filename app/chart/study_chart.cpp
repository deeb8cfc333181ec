// From a study's answer to the drawing of one of its plots.
#include "app/chart/study_chart.h"

#include "app/chart/chart_request.h"
#include "app/faces/field_options.h"
#include "app/study/studies.h"
#include "app/study/study_runner.h"
#include "app/study/study_sources.h"
#include "ui/plot/report_drawing.h"

#include <algorithm>
#include <deque>
#include <map>

namespace loadline::app {
namespace {

/// The refined answer of the chart's study; of several charts of a picture it is computed once.
StudyAnswer answerOf(const ChartRequest& request, const Scoped& scoped, ChartMemory& memory) {
    const ask::Study& study = *request.chart->asks;
    const StudyKey key{&study, request.questions[study], sourcesOf(study, scoped)};
    for (const StudyAnswer& known : memory.studies) {
        if (known->key.study == key.study && known->key.question == key.question) {
            return known; // of the same sessions: see ChartMemory
        }
    }
    ask::Run run;
    run.stop = memory.stop;
    auto shown = std::make_shared<const StudyShown>(
        shownOf(key, study.compute(key.question, key.sources, run), ask::Stage::Refined, false));
    memory.studies.push_back(shown);
    return shown;
}

ChartDrawing drawStudy(const ChartRequest& request, const Scoped& scoped, ChartMemory* memory) {
    ChartMemory own;
    ChartMemory& used = memory != nullptr ? *memory : own;
    const StudyAnswer shown = answerOf(request, scoped, used);
    if (used.stop.stop_requested()) {
        return stoppedError();
    }
    const ask::Report& report = *shown->report;
    if (report.problem) {
        return *report.problem;
    }
    const auto plot = std::ranges::find(report.plots, request.chart->key, &ask::Plot::key);
    if (plot == report.plots.end()) {
        return Error{"this answer has no such chart", std::string(request.chart->key), "another one"};
    }
    const auto index = static_cast<std::size_t>(plot - report.plots.begin());
    return std::shared_ptr<const ui::Drawing>(std::make_shared<ui::ReportDrawing>(
        ui::plotSceneOf(shown->report, index), request.chart->asks->fields(), shown->key.question));
}

/// "Time to live 5 min, model llama-3.1-8b": what is not as nobody has set anything.
std::string captionOf(const ChartRequest& request, const std::shared_ptr<const Corpus>& /*corpus*/) {
    const ask::Study& study = *request.chart->asks;
    const ask::Question question = request.questions[study];
    const ask::Question usual = study.defaults();
    std::string caption(study.title);
    for (const ask::Field& field : study.fields()) {
        if (ask::textOf(field, question.data()) != ask::textOf(field, usual.data())) {
            caption += ", " + std::string(field.words.name) + ' ' + ask::wordOf(field, question.data());
        }
    }
    return caption;
}

} // namespace

const ChartSpecs& chartsOf(const ask::Study& study) {
    static std::map<const ask::Study*, std::pair<std::deque<ChartSpec>, ChartSpecs>> made;
    auto& [specs, all] = made[&study];
    if (specs.empty()) {
        for (const ask::PlotWords& plot : study.plots) {
            all.push_back(&specs.emplace_back(ChartSpec{.key = plot.key,
                                                        .description = plot.description,
                                                        .subject = ChartSubject::Study,
                                                        .caption = captionOf,
                                                        .draw = drawStudy,
                                                        .asks = &study}));
        }
    }
    return all;
}

ChartSpecs studyCharts() {
    ChartSpecs all;
    for (const ask::Study& study : studies()) {
        const ChartSpecs& own = chartsOf(study);
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

std::vector<std::string> wordsOf(const ask::Study& study, const ask::Question& question) {
    std::vector<std::string> words;
    const ask::Question usual = study.defaults();
    for (const ask::Field& field : study.fields()) {
        if (!field.traits.isOption || field.words.help.empty()) {
            continue;
        }
        for (std::string& word : optionWords(field, question.data(), usual.data())) {
            words.push_back(std::move(word));
        }
    }
    return words;
}

} // namespace loadline::app
