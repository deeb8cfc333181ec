// Drawings of simulations: their numbers, what is dragged in them, and that nothing odd spoils them.
#include "core/simulate/plot/plot_parts.h"
#include "tests/ui/chart/painted_words.h"
#include "tests/ui/simulation_fixtures.h"
#include "ui/chart/export_drawing.h"

#include <QTest>

#include <algorithm>
#include <limits>

using namespace loadline;
using namespace loadline::ui;
using namespace loadline::ui::made_up;

namespace {

/// Latencies that grow from 40 ms to 100 s over users, where both formats serve.
SimulatorFigure servedByBoth() {
    SimulatorFigure figure = made_up::figureOf();
    double s = 0.04;
    for (SweepPoint& point : figure.overUsers.points) {
        point.ttftP50S = {s, s * 0.9, s * 1.1};
        point.ttftP99S = {3 * s, 2 * s, 4 * s};
        point.tpotP50S = point.tpotP99S = {0.02, 0.02, 0.02};
        point.e2eMeanS = {2 * s, s, 3 * s};
        point.against.emplace();
        point.against->figures = point;
        point.against->figures.ttftP50S = {2 * s, s, 3 * s};
        s *= 7;
    }
    return figure;
}

/// The panels of latencies.
std::vector<std::shared_ptr<const PlotScene>> scenesOf(const SimulatorFigure& figure) {
    const auto report = std::make_shared<const ask::Report>(latencyReport(SettingShown(shared(figure))));
    std::vector<std::shared_ptr<const PlotScene>> scenes;
    for (std::size_t i = 0; i < report->plots.size(); ++i) {
        scenes.push_back(plotSceneOf(report, i));
    }
    return scenes;
}

} // namespace

class SimulationDrawingsTest : public QObject {
    Q_OBJECT

private slots:

    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void everyChartIsDrawnAndHasNumbers() {
        const auto figure = shared(figureOf());
        for (const ReportOf chart : settingReports) {
            const auto drawing = drawn(chart, figure);
            QCOMPARE(drawing->title(), titleOf(chart));
            QVERIFY(!drawing->table().rows.empty());
            QVERIFY(hasInk(painted(*drawing, {400, 260}, ThemeKind::Light)));
            QVERIFY(hasInk(painted(*drawing, {400, 260}, ThemeKind::Dark)));
        }
    }

    void anySizeCanBePainted() {
        const auto figure = shared(figureOf());
        for (const ReportOf chart : settingReports) {
            for (const QSize size : {QSize(1, 1), QSize(20, 400), QSize(400, 20), QSize(3000, 900)}) {
                painted(*drawn(chart, figure), size, ThemeKind::Light);
            }
        }
    }

    void nothingAndNonsenseDoNoHarm() {
        SimulatorFigure nonsense = figureOf();
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (SweepPoint& point : nonsense.overUsers.points) {
            point.timeVsFp16 = point.ttftP50S = point.decodeOnlyFraction = {nan, nan, nan};
        }
        SimulatorFigure one = figureOf();
        one.overUsers.users = {1};
        one.overUsers.points.resize(1);
        one.map = {};
        for (const SimulatorFigure& figure : {SimulatorFigure(), nonsense, one}) {
            for (const ReportOf chart : settingReports) {
                const auto drawing = drawn(chart, shared(figure));
                painted(*drawing, {400, 260}, ThemeKind::Light);
                drawing->readOut({200, 100}, QRectF(0, 0, 400, 260));
                drawing->change({200, 100}, {210, 100}, QRectF(0, 0, 400, 260));
            }
        }
    }

    void theMarkerIsDraggedAlongTheUsers() {
        const auto drawing = drawn(usersReport, shared(figureOf()));
        const QRectF area(0, 0, 600, 300);
        std::int64_t last = 0;
        for (int x = 60; x < 590; x += 10) {
            const auto change = drawing->change({100, 150}, QPointF(x, 150), area);
            const auto users = static_cast<std::int64_t>(valueIn(change, "users").value_or(0));
            QVERIFY(users >= last && users >= 1 && users <= 256);
            last = users;
        }
        QVERIFY(last > 200);
        QVERIFY(!drawing->change({100, 5000}, {100, 5000}, area));
        SimulatorFigure open = figureOf();
        open.inputs.arrivals.kind = ArrivalKind::Poisson;
        QVERIFY(!drawn(usersReport, shared(open))->change({100, 150}, {200, 150}, area));
    }

    void whatTheHandSetsIsDrawnBeforeItIsComputed() {
        SimulatorFigure figure = figureOf();
        figure.stage = FigureStage::Refined;
        SimulationRequest hand;
        hand.arrivals.users = 64;
        for (const ReportOf chart : {usersReport, decodeReport, latencyReport, mapReport}) {
            const auto paint = [&](const std::optional<SimulationRequest>& set) {
                return painted(*drawn(chart, shared(figure), {}, {}, set), {500, 300}, ThemeKind::Light);
            };
            QVERIFY(paint(hand) != paint(std::nullopt));
        }
    }

    void theRateWhereTheSidesChangePlacesIsMarked() {
        SimulatorFigure figure = figureOf();
        figure.stage = FigureStage::Refined;
        figure.inputs.arrivals.kind = ArrivalKind::Poisson;
        double rate = 0;
        for (SweepPoint& point : figure.overUsers.points) {
            point.ratePerS = ++rate;
            point.timeVsFp16 = {0.8, 0.8, 0.8};
        }
        const auto marks = [&] {
            const QImage image = painted(*drawn(usersReport, shared(figure)), {600, 300}, ThemeKind::Light);
            int count = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    count += image.pixel(x, y) == Theme::light().warning.rgb() ? 1 : 0;
                }
            }
            return count;
        };
        QCOMPARE(marks(), 0);
        figure.overUsers.points.back().timeVsFp16 = {1.3, 1.3, 1.3};
        QVERIFY(marks() > 0);
    }

    void aPreviewsPointsAreHollowAndSaidToBe() {
        SimulatorFigure refined = figureOf();
        refined.stage = FigureStage::Refined;
        SimulatorFigure preview = figureOf();
        preview.stage = FigureStage::Preview;
        const QRectF area(0, 0, 600, 300);
        for (const ReportOf chart : {usersReport, decodeReport, latencyReport}) {
            const auto soft = drawn(chart, shared(preview));
            const auto hard = drawn(chart, shared(refined));
            QVERIFY(painted(*soft, {600, 300}, ThemeKind::Dark) !=
                    painted(*hard, {600, 300}, ThemeKind::Dark));
            const QPointF inside = chart == latencyReport ? QPointF(100, 80) : QPointF(300, 150);
            const QString said = "a preview: refined when the hand rests";
            QVERIFY(soft->readOut(inside, area).contains(said));
            QVERIFY(!hard->readOut(inside, area).contains(said));
            static const QRegularExpression hundredths("[0-9]\\.[0-9][0-9] of fp16");
            QVERIFY(!soft->readOut(inside, area).join(' ').contains(hundredths));
            QCOMPARE(hard->readOut(inside, area).join(' ').contains(hundredths), chart == usersReport);
        }
    }

    void aPreviewsHistogramSaysSo() {
        SimulatorFigure preview = figureOf();
        preview.stage = FigureStage::Preview;
        SimulatorFigure refined = preview;
        refined.stage = FigureStage::Refined;
        const QRectF area(0, 0, 600, 300);
        const auto marks = [&](const SimulatorFigure& figure) {
            const auto drawing = drawn(rowsReport, shared(figure));
            const auto paint = [&](QPainter& painter) { drawing->paint(painter, area, Theme::dark()); };
            int said = fixtures::paintedWords({600, 300}, paint).contains("preview") ? 1 : 0;
            for (int x = 60; x < 590 && said < 2; x += 5) {
                said +=
                    drawing->readOut(QPointF(x, 150), area).contains("a preview: refined when the hand rests")
                        ? 1
                        : 0;
            }
            return said;
        };
        QCOMPARE(marks(preview), 2);
        QCOMPARE(marks(refined), 0);
    }

    /// A linear axis from 0 to 100 s would show everything below a second as zero.
    void latenciesOverMoreThanADecadeHaveLogarithmicAxes() {
        const ask::Report report = latencyReport(SettingShown(shared(servedByBoth())));
        const auto isLog = [&](const std::string& title) {
            const auto plot = std::ranges::find_if(
                report.plots, [&](const ask::Plot& one) { return one.y.title == title; });
            return plot != report.plots.end() && plot->y.scale == ask::Scale::Log;
        };
        QCOMPARE(report.plots.size(), std::size_t{4});
        QVERIFY(!isLog("tokens/s") && isLog("TTFT") && !isLog("TPOT") && isLog("end to end, mean"));
        const auto scenes = scenesOf(servedByBoth());
        for (const auto& scene : scenes) {
            QVERIFY(scene->y.low < scene->y.high);
            for (const SceneMark& mark : scene->marks) {
                for (const double value : mark.y) {
                    QVERIFY(std::isnan(value) || (value >= scene->y.low && value <= scene->y.high));
                }
            }
        }
    }

    void bothFormatsAndTheirTailsHaveCurves() {
        const auto linesIn = [](const SimulatorFigure& figure, std::size_t panel) {
            const auto scene = scenesOf(figure)[panel];
            return std::ranges::count_if(
                scene->marks, [](const SceneMark& mark) { return mark.mark->kind == ask::Kind::Line; });
        };
        const SimulatorFigure both = servedByBoth();
        for (const auto& [panel, lines] :
             {std::pair(0, 2), std::pair(1, 4), std::pair(2, 4), std::pair(3, 2)}) {
            QCOMPARE(linesIn(both, static_cast<std::size_t>(panel)), lines);
        }
        QCOMPARE(linesIn(figureOf(), 1), 2);
        const auto drawing = drawn(latencyReport, shared(both));
        const QRectF area(0, 0, 900, 500);
        const QStringList said = drawing->readOut({300, 150}, area);
        for (const char* words : {"k = 4: ", "fp16: ", "p99 ", "end to end "}) {
            QVERIFY2(said.join('\n').contains(words), qPrintable(said.join('\n')));
        }
        const QStringList written = fixtures::paintedWords(
            {900, 500}, [&](QPainter& painter) { drawing->paint(painter, area, Theme::light()); });
        for (const char* words : {"k = 4", "fp16", "p99", "TTFT", "end to end, mean"}) {
            QVERIFY2(written.contains(words), qPrintable(written.join('|')));
        }
        QVERIFY(painted(*drawing, {900, 500}, ThemeKind::Dark) !=
                painted(*drawn(latencyReport, shared(figureOf())), {900, 500}, ThemeKind::Dark));
    }

    /// An interval has no upper end while a queue grows; there is no latency if nothing is answered.
    void latenciesWithoutABoundLeaveTheAxisFinite() {
        SimulatorFigure figure = servedByBoth();
        const double infinite = std::numeric_limits<double>::infinity();
        figure.overUsers.points.back().ttftP50S.high = infinite;
        figure.overUsers.points.front().ttftP50S = {};
        const auto scene = scenesOf(figure)[1];
        QVERIFY(scene->y.high < 1000 && scene->y.high > 200);
        QVERIFY(scene->y.low > 0.01);
        painted(*drawn(latencyReport, shared(figure)), {500, 300}, ThemeKind::Light);
    }

    void aRatioOverMoreThanADecadeHasALogarithmicAxis() {
        SimulatorFigure figure = figureOf();
        const auto axisOf = [](const SimulatorFigure& of) {
            return plotSceneOf(std::make_shared<const ask::Report>(usersReport(SettingShown(shared(of)))))->y;
        };
        QVERIFY(!axisOf(figure).isLog());
        figure.overUsers.points.front().timeVsFp16 = {12, 11, 13};
        const SceneAxis axis = axisOf(figure);
        QVERIFY(axis.isLog() && axis.low <= 0.66 && axis.low > 0 && axis.high >= 13);
    }

    void theMapIsDraggedBothWays() {
        const auto drawing = drawn(mapReport, shared(figureOf()));
        const QRectF area(0, 0, 600, 300);
        const auto low = drawing->change({300, 150}, {300, 250}, area);
        const auto high = drawing->change({300, 150}, {300, 40}, area);
        QVERIFY(valueIn(low, "chunk") < valueIn(high, "chunk"));
        QCOMPARE(valueIn(low, "users"), valueIn(high, "users"));
        QVERIFY(valueIn(low, "users") && valueIn(low, "chunk"));
    }

    void axesDoNotShrinkUnderTheHand() {
        SimulatorFigure tall = figureOf();
        tall.overUsers = sweepOf({512}, 4);
        const auto before = drawn(usersReport, shared(tall));
        const auto held = drawn(usersReport, shared(figureOf()), before->extents());
        const auto free = drawn(usersReport, shared(figureOf()));
        QCOMPARE(held->extents(), before->extents());
        QVERIFY(free->extents()[3] < before->extents()[3]);
        const QRectF area(0, 0, 600, 300);
        const auto ticks = [&](const PlotDrawing& drawing) { // what is painted is held, too
            return fixtures::paintedWords(
                {600, 300}, [&](QPainter& painter) { drawing.paint(painter, area, Theme::light()); });
        };
        QCOMPARE(ticks(*held), ticks(*before));
        QVERIFY(ticks(*free) != ticks(*before));
        for (const ReportOf chart : settingReports) { // each end of each axis
            const PlotExtents wide = drawn(chart, shared(tall))->extents();
            const PlotExtents own = drawn(chart, shared(figureOf()))->extents();
            const PlotExtents both = drawn(chart, shared(figureOf()), wide)->extents();
            QCOMPARE(both, atLeast(own, wide));
        }
    }

    void aPinnedIsDrawnBesideIt() {
        SimulatorFigure other = figureOf();
        other.overUsers = sweepOf({512}, 3);
        other.present.wholeFp16Us = 200; // a whole step
        other.present.wholeUs = 180;
        const Pinned pinned{shared(other), "chunk 512", "pinned: chunk 2\u202f048"};
        for (const ReportOf chart : settingReports) {
            const auto alone = drawn(chart, shared(figureOf()));
            const auto both = drawn(chart, shared(figureOf()), {}, pinned);
            const Table table = both->table();
            QCOMPARE(table.columns.front(), std::string("setting"));
            const std::size_t theirs = drawn(chart, shared(other))->table().rows.size();
            QCOMPARE(table.rows.size(), alone->table().rows.size() + theirs);
            QCOMPARE(table.rows.front().front(), Cell(std::string("now")));
            QCOMPARE(table.rows.back().front(), Cell(std::string("pinned")));
            QVERIFY(painted(*both, {500, 300}, ThemeKind::Light) !=
                    painted(*alone, {500, 300}, ThemeKind::Light));
            painted(*drawn(chart, shared(figureOf()), {}, {shared({}), "a", "b"}), {60, 40}, ThemeKind::Dark);
        }
        const auto users = drawn(usersReport, shared(figureOf()), {}, pinned);
        QVERIFY(users->extents()[3] > drawn(usersReport, shared(figureOf()))->extents()[3]);
        QVERIFY(users->readOut({300, 150}, QRectF(0, 0, 600, 300)).contains("pinned:"));
    }

    /// Kernels that only the pinned setting uses have their place in the list too.
    void pinnedKernelsAreInTheLegend() {
        SimulatorFigure other = figureOf();
        other.present.gemm.kernelUs[static_cast<std::size_t>(Kernel::Mma)] = 20;
        const Pinned pinned{shared(other), "pinned", "now"};
        const auto listed = [&](const Pinned& with, Kernel kernel) {
            const auto drawing = drawn(kernelShareReport, shared(figureOf()), {}, with);
            const QStringList words = fixtures::paintedWords({500, 300}, [&](QPainter& painter) {
                drawing->paint(painter, QRectF(0, 0, 500, 300), Theme::light());
            });
            const QString name = QString::fromStdString(servingWords(kernel, figureOf().inputs));
            return std::ranges::any_of(words, [&](const QString& word) { return word.startsWith(name); });
        };
        QVERIFY(listed({}, Kernel::Scalar) && !listed({}, Kernel::Mma));
        QVERIFY(listed(pinned, Kernel::Scalar) && listed(pinned, Kernel::Mma));
    }

    void aLegendTakesTheLinesThatItNeeds() {
        SimulatorFigure figure = figureOf();
        figure.kernels = {Kernel::Scalar, Kernel::DequantCublas, Kernel::Mma};
        for (const Kernel kernel : figure.kernels) {
            figure.present.gemm.kernelUs[static_cast<std::size_t>(kernel)] = 1;
        }
        RowsBin& bin = figure.rows.front();
        figure.rows.resize(1);
        for (const Kernel kernel : figure.kernels) { // too low to be seen: what has its colour is the legend
            bin.stepShareBy[static_cast<std::size_t>(kernel)] = 1e-9;
        }
        const QRgb mma = Theme::of(ThemeKind::Light).mma.rgb();
        for (const int width : {200, 300, 900}) {
            const QImage image = painted(*drawn(rowsReport, shared(figure)), {width, 300}, ThemeKind::Light);
            int pixels = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    pixels += image.pixel(x, y) == mma ? 1 : 0;
                }
            }
            QVERIFY2(pixels > 20, qPrintable(QString::number(width)));
        }
    }

    void partsThatAreModelledHaveAnInkOfTheirOwn() {
        SimulatorFigure half = figureOf();
        for (std::size_t i = 3; i < half.overUsers.points.size(); ++i) {
            half.overUsers.points[i].modelled = {0.9, 0.2};
        }
        const QRectF area(0, 0, 600, 300);
        const auto timed = drawn(usersReport, shared(figureOf()));
        const auto drawing = drawn(usersReport, shared(half));
        QVERIFY(painted(*drawing, {600, 300}, ThemeKind::Light) !=
                painted(*timed, {600, 300}, ThemeKind::Light));
        QVERIFY(drawing->readOut({590, 150}, area).last().endsWith("are modelled"));
        QVERIFY(!drawing->readOut({60, 150}, area).last().endsWith("are modelled"));
        for (SweepPoint& point : half.overUsers.points) {
            point.modelled = {0.5, 0.5}; // no more than half
        }
        QCOMPARE(painted(*drawn(usersReport, shared(half)), {600, 300}, ThemeKind::Light),
                 painted(*timed, {600, 300}, ThemeKind::Light));
        SweepResult pale = sweepOf({512});
        for (SweepPoint& point : pale.points) {
            point.modelled = {1, 1};
        }
        QVERIFY(painted(*drawingOf(crossoverReport(curvesOf(std::make_shared<const SweepResult>(pale), {}))),
                        {600, 300}, ThemeKind::Dark) !=
                painted(*drawingOf(crossoverReport(
                            curvesOf(std::make_shared<const SweepResult>(sweepOf({512})), {}))),
                        {600, 300}, ThemeKind::Dark));
    }

    void theLineOfTheMapIsNamed() {
        const QRectF area(0, 0, 600, 300);
        const QStringList said = drawn(mapReport, shared(figureOf()))->readOut({300, 150}, area);
        QVERIFY(said.contains("on the thick line k-bit takes as long as fp16"));
    }
};

QTEST_MAIN(SimulationDrawingsTest)

#include "simulation_drawings_test.moc"
