// A grip dragged over a plot of six curves: from the hand's place to its paint (16 ms).
#include "ui/chart/plot_view.h"
#include "ui/plot/report_drawing.h"

#include <QApplication>
#include <QMouseEvent>
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace loadline;

namespace {

struct Asked {
    double ttlS = 30;
    bool operator==(const Asked&) const = default;
};

QApplication& application() {
    static int count = 1;
    static char name[] = "plot_bench";
    static char* arguments[] = {name, nullptr};
    static const bool offscreen = qputenv("QT_QPA_PLATFORM", "offscreen"); // before there is an application
    static QApplication& app = *new QApplication(count, arguments); // Qt is gone when statics are destroyed
    static_cast<void>(offscreen);
    return app;
}

/// Six curves of so many points, and a grip at a time to live.
ask::Report reportOf(std::size_t points, double ttlS) {
    constexpr std::size_t curves = 6;
    ask::Table table{.path = "t", .title = {}, .rows = curves * points, .columns = {}};
    const auto column = [&](const char* key, auto at) {
        table.columns.push_back({.key = key, .title = key, .at = [points, at](std::size_t row) {
                                     return ask::Cell(at(row / points, row % points));
                                 }});
    };
    column("x", [points](std::size_t, std::size_t i) {
        return std::pow(3600.0, (static_cast<double>(i) + 1) / static_cast<double>(points));
    });
    column("y", [](std::size_t curve, std::size_t i) {
        return static_cast<double>(curve) + 1 + 0.3 * std::sin(static_cast<double>(i * i % 97));
    });
    column("curve", [](std::size_t curve, std::size_t) { return "curve " + std::to_string(curve); });
    ask::Report report;
    report.tables.push_back(std::move(table));
    report.plots.push_back(
        {.key = "k",
         .title = "T",
         .description = {},
         .sentence = {},
         .x = {"time to live", ask::Form::Seconds, ask::Scale::Log, 1, 3600},
         .y = {"y"},
         .marks = {{.table = "t", .x = "x", .y = "y", .series = "curve", .legend = "{}"}},
         .rules = {{.at = ttlS, .field = "ttl-s", .onMark = "y", .ink = ask::Ink::Accent}}});
    return report;
}

/// By pixels to the right, each with a new report of the same answer.
void draggingGrip(benchmark::State& state) {
    application();
    static const std::array fields = {
        ask::Field{.key = "ttl-s", .access = ask::bound<&Asked::ttlS>(), .range = {1, 3600}}};
    const auto points = static_cast<std::size_t>(state.range(0));
    ui::PlotView view;
    view.resize(720, 400);
    view.show();
    double ttlS = 30;
    QImage image(view.size(), QImage::Format_ARGB32_Premultiplied);
    for (auto _ : state) {
        ttlS = ttlS < 1000 ? ttlS * 1.01 : 30;
        view.setDrawing(ui::drawingOf(reportOf(points, ttlS), fields));
        view.render(&image);
    }
}

BENCHMARK(draggingGrip)->Unit(benchmark::kMillisecond)->Arg(240)->Arg(20'000);

/// The cursor moved over the same plot.
void hovering(benchmark::State& state) {
    application();
    ui::PlotView view;
    view.resize(720, 400);
    view.show();
    view.setDrawing(ui::drawingOf(reportOf(static_cast<std::size_t>(state.range(0)), 30)));
    QImage image(view.size(), QImage::Format_ARGB32_Premultiplied);
    int x = 0;
    for (auto _ : state) {
        const QPointF at(100 + ++x % 500, 200);
        QMouseEvent event(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                          Qt::NoModifier);
        QCoreApplication::sendEvent(&view, &event);
        view.render(&image);
    }
}

BENCHMARK(hovering)->Unit(benchmark::kMillisecond)->Arg(240)->Arg(20'000);

} // namespace
