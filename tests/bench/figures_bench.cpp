// How long the figures take for a session of 50,000 API calls: each must fit into a frame or nearly so.
#include "core/cache/composition/composition.h"
#include "core/workload/distribution/distribution_figure.h"
#include "core/workload/timeline/prompt_turns.h"
#include "core/workload/timeline/timeline_columns.h"
#include "tests/core/everything_selected.h"

#include <benchmark/benchmark.h>

namespace loadline {
namespace {

constexpr int calls = 50'000;

const Corpus& longSession() {
    static const Corpus corpus = test::randomSession(1, calls);
    return corpus;
}

const Selection& everything() {
    static const Selection selection = test::everythingOf(longSession());
    return selection;
}

void timeline(benchmark::State& state) {
    everything();
    for (auto _ : state) {
        benchmark::DoNotOptimize(timelineOf(longSession(), everything(), 0));
    }
}

void timelineIndex(benchmark::State& state) {
    const Timeline shown = timelineOf(longSession(), everything(), 0);
    const TimelineScale scale(shown, TimelineAxis::CompressedGaps);
    for (auto _ : state) {
        benchmark::DoNotOptimize(indexOf(shown, scale));
    }
}

void timelineColumns(benchmark::State& state) {
    const Timeline shown = timelineOf(longSession(), everything(), 0);
    const TimelineScale scale(shown, TimelineAxis::CompressedGaps);
    const TimelineIndex index = indexOf(shown, scale);
    for (auto _ : state) {
        for (std::uint32_t lane = 0; lane < shown.lanes.size(); ++lane) {
            benchmark::DoNotOptimize(columnsOf(shown, index, lane, 0, scale.extent(), 1600));
        }
    }
}

void itemUnderCursor(benchmark::State& state) {
    const Timeline shown = timelineOf(longSession(), everything(), 0);
    const TimelineScale scale(shown, TimelineAxis::CompressedGaps);
    const TimelineIndex index = indexOf(shown, scale);
    double units = 0;
    for (auto _ : state) {
        units = units > scale.extent() ? 0 : units + scale.extent() / 1000;
        benchmark::DoNotOptimize(nearestItem(index, 0, units, 10));
    }
}

void promptTurns(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(promptTurnsOf(longSession(), 0));
    }
}

void distribution(benchmark::State& state) {
    everything();
    for (auto _ : state) {
        benchmark::DoNotOptimize(distributionFigure(longSession(), everything(), {}, {}));
    }
}

void composition(benchmark::State& state) {
    everything();
    for (auto _ : state) {
        benchmark::DoNotOptimize(compositionOf(longSession(), everything(), CompositionGroup::Day));
    }
}

BENCHMARK(timeline)->Unit(benchmark::kMillisecond);
BENCHMARK(timelineIndex)->Unit(benchmark::kMillisecond);
BENCHMARK(timelineColumns)->Unit(benchmark::kMillisecond);
BENCHMARK(itemUnderCursor);
BENCHMARK(promptTurns)->Unit(benchmark::kMillisecond);
BENCHMARK(distribution)->Unit(benchmark::kMillisecond);
BENCHMARK(composition)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace loadline
