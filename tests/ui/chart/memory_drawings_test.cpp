// What does not fit into a device's memory, as it is drawn: no curves, and a dotted baseline.
#include "core/simulate/fit/memory_fit.h"
#include "tests/ui/chart/painted_words.h"
#include "tests/ui/simulation_fixtures.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace loadline;
using namespace loadline::ui;
using namespace loadline::ui::made_up;

namespace {

/// Of a model of 70 billion weights on a device of 24 GiB: k = 2 fits, more does not.
MemoryFit memoryOf(int kBits) {
    SimulationInputs inputs;
    inputs.cost.model = *findShapePreset("llama-3.1-70b");
    inputs.cost.format = kBits;
    inputs.hardware = findHardware("RTX4090");
    return memoryFitOf(inputs);
}

} // namespace

class MemoryDrawingsTest : public QObject {
    Q_OBJECT

private slots:

    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void whatDoesNotFitHasNoCurves() {
        SimulatorFigure figure = figureOf();
        figure.memory = memoryOf(4);
        QVERIFY(figure.memory.isTooLarge());
        figure.sentence = misfitSentence(figure.memory);
        for (const ReportOf chart : settingReports) {
            const auto drawing = drawn(chart, shared(figure));
            QCOMPARE(drawing->title(), titleOf(chart));
            QVERIFY(drawing->sentence().contains("does not fit"));
            const Table table = drawing->table();
            QCOMPARE(table.columns.back(), std::string("fits"));
            QCOMPARE(table.rows.size(), std::size_t{5}); // k = 2 to 5 and fp16
            for (const auto& row : table.rows) {
                const bool fits = std::get<double>(row[1]) <= std::get<double>(row[2]);
                QCOMPARE(std::get<std::string>(row[3]), std::string(fits ? "true" : "false"));
            }
            QVERIFY(!drawing->change({100, 100}, {200, 100}, {0, 0, 400, 260}));
            QVERIFY(hasInk(painted(*drawing, {400, 260}, ThemeKind::Dark)));
            for (const QSize size : {QSize(1, 1), QSize(20, 400), QSize(400, 20), QSize(3000, 900)}) {
                painted(*drawing, size, ThemeKind::Light);
            }
        }
        const Pinned pinned{shared(figure), "now", "pinned"};
        const auto beside = drawn(usersReport, shared(figureOf()), {}, pinned);
        QCOMPARE(beside->table().rows.size(), std::size_t{5}); // nothing of the pinned one
    }

    /// GiB, the unit of the sentence and the labels.
    void memoryIsInOneUnit() {
        SimulatorFigure figure = figureOf();
        figure.memory = memoryOf(4);
        const auto drawing = drawn(usersReport, shared(figure));
        const QString words = fixtures::paintedWords({600, 400}, [&](QPainter& painter) {
                                  drawing->paint(painter, QRectF(0, 0, 600, 400), Theme::light());
                              }).join('|');
        QVERIFY2(words.contains("weights, GiB") && words.contains(" GiB, does not fit"), qPrintable(words));
        QVERIFY2(!words.contains(QRegularExpression("\\bGB\\b")), qPrintable(words));
        const auto scene =
            plotSceneOf(std::make_shared<const ask::Report>(usersReport(SettingShown(shared(figure)))));
        QVERIFY(std::abs(*scene->plot->rules.front().at - figure.memory.roomBytes() / (1 << 30)) < 1e-9);
    }

    void anFp16ThatDoesNotFitIsDotted() {
        SimulatorFigure fits = figureOf();
        SimulatorFigure none = figureOf();
        none.memory = memoryOf(2);
        QCOMPARE(none.memory.fits(), std::optional(true));
        QCOMPARE(none.memory.fp16Fits(), std::optional(false));
        for (const ReportOf chart : {usersReport, kernelShareReport}) {
            const QSize size(600, 400);
            QVERIFY(painted(*drawn(chart, shared(fits)), size, ThemeKind::Light) !=
                    painted(*drawn(chart, shared(none)), size, ThemeKind::Light));
        }
        const auto table = drawn(usersReport, shared(none))->table();
        const auto column = std::ranges::find(table.columns, "fp16_fits") - table.columns.begin();
        QVERIFY(column < std::ssize(table.columns));
        QCOMPARE(std::get<std::string>(table.rows[0][static_cast<std::size_t>(column)]),
                 std::string("false"));
    }

    void crossoversOfWhatDoesNotFitAreNotDrawn() {
        SweepResult sweep = sweepOf({512});
        sweep.weights = {Storage::K2, Storage::K4};
        for (const SweepPoint& point : std::vector<SweepPoint>(sweep.points)) {
            sweep.points.push_back(point);
        }
        for (std::size_t i = 0; i < sweep.users.size(); ++i) {
            sweep.points[i].weights = Storage::K2;
        }
        sweep.memory = {memoryOf(2), memoryOf(4)};
        const auto both = std::make_shared<const SweepResult>(sweep);
        const auto drawing =
            drawingOf(crossoverReport(curvesOf(both, crossoversOf(sweep, StepScope::GemmOnly))));
        QVERIFY(drawing->sentence().startsWith("Llama-3.1-70B at k = 4 does not fit")); // the chosen one
        const Table table = drawing->table();
        QCOMPARE(table.rows.size(), std::size_t{2});
        const auto fits =
            static_cast<std::size_t>(std::ranges::find(table.columns, "fits") - table.columns.begin());
        QCOMPARE(std::get<std::string>(table.rows[0][fits]), std::string("true"));
        QCOMPARE(std::get<std::string>(table.rows[1][fits]), std::string("false"));
        QVERIFY(std::holds_alternative<std::monostate>(table.rows[1][2])); // no crossing
        QVERIFY(hasInk(painted(*drawing, {600, 400}, ThemeKind::Light)));
        sweep.memory = {memoryOf(3), memoryOf(4)};
        const auto none = std::make_shared<const SweepResult>(sweep);
        const auto state =
            drawingOf(crossoverReport(curvesOf(none, crossoversOf(sweep, StepScope::GemmOnly))));
        QCOMPARE(state->table().columns.front(), std::string("weights")); // nothing is left to draw
    }
};

QTEST_MAIN(MemoryDrawingsTest)

#include "memory_drawings_test.moc"
