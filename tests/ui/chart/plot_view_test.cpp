// Drawings that are touched: axes and ticks, drags, read-outs, several charts in a grid.
#include "ui/chart/frame/chart_grid.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/xy_axes.h"

#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>

using namespace loadline;
using namespace loadline::ui;

namespace {

/// Its users are the pixels from the left; the upper half cannot be dragged.
class PixelDrawing : public PlotDrawing {
public:
    [[nodiscard]] QString title() const override { return QStringLiteral("Pixels"); }

    [[nodiscard]] QString sentence() const override { return QStringLiteral("Pixels are counted."); }

    [[nodiscard]] Table table() const override { return {}; }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        painter.fillRect(area, theme.accent);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& /*area*/) const override {
        return {QString::number(static_cast<int>(at.x()))};
    }

    [[nodiscard]] std::vector<QPointF> marks(const QRectF& /*area*/) const override {
        return {QPointF(100, 0), QPointF(200, 0)};
    }

    [[nodiscard]] std::optional<PlotChange> stepped(std::size_t mark, int way) const override {
        PlotChange change;
        change.fields = {{"users", -1, 100.0 * (static_cast<double>(mark) + 1) + way}};
        return change;
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        if (from.y() < area.center().y()) {
            return std::nullopt;
        }
        PlotChange change;
        change.fields = {{"users", -1, std::floor(to.x())}};
        return change;
    }
};

double usersIn(const QList<QVariant>& signal) {
    return *signal[0].value<PlotChange>().fields.front().value;
}

/// Counts how often its answer is painted; the hand's layer is a number.
class LayeredDrawing : public PixelDrawing {
public:
    LayeredDrawing(int answer, int hand, int& painted) : answer_(answer), hand_(hand), painted_(&painted) {}

    void paintAnswer(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        ++*painted_;
        painter.fillRect(area, theme.accent);
    }

    void paintHand(QPainter& painter, const QRectF& /*area*/, const Theme& /*theme*/) const override {
        painter.fillRect(hand_, 50, 1, 1, Qt::red);
    }

    [[nodiscard]] bool hasAnswerOf(const PlotDrawing& other) const override {
        return dynamic_cast<const LayeredDrawing&>(other).answer_ == answer_;
    }

private:
    int answer_, hand_;
    int* painted_;
};

} // namespace

class PlotViewTest : public QObject {
    Q_OBJECT

private slots:

    void arrowKeysMoveAMark() {
        PlotView view;
        view.resize(400, 300);
        view.setDrawing(std::make_shared<const PixelDrawing>());
        QSignalSpy began(&view, &PlotView::dragBegan);
        QSignalSpy changed(&view, &PlotView::changed);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(changed.size(), 1);
        QCOMPARE(usersIn(changed[0]), 101.0);
        QVERIFY2(changed[0][1].toBool(), "a step of its own");
        QTest::keyClick(&view, Qt::Key_Up); // the other mark
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(changed.size(), 2);
        QCOMPARE(usersIn(changed[1]), 199.0);
        QCOMPARE(began.size(), 2);
    }

    void theAnswerIsPaintedOnceForManyMovesOfTheHand() {
        PlotView view;
        view.resize(400, 300);
        int painted = 0;
        const auto show = [&](int answer, int hand) {
            view.setDrawing(std::make_shared<const LayeredDrawing>(answer, hand, painted));
            return view.grab().toImage();
        };
        for (const int hand : {100, 101, 150}) {
            QCOMPARE(show(1, hand).pixelColor(hand, 50), QColor(Qt::red));
            QCOMPARE(show(1, hand).pixelColor(99, 50), Theme::of(ThemeKind::Light).accent);
        }
        QTest::mouseMove(&view, QPoint(20, 20));
        view.grab();
        QCOMPARE(painted, 1);
        show(2, 100);
        QCOMPARE(painted, 2);
        view.setTheme(ThemeKind::Dark);
        view.grab();
        QCOMPARE(painted, 3);
        view.resize(401, 300);
        view.grab();
        QCOMPARE(painted, 4);
        view.setFont(QFont(view.font().family(), 20));
        view.grab();
        QCOMPARE(painted, 5);
    }

    void whatIsReadOutFollowsTheDrawing() {
        PlotView view;
        view.resize(400, 300);
        view.setDrawing(std::make_shared<const PixelDrawing>());
        QTest::mouseMove(&view, QPoint(20, 20));
        QTest::mouseMove(&view, QPoint(50, 200));
        QSignalSpy hovered(&view, &PlotView::hovered);
        QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(50, 200));
        QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(90, 200));
        QVERIFY(!hovered.isEmpty());
        QCOMPARE(hovered.back()[0].toString(), QString("90")); // where the hand let go
        hovered.clear();
        view.setDrawing(std::make_shared<const PixelDrawing>());
        QCOMPARE(hovered.size(), 1);
    }

    void ticksAreRoundAndFew_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("log");
        QTest::newRow("unit") << 0.0 << 1.0 << false;
        QTest::newRow("ratio") << 0.0 << 1.5 << false;
        QTest::newRow("small") << 0.0 << 3e-6 << false;
        QTest::newRow("users") << 1.0 << 256.0 << true;
        QTest::newRow("chunks") << 45.0 << 11585.0 << true;
        QTest::newRow("wide") << 1e-3 << 1e9 << true;
        QTest::newRow("narrow") << 6.0 << 9.0 << true;
        QTest::newRow("without a round number") << 4.1 << 4.9 << true;
        QTest::newRow("around one power") << 400.0 << 2500.0 << true;
    }

    void ticksAreRoundAndFew() {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(bool, log);
        const XyAxis axis{{}, low, high, log, false};
        for (int most = 2; most <= 12; ++most) {
            const auto ticks = ticksOf(axis, most);
            QVERIFY(static_cast<int>(ticks.size()) <= most + 1);
            QVERIFY2(ticks.size() >= 2, "one tick tells no distance");
            for (std::size_t i = 0; i < ticks.size(); ++i) {
                QVERIFY(ticks[i] >= low * (1 - 1e-9) - 1e-12 && ticks[i] <= high * (1 + 1e-9));
                QVERIFY(i == 0 || ticks[i] > ticks[i - 1]);
                QVERIFY(!tickText(axis, ticks[i]).isEmpty());
            }
        }
    }

    void ticksThatAreGivenAreTheOnlyOnes() {
        XyAxis axis{{}, 0.7, 30, true, false};
        axis.ticks = {1, 2, 4, 8, 16, 24};
        QCOMPARE(ticksOf(axis, 6), axis.ticks);
        QCOMPARE(ticksOf(axis, 20), axis.ticks);
        QCOMPARE(ticksOf(axis, 3), (std::vector<double>{1, 4, 16}));
        QCOMPARE(ticksOf(axis, 1), std::vector<double>{1});
    }

    void timesOnALogarithmicAxisEachHaveTheirUnit() {
        const XyAxis axis{.title = {}, .low = 1, .high = 200'000, .log = true, .times = true};
        QStringList texts;
        for (const double tick : ticksOf(axis, 7)) {
            texts << tickText(axis, tick).replace(u'\u202F', u' ');
        }
        QCOMPARE(texts, (QStringList{"1 s", "10 s", "1 min", "10 min", "1 h", "10 h", "1 d"}));
        for (const auto& [low, high] :
             {std::pair(1.0, 7200.0), std::pair(0.002, 40.0), std::pair(1.0, 1e9)}) {
            const XyAxis other{.title = {}, .low = low, .high = high, .log = true, .times = true};
            for (int most = 6; most <= 20; ++most) {
                const std::vector<double> ticks = ticksOf(other, most);
                QVERIFY(ticks.size() >= 3);
                QVERIFY(static_cast<int>(ticks.size()) <= most + 4);
                for (const double tick : ticks) {
                    QVERIFY(tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9));
                    QVERIFY2(!tickText(other, tick).contains(u'k') || tick > 1e7,
                             "never thousands of seconds");
                }
            }
        }
    }

    /// A low panel of a tenth of a second has more than the one tick of its decade.
    void aLowAxisOfTimesHasTwoTicks() {
        const XyAxis axis{.title = {}, .low = 0.015, .high = 0.3, .log = true, .times = true};
        QCOMPARE(ticksOf(axis, 2).size(), std::size_t{2});
        const std::vector<double> fine = ticksOf(axis, 6);
        QVERIFY(fine.size() > 2 && fine.size() <= 6);
    }

    void timesHaveAUnitInWhichTheyAreShort() {
        for (const auto& [mostS, name] :
             {std::pair(1e-5, "\u00b5s"), std::pair(0.5, "ms"), std::pair(9.0, "ms"), std::pair(500.0, "s"),
              std::pair(1500.0, "min"), std::pair(1e5, "h"), std::pair(1e6, "d")}) {
            const TimeUnit unit = timeUnitOf(mostS);
            QCOMPARE(unit.name, QString::fromUtf8(name));
            QVERIFY(mostS * unit.perS < 1e4);
            QVERIFY2(unit.name != "s" || mostS < 1000, "never thousands of seconds");
        }
        QCOMPARE(timeAxis("%1 a call", 1, 1000).title, QString::fromUtf8("\u00b5s a call"));
        QCOMPARE(timeAxis("%1 a call", 1, 1e9).title, QString("min a call"));
        QCOMPARE(timeAxis("%1 a call", 1, 1e9).factor * 6e7, 1.0);
    }

    /// How many ticks there are, the height tells; those of few may be the wider ones: 1.5, 3, 4.5.
    void ticksHaveRoomWhateverTheHeight() {
        const XyAxis y{"TTFT, s", 0, 5, false, false};
        double widest = 0;
        for (int rows = 2; rows <= 6; ++rows) {
            for (const double tick : ticksOf(y, rows)) {
                widest = std::max(widest, widthOf(fontOf(0.82), tickText(y, tick)));
            }
        }
        QVERIFY(XyAxes::roomFor(y) >= widest);
        QVERIFY(XyAxes({"users", 1, 256, true}, y, QRectF(0, 0, 200, 120)).plot().left() > widest);
    }

    void axesMapThereAndBack() {
        const XyAxes axes({"users", 1, 256, true}, {"ratio", 0, 2}, QRectF(10, 20, 400, 300));
        for (const double users : {1.0, 2.0, 14.0, 100.0, 256.0}) {
            QVERIFY(std::abs(axes.valueAtX(axes.x(users)) - users) < 1e-6 * users);
        }
        QVERIFY(axes.y(0) > axes.y(2));
        QCOMPARE(axes.x(1e9), axes.plot().right()); // held within the plot
        QCOMPARE(axes.valueAtX(-1e9), 1.0);
        const XyAxes tiny({"", 1, 2, true}, {"", 0, 1}, QRectF(0, 0, 5, 5));
        QVERIFY(std::isfinite(tiny.x(1.5)));
    }

    void niceNumbersAreNotBelow() {
        for (double value = 1e-6; value < 1e6; value *= 1.37) {
            QVERIFY(niceAbove(value) >= value * (1 - 1e-9));
            QVERIFY(niceAbove(value) <= 2 * value);
        }
        QCOMPARE(niceAbove(0), 1.0);
        QCOMPARE(niceAbove(std::nan("")), 1.0);
        QCOMPARE(niceAbove(INFINITY), 1.0);
    }

    void extentsOnlyGrow() {
        QCOMPARE(atLeast({1, 5, 2}, {3, 4}), (PlotExtents{3, 5, 2}));
        QCOMPARE(atLeast({1, 5}, {}), (PlotExtents{1, 5}));
    }

    void aDragTellsWhereItIs() {
        PlotView view;
        view.setDrawing(std::make_shared<PixelDrawing>());
        view.resize(200, 100);
        QCOMPARE(view.accessibleName(), QString("Pixels"));
        QSignalSpy changed(&view, &PlotView::changed);
        QSignalSpy began(&view, &PlotView::dragBegan);
        QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(50, 10));
        QTest::mouseMove(&view, QPoint(80, 10));
        QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(80, 10));
        QCOMPARE(changed.count(), 0); // nothing to drag there
        QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(50, 80));
        QVERIFY(view.isDragged());
        QSignalSpy hovered(&view, &PlotView::hovered);
        QTest::mouseMove(&view, QPoint(70, 80));
        QCOMPARE(hovered.last()[0].toString(), QString("70")); // not where the drag began
        QTest::mouseMove(&view, QPoint(90, 5));                // the hand may leave the row
        QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(95, 80));
        QVERIFY(!view.isDragged());
        QCOMPARE(began.count(), 1);
        QVERIFY(changed.count() >= 3);
        QCOMPARE(usersIn(changed.last()), 95.0);
        QCOMPARE(changed.last()[1].toBool(), true);
        QCOMPARE(changed.first()[1].toBool(), false);
    }

    /// What stands over the chart may need another line while its marker is dragged.
    void aChartThatMovesUnderTheHandIsDraggedByTheHand() {
        QWidget window;
        window.resize(300, 200);
        auto* view = new PlotView;
        view->setParent(&window);
        view->setGeometry(0, 0, 200, 100);
        view->setDrawing(std::make_shared<PixelDrawing>());
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QSignalSpy changed(view, &PlotView::changed);
        QTest::mousePress(view, Qt::LeftButton, {}, QPoint(50, 80));
        view->setGeometry(20, 30, 180, 70);
        QTest::mouseMove(view, QPoint(50, 50)); // 20 to the right on the screen
        QCOMPARE(usersIn(changed.last()), 70.0);
        QTest::mouseRelease(view, Qt::LeftButton, {}, QPoint(50, 50));
        QCOMPARE(usersIn(changed.last()), 70.0);
    }

    void aNewDrawingDoesNotEndADrag() {
        PlotView view;
        view.setDrawing(std::make_shared<PixelDrawing>());
        view.resize(200, 100);
        QSignalSpy changed(&view, &PlotView::changed);
        QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(50, 80));
        view.setDrawing(nullptr);
        QTest::mouseMove(&view, QPoint(60, 80));
        QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(60, 80));
        QCOMPARE(changed.last()[1].toBool(), true);
        view.grab(); // nothing to paint, nothing to crash
    }

    void theGridShowsOneAloneAndAllAgain() {
        ChartGrid grid({"a", "b", "c"});
        grid.resize(900, 600);
        QSignalSpy chosen(&grid, &ChartGrid::chosenChanged);
        grid.show();
        QVERIFY(QTest::qWaitForWindowExposed(&grid));
        QTest::mouseDClick(grid.view(1), Qt::LeftButton);
        QCOMPARE(grid.alone(), 1);
        QCOMPARE(grid.chosen(), 1);
        QVERIFY(chosen.count() >= 1);
        QVERIFY(grid.view(1)->isVisible());
        QVERIFY(!grid.view(0)->isVisible());
        QTest::keyClick(grid.view(1), Qt::Key_Return);
        QCOMPARE(grid.alone(), -1);
        QVERIFY(grid.view(0)->isVisible());
    }

    void whatIsHiddenLeavesNoGapAndIsNotChosen() {
        ChartGrid grid({"a", "b", "c"});
        grid.resize(1600, 600);
        grid.show();
        QVERIFY(QTest::qWaitForWindowExposed(&grid));
        grid.setHidden({0, 2});
        QVERIFY(!grid.view(0)->isVisible() && grid.view(1)->isVisible() && !grid.view(2)->isVisible());
        QCOMPARE(grid.chosen(), 1);
        QTRY_VERIFY(grid.view(1)->width() > 1200);
        grid.setHidden({});
        QVERIFY(grid.view(0)->isVisible() && grid.view(2)->isVisible());
        QCOMPARE(grid.chosen(), 1);
    }

    void aNarrowGridHasOneColumn() {
        ChartGrid grid({"a", "b", "c", "d"});
        grid.show();
        QVERIFY(QTest::qWaitForWindowExposed(&grid));
        const auto columns = [&] {
            std::vector<int> places;
            for (int i = 0; i < grid.count(); ++i) {
                const int x = grid.view(i)->mapTo(&grid, QPoint(0, 0)).x();
                if (std::find(places.begin(), places.end(), x) == places.end()) {
                    places.push_back(x);
                }
            }
            return places.size();
        };
        for (const auto& [width, expected] : {std::pair(400, 1U), std::pair(800, 2U), std::pair(1600, 3U)}) {
            grid.resize(width, 700);
            QCoreApplication::processEvents();
            QTRY_COMPARE(columns(), std::size_t{expected});
        }
    }
};

QTEST_MAIN(PlotViewTest)

#include "plot_view_test.moc"
