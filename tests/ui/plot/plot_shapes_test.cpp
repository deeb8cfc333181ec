// Geometry of marks in pixels: gaps, thinning, edges, stacks, categories, axes.
#include "ui/plot/plot_shapes.h"

#include "tests/ui/plot/made_up_plot.h"
#include "ui/plot/plot_marks.h"

#include <QImage>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace loadline;
using namespace loadline::ui;
using fixtures::columnOf;
using fixtures::endless;
using fixtures::gap;
using fixtures::namesOf;
using fixtures::reportOf;
using fixtures::sceneOf;
using fixtures::tableOf;
using loadline::ask::Basis;
using loadline::ask::Kind;

namespace {

constexpr QRectF room(0, 0, 720, 400);

std::vector<PlotLine> linesIn(const std::vector<double>& x, const std::vector<double>& y,
                              ask::Axis xAxis = {"x"}, ask::Axis yAxis = {"y"}, Kind kind = Kind::Line) {
    const auto scene = sceneOf(reportOf(kind, x, y, std::move(xAxis), std::move(yAxis)));
    return linesOf(scene->marks[0], PlotAxes(*scene, room));
}

std::vector<double> upTo(int count) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) {
        values.push_back(i);
    }
    return values;
}

} // namespace

class PlotShapesTest : public QObject {
    Q_OBJECT

private slots:
    void aLineGoesThroughItsPoints() {
        const auto scene = sceneOf(reportOf(Kind::Line, {0, 1, 2}, {0, 5, 10}));
        const PlotAxes axes(*scene, room);
        const auto lines = linesOf(scene->marks[0], axes);
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines[0].points.size(), qsizetype{3});
        QCOMPARE(lines[0].points[1], QPointF(axes.x(1), axes.y(5)));
        QVERIFY(std::abs(axes.valueAtY(lines[0].points[1].y()) - 5) < 1e-9);
        QVERIFY(std::abs(axes.valueAtX(lines[0].points[2].x()) - 2) < 1e-9);
    }

    void aStepKeepsItsHeightUntilTheNext() {
        const auto lines = linesIn({0, 100, 200}, {1, 2, 3}, {"x"}, {"y"}, Kind::Step);
        QCOMPARE(lines[0].points.size(), qsizetype{5});
        QCOMPARE(lines[0].points[1].y(), lines[0].points[0].y());
        QCOMPARE(lines[0].points[1].x(), lines[0].points[2].x());
    }

    void whatIsUnknownBreaksALine() {
        for (const double odd : {gap, endless, -endless, 1e300}) {
            const auto lines = linesIn({0, 1, 2, 3, 4}, {1, 2, odd, 4, 5});
            QCOMPARE(lines.size(), std::size_t{2});
            QCOMPARE(lines[0].points.size() + lines[1].points.size(), qsizetype{4});
            for (const PlotLine& line : lines) {
                for (const QPointF& at : line.points) {
                    QVERIFY(room.contains(at));
                }
            }
        }
    }

    void nothingAndOnePointAreDrawn() {
        QVERIFY(linesIn({}, {}).empty());
        QVERIFY(linesIn({gap, endless}, {1, gap}).empty());
        const auto one = linesIn({5}, {5});
        QCOMPARE(one.size(), std::size_t{1});
        QCOMPARE(one[0].points.size(), qsizetype{1});
        for (const ask::Scale scale : {ask::Scale::Linear, ask::Scale::Log, ask::Scale::Time}) {
            const auto scene = sceneOf(
                reportOf(Kind::Line, {}, {}, {"x", ask::Form::Plain, scale}, {"y", ask::Form::Plain, scale}));
            QVERIFY(scene->x.low < scene->x.high && scene->y.low < scene->y.high);
        }
    }

    void aMillionPointsLeaveTwoAPixel() {
        constexpr int count = 1'000'000;
        std::vector<double> x = upTo(count), y(count);
        for (std::size_t i = 0; i < count; ++i) {
            y[i] = std::sin(static_cast<double>(i) * 0.37);
        }
        y[123'456] = 9;
        y[765'432] = -7;
        const auto scene = sceneOf(reportOf(Kind::Line, x, y));
        const PlotAxes axes(*scene, room);
        const auto lines = linesOf(scene->marks[0], axes);
        QCOMPARE(lines.size(), std::size_t{1});
        QVERIFY(lines[0].points.size() <= static_cast<qsizetype>(2 * (axes.plot().width() + 2)));
        QVERIFY(lines[0].points.size() >= static_cast<qsizetype>(axes.plot().width()));
        std::map<int, int> columns;
        double top = 1e9, bottom = 0;
        for (const QPointF& at : lines[0].points) {
            QVERIFY(++columns[static_cast<int>(std::floor(at.x()))] <= 2);
            top = std::min(top, at.y());
            bottom = std::max(bottom, at.y());
        }
        QCOMPARE(top, axes.y(9)); // the farthest stay
        QCOMPARE(bottom, axes.y(-7));
        QVERIFY2(lines[0].points.size() > linesOf(scene->marks[0], axes, 2)[0].points.size(), "by pixel");
    }

    void gapsWithinAPixelDoNotMultiplyPoints() {
        std::vector<double> x = upTo(100'000), y(100'000, 1);
        for (std::size_t i = 0; i < y.size(); i += 2) {
            y[i] = gap;
        }
        qsizetype points = 0;
        for (const PlotLine& line : linesIn(x, y)) {
            points += line.points.size();
        }
        QVERIFY(points <= 2 * 722);
    }

    void zeroHasNoPlaceOnALogarithmicAxis() {
        const ask::Axis log{"v", ask::Form::Plain, ask::Scale::Log};
        const auto scene = sceneOf(reportOf(Kind::Line, {0, 1, 10, 100}, {5, 0, 50, -3}, log, log));
        QVERIFY(std::isnan(scene->marks[0].x[0]) && std::isnan(scene->marks[0].y[1]) &&
                std::isnan(scene->marks[0].y[3]));
        QVERIFY(scene->x.low > 0 && scene->y.low > 0);
        QCOMPARE(linesOf(scene->marks[0], PlotAxes(*scene, room)).size(), std::size_t{1});
        const auto bars = sceneOf(reportOf(Kind::Bars, {1, 2}, {0, 50}, {"x"}, log));
        const PlotAxes axes(*bars, room);
        const auto boxes = boxesOf(bars->marks[0], axes);
        QCOMPARE(boxes.back().row, std::size_t{1});
        QCOMPARE(boxes.back().rect.bottom(), axes.plot().bottom()); // a bar stands on the foot of the plot
    }

    void whatLiesOutsideIsCutOff() {
        const ask::Axis x{"x", ask::Form::Plain, ask::Scale::Linear, 10, 20};
        const ask::Axis y{"y", ask::Form::Plain, ask::Scale::Linear, 0, 5};
        const auto scene = sceneOf(reportOf(Kind::Line, {0, 15, 30}, {0, 4, 20}, x, y));
        const PlotAxes axes(*scene, room);
        const auto lines = linesOf(scene->marks[0], axes);
        QCOMPARE(lines.size(), std::size_t{1});
        for (const QPointF& at : lines[0].points) {
            QVERIFY(axes.plot().adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(at));
        }
        QVERIFY(std::abs(lines[0].points.front().x() - axes.plot().left()) < 1e-6);
        QVERIFY(std::abs(axes.valueAtY(lines[0].points.front().y()) - 8.0 / 3) < 1e-6); // on the segment
        QVERIFY(std::abs(lines[0].points.back().y() - axes.plot().top()) < 1e-6);
        const auto area = sceneOf(reportOf(Kind::Area, {0, 15, 30}, {0, 4, 20}, x, y));
        const auto areas = areasOf(area->marks[0], PlotAxes(*area, room));
        QCOMPARE(areas.size(), std::size_t{1});
        for (const QPointF& at : areas[0].outline) {
            QVERIFY(axes.plot().adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(at));
        }
        const auto dots = sceneOf(reportOf(Kind::Points, {0, 15, 30}, {0, 4, 20}, x, y));
        QCOMPARE(dotsOf(dots->marks[0], PlotAxes(*dots, room)).size(), std::size_t{1});
    }

    void barsOfASeriesStandOnEachOther() {
        ask::Table table = tableOf(4, {columnOf("x", {1, 1, 2, 2}), columnOf("y", {3, 4, 5, gap}),
                                       namesOf("s", {"a", "b", "a", "b"})});
        const auto scene = sceneOf(reportOf(
            std::move(table), {{.kind = Kind::Bars, .table = "t", .x = "x", .y = "y", .series = "s"}}));
        const PlotAxes axes(*scene, room);
        const auto boxes = boxesOf(scene->marks[0], axes);
        QCOMPARE(boxes.size(), std::size_t{3});
        QCOMPARE(boxes[0].rect.bottom(), axes.y(0));
        QCOMPARE(boxes[1].rect.bottom(), boxes[0].rect.top());
        QCOMPARE(boxes[1].rect.top(), axes.y(7));
        QVERIFY(scene->y.high >= 7);
    }

    void manyStacksKeepTheTallestOfAColumn() {
        constexpr std::size_t stacks = 20'000;
        std::vector<double> x, y;
        std::vector<std::string> series;
        for (std::size_t i = 0; i < stacks; ++i) {
            for (const char* name : {"read", "new"}) {
                x.push_back(static_cast<double>(i));
                y.push_back(i == 7777 ? 500 : 1);
                series.emplace_back(name);
            }
        }
        const std::size_t rows = x.size();
        const auto scene =
            sceneOf(reportOf(tableOf(rows, {columnOf("x", x), columnOf("y", y), namesOf("s", series)}),
                             {{.kind = Kind::Bars, .table = "t", .x = "x", .y = "y", .series = "s"}}));
        const PlotAxes axes(*scene, room);
        const auto boxes = boxesOf(scene->marks[0], axes);
        QVERIFY(boxes.size() <= static_cast<std::size_t>(2 * (axes.plot().width() + 2)));
        std::set<std::size_t> kept;
        for (const PlotBox& box : boxes) {
            kept.insert(box.row);
        }
        QVERIFY(kept.contains(2 * 7777) && kept.contains(2 * 7777 + 1));
    }

    void rangesThatOverlapAreOneLine() {
        const auto rangesIn = [](ask::Table table, const char* x2, const char* y2) {
            const auto scene = sceneOf(
                reportOf(std::move(table),
                         {{.kind = Kind::Ranges, .table = "t", .x = "x", .y = "y", .x2 = x2, .y2 = y2},
                          {.kind = Kind::Points, .table = "t", .x = "x", .y = "y"}}));
            return rangesOf(scene->marks[0], PlotAxes(*scene, room));
        };
        constexpr std::size_t count = 100'000;
        std::vector<double> x(count, 5), y(count), high(count);
        for (std::size_t i = 0; i < count; ++i) {
            y[i] = static_cast<double>(i % 1000);
            high[i] = y[i] + 10;
        }
        QCOMPARE(rangesIn(tableOf(count, {columnOf("x", x), columnOf("y", y), columnOf("h", high)}), "", "h")
                     .size(),
                 std::size_t{1});
        const auto apart = rangesIn(tableOf(3, {columnOf("x", {5, 5, 5}), columnOf("y", {1, 500, 900}),
                                                columnOf("h", {200, 600, 550})}),
                                    "", "h");
        QCOMPARE(apart.size(), std::size_t{2}); // 1 to 200, and 500 to 900 of two that overlap
        const auto level = rangesIn(
            tableOf(3, {columnOf("x", {1, 2, 50}), columnOf("y", {7, 7, 7}), columnOf("to", {20, 30, 60})}),
            "to", "");
        QCOMPARE(level.size(), std::size_t{2});
    }

    /// However many marks of bars share it.
    void theShortestBarOfALogarithmicAxisHasAHeight() {
        const ask::Axis log{"v", ask::Form::Plain, ask::Scale::Log};
        const ask::Mark bars{.kind = Kind::Bars, .table = "t", .x = "x", .y = "y"};
        const auto lowOf = [&](const std::vector<ask::Mark>& marks) {
            return sceneOf(reportOf(tableOf(2, {columnOf("x", {1, 2}), columnOf("y", {100, 9000})}), marks,
                                    {"x"}, log))
                ->y.low;
        };
        QCOMPARE(lowOf({bars}), 50.0);
        QCOMPARE(lowOf({bars, bars, bars}), lowOf({bars}));
    }

    void categoriesLieBesideAndBelowEachOther() {
        const ask::Axis names{"what", ask::Form::Text, ask::Scale::Category};
        const auto table = [] {
            return tableOf(3, {namesOf("n", {"one", "two", "three"}), columnOf("v", {1, 2, 3})});
        };
        const auto standing =
            sceneOf(reportOf(table(), {{.kind = Kind::Bars, .table = "t", .x = "n", .y = "v"}}, names));
        QCOMPARE(standing->x.names.size(), std::size_t{3});
        const PlotAxes axes(*standing, room);
        const auto bars = boxesOf(standing->marks[0], axes);
        QVERIFY(bars[0].rect.right() < bars[1].rect.left() && bars[1].rect.top() < bars[0].rect.top());
        const auto lying = sceneOf(
            reportOf(table(), {{.kind = Kind::Bars, .table = "t", .x = "v", .y = "n"}}, {"v"}, names));
        const PlotAxes across(*lying, room);
        const auto rows = boxesOf(lying->marks[0], across);
        QVERIFY2(rows[0].rect.bottom() < rows[1].rect.top(), "the first one is the highest");
        QVERIFY(rows[0].rect.left() == across.x(0) && rows[2].rect.right() == across.x(3));
        QCOMPARE(tickText(xyAxisOf(lying->y, 400), 2), QString("one"));
    }

    void spansCellsFlagsAndLabelsHavePlaces() {
        const auto spans = sceneOf(reportOf(
            tableOf(2, {columnOf("a", {0, 5}), columnOf("b", {2, 9}), namesOf("lane", {"gpu", "host"})}),
            {{.kind = Kind::Spans, .table = "t", .x = "a", .y = "lane", .x2 = "b"}}, {"x"},
            {"", ask::Form::Text, ask::Scale::Category}));
        const PlotAxes spanAxes(*spans, room);
        const auto boxes = boxesOf(spans->marks[0], spanAxes);
        QCOMPARE(boxes[1].rect.left(), spanAxes.x(5));
        QCOMPARE(boxes[1].rect.right(), spanAxes.x(9));
        QVERIFY(boxes[0].rect.bottom() < boxes[1].rect.top());

        const auto cells =
            sceneOf(reportOf(tableOf(4, {columnOf("x", {1, 2, 1, 2}), columnOf("y", {1, 1, 2, 2}),
                                         columnOf("v", {1, 2, 3, gap})}),
                             {{.kind = Kind::Cells, .table = "t", .x = "x", .y = "y", .value = "v"}},
                             {"x", ask::Form::Plain, ask::Scale::Linear, 0.5, 2.5},
                             {"y", ask::Form::Plain, ask::Scale::Linear, 0.5, 2.5}));
        const PlotAxes cellAxes(*cells, room);
        const auto painted = boxesOf(cells->marks[0], cellAxes);
        QCOMPARE(painted.size(), std::size_t{3}); // the unknown one stays open
        QCOMPARE(painted[0].rect.right(), painted[1].rect.left());
        QCOMPARE(painted[0].rect.left(), cellAxes.plot().left());

        const auto flags = sceneOf(reportOf(Kind::Flags, {3}, {gap}));
        QCOMPARE(dotsOf(flags->marks[0], PlotAxes(*flags, room)).size(), std::size_t{1});
        const auto labels = sceneOf(reportOf(Kind::Labels, {3}, {gap}));
        QVERIFY(dotsOf(labels->marks[0], PlotAxes(*labels, room)).empty());
    }

    void aMillionDotsAndCellsAreThinned() {
        constexpr std::size_t count = 1'000'000;
        std::vector<double> x(count), y(count), v(count);
        for (std::size_t i = 0; i < count; ++i) {
            x[i] = static_cast<double>(i % 1000);
            y[i] = static_cast<double>(i / 1000);
            v[i] = i == 654'321 ? 2 : 1;
        }
        const auto scene =
            sceneOf(reportOf(tableOf(count, {columnOf("x", x), columnOf("y", y), columnOf("v", v)}),
                             {{.kind = Kind::Points, .table = "t", .x = "x", .y = "y"},
                              {.kind = Kind::Cells, .table = "t", .x = "x", .y = "y", .value = "v"}}));
        const PlotAxes axes(*scene, QRectF(0, 0, 360, 200));
        const double pixels = axes.plot().width() * axes.plot().height();
        QVERIFY(static_cast<double>(dotsOf(scene->marks[0], axes).size()) < 1.1 * pixels);
        const auto cells = boxesOf(scene->marks[1], axes);
        QVERIFY(static_cast<double>(cells.size()) < 1.1 * pixels);
        QVERIFY2(std::ranges::count(cells, std::size_t{654'321}, &PlotBox::row) == 1,
                 "the most of its pixel");
    }

    void aBasisIsALineOfItsOwn() {
        ask::Table table = tableOf(
            4, {columnOf("x", {0, 1, 2, 3}), columnOf("y", {1, 1, 1, 1}), columnOf("b", {3, 3, 5, 99})});
        const auto scene = sceneOf(
            reportOf(std::move(table),
                     {{.table = "t", .x = "x", .y = "y", .basisColumn = "b", .basis = Basis::Published}}));
        const auto lines = linesOf(scene->marks[0], PlotAxes(*scene, room));
        const std::vector<Basis> wanted = {Basis::Measured, Basis::Measured, Basis::Modelled,
                                           Basis::Published};
        QCOMPARE(lines[0].basis, wanted);
        QCOMPARE(lineOf(Basis::Measured), Qt::SolidLine);
        QCOMPARE(lineOf(Basis::Published), Qt::DashLine);
        QCOMPARE(lineOf(Basis::Modelled), Qt::DotLine);
        std::vector<QImage> inks;
        for (const Basis basis : {Basis::Measured, Basis::Published, Basis::Modelled, Basis::AtLeast}) {
            QImage image(40, 40, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::white);
            QPainter painter(&image);
            paintBox(painter, QRectF(4, 4, 30, 30), Qt::blue, basis, Theme::light());
            painter.end();
            QVERIFY(std::ranges::count(inks, image) == 0);
            inks.push_back(image);
        }
    }

    void axesOnlyGrowWhileTheyAreHeld() {
        const auto far = sceneOf(reportOf(Kind::Line, {0, 100}, {-4, 40}));
        const auto near = sceneOf(reportOf(Kind::Line, {0, 10}, {0, 4}), extentsOf(*far));
        QCOMPARE(near->x.high, far->x.high);
        QCOMPARE(near->y.low, far->y.low);
        QVERIFY(sceneOf(reportOf(Kind::Line, {0, 10}, {0, 4}))->x.high < far->x.high);
        const auto further = sceneOf(reportOf(Kind::Line, {0, 1000}, {0, 4}), extentsOf(*far));
        QVERIFY(further->x.high > far->x.high);
        const ask::Axis fixed{"x", ask::Form::Plain, ask::Scale::Linear, 0, 5};
        QCOMPARE(sceneOf(reportOf(Kind::Line, {0, 10}, {0, 4}, fixed), extentsOf(*far))->x.high, 5.0);
    }

    void aRightAxisHasAMeasureOfItsOwn() {
        ask::Report report = reportOf(
            tableOf(2, {columnOf("x", {0, 1}), columnOf("y", {0, 1}), columnOf("z", {0, 1000})}),
            {{.table = "t", .x = "x", .y = "y"}, {.table = "t", .x = "x", .y = "z", .onRight = true}});
        report.plots[0].right = ask::Axis{"z"};
        const auto scene = sceneOf(std::move(report));
        QVERIFY(scene->y.high < 2 && scene->right->high >= 1000);
        const PlotAxes axes(*scene, room);
        QCOMPARE(linesOf(scene->marks[1], axes)[0].points[0].y(), axes.plot().bottom());
        QVERIFY(axes.y(1000, true) > axes.plot().top() - 1e-9);
        QVERIFY(axes.plot().right() < room.right() - 20);
    }

    void timesOfDayAreTicks() {
        const double noon = 1'768'910'400'000; // 2026-01-20T12:00Z
        const auto scene = sceneOf(reportOf(Kind::Line, {noon, noon + 3 * 3'600'000}, {1, 2},
                                            {"time", ask::Form::Time, ask::Scale::Time}));
        const XyAxis axis = xyAxisOf(scene->x, 720);
        QVERIFY(axis.ticks.size() >= 3 && axis.ticks.size() <= 9);
        QCOMPARE(tickText(axis, noon), QString("12:00"));
        QCOMPARE(scene->x.low, noon);
    }
};

QTEST_MAIN(PlotShapesTest)
#include "plot_shapes_test.moc"
