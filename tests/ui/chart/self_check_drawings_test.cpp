// Drawings of the self-check: they hold every request, read out exactly, and nothing odd spoils them.
#include "ui/chart/self_check/self_check_drawings.h"

#include <QImage>
#include <QTest>

#include <algorithm>

using namespace loadline;
using namespace loadline::ui;

namespace {

ReplayFigure figureOf(int requests, double scale = 1) {
    ReplayFigure figure;
    figure.sentence = "Mean TTFT +1.0 % against the recorded engine.";
    for (int i = 0; i < requests; ++i) {
        ReplayDot dot;
        dot.id = "bench-" + std::to_string(i);
        dot.input = 100;
        dot.output = i == 0 ? 1 : 50;
        dot.recorded = {.ttftS = scale * (i + 1), .tpotS = i == 0 ? 0 : 0.03, .e2eS = scale * (i + 2)};
        dot.predicted = {
            .ttftS = scale * (i + 1) * 1.02, .tpotS = i == 0 ? 0 : 0.031, .e2eS = scale * (i + 2)};
        dot.preemptions = i % 3 == 2 ? 1 : 0;
        figure.dots.push_back(dot);
    }
    for (const LatencyKind kind : latencyKinds) {
        for (const char* statistic : {"mean", "p50", "p90", "p99"}) {
            ReplayQuantile quantile{.kind = kind,
                                    .statistic = statistic,
                                    .predictedS = 1.02 * scale,
                                    .recordedS = scale,
                                    .error = 0.02,
                                    .peerError = std::nullopt};
            if (kind == LatencyKind::Ttft) {
                quantile.peerError = -0.3;
            }
            figure.quantiles.push_back(quantile);
        }
    }
    return figure;
}

QImage pictureOf(const Drawing& drawing, QSize size, ThemeKind theme) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::of(theme).window);
    QPainter painter(&image);
    drawing.paint(painter, QRectF(QPointF(), size), Theme::of(theme));
    return image;
}

/// How many pixels are near a colour.
int near(const QImage& image, const QColor& color) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            count += std::abs(pixel.red() - color.red()) + std::abs(pixel.green() - color.green()) +
                                 std::abs(pixel.blue() - color.blue()) <
                             12
                         ? 1
                         : 0;
        }
    }
    return count;
}

std::unique_ptr<PlotDrawing> drawing(SelfCheckChart chart, const ReplayFigure& figure) {
    return drawingOf(chart, std::make_shared<const ReplayFigure>(figure));
}

} // namespace

class SelfCheckDrawingsTest : public QObject {
    Q_OBJECT

private slots:
    void everyChartPaintsInBothThemesAndAllSizes() {
        for (const SelfCheckChart chart : selfCheckCharts) {
            QVERIFY(!titleOf(chart).isEmpty());
            for (const ThemeKind theme : {ThemeKind::Light, ThemeKind::Dark}) {
                const auto made = drawing(chart, figureOf(40));
                QVERIFY(!made->title().isEmpty());
                QVERIFY(made->sentence().contains("+1.0 %"));
                QVERIFY(near(pictureOf(*made, {500, 360}, theme), Theme::of(theme).model) > 20 ||
                        chart != SelfCheckChart::Errors);
                for (const QSize size : {QSize(1, 1), QSize(40, 20), QSize(3000, 40)}) {
                    pictureOf(*made, size, theme);
                }
            }
        }
    }

    void emptyAndStrangeFiguresArePainted() {
        ReplayFigure zero = figureOf(3, 0);
        for (const SelfCheckChart chart : selfCheckCharts) {
            for (const ReplayFigure& figure : {ReplayFigure(), figureOf(1), zero, figureOf(5, 1e9)}) {
                const auto made = drawing(chart, figure);
                pictureOf(*made, {400, 300}, ThemeKind::Light);
                made->readOut({200, 150}, QRectF(0, 0, 400, 300));
            }
        }
    }

    void tablesHoldEveryRequestAndEveryQuantile() {
        QCOMPARE(drawing(SelfCheckChart::Ttft, figureOf(7))->table().rows.size(), std::size_t{7});
        QCOMPARE(drawing(SelfCheckChart::Errors, figureOf(7))->table().rows.size(), std::size_t{12});
    }

    void theNearestRequestIsReadOut() {
        const auto made = drawing(SelfCheckChart::Ttft, figureOf(12));
        const QRectF area(0, 0, 400, 300);
        QStringList seen;
        for (int x = 0; x < 400; x += 3) {
            for (int y = 0; y < 300; y += 3) {
                const QStringList words = made->readOut(QPointF(x, y), area);
                if (!words.isEmpty() && !seen.contains(words.first())) {
                    seen << words.first();
                    QVERIFY2(words[1].contains("(+2.0 %)"), qPrintable(words.join('|')));
                    QCOMPARE(words.size() == 4, words.last().contains("preempted"));
                }
            }
        }
        QCOMPARE(seen.size(), 12);
    }

    void rowsOfErrorsAreReadOutWithThePeers() {
        const auto made = drawing(SelfCheckChart::Errors, figureOf(2));
        const QRectF area(0, 0, 400, 300);
        int rows = 0;
        int peers = 0;
        QString last;
        for (int y = 0; y < 300; ++y) {
            const QStringList words = made->readOut(QPointF(200, y), area);
            if (!words.isEmpty() && words.first() != last) {
                last = words.first();
                ++rows;
                peers += words.size() == 3 && words[2].contains("-30.0 %") ? 1 : 0;
            }
        }
        QCOMPARE(rows, 12);
        QCOMPARE(peers, 4);
    }
};

QTEST_MAIN(SelfCheckDrawingsTest)
#include "self_check_drawings_test.moc"
