// Drawings of crossovers: intervals, what is not simulated yet, both scopes, and names at the ends of lines.
#include "tests/ui/chart/painted_words.h"
#include "tests/ui/simulation_fixtures.h"
#include "ui/chart/export_drawing.h"

#include <QTest>

#include <cmath>

using namespace loadline;
using namespace loadline::ui;
using namespace loadline::ui::made_up;

namespace {

/// All that is read out from the top to the foot.
QStringList saidAlong(const PlotDrawing& drawing, double x, const QRectF& area) {
    QStringList said;
    for (double y = area.top(); y < area.bottom(); ++y) {
        said += drawing.readOut({x, y}, area);
    }
    return said;
}

} // namespace

class CrossoverDrawingsTest : public QObject {
    Q_OBJECT

private slots:

    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void pinnedCurvesAreDrawnOnTheCrossoverPage() {
        Crossover crossover;
        crossover.crossings = {{32, true}};
        const auto sweep = std::make_shared<const SweepResult>(sweepOf({512}));
        CrossoverCurves pinned =
            curvesOf(std::make_shared<const SweepResult>(sweepOf({512}, 2)), {crossover});
        pinned.name = "pinned: k 4";
        const auto alone = drawingOf(crossoverReport(curvesOf(sweep, {crossover})));
        const auto both = drawingOf(crossoverReport(curvesOf(sweep, {crossover}), pinned));
        QCOMPARE(both->table().rows.size(), std::size_t{2});
        QVERIFY(painted(*both, {500, 400}, ThemeKind::Light) !=
                painted(*alone, {500, 400}, ThemeKind::Light));
    }

    void bothScopesStandSideBySide() {
        Crossover gemms;
        gemms.crossings = {{12, true}};
        gemms.sentence = "Quantised kernels win up to 12 users.";
        Crossover whole = gemms;
        whole.scope = StepScope::WholeStep;
        whole.crossings = {{20, true}};
        whole.sentence = "Quantised kernels win up to 20 users.";
        CrossoverCurves curves = curvesOf(std::make_shared<const SweepResult>(sweepOf({512})), {gemms});
        curves.otherSweep = std::make_shared<const SweepResult>(sweepOf({512}, 0.8));
        curves.otherCrossovers = {whole};
        const auto both = drawingOf(crossoverReport(curves));
        QCOMPARE(both->table().rows.size(), std::size_t{2});
        QCOMPARE(both->table().rows[1][1], Cell(std::string("whole-step")));
        QVERIFY(both->sentence().contains("up to 12 users. Whole steps: Quantised kernels win up to 20"));
        const QRectF area(0, 0, 600, 400);
        const QStringList said = saidAlong(*both, 300, area);
        const auto placeOf = [&](const char* words) {
            return said.indexOf(QRegularExpression(QString(words) + ".*"));
        };
        QVERIFY(placeOf("Whole steps") > placeOf("GEMMs alone") && placeOf("GEMMs alone") >= 0);
        CrossoverCurves refused = curvesOf(curves.sweep, {gemms});
        refused.otherWhyNot = "these shapes say nothing of attention";
        QVERIFY(painted(*drawingOf(crossoverReport(refused)), {600, 400}, ThemeKind::Light) !=
                painted(*drawingOf(crossoverReport(curvesOf(curves.sweep, {gemms}))), {600, 400},
                        ThemeKind::Light));
        for (const QSize size : {QSize(1, 1), QSize(40, 30), QSize(2000, 900)}) {
            painted(*both, size, ThemeKind::Dark);
        }
    }

    void namesAtTheEndsOfLinesStandApart() {
        for (const std::vector<double>& wanted :
             {std::vector<double>{50, 50, 50, 50}, std::vector<double>{99, 10, 98, 97},
              std::vector<double>{0, 1}, std::vector<double>{}, std::vector<double>{42}}) {
            const std::vector<double> middles = spreadMiddles(wanted, 12, 0, 100);
            QCOMPARE(middles.size(), wanted.size());
            for (std::size_t i = 0; i < middles.size(); ++i) {
                QVERIFY(middles[i] >= 6 && middles[i] <= 94);
                for (std::size_t j = 0; j < i; ++j) {
                    QVERIFY(std::abs(middles[i] - middles[j]) >= 12 - 1e-9);
                    QVERIFY(wanted[i] == wanted[j] || (wanted[i] < wanted[j]) == (middles[i] < middles[j]));
                }
            }
        }
        QCOMPARE(spreadMiddles({20, 60}, 12, 0, 100), (std::vector<double>{20, 60}));
    }

    void pointsOfACrossoverThatAreNotSimulatedYetSaySo() {
        Crossover crossover;
        crossover.crossings = {{32, true}};
        SweepResult sweep = sweepOf({512});
        const QRectF area(0, 0, 600, 300);
        const auto drawn = [&] {
            return drawingOf(
                crossoverReport(curvesOf(std::make_shared<const SweepResult>(sweep), {crossover})));
        };
        const auto done = drawn();
        for (std::size_t i = 0; i < sweep.users.size() / 2; ++i) { // of every k
            sweep.points[i].isPreview = true;
        }
        const auto half = drawn();
        QVERIFY(painted(*half, {600, 300}, ThemeKind::Dark) != painted(*done, {600, 300}, ThemeKind::Dark));
        QVERIFY(half->readOut({80, 100}, area).contains(QString("a preview: refined when the hand rests")));
        QVERIFY(!half->readOut({560, 100}, area).contains(QString("a preview: refined when the hand rests")));
        QVERIFY(!done->readOut({80, 100}, area).contains(QString("a preview: refined when the hand rests")));
    }

    void aCrossoverThatOnlyDrawsHaveSaysWhatTheSentenceSays() {
        Crossover crossover;
        crossover.kind = CrossoverKind::QuantisedSlower;
        const auto sweep = std::make_shared<const SweepResult>(sweepOf({512}));
        const QRectF area(0, 0, 900, 300);
        const auto wordsIn = [&] {
            const auto drawing = drawingOf(crossoverReport(curvesOf(sweep, {crossover})));
            return saidAlong(*drawing, 500, area).join(' ') + ' ' +
                   fixtures::paintedWords({900, 300}, [&](QPainter& painter) {
                       drawing->paint(painter, area, Theme::light());
                   }).join(' ');
        };
        QVERIFY(wordsIn().contains("slower throughout"));
        crossover.all.high = crossover.all.otherwiseUsers = 50.5;
        crossover.all.shareOtherwise = crossover.all.shareWithCrossing = 0.75;
        const QString words = wordsIn();
        QVERIFY2(!words.contains("throughout"), qPrintable(words));
        QVERIFY2(words.contains("slower in the mean; faster in 75.0 % of the draws, up to 50 users"),
                 qPrintable(words));
        QVERIFY2(words.contains("all together: faster in 75.0 % of the draws, up to 50 users"),
                 qPrintable(words));
    }

    void everyCrossingHasARowWithItsInterval() {
        Crossover crossover;
        crossover.weights = Storage::K4;
        crossover.byTurns = true;
        crossover.kind = CrossoverKind::Several;
        crossover.crossings = {{16.2, true, 16, 17}, {35.4, false, 35, 36}};
        crossover.all = {10, 17.5, 1};
        crossover.byCrossing = {{11, 17.5, 1}, {24, 49, 0.875}};
        const auto sweep = std::make_shared<const SweepResult>(sweepOf({512}));
        const Table table = drawingOf(crossoverReport(curvesOf(sweep, {crossover})))->table();
        const auto cell = [&](std::size_t row, const char* column) {
            const auto at = std::ranges::find(table.columns, column) - table.columns.begin();
            return table.rows.at(row).at(static_cast<std::size_t>(at));
        };
        QCOMPARE(table.rows.size(), std::size_t{2});
        QCOMPARE(cell(0, "crossing_users"), Cell(16.2));
        QCOMPARE(cell(0, "low"), Cell(11.0));
        QCOMPARE(cell(0, "crossing"), Cell(std::int64_t{1}));
        QCOMPARE(cell(0, "quantised_faster_below"), Cell(std::string("true")));
        QCOMPARE(cell(1, "crossing_users"), Cell(35.4));
        QCOMPARE(cell(1, "low"), Cell(24.0));
        QCOMPARE(cell(1, "high"), Cell(49.0));
        QCOMPARE(cell(1, "share_with_crossing"), Cell(0.875));
        QCOMPARE(cell(1, "crossing"), Cell(std::int64_t{2}));
        QCOMPARE(cell(1, "quantised_faster_below"), Cell(std::string("false")));
        QCOMPARE(cell(1, "k"), cell(0, "k"));
        QCOMPARE(cell(1, "kernels_low"), Cell()); // known of the first alone
    }

    void crossoversTellTheirIntervals() {
        Crossover crossover;
        crossover.weights = Storage::K4;
        crossover.kind = CrossoverKind::One;
        crossover.crossings = {{32, true}};
        crossover.all = {20, std::nullopt, 0.9};
        crossover.sentence = "Quantised kernels win up to 32 users.";
        const auto sweep = std::make_shared<const SweepResult>(sweepOf({512}));
        const auto drawing = drawingOf(crossoverReport(curvesOf(sweep, {crossover})));
        QCOMPARE(drawing->sentence(), QString::fromStdString(crossover.sentence));
        const Table table = drawing->table();
        QCOMPARE(table.rows.size(), std::size_t{1});
        QVERIFY(std::holds_alternative<std::monostate>(table.rows[0][4])); // outside the range: no number
        QVERIFY(hasInk(painted(*drawing, {500, 400}, ThemeKind::Dark)));
        const auto none = drawingOf(crossoverReport(curvesOf(std::make_shared<const SweepResult>(), {})));
        painted(*none, {500, 400}, ThemeKind::Light);
        QVERIFY(none->readOut({250, 200}, QRectF(0, 0, 500, 400)).isEmpty());
    }
};

QTEST_MAIN(CrossoverDrawingsTest)

#include "crossover_drawings_test.moc"
