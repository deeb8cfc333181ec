// The charts there are: those of studies, and a row here for each other one.
#include "app/chart/cache_chart.h"
#include "app/chart/kernels_chart.h"
#include "app/chart/log_chart.h"
#include "app/chart/self_check_chart.h"
#include "app/chart/session_chart.h"
#include "app/chart/simulation_chart.h"
#include "app/chart/study_chart.h"

#include <algorithm>

namespace loadline::app {

const ChartSpecs& chartSpecs() {
    using namespace charts;
    static const ChartSpecs all = [] {
        ChartSpecs rows = {&distributions,  &timeline,       &composition,     &cacheTiers,  &cacheCapacity,
                           &cacheTtl,       &cacheUsers,     &cacheRequests,   &cacheSplit,  &logTime,
                           &logRate,        &simulatorUsers, &simulatorRows,   &kernelShare, &decodeShare,
                           &latency,        &simulatorMap,   &crossover,       &whatPays,    &kernelTimes,
                           &batch,          &batchStep,      &studyUsers,      &studyTurn,   &selfCheckTtft,
                           &selfCheckTpot,  &selfCheckE2e,   &selfCheckErrors, &kernels,     &kernelCeiling,
                           &kernelAttention};
        const ChartSpecs ofStudies = studyCharts();
        rows.insert(rows.end(), ofStudies.begin(), ofStudies.end());
        return rows;
    }();
    return all;
}

const ChartSpec* chartNamed(std::string_view key) {
    const auto found = std::ranges::find(chartSpecs(), key, &ChartSpec::key);
    return found == chartSpecs().end() ? nullptr : *found;
}

} // namespace loadline::app
