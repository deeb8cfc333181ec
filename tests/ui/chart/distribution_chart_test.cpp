// The Distributions chart by hand: series, hover, click, drag, keys, themes.
#include "ui/chart/distribution/distribution_chart.h"

#include "tests/ui/chart_fixtures.h"
#include "ui/chart/distribution/distribution_plot_view.h"

#include <QSignalSpy>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

Q_DECLARE_METATYPE(std::optional<loadline::TokenRange>)

class DistributionChartTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<DistributionChart> chart_;
    std::unique_ptr<QSignalSpy> brushed_;

    [[nodiscard]] DistributionPlotView* input() const { return chart_->inputView(); }

    static void click(DistributionPlotView* view, int bin, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(view->viewport(), Qt::LeftButton, modifiers, view->viewportPoint(bin));
    }

    [[nodiscard]] std::optional<TokenRange> lastInput() const {
        return brushed_->last()[0].value<std::optional<TokenRange>>();
    }

    [[nodiscard]] std::optional<TokenRange> lastOutput() const {
        return brushed_->last()[1].value<std::optional<TokenRange>>();
    }

private slots:
    void init() {
        QTest::failOnWarning(fixtures::unexpectedWarnings());
        chart_ = std::make_unique<DistributionChart>();
        chart_->resize(1000, 500);
        chart_->setFigure(fixtures::distribution());
        chart_->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart_.get()));
        brushed_ = std::make_unique<QSignalSpy>(chart_.get(), &DistributionChart::binsBrushed);
    }

    void cleanup() {
        brushed_.reset();
        chart_.reset();
    }

    void theSeriesHoldTheFigure() {
        const DistributionPlot& plot = input()->plot();
        const QList<QPointF> points = plot.solidPoints();
        QCOMPARE(points.size(), 4 * 11);
        QCOMPARE(points[1].y(), 2.0 / 9); // two turns of one token
        QCOMPARE(points[4 * 7 + 1].y(), 3.0 / 9);
        QVERIFY(points[4 * 7].x() > 6.5 && points[4 * 7 + 2].x() < 7.5);
        QVERIFY(plot.dimPoints().isEmpty());
        QVERIFY(plot.referencePoints().isEmpty());

        chart_->setFigure(fixtures::distribution({.reference = true}, true));
        QCOMPARE(plot.dimPoints().size(), 4 * 11);
        QCOMPARE(plot.solidPoints()[1].y(), 0.0);
        QVERIFY(!plot.referencePoints().isEmpty());
        // The lower bound is hatched: not part of the solid area.
        QCOMPARE(chart_->outputView()->plot().solidPoints()[4 * 5 + 1].y(), 0.0);
    }

    void barsStandWhereTheAxisSays() {
        const DistributionPlot& plot = input()->plot();
        const QRectF first = plot.columnRect(0);
        const QRectF last = plot.columnRect(10);
        QVERIFY(plot.plotArea().contains(first.adjusted(0, 0, 0, -1)));
        QVERIFY(plot.plotArea().contains(last.adjusted(0, 0, 0, -1)));
        QCOMPARE(plot.axisX(plot.pixelX(3.25)), 3.25);
        // Qt Charts draws the series by the same mapping.
        auto* chart = input()->chart();
        const QPointF there = chart->mapToPosition(QPointF(7, 0), chart->series().first());
        QVERIFY(std::abs(there.x() - plot.columnRect(7).center().x()) < 1);
        QVERIFY(std::abs(there.y() - plot.pixelY(0)) < 1);
    }

    void aClickSelectsABinAndASecondLetsGo() {
        click(input(), 7);
        QCOMPARE(brushed_->count(), 1);
        QCOMPARE(lastInput(), std::optional(TokenRange{91, 181}));
        QVERIFY(!lastOutput());
        click(chart_->outputView(), 4);
        QCOMPARE(lastInput(), std::optional(TokenRange{91, 181}));
        QCOMPARE(lastOutput(), std::optional(TokenRange{12, 22}));
        click(input(), 7);
        QVERIFY(!lastInput());
        QVERIFY(lastOutput());
        QCOMPARE(brushed_->count(), 3);
    }

    void ctrlClickExtends() {
        click(input(), 7);
        click(input(), 2, Qt::ControlModifier);
        QCOMPARE(lastInput(), std::optional(TokenRange{3, 181}));
        click(input(), 10, Qt::ShiftModifier);
        QCOMPARE(lastInput(), std::optional(TokenRange{3, 1448}));
    }

    void aDragSelectsARange() {
        QWidget* viewport = input()->viewport();
        const QPoint from = input()->viewportPoint(2);
        const QPoint to = input()->viewportPoint(6);
        QTest::mousePress(viewport, Qt::LeftButton, {}, from);
        QTest::mouseMove(viewport, (from + to) / 2);
        QTest::mouseMove(viewport, to);
        QCOMPARE(brushed_->count(), 0); // outlined while dragging, announced once
        QCOMPARE(input()->plot().state().brush, std::optional(std::pair(2, 6)));
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, to);
        QCOMPARE(brushed_->count(), 1);
        QCOMPARE(lastInput(), std::optional(TokenRange{3, 90}));
        // Beyond the last bar a drag takes everything up to it, and it may go leftwards.
        QTest::mousePress(viewport, Qt::LeftButton, {}, QPoint(viewport->width() - 2, from.y()));
        QTest::mouseMove(viewport, input()->viewportPoint(8));
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, input()->viewportPoint(8));
        QCOMPARE(lastInput(), std::optional(TokenRange{182, 1448}));
    }

    void aBinWithoutTurnsIsNotSelected() {
        click(input(), 4);
        QCOMPARE(brushed_->count(), 0);
        click(input(), 7);
        click(input(), 4); // leaves the selection as it is
        QCOMPARE(lastInput(), std::optional(TokenRange{91, 181}));
        QCOMPARE(input()->plot().state().brush, std::optional(std::pair(7, 7)));
        QWidget* viewport = input()->viewport();
        QTest::mousePress(viewport, Qt::LeftButton, {}, input()->viewportPoint(3));
        QTest::mouseMove(viewport, input()->viewportPoint(5));
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, input()->viewportPoint(5));
        QCOMPARE(brushed_->count(), 1);
        QCOMPARE(input()->plot().state().brush, std::optional(std::pair(7, 7)));
    }

    void escapeClearsBothPlots() {
        click(input(), 7);
        click(chart_->outputView(), 4);
        QTest::keyClick(input(), Qt::Key_Escape);
        QCOMPARE(brushed_->count(), 3);
        QVERIFY(!lastInput() && !lastOutput());
        QTest::keyClick(input(), Qt::Key_Escape); // nothing left to clear: the window's turn
        QCOMPARE(brushed_->count(), 3);
    }

    void keysWalkAndSelect() {
        QSignalSpy hovered(chart_.get(), &DistributionChart::binHovered);
        input()->setFocus(Qt::TabFocusReason);
        QTRY_VERIFY(input()->hasFocus());
        QTest::keyClick(input(), Qt::Key_End);
        QCOMPARE(input()->plot().state().focusBin, 10);
        QVERIFY(hovered.last()[0].toString().startsWith(QStringLiteral("725 to 1\u202f448 tokens: 1 turn")));
        QTest::keyClick(input(), Qt::Key_Right); // stays on the last bin
        QTest::keyClick(input(), Qt::Key_Left);
        QCOMPARE(input()->plot().state().focusBin, 9);
        QTest::keyClick(input(), Qt::Key_Return);
        QCOMPARE(brushed_->count(), 0); // it holds no turn
        QTest::keyClick(input(), Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(input(), Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(lastInput(), std::optional(TokenRange{91, 724}));
        QTest::keyClick(input(), Qt::Key_Home);
        QCOMPARE(input()->plot().state().focusBin, 0);
    }

    void hoverTellsTheBin() {
        QSignalSpy hovered(chart_.get(), &DistributionChart::binHovered);
        QTest::mouseMove(input()->viewport(), input()->viewportPoint(7));
        QTRY_COMPARE(hovered.count(), 1);
        QVERIFY(hovered.last()[0].toString().startsWith(QStringLiteral("91 to 181 tokens: 3 turns")));
        QCOMPARE(input()->plot().state().readOutBin, 7);
        QTest::mouseMove(input()->viewport(), QPoint(2, 2));
        QTRY_COMPARE(hovered.last()[0].toString(), QString());
    }

    void aBrushFromElsewhereIsShownSilently() {
        chart_->setBrush(TokenRange{91, 724}, {});
        QCOMPARE(input()->plot().state().brush, std::optional(std::pair(7, 9)));
        QCOMPARE(chart_->inputBrush(), std::optional(TokenRange{91, 724}));
        QCOMPARE(brushed_->count(), 0);
        // It stays on the same tokens when the bins change.
        chart_->setFigure(fixtures::distribution({.bins = BinKind::FineLog}));
        const Histogram& histogram = input()->plot().histogram();
        const auto bins = input()->plot().state().brush;
        QVERIFY(bins);
        QVERIFY(histogram.bins[static_cast<std::size_t>(bins->first)].low >= 91);
        QVERIFY(histogram.bins[static_cast<std::size_t>(bins->second)].high <= 724);
    }

    void narrowChartsStack() {
        QVERIFY(input()->geometry().right() < chart_->outputView()->geometry().left());
        chart_->resize(400, 700);
        QTRY_VERIFY(input()->geometry().bottom() < chart_->outputView()->geometry().top());
    }

    void emptyFiguresAndThemesPaint() {
        for (const auto& figure :
             {std::shared_ptr<DistributionFigure>(), std::make_shared<DistributionFigure>()}) {
            chart_->setFigure(figure);
            chart_->setTheme(ThemeKind::Dark);
            const QImage image = chart_->grab().toImage();
            QCOMPARE(image.pixelColor(image.width() / 4, image.height() - 3), Theme::dark().plotGround);
            QTest::keyClick(input(), Qt::Key_Right);
            QTest::mouseClick(input()->viewport(), Qt::LeftButton, {}, QPoint(200, 200));
        }
        QCOMPARE(brushed_->count(), 0);
    }

    void aReaderHearsASummary() {
        QVERIFY(input()->accessibleDescription().startsWith(QStringLiteral("9 turns: median 5")));
        QVERIFY(chart_->outputView()->accessibleDescription().contains(QStringLiteral("lower bounds")));
        QVERIFY(!input()->accessibleName().isEmpty());
    }
};

QTEST_MAIN(DistributionChartTest)
#include "distribution_chart_test.moc"
