// Pixels of the timeline as tables of numbers: zoom, pan, ticks, rows.
#include "tests/ui/chart/made_up_timeline.h"
#include "ui/chart/timeline/timeline_frame.h"
#include "ui/chart/timeline/timeline_text.h"

#include <QRegularExpression>
#include <QTest>

#include <utility>

using namespace loadline;
using namespace loadline::ui;

namespace {

TimelineGeometry geometry(double start, double end) {
    TimelineGeometry g;
    g.extent = 1000;
    g.start = start;
    g.end = end;
    g.left = 100;
    g.width = 500;
    g.smallestSpan = 10;
    return g;
}

} // namespace

class TimelineGeometryTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

    void roundStepsBelow() {
        for (const auto& [most, round] :
             {std::pair(1., 1.), std::pair(1.5, 1.), std::pair(4.9, 2.), std::pair(5., 5.),
              std::pair(9.9, 5.), std::pair(10., 10.), std::pair(187'000., 100'000.)}) {
            QCOMPARE(roundBelow(most), round);
        }
    }

    void callsOfARangeAreThoseThatAScopeOfItCounts() {
        TimelineMaker maker;
        maker.lane("main", LaneKind::Main, false);
        for (int i = 0; i < 6; ++i) {
            CallSpan call;
            call.start = after(i * 10'000);
            call.firstLine = after(i * 10'000 + 2'000); // what the scope's dates are compared with
            call.end = after(i * 10'000 + 5'000);
            call.hit = i != 2;
            call.inherited = i == 3;
            maker.timeline().calls.push_back(call);
        }
        const auto timeline = maker.finish();
        QCOMPARE(callsWithin(*timeline, {timeline->first, timeline->last}, false), std::uint64_t{5});
        QCOMPARE(callsWithin(*timeline, {timeline->first, timeline->last}, true), std::uint64_t{4});
        QCOMPARE(callsWithin(*timeline, {after(0), after(11'000)}, true),
                 std::uint64_t{1}); // 1 began, not more
        QCOMPARE(callsWithin(*timeline, {after(12'000), after(12'000)}, true), std::uint64_t{1});
        QCOMPARE(callsWithin(*timeline, {after(60'000), after(70'000)}, true), std::uint64_t{0});
    }

    void unitsAndPixels_data() {
        QTest::addColumn<double>("start");
        QTest::addColumn<double>("end");
        QTest::addColumn<double>("units");
        QTest::addColumn<double>("pixel");
        QTest::newRow("left edge") << 0. << 1000. << 0. << 100.;
        QTest::newRow("right edge") << 0. << 1000. << 1000. << 600.;
        QTest::newRow("middle") << 0. << 1000. << 500. << 350.;
        QTest::newRow("zoomed") << 200. << 300. << 250. << 350.;
        QTest::newRow("before the view") << 200. << 300. << 180. << 0.;
    }

    void unitsAndPixels() {
        QFETCH(double, start);
        QFETCH(double, end);
        QFETCH(double, units);
        QFETCH(double, pixel);
        const TimelineGeometry g = geometry(start, end);
        QCOMPARE(g.toPixel(units), pixel);
        QCOMPARE(g.toUnits(pixel), units);
    }

    void zoomKeepsWhatIsUnderThePixel_data() {
        QTest::addColumn<double>("pixel");
        QTest::addColumn<double>("factor");
        for (const double pixel : {100., 180., 350., 590.}) {
            for (const double factor : {1.25, 2., 7.}) {
                QTest::addRow("in %g at %g", factor, pixel) << pixel << factor;
            }
        }
    }

    void zoomKeepsWhatIsUnderThePixel() {
        QFETCH(double, pixel);
        QFETCH(double, factor);
        const TimelineGeometry before = geometry(100, 900), after = before.zoomed(pixel, factor);
        QVERIFY(std::abs(after.toUnits(pixel) - before.toUnits(pixel)) < 1e-9);
        QVERIFY(std::abs(after.span() - before.span() / factor) < 1e-9);
        const TimelineGeometry back = after.zoomed(pixel, 1 / factor);
        QVERIFY(std::abs(back.start - before.start) < 1e-9);
        QVERIFY(std::abs(back.end - before.end) < 1e-9);
    }

    void zoomStopsAtTheWholeAndAtTheSmallest() {
        QVERIFY(geometry(400, 500).zoomed(350, 1e-6).showsAll());
        const TimelineGeometry near = geometry(400, 500).zoomed(350, 1e6);
        QCOMPARE(near.span(), 10.);
        QCOMPARE(near.toUnits(350), 450.);
    }

    void panStopsAtTheEdges_data() {
        QTest::addColumn<double>("pixels");
        QTest::addColumn<double>("start");
        QTest::newRow("later") << 50. << 410.;
        QTest::newRow("earlier") << -50. << 390.;
        QTest::newRow("to the end") << 1e6 << 900.;
        QTest::newRow("to the start") << -1e6 << 0.;
    }

    void panStopsAtTheEdges() {
        QFETCH(double, pixels);
        QFETCH(double, start);
        const TimelineGeometry g = geometry(400, 500).panned(pixels);
        QCOMPARE(g.start, start);
        QCOMPARE(g.span(), 100.);
    }

    void revealMovesOnlyWhatIsOutside_data() {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<double>("start");
        QTest::addColumn<double>("end");
        QTest::newRow("inside") << 420. << 430. << 400. << 500.;
        QTest::newRow("before") << 300. << 310. << 290. << 390.;
        QTest::newRow("behind") << 600. << 610. << 520. << 620.;
        QTest::newRow("at the start") << 0. << 5. << 0. << 100.;
        QTest::newRow("larger than the view") << 300. << 700. << 280. << 720.;
    }

    void revealMovesOnlyWhatIsOutside() {
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(double, start);
        QFETCH(double, end);
        const TimelineGeometry g = geometry(400, 500).revealing(from, to);
        QCOMPARE(g.start, start);
        QCOMPARE(g.end, end);
    }

    void roundSteps() {
        QCOMPARE(roundStepMs(0.3), 1);
        QCOMPARE(roundStepMs(90), 100);
        QCOMPARE(roundStepMs(700), 1000);
        QCOMPARE(roundStepMs(16'000), 30'000);
        QCOMPARE(roundStepMs(40 * 60'000.), 3'600'000);
        QCOMPARE(roundStepMs(13 * 3'600'000.), 86'400'000);
        QCOMPARE(roundStepMs(60 * 86'400'000.), 100 * 86'400'000LL);
        QCOMPARE(roundStep(0.1), 1.);
        QCOMPARE(roundStep(3), 5.);
        QCOMPARE(roundStep(60), 100.);
    }

    void ticksSayClockDayAndFractions_data() {
        QTest::addColumn<qint64>("from"); // ms after 14:00
        QTest::addColumn<qint64>("to");
        QTest::addColumn<QString>("expected");
        QTest::newRow("hours") << 0LL << 4 * 3'600'000LL << "14:00 (Tue 2026-01-20) 15:00 16:00 17:00 18:00";
        QTest::newRow("over midnight") << 9 * 3'600'000LL << 11 * 3'600'000LL
                                       << "23:00 (Tue 2026-01-20) 23:30 00:00 (Wed 2026-01-21) 00:30 01:00";
        QTest::newRow("seconds") << 1'000LL << 9'000LL
                                 << "14:00:02 (Tue 2026-01-20) 14:00:04 14:00:06 14:00:08";
        QTest::newRow("parts of a second")
            << 1'000LL << 2'000LL << "14:00:01 (Tue 2026-01-20) +0.2 s +0.4 s +0.6 s +0.8 s 14:00:02";
    }

    void ticksSayClockDayAndFractions() {
        QFETCH(qint64, from);
        QFETCH(qint64, to);
        QFETCH(QString, expected);
        Timeline timeline;
        timeline.first = madeUpStart;
        timeline.last = after(12 * 3'600'000);
        const TimelineScale scale(timeline, TimelineAxis::WallClock);
        const TimelineGeometry g = geometryOf(
            scale, {TimelineAxis::WallClock, static_cast<double>(from), static_cast<double>(to)}, 0, 500);
        QStringList said;
        for (const TimelineTick& tick : ticksOf(scale, g, 90)) {
            said << QString::fromStdString(tick.label);
            if (!tick.day.empty()) {
                said << "(" + QString::fromStdString(tick.day) + ")";
            }
        }
        QCOMPARE(said.join(' '), expected);
    }

    void ticksKeepTheirDistanceOnEveryAxis() {
        const auto timeline = madeUpTimeline(400, 3);
        for (const TimelineAxis axis :
             {TimelineAxis::WallClock, TimelineAxis::CompressedGaps, TimelineAxis::TurnIndex}) {
            const TimelineScale scale(*timeline, axis);
            TimelineGeometry g = geometryOf(scale, {axis, 0, -1}, 50, 900);
            for (int zoom = 0; zoom < 14; ++zoom) {
                const auto ticks = ticksOf(scale, g, 70);
                QVERIFY(ticks.size() >= 1);
                QVERIFY(ticks.size() <= 14);
                for (std::size_t i = 1; i < ticks.size(); ++i) {
                    QVERIFY(g.toPixel(ticks[i].units) - g.toPixel(ticks[i - 1].units) >= 70 - 1e-6);
                }
                g = g.zoomed(333, 2);
            }
        }
    }

    void anotherAxisShowsTheSameStretch() {
        const auto timeline = madeUpTimeline(60, 0);
        const TimelineView calls{TimelineAxis::TurnIndex, 10, 20};
        const TimelineView clock = viewOnAxis(*timeline, calls, TimelineAxis::WallClock);
        const TimelineScale scale(*timeline, TimelineAxis::WallClock);
        QCOMPARE(scale.timeAt(clock.start).ms, timeline->calls[10].start.ms);
        QCOMPARE(scale.timeAt(clock.end).ms, timeline->calls[20].start.ms);
        QCOMPARE(viewOnAxis(*timeline, clock, TimelineAxis::TurnIndex), calls);
        const TimelineView all{TimelineAxis::TurnIndex, 0, -1};
        QVERIFY(viewOnAxis(*timeline, all, TimelineAxis::WallClock).end < 0);
    }

    void rowsFillTheAreaWithoutGaps_data() {
        QTest::addColumn<int>("agents");
        QTest::addColumn<bool>("squeeze");
        for (const int agents : {0, 1, 4, 20, 100}) {
            QTest::addRow("%d agents in the window", agents) << agents << false;
            QTest::addRow("%d agents squeezed", agents) << agents << true;
        }
    }

    void rowsFillTheAreaWithoutGaps() {
        QFETCH(int, agents);
        QFETCH(bool, squeeze);
        const auto scene = sceneOf(madeUpTimeline(400, agents), nullptr, TimelineAxis::CompressedGaps);
        const TimelineRows rows = rowsOf(*scene, {50, 600}, {}, 0, squeeze);
        double y = 50;
        for (const TimelineRow& row : rows.rows) {
            QCOMPARE(row.band.top, y);
            QVERIFY(row.band.height > 0);
            y = row.band.bottom();
            if (row.kind == TimelineRow::Kind::Heading || row.kind == TimelineRow::Kind::Tools) {
                continue;
            }
            const AgentBands bands = bandsOf(row);
            for (const Band& band : {bands.events, bands.prompts, bands.context, bands.spans, bands.output}) {
                QVERIFY(band.height >= 0);
                QVERIFY(band.height == 0 ||
                        (band.top >= row.band.top - 1e-9 && band.bottom() <= row.band.bottom() + 1e-9));
            }
        }
        if (squeeze) {
            QVERIFY2(y <= 650.001, qPrintable(QString::number(y)));
        }
        QCOMPARE(rows.contentHeight <= rows.scrolled.height + 0.001 || !squeeze, true);
    }

    void aFoldedLaneIsLowerAndHiddenLanesAreGone() {
        const auto scene = sceneOf(madeUpTimeline(400, 4), nullptr, TimelineAxis::CompressedGaps);
        const TimelineRows open = rowsOf(*scene, {0, 500}, {}, 0, false);
        LaneFolds folds;
        folds.other.insert(2);
        const TimelineRows folded = rowsOf(*scene, {0, 500}, folds, 0, false);
        QCOMPARE(open.ofLane(2)->kind, TimelineRow::Kind::Agent);
        QCOMPARE(folded.ofLane(2)->kind, TimelineRow::Kind::Compact);
        QVERIFY(folded.ofLane(2)->band.height < open.ofLane(2)->band.height);
        QVERIFY(folded.ofLane(3) == nullptr); // its tools
        folds.hidden = true;
        QVERIFY(rowsOf(*scene, {0, 500}, folds, 0, false).ofLane(4) == nullptr);
    }

    void scrollingShowsALane() {
        const auto scene = sceneOf(madeUpTimeline(400, 100), nullptr, TimelineAxis::CompressedGaps);
        const TimelineRows top = rowsOf(*scene, {0, 500}, {}, 0, false);
        QVERIFY(top.contentHeight > top.scrolled.height);
        const std::uint32_t last = 2 + 2 * 99;
        const TimelineRows moved = rowsOf(*scene, {0, 500}, {}, top.scrollShowing(last), false);
        const TimelineRow* row = moved.ofLane(last);
        QVERIFY(row->band.top >= moved.scrolled.top - 1e-9);
        QVERIFY(row->band.bottom() <= moved.scrolled.bottom() + 1e-9);
        QCOMPARE(rowsOf(*scene, {0, 500}, {}, 1e9, false).scroll, top.contentHeight - top.scrolled.height);
    }

    void parallelToolsLieInRowsOfTheirOwn() {
        TimelineMaker maker;
        const std::uint32_t main = maker.lane("main", LaneKind::Main, false);
        maker.lane("tools of main", LaneKind::Main, true);
        CallSpan call;
        call.start = after(0);
        call.end = after(1000);
        maker.timeline().calls.push_back(call);
        for (const auto& [from, to] : {std::pair{1000, 5000}, {1100, 2000}, {2500, 3000}, {6000, 7000}}) {
            ToolSpan tool;
            tool.lane = main + 1;
            tool.start = after(from);
            tool.end = after(to);
            maker.timeline().tools.push_back(tool);
        }
        const auto scene = sceneOf(maker.finish(), nullptr, TimelineAxis::WallClock);
        QCOMPARE(scene->toolRow, (std::vector<std::uint8_t>{0, 1, 1, 0}));
        QCOMPARE(scene->lanes[1].toolRows, 2);
    }

    void whatIsPaintedIsWhatIsHit() {
        const auto scene = sceneOf(madeUpTimeline(200, 3), nullptr, TimelineAxis::CompressedGaps);
        const TimelineGeometry all = geometryOf(scene->scale, {}, 0, 1000);
        for (std::uint32_t i = 0; i < scene->timeline->calls.size(); i += 7) {
            const TimelineItem item{TimelineItem::Kind::Call, i};
            const ItemPlace place = placeOf(*scene, item);
            const TimelineGeometry near =
                all.showing(place.start - 20'000, place.end + 20'000); // wide enough to be alone
            const TimelineFrame frame =
                frameOf(*scene, {0, 0, 1200, 700}, viewOf(near, TimelineAxis::CompressedGaps), {}, 0, false);
            const std::optional<QRectF> rect = rectOf(*scene, frame, item);
            QVERIFY(rect.has_value());
            QCOMPARE(itemAt(*scene, frame, {rect->center().x(), rect->bottom() - 2}), item);
        }
    }
};

QTEST_MAIN(TimelineGeometryTest)
#include "timeline_geometry_test.moc"
