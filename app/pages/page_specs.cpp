// The pages there are: those of studies, and for each other one a row here and a name in page.h.
#include "app/cache/cache_shown.h"
#include "app/chart/cache_chart.h"
#include "app/chart/kernels_chart.h"
#include "app/chart/log_chart.h"
#include "app/chart/self_check_chart.h"
#include "app/chart/session_chart.h"
#include "app/chart/simulation_chart.h"
#include "app/chart/study_chart.h"
#include "app/page/actions.h"
#include "app/page/page_spec.h"
#include "app/pages/cache/cache_page.h"
#include "app/pages/kernels/kernels_page.h"
#include "app/pages/serverlog/server_log_page.h"
#include "app/pages/sessions/composition_page.h"
#include "app/pages/sessions/distribution_page.h"
#include "app/pages/sessions/overview_page.h"
#include "app/pages/sessions/timeline_page.h"
#include "app/pages/simulation/batch_page.h"
#include "app/pages/simulation/published_page.h"
#include "app/pages/simulation/self_check_page.h"
#include "app/pages/simulation/what_pays_page.h"
#include "app/pages/study/study_page.h"
#include "app/serverlog/log_shown.h"
#include "app/study/studies.h"
#include "app/study/study_sources.h"

#include <cassert>

namespace loadline::app {
namespace {

template <typename Made, auto... page>
PageView* make(Workbench& workbench, const Actions& /*actions*/, const PageSpec& /*page*/) {
    return new Made(workbench, page...);
}

PageView* makeStudy(Workbench& workbench, const Actions& /*actions*/, const PageSpec& page) {
    return new StudyPage(workbench, page);
}

PageView* makeServerLog(Workbench& workbench, const Actions& actions, const PageSpec& /*page*/) {
    return new ServerLogPage(workbench, {actions[ActionId::OpenLog], actions[ActionId::ExportVerdict],
                                         actions[ActionId::CopyVerdict]});
}

PageView* makeKernels(Workbench& workbench, const Actions& actions, const PageSpec& /*page*/) {
    return new KernelsPage(workbench, {actions[ActionId::MeasureKernels], actions[ActionId::ImportKernels],
                                       actions[ActionId::OpenProfile], actions[ActionId::SaveProfile],
                                       actions[ActionId::UseProfile]});
}

AnyFigure overviewFigure(const PageQuestion& question, std::stop_token stop) {
    return AnyFigure::of(overviewOf(question.scoped, std::move(stop)));
}

AnyFigure distributionFigure(const PageQuestion& question, std::stop_token /*stop*/) {
    return AnyFigure::of(distributionOf(question.scoped, question.asked.sessions.distribution));
}

AnyFigure timelineFigure(const PageQuestion& question, std::stop_token stop) {
    return AnyFigure::of(timelineOf(question.scoped, question.asked.sessions.session, std::move(stop)));
}

AnyFigure compositionFigure(const PageQuestion& question, std::stop_token /*stop*/) {
    return AnyFigure::of(
        compositionOf(question.scoped, question.asked.sessions.group, question.asked.sessions.composition));
}

AnyFigure cacheFigure(const PageQuestion& question, std::stop_token stop) {
    return AnyFigure::of(cacheOf(question.scoped, question.asked.cache.shownTrace(),
                                 question.asked.cache.agents(), stop, *question.progress));
}

AnyFigure logFigure(const PageQuestion& question, std::stop_token stop) {
    const std::vector<std::string> files = question.asked.log.files;
    return files.empty() ? AnyFigure::of(LogRead()) : AnyFigure::of(logOf(files, stop, *question.progress));
}

AnyFigure selfCheckFigure(const PageQuestion& question, std::stop_token stop) {
    const ReplayQuestion choice = question.asked.selfCheck;
    return choice.run.empty() ? AnyFigure() : AnyFigure::of(selfCheckOf(choice, stop));
}

/// By its key; a study without one stands with what it needs.
Room roomOf(const ask::Study& study) {
    for (const RoomSpec& spec : roomSpecs()) {
        if (study.room == spec.key) {
            return spec.room;
        }
    }
    switch (study.needs) {
    case ask::Needs::Sessions:
        return Room::Sessions;
    case ask::Needs::SessionsOrTrace:
        return Room::Cache;
    case ask::Needs::Log:
        return Room::ServerLog;
    case ask::Needs::Profile:
        return Room::Kernels;
    case ask::Needs::Nothing:
    case ask::Needs::Workload:
        break;
    }
    return Room::Simulator;
}

PageSpec specOf(const ask::Study& study, std::size_t index) {
    const bool readsTraces = study.needs == ask::Needs::SessionsOrTrace;
    return {.page = pageOfStudy(index),
            .key = std::string(study.key),
            .words = std::string(study.title),
            .room = roomOf(study),
            .keys = std::string(study.keys),
            .icon = study.icon.empty() ? "table" : std::string(study.icon),
            .tip = std::string(study.tip),
            .needs = readsSessions(study) ? PageNeeds::Sessions
                     : readsTraces        ? PageNeeds::SessionsOrTrace
                                          : PageNeeds::Nothing,
            .make = makeStudy,
            .charts = chartsOf(study),
            .asks = &study};
}

std::vector<PageSpec> ownSpecs() {
    return {
        {.page = Page::Sessions,
         .key = "sessions",
         .words = "&Sessions",
         .room = Room::Sessions,
         .tab = "Overview",
         .icon = "sessions",
         .tip = "Who used what",
         .needs = PageNeeds::Sessions,
         .make = make<OverviewPage>,
         .figure = overviewFigure,
         .charts = {&charts::composition},
         .requests = OverviewPage::chartsOf,
         .sentence = overviewSentence},
        {.page = Page::Distributions,
         .key = "distributions",
         .words = "&Distributions",
         .room = Room::Sessions,
         .icon = "distributions",
         .tip = "Tokens per turn",
         .needs = PageNeeds::Sessions,
         .make = make<DistributionPage>,
         .depends = charts::distributions.fields,
         .figure = distributionFigure,
         .charts = {&charts::distributions}},
        {.page = Page::Timeline,
         .key = "timeline",
         .words = "&Timeline",
         .room = Room::Sessions,
         .icon = "timeline",
         .tip = "One session over time",
         .needs = PageNeeds::Sessions,
         .make = make<TimelinePage>,
         .depends = {"show"},
         .figure = timelineFigure,
         .charts = {&charts::timeline}},
        {.page = Page::Composition,
         .key = "composition",
         .words = "&Composition",
         .room = Room::Sessions,
         .icon = "composition",
         .tip = "What prompts are made of",
         .needs = PageNeeds::Sessions,
         .make = make<CompositionPage>,
         .depends = charts::composition.fields,
         .figure = compositionFigure,
         .charts = {&charts::composition}},
        {.page = Page::Cache,
         .key = "cache",
         .words = "C&ache",
         .room = Room::Cache,
         .icon = "cache",
         .tip = "What is reused, what it takes to keep it, what it frees",
         .needs = PageNeeds::SessionsOrTrace,
         .make = make<CachePage>,
         .depends = {"trace", "trace-shown", "sub-agents"},
         .figure = cacheFigure,
         .charts = {charts::cacheCharts.begin(), charts::cacheCharts.end()},
         .sentence = cachePageSentence},
        {.page = Page::ServerLog,
         .key = "server-log",
         .words = "Server &log",
         .room = Room::ServerLog,
         .icon = "server-log",
         .tip = "Whether a server is slow, and why, from its log",
         .make = makeServerLog,
         .depends = {"log"},
         .figure = logFigure,
         .charts = {charts::logCharts.begin(), charts::logCharts.end()}},
        {.page = Page::Simulator,
         .key = "simulator",
         .words = "Si&mulator",
         .room = Room::Simulator,
         .tab = "Users",
         .icon = "simulator",
         .tip = "What batching makes of a workload",
         .make = make<SimulationPage, Page::Simulator>,
         .charts = {&charts::simulatorUsers, &charts::latency, &charts::simulatorRows, &charts::kernelShare,
                    &charts::decodeShare, &charts::simulatorMap},
         .study = &settingStudy,
         .compares = true},
        {.page = Page::Crossover,
         .key = "crossover",
         .words = "C&rossover",
         .room = Room::Simulator,
         .icon = "crossover",
         .tip = "From how many users on quantised kernels lose",
         .make = make<SimulationPage, Page::Crossover>,
         .charts = {&charts::crossover},
         .study = &crossoverStudy,
         .compares = true},
        {.page = Page::WhatPays,
         .key = "what-pays",
         .words = "&What pays",
         .room = Room::Simulator,
         .icon = "pays",
         .tip = "What a faster kernel would buy",
         .make = make<WhatPaysPage>,
         .charts = {&charts::whatPays, &charts::kernelTimes, &charts::simulatorUsers},
         .study = &paysStudy,
         .compares = true},
        {.page = Page::Batch,
         .key = "batch",
         .words = "&Batch view",
         .room = Room::Simulator,
         .keys = "Alt+5",
         .icon = "batch",
         .tip = "Simulated steps, one by one",
         .make = make<BatchPage>,
         .charts = {&charts::batch},
         .study = &batchStudy},
        {.page = Page::Published,
         .key = "published",
         .words = "&Published",
         .room = Room::Kernels,
         .isLastTab = true,
         .keys = "Alt+6",
         .icon = "published",
         .tip = "The study's tables beside what we get",
         .make = make<PublishedPage>,
         .charts = {&charts::studyUsers, &charts::studyTurn},
         .study = &publishedStudy},
        {.page = Page::SelfCheck,
         .key = "self-check",
         .words = "Self-chec&k",
         .room = Room::Validation,
         .icon = "self-check",
         .tip = "How close the simulation comes to a recorded engine",
         .make = make<SelfCheckPage>,
         .depends = charts::selfCheckTtft.fields,
         .figure = selfCheckFigure,
         .charts = {&charts::selfCheckTtft, &charts::selfCheckTpot, &charts::selfCheckE2e,
                    &charts::selfCheckErrors}},
        {.page = Page::Kernels,
         .key = "kernels",
         .words = "&Kernels",
         .room = Room::Kernels,
         .tab = "This machine",
         .icon = "kernels",
         .tip = "Time the kernels of this machine, compare profiles",
         .make = makeKernels,
         .charts = {&charts::kernels, &charts::kernelCeiling, &charts::kernelAttention}},
    };
}

} // namespace

std::span<const PageSpec> pageSpecs() {
    static const std::vector<PageSpec> specs = [] {
        std::vector<PageSpec> all = ownSpecs();
        assert(all.size() == indexOf(Page::End));
        for (const ask::Study& study : studies()) {
            all.push_back(specOf(study, all.size() - indexOf(Page::End)));
        }
        return all;
    }();
    return specs;
}

std::size_t pageCount() {
    return pageSpecs().size();
}

std::vector<Page> pages() {
    std::vector<Page> all;
    for (const PageSpec& spec : pageSpecs()) {
        all.push_back(spec.page);
    }
    return all;
}

const PageSpec& specOf(Page page) {
    const PageSpec& spec = pageSpecs()[indexOf(page)];
    assert(spec.page == page);
    return spec;
}

bool needsSessions(Page page) {
    return specOf(page).needs == PageNeeds::Sessions;
}

bool simulates(Page page) {
    return specOf(page).study != nullptr;
}

bool compares(Page page) {
    return specOf(page).compares;
}

} // namespace loadline::app
