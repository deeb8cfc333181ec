// The live timeline driven by hand: wheel, drags, clicks, keys, overview.
#include "ui/chart/timeline/timeline_chart.h"

#include "tests/ui/chart/made_up_timeline.h"
#include "ui/chart/timeline/timeline_overview.h"

#include <QAccessible>
#include <QApplication>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace loadline;
using namespace loadline::ui;

namespace {

void wheel(QWidget& widget, QPointF at, QPoint delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(at, widget.mapToGlobal(at), {}, delta, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&widget, &event);
}

void drag(QWidget& widget, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::mousePress(&widget, Qt::LeftButton, modifiers, from);
    QTest::mouseMove(&widget, (from + to) / 2);
    QTest::mouseMove(&widget, to);
    QTest::mouseRelease(&widget, Qt::LeftButton, modifiers, to);
}

} // namespace

class TimelineChartTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

    void init() {
        chart_ = std::make_unique<TimelineChart>();
        chart_->resize(1200, 700);
        chart_->setTimeline(madeUpTimeline(300, 3), nullptr);
        chart_->show();
        QVERIFY(QTest::qWaitForWindowExposed(chart_.get()));
    }

    void cleanup() { chart_.reset(); }

    void itBeginsWithEverything() {
        QVERIFY(chart_->view().end < chart_->view().start);
        QVERIFY(chart_->frame()->x.showsAll());
    }

    void theWheelZoomsAtTheCursor() {
        QSignalSpy changed(chart_.get(), &TimelineChart::viewChanged);
        const QPointF at(700, 200);
        const double before = chart_->frame()->x.toUnits(at.x());
        for (int i = 0; i < 8; ++i) {
            wheel(*chart_, at, {0, 120});
        }
        QVERIFY(std::abs(chart_->frame()->x.toUnits(at.x()) - before) < 1e-3);
        QVERIFY(chart_->frame()->x.span() < chart_->frame()->x.extent / 5);
        QCOMPARE(changed.count(), 8);
        QCOMPARE(changed.last().first().value<TimelineView>(), chart_->view());
        for (int i = 0; i < 12; ++i) {
            wheel(*chart_, at, {0, -120});
        }
        QVERIFY(chart_->frame()->x.showsAll());
        QCOMPARE(changed.count(), 16); // nothing more to show: nothing to tell
    }

    void shiftWheelAndDragsPan() {
        chart_->setView({TimelineAxis::CompressedGaps, 1'000'000, 2'000'000});
        const double start = chart_->frame()->x.start;
        wheel(*chart_, {700, 200}, {0, -120}, Qt::ShiftModifier);
        QVERIFY(chart_->frame()->x.start > start);
        QVERIFY(std::abs(chart_->frame()->x.span() - 1'000'000) < 1e-6);

        const double under = chart_->frame()->x.toUnits(800);
        drag(*chart_, {800, 200}, {600, 205});
        QVERIFY(std::abs(chart_->frame()->x.toUnits(600) - under) < 1e-3);
    }

    void settersAreSilent() {
        QSignalSpy changed(chart_.get(), &TimelineChart::viewChanged);
        QSignalSpy pinned(chart_.get(), &TimelineChart::itemPinned);
        chart_->setView({TimelineAxis::CompressedGaps, 1'000'000, 2'000'000});
        chart_->setAxis(TimelineAxis::TurnIndex);
        chart_->setPinned(TimelineItem{TimelineItem::Kind::Call, 5});
        QCOMPARE(changed.count(), 0);
        QCOMPARE(pinned.count(), 0);
        QCOMPARE(chart_->view().axis, TimelineAxis::TurnIndex);
        const ItemPlace place{0, 5, 5.7}; // call 5 is in view
        QVERIFY(chart_->frame()->x.start <= place.start && place.end <= chart_->frame()->x.end);
    }

    void doubleClickFits() {
        chart_->setView({TimelineAxis::CompressedGaps, 1'000'000, 2'000'000});
        QTest::mouseDClick(chart_.get(), Qt::LeftButton, {}, {700, 200});
        QVERIFY(chart_->frame()->x.showsAll());
    }

    void aClickPinsWhatIsUnderIt() {
        QSignalSpy pinned(chart_.get(), &TimelineChart::itemPinned);
        const TimelineItem item{TimelineItem::Kind::Call, 40};
        chart_->setPinned(item); // brings it into view
        chart_->setPinned(std::nullopt);
        const auto scene = sceneOf(chart_->timeline(), nullptr, chart_->view().axis);
        const ItemPlace place = placeOf(*scene, item);
        chart_->setView({TimelineAxis::CompressedGaps, place.start - 10'000, place.end + 10'000});
        const QRectF rect = *rectOf(*scene, *chart_->frame(), item);
        QTest::mouseClick(chart_.get(), Qt::LeftButton, {},
                          QPoint(qRound(rect.center().x()), qRound(rect.bottom()) - 3));
        QCOMPARE(pinned.count(), 1);
        QCOMPARE(pinned.first().first().value<std::optional<TimelineItem>>(), item);
        QCOMPARE(chart_->pinned(), item);
        QTest::keyClick(chart_.get(), Qt::Key_Escape);
        QCOMPARE(chart_->pinned(), std::nullopt);
        QCOMPARE(pinned.count(), 2);
    }

    void hoverTells() {
        QSignalSpy hovered(chart_.get(), &TimelineChart::itemHovered);
        const auto scene = sceneOf(chart_->timeline(), nullptr, chart_->view().axis);
        const TimelineItem item{TimelineItem::Kind::Call, 0};
        const QRectF rect = *rectOf(*scene, *chart_->frame(), item);
        QTest::mouseMove(chart_.get(), QPoint(qRound(rect.left()) + 1, qRound(rect.bottom()) - 3));
        QCOMPARE(hovered.count(), 1);
        QVERIFY(chart_->current().has_value());
        QCOMPARE(chart_->current()->kind, TimelineItem::Kind::Call);
    }

    void arrowsWalkAndEnterPins() {
        QSignalSpy pinned(chart_.get(), &TimelineChart::itemPinned);
        chart_->setFocus();
        QTest::keyClick(chart_.get(), Qt::Key_Right);
        QVERIFY(chart_->current().has_value());
        QCOMPARE(*chart_->current(), (TimelineItem{TimelineItem::Kind::Call, 0}));
        const std::uint32_t lane = chart_->timeline()->calls[0].lane;
        TimeMs time = chart_->timeline()->calls[0].start;
        for (int i = 0; i < 30; ++i) {
            QTest::keyClick(chart_.get(), Qt::Key_Right);
            const CallSpan& call = chart_->timeline()->calls[chart_->current()->index];
            QCOMPARE(call.lane, lane);
            QVERIFY(call.start > time);
            time = call.start;
        }
        QVERIFY(chart_->accessibleDescription().contains("API call"));
        QTest::keyClick(chart_.get(), Qt::Key_Down);
        QCOMPARE(chart_->current()->kind, TimelineItem::Kind::Tool);
        QTest::keyClick(chart_.get(), Qt::Key_Up);
        QTest::keyClick(chart_.get(), Qt::Key_Up);
        QCOMPARE(chart_->current()->kind, TimelineItem::Kind::Mark);
        QTest::keyClick(chart_.get(), Qt::Key_Return);
        QCOMPARE(pinned.count(), 1);
        QCOMPARE(chart_->pinned(), chart_->current());
    }

    void walkingBringsItemsIntoView() {
        chart_->setView({TimelineAxis::CompressedGaps, 0, 100'000});
        QSignalSpy changed(chart_.get(), &TimelineChart::viewChanged);
        const auto scene = sceneOf(chart_->timeline(), nullptr, chart_->view().axis);
        for (int i = 0; i < 60; ++i) {
            QTest::keyClick(chart_.get(), Qt::Key_Right);
            const ItemPlace place = placeOf(*scene, *chart_->current());
            QVERIFY(place.start >= chart_->frame()->x.start && place.end <= chart_->frame()->x.end);
        }
        QVERIFY(changed.count() > 0);
    }

    void keysZoomPanAndFit() {
        QTest::keyClick(chart_.get(), Qt::Key_W);
        QTest::keyClick(chart_.get(), Qt::Key_Plus);
        const double span = chart_->frame()->x.span(), start = chart_->frame()->x.start;
        QVERIFY(std::abs(span - chart_->frame()->x.extent / 2.25) < 1e-3);
        QTest::keyClick(chart_.get(), Qt::Key_D);
        QVERIFY(chart_->frame()->x.start > start);
        QTest::keyClick(chart_.get(), Qt::Key_A);
        QVERIFY(std::abs(chart_->frame()->x.start - start) < 1e-3);
        QTest::keyClick(chart_.get(), Qt::Key_0);
        QVERIFY(chart_->frame()->x.showsAll());
    }

    void ctrlDragSelectsARange_data() {
        QTest::addColumn<int>("axis");
        QTest::newRow("wall clock") << static_cast<int>(TimelineAxis::WallClock);
        QTest::newRow("gaps cut") << static_cast<int>(TimelineAxis::CompressedGaps);
        QTest::newRow("turn index") << static_cast<int>(TimelineAxis::TurnIndex);
    }

    void ctrlDragSelectsARange() {
        QFETCH(int, axis);
        chart_->setView({static_cast<TimelineAxis>(axis), 0, -1});
        QSignalSpy selected(chart_.get(), &TimelineChart::rangeSelected);
        QSignalSpy cleared(chart_.get(), &TimelineChart::rangeCleared);
        drag(*chart_, {900, 200}, {500, 200}, Qt::ControlModifier);
        QCOMPARE(selected.count(), 1);
        const auto from = selected.first().at(0).value<TimeMs>(), to = selected.first().at(1).value<TimeMs>();
        QVERIFY(chart_->timeline()->first <= from && from < to && to <= chart_->timeline()->last);
        const TimelineScale scale(*chart_->timeline(), chart_->view().axis);
        if (scale.axis() != TimelineAxis::TurnIndex) {
            QVERIFY(std::abs(scale.unitsAt(from) - chart_->frame()->x.toUnits(500)) < 1000);
        }
        chart_->setHighlightedRange(TimeRange{from, to}); // as the page answers
        QTest::keyClick(chart_.get(), Qt::Key_Escape);
        QCOMPARE(cleared.count(), 1);
        QTest::keyClick(chart_.get(), Qt::Key_Escape);
        QCOMPARE(cleared.count(), 1);
    }

    void markedStretchesHaveAGround_data() { ctrlDragSelectsARange_data(); }

    void markedStretchesHaveAGround() {
        QFETCH(int, axis);
        chart_->setView({static_cast<TimelineAxis>(axis), 0, -1});
        const QImage before = chart_->grab().toImage();
        const Timeline& timeline = *chart_->timeline();
        const CallSpan& first = timeline.calls[timeline.calls.size() / 2];
        const CallSpan& last = timeline.calls[timeline.calls.size() / 2 + 5];
        chart_->setMarkedStretches({{first.start, last.end}});
        const QImage marked = chart_->grab().toImage();
        QVERIFY(marked != before);
        chart_->setView({TimelineAxis::WallClock, 0, -1});
        chart_->setView({static_cast<TimelineAxis>(axis), 0, -1}); // it moves with the axis
        QCOMPARE(chart_->grab().toImage(), marked);
        chart_->setMarkedStretches({});
        QCOMPARE(chart_->grab().toImage(), before);
    }

    void theOverviewMovesAndResizesTheWindow() {
        auto* overview = chart_->findChild<TimelineOverview*>();
        QVERIFY(overview != nullptr);
        const double extent = chart_->frame()->x.extent;
        chart_->setView({TimelineAxis::CompressedGaps, extent * 0.4, extent * 0.6});
        const auto x = [&](double share) { return QPoint(qRound(overview->pixelOf(extent * share)), 20); };
        const double pixel = extent / chart_->frame()->x.width;

        QCOMPARE(overview->partAt(x(0.4).x()), TimelineOverview::Part::Left);
        QCOMPARE(overview->partAt(x(0.5).x()), TimelineOverview::Part::Inside);
        QCOMPARE(overview->partAt(x(0.2).x()), TimelineOverview::Part::None);

        drag(*overview, x(0.5), x(0.7));
        QVERIFY(std::abs(chart_->frame()->x.start - extent * 0.6) < 2 * pixel);
        QVERIFY(std::abs(chart_->frame()->x.span() - extent * 0.2) < 1e-3);

        drag(*overview, x(0.8), x(0.9));
        QVERIFY(std::abs(chart_->frame()->x.end - extent * 0.9) < 2 * pixel);
        QVERIFY(std::abs(chart_->frame()->x.start - extent * 0.6) < 2 * pixel);

        drag(*overview, x(0.1), x(0.3)); // beside the window: a new one
        QVERIFY(std::abs(chart_->frame()->x.start - extent * 0.1) < 2 * pixel);
        QVERIFY(std::abs(chart_->frame()->x.end - extent * 0.3) < 2 * pixel);

        QTest::mouseClick(overview, Qt::LeftButton, {}, x(0.6));
        QVERIFY(std::abs((chart_->frame()->x.start + chart_->frame()->x.end) / 2 - extent * 0.6) < 2 * pixel);
        QTest::mouseDClick(overview, Qt::LeftButton, {}, x(0.5));
        QVERIFY(chart_->frame()->x.showsAll());
    }

    void manyLanesScrollAndFold() {
        chart_->setTimeline(madeUpTimeline(500, 90), nullptr);
        auto* bar = chart_->findChild<QScrollBar*>();
        QVERIFY(bar->isVisible());
        const TimelineRows& rows = chart_->frame()->rows;
        wheel(*chart_, {20, rows.scrolled.top + 20}, {0, -120}); // over the names: scrolls
        QVERIFY(chart_->frame()->rows.scroll > 0);
        QCOMPARE(bar->value(), qRound(chart_->frame()->rows.scroll));
        QVERIFY(chart_->frame()->x.showsAll());
        QTest::keyClick(chart_.get(), Qt::Key_PageDown);
        QVERIFY(chart_->frame()->rows.scroll > 60);
        for (const TimelineRow& row : rows.rows) {
            if (row.kind == TimelineRow::Kind::Heading) {
                QTest::mouseClick(chart_.get(), Qt::LeftButton, {}, QPoint(20, qRound(row.band.top + 8)));
                break;
            }
        }
        QVERIFY(!bar->isVisible());
        QVERIFY(chart_->frame()->rows.ofLane(10) == nullptr);
    }

    void aNameSelectsItsLane() {
        chart_->setTimeline(madeUpTimeline(300, 3), nullptr);
        QSignalSpy selected(chart_.get(), &TimelineChart::lanesSelected);
        const Timeline& timeline = *chart_->timeline();
        const auto nameAt = [&](std::uint32_t lane) {
            const TimelineRow* row = chart_->frame()->rows.ofLane(lane);
            return QPoint(40, qRound(row->band.top + row->band.height / 2));
        };
        const auto nameOf = [&](std::uint32_t lane) {
            return QString::fromStdString(timeline.lanes[lane].name);
        };
        const auto click = [&](std::uint32_t lane, Qt::KeyboardModifiers keys = {}) {
            QTest::mouseClick(chart_.get(), Qt::LeftButton, keys, nameAt(lane));
            const QStringList names = selected.last()[0].toStringList();
            chart_->setSelectedLanes(names); // as the page does
            return names;
        };
        const auto plain = chart_->grab().toImage();
        QCOMPARE(click(0), QStringList({"main"}));
        QVERIFY(chart_->grab().toImage() != plain);
        QCOMPARE(click(2), QStringList({nameOf(2)}));
        QCOMPARE(click(0, Qt::ControlModifier), QStringList({nameOf(2), "main"}));
        QCOMPARE(click(0, Qt::ControlModifier), QStringList({nameOf(2)}));
        QCOMPARE(click(3), QStringList()); // its tools' row is the agent's
        chart_->setPinned(TimelineItem{TimelineItem::Kind::Call, 0});
        QTest::keyClick(chart_.get(), Qt::Key_L);
        QCOMPARE(selected.last()[0].toStringList(), QStringList({"main"}));
        chart_->setSelectedLanes({"main"});
        chart_->setPinned(std::nullopt);
        QTest::keyClick(chart_.get(), Qt::Key_Escape);
        QCOMPARE(selected.last()[0].toStringList(), QStringList());
        chart_->setSelectedLanes({});
        const TimelineRow::Kind before = chart_->frame()->rows.ofLane(2)->kind;
        QTest::mouseDClick(chart_.get(), Qt::LeftButton, {}, nameAt(2)); // folds
        QVERIFY(chart_->frame()->rows.ofLane(2)->kind != before);
    }

    void theSameSessionAnewKeepsTheView() {
        chart_->setView({TimelineAxis::CompressedGaps, 1'000'000, 2'000'000});
        const TimelineView before = chart_->view();
        chart_->setTimeline(madeUpTimeline(300, 3), nullptr);
        QCOMPARE(chart_->view(), before);
        auto other = std::make_shared<Timeline>(*madeUpTimeline(20, 0));
        other->session = 7;
        chart_->setTimeline(other, nullptr);
        QVERIFY(chart_->frame()->x.showsAll());
    }

    void nothingToShowIsSaid() {
        chart_->setTimeline(nullptr, nullptr);
        QVERIFY(chart_->frame() == nullptr);
        chart_->grab();
        wheel(*chart_, {700, 200}, {0, 120});
        QTest::keyClick(chart_.get(), Qt::Key_Right);
        QTest::mouseClick(chart_.get(), Qt::LeftButton, {}, {300, 300});
        chart_->setTimeline(std::make_shared<Timeline>(), nullptr);
        chart_->grab();
        chart_->setView({TimelineAxis::TurnIndex, 0, -1});
        QCOMPARE(chart_->view().axis, TimelineAxis::TurnIndex);
    }

    void anySizePaints_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("least") << QSize(360, 240);
        QTest::newRow("flat") << QSize(1600, 60);
        QTest::newRow("thin") << QSize(40, 700);
        QTest::newRow("large") << QSize(3840, 2160);
    }

    void anySizePaints() {
        QFETCH(QSize, size);
        chart_->resize(size);
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            chart_->setTheme(kind);
            const QImage image = chart_->grab().toImage();
            QCOMPARE(image.size(), size);
        }
    }

private:
    std::unique_ptr<TimelineChart> chart_;
};

QTEST_MAIN(TimelineChartTest)
#include "timeline_chart_test.moc"
