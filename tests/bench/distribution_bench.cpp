// How long the Distributions chart takes to take a new figure and to be painted (budget: 8 ms at 1200 x 700).
// Rival: the same bars as plain rectangles.
#include "tests/core/everything_selected.h"
#include "ui/chart/distribution/distribution_chart.h"
#include "ui/chart/distribution/distribution_plot_view.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <benchmark/benchmark.h>

using namespace loadline;
using namespace loadline::ui;

namespace {

constexpr QSize shown(1200, 700);

/// Widgets need an application; it lives as long as the program.
void needApplication() {
    static int argc = 1;
    static char name[] = "distribution_bench";
    static char* argv[] = {name, nullptr};
    static const bool platform = qputenv("QT_QPA_PLATFORM", "offscreen");
    static const QApplication application(argc, argv);
    (void)platform;
}

std::shared_ptr<const DistributionFigure> figureOf(BinKind bins, Measure measure) {
    static const Corpus corpus = test::randomSession(1, 50'000);
    const Selection selection = test::everythingOf(corpus);
    const DistributionOptions options{
        .bins = bins, .measure = measure, .reference = bins == BinKind::PowerOfTwo};
    return std::make_shared<DistributionFigure>(distributionFigure(corpus, selection, {}, options));
}

QImage canvas(const benchmark::State& state) {
    const double scale = static_cast<double>(state.range(1)) / 100;
    QImage image(shown * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    return image;
}

/// Arguments: bin kind, percent of scale.
void newFigureAndPaint(benchmark::State& state) {
    needApplication();
    const auto bins = static_cast<BinKind>(state.range(0));
    const auto shares = figureOf(bins, Measure::Share);
    const auto counts = figureOf(bins, Measure::Count);
    QImage image = canvas(state);
    DistributionChart chart;
    chart.resize(shown);
    chart.ensurePolished();
    bool other = false;
    for (auto _ : state) {
        chart.setFigure(other ? shares : counts);
        chart.render(&image);
        other = !other;
    }
}

void plainRectangles(benchmark::State& state) {
    needApplication();
    const auto figure = figureOf(static_cast<BinKind>(state.range(0)), Measure::Count);
    QImage image = canvas(state);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    for (auto _ : state) {
        painter.fillRect(QRect(QPoint(0, 0), shown), Theme::light().plotGround);
        double left = 0;
        for (const Histogram* histogram : {&figure->input, &figure->output}) {
            const double wide = shown.width() / 2.0 / static_cast<double>(histogram->bins.size());
            for (std::size_t i = 0; i < histogram->bins.size(); ++i) {
                const double high = barHeight(*histogram, i, Measure::Share) * shown.height();
                painter.fillRect(QRectF(left, shown.height() - high, wide - 1, high), Theme::light().output);
                left += wide;
            }
        }
    }
}

void binsAndScales(benchmark::internal::Benchmark* benchmark) {
    benchmark
        ->ArgsProduct(
            {{static_cast<int>(BinKind::PowerOfTwo), static_cast<int>(BinKind::FineLog)}, {100, 200}})
        ->Unit(benchmark::kMillisecond);
}

BENCHMARK(newFigureAndPaint)->Apply(binsAndScales);
BENCHMARK(plainRectangles)->Apply(binsAndScales);

} // namespace
