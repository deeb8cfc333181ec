// How long the timeline takes to be prepared, painted and pointed at. Rival: filling the plot column by
// column.
#include "tests/ui/chart/made_up_timeline.h"
#include "ui/chart/timeline/timeline_painter.h"

#include <QGuiApplication>
#include <QImage>
#include <benchmark/benchmark.h>

#include <cmath>

using namespace loadline;
using namespace loadline::ui;

namespace {

/// Fonts need an application; it lives as long as the program.
void needApplication() {
    static int argc = 1;
    static char name[] = "timeline_bench";
    static char* argv[] = {name, nullptr};
    static const bool platform = qputenv("QT_QPA_PLATFORM", "offscreen");
    static const QGuiApplication application(argc, argv);
    (void)platform;
}

std::shared_ptr<const TimelineScene> sceneFor(int calls, TimelineAxis axis) {
    needApplication();
    return sceneOf(madeUpTimeline(calls, 20), nullptr, axis);
}

TimelineFrame frameFor(const TimelineScene& scene, double share) {
    const double extent = scene.scale.extent();
    const TimelineView part{scene.scale.axis(), extent * 0.5, extent * (0.5 + share / 2)};
    const TimelineView all{scene.scale.axis(), 0, -1};
    return frameOf(scene, {0, 0, 1400, 800}, share < 1 ? part : all, {}, 0, false);
}

void prepare(benchmark::State& state) {
    needApplication();
    const auto timeline = madeUpTimeline(static_cast<int>(state.range(0)), 20);
    for (auto _ : state) {
        benchmark::DoNotOptimize(sceneOf(timeline, nullptr, TimelineAxis::CompressedGaps));
    }
}

/// Arguments: calls, thousandths of the session in view, axis, percent of scale.
void paint(benchmark::State& state) {
    const auto scene = sceneFor(static_cast<int>(state.range(0)), static_cast<TimelineAxis>(state.range(2)));
    const TimelineFrame frame = frameFor(*scene, static_cast<double>(state.range(1)) / 1000);
    const double scale = static_cast<double>(state.range(3)) / 100;
    QImage image(QSize(1400, 800) * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    for (auto _ : state) {
        paintTimeline(painter, *scene, frame, Theme::light());
    }
}

void pointAt(benchmark::State& state) {
    const auto scene = sceneFor(static_cast<int>(state.range(0)), TimelineAxis::CompressedGaps);
    const TimelineFrame frame = frameFor(*scene, static_cast<double>(state.range(1)) / 1000);
    double step = 0;
    for (auto _ : state) {
        step += 0.618;
        const QPointF point(frame.plot.left() + std::fmod(step * 997, frame.plot.width()),
                            frame.plot.top() + std::fmod(step * 131, frame.plot.height()));
        benchmark::DoNotOptimize(itemAt(*scene, frame, point));
    }
}

/// The least that painting could cost: three rectangles for each pixel column of the plot.
void rivalBareColumns(benchmark::State& state) {
    needApplication();
    QImage image(1400, 800, QImage::Format_ARGB32_Premultiplied);
    QPainter painter(&image);
    const Theme& theme = Theme::light();
    for (auto _ : state) {
        for (int x = 170; x < 1390; ++x) {
            painter.fillRect(QRectF(x, 100, 1, 20), theme.uncachedInput);
            painter.fillRect(QRectF(x, 120, 1, 60), theme.cacheWrite);
            painter.fillRect(QRectF(x, 180, 1, 200), theme.cacheRead);
        }
    }
}

} // namespace

BENCHMARK(prepare)->Arg(1'000)->Arg(50'000)->Unit(benchmark::kMillisecond);
BENCHMARK(paint)
    ->ArgNames({"calls", "share", "axis", "scale"})
    ->Args({1'000, 1000, 1, 100})
    ->Args({50'000, 1000, 0, 100})
    ->Args({50'000, 1000, 1, 100})
    ->Args({50'000, 1000, 2, 100})
    ->Args({50'000, 100, 1, 100})
    ->Args({50'000, 1, 1, 100})
    ->Args({50'000, 1000, 1, 200})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(pointAt)->Args({50'000, 1000})->Args({50'000, 1})->Unit(benchmark::kMicrosecond);
BENCHMARK(rivalBareColumns)->Unit(benchmark::kMillisecond);
