// A plot as a drawing: painted, read out, dragged, stepped, zoomed, picked, as a table.
#include "ui/plot/report_drawing.h"

#include "core/text/table.h"
#include "tests/ui/chart/painted_words.h"
#include "tests/ui/plot/made_up_plot.h"
#include "ui/plot/plot_marks.h"

#include <QImage>
#include <QTest>

#include <cmath>

using namespace loadline;
using namespace loadline::ui;
using fixtures::Asked;
using fixtures::askedFields;
using fixtures::columnOf;
using fixtures::gap;
using fixtures::namesOf;
using fixtures::reportOf;
using fixtures::sceneOf;
using fixtures::tableOf;
using loadline::ask::Kind;
using loadline::ask::Rule;

namespace {

constexpr QRectF drawnIn(0, 0, 720, 400);

QImage imageOf(const Drawing& drawing, QSize size, ThemeKind theme = ThemeKind::Light) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::of(theme).window);
    QPainter painter(&image);
    drawing.paint(painter, QRectF(QPointF(), size), Theme::of(theme));
    return image;
}

QStringList writtenIn(const Drawing& drawing) {
    return fixtures::paintedWords(
        drawnIn.size().toSize(), [&](QPainter& painter) { drawing.paint(painter, drawnIn, Theme::light()); });
}

/// A line over seconds, from 1 to 10 000, across which these rules lie.
ReportDrawing overSeconds(std::vector<Rule> rules, const ask::Question& question = {}) {
    return ReportDrawing(
        sceneOf(reportOf(Kind::Line, {1, 100, 10'000}, {0, 0.5, 1},
                         {"kept", ask::Form::Seconds, ask::Scale::Log, 1, 10'000},
                         {"hits", ask::Form::Share, ask::Scale::Linear, 0, 1}, std::move(rules))),
        askedFields(), question);
}

PlotFieldChange onlyOf(const std::optional<PlotChange>& change) {
    return change && change->fields.size() == 1 ? change->fields[0] : PlotFieldChange{"nothing", -1, {}};
}

} // namespace

class ReportDrawingTest : public QObject {
    Q_OBJECT

private slots:
    void everyKindIsPaintedInBothThemesAndAllSizes() {
        for (const Kind kind : {Kind::Line, Kind::Step, Kind::Area, Kind::Points, Kind::Bars, Kind::Spans,
                                Kind::Cells, Kind::Flags, Kind::Labels}) {
            ask::Table table = tableOf(4, {columnOf("x", {1, 2, 3, 4}), columnOf("y", {1, 3, gap, 2}),
                                           columnOf("z", {2, 4, 5, 6}), columnOf("v", {0, 1, 2, 3}),
                                           namesOf("l", {"one", "two", "three", "four"})});
            ask::Report with = reportOf(table, {{.kind = kind,
                                                 .table = "t",
                                                 .x = "x",
                                                 .y = "y",
                                                 .label = "l",
                                                 .value = "v",
                                                 .legend = "a legend"}});
            ask::Report without = with;
            without.plots[0].marks.clear();
            const ReportDrawing drawing(sceneOf(std::move(with)));
            const ReportDrawing bare(sceneOf(std::move(without)));
            for (const ThemeKind theme : {ThemeKind::Light, ThemeKind::Dark}) {
                for (const QSize size : {QSize(420, 320), QSize(180, 120), QSize(1600, 900)}) {
                    QVERIFY(imageOf(drawing, size, theme) != imageOf(bare, size, theme));
                }
            }
            for (const QSize size : {QSize(1, 1), QSize(40, 20), QSize(3000, 40)}) {
                (void)imageOf(drawing, size);
            }
            QVERIFY(writtenIn(drawing).join(' ').contains("a legend")); // of cells behind their scale
        }
    }

    void aPlotOfNothingSaysWhy() {
        ask::Report report =
            reportOf(Kind::Line, {1, 2}, {1, 2}, {"x"}, {"y"}, {{.at = 1, .field = "ttl-s"}});
        report.plots[0].empty = "there is nothing here";
        const ReportDrawing drawing(sceneOf(std::move(report)), askedFields());
        QCOMPARE(writtenIn(drawing), QStringList{"there is nothing here"});
        QVERIFY(!drawing.change(drawnIn.center(), drawnIn.center(), drawnIn));
        QVERIFY(drawing.marks(drawnIn).empty() && drawing.readOut(drawnIn.center(), drawnIn).isEmpty());
    }

    void itsTableIsTheFirstMarksOrTheOneItNames() {
        ask::Table table = tableOf(2, {columnOf("x", {1, 2}), columnOf("y", {0.1, gap})});
        table.columns.push_back(
            {"known", "known", ask::Form::Plain, [](std::size_t row) { return ask::Cell(row == 0); }});
        ask::Report report = reportOf(table, {{.table = "t", .x = "x", .y = "y"}});
        report.tables.push_back(tableOf(1, {columnOf("z", {3})}));
        report.tables.back().path = "other";
        ask::Report named = report;
        named.plots[0].table = "other";
        QCOMPARE(toCsv(ReportDrawing(sceneOf(std::move(report))).table()),
                 std::string("x,y,known\n1,0.1,true\n2,,false\n"));
        QCOMPARE(toCsv(ReportDrawing(sceneOf(std::move(named))).table()), std::string("z\n3\n"));
    }

    /// Columns are read when the scene is made, and a row under the cursor when it is read out.
    void paintingReadsNoColumn() {
        auto reads = std::make_shared<int>(0);
        ask::Column counted{"y", "y", ask::Form::Plain, [reads](std::size_t row) {
                                ++*reads;
                                return ask::Cell(static_cast<double>(row));
                            }};
        const ReportDrawing drawing(
            sceneOf(reportOf(tableOf(100, {columnOf("x", std::vector<double>(100, 1)), counted}),
                             {{.table = "t", .x = "x", .y = "y"}})));
        QCOMPARE(*reads, 100);
        (void)imageOf(drawing, QSize(400, 300));
        QCOMPARE(*reads, 100);
    }

    void aLogarithmicAxisHoldsNoEndOfALinearOne() {
        const auto report = std::make_shared<const ask::Report>(reportOf(
            ask::Kind::Line, {1, 10, 100}, {1, 10, 100}, {"x"}, {"y", ask::Form::Plain, ask::Scale::Log}));
        const std::vector<double> linear = {0, 500, 0, 500}; // lows have their sign turned
        const auto scene = plotSceneOf(report, 0, linear);
        QVERIFY(scene->y.low > 0);
        QCOMPARE(scene->y.high, 500.0);
        (void)imageOf(ReportDrawing(scene), QSize(400, 300));
    }

    void theOnlyGripIsDraggedFromAnywhere() {
        const ReportDrawing drawing = overSeconds({{.at = 300, .field = "ttl-s", .onMark = "y"}});
        const QPointF grip = drawing.marks(drawnIn).at(0);
        const PlotFieldChange far = onlyOf(drawing.change(QPointF(200, 200), QPointF(5000, 200), drawnIn));
        QCOMPARE(far.field, std::string("ttl-s"));
        QCOMPARE(far.value, std::optional(10'000.0)); // held within the axis
        QCOMPARE(onlyOf(drawing.change(QPointF(200, 200), QPointF(-50, 200), drawnIn)).value,
                 std::optional(1.0));
        QCOMPARE(onlyOf(drawing.change(grip, grip, drawnIn)).value, std::optional(300.0));
        const double value = *onlyOf(drawing.change(grip, grip + QPointF(7, 0), drawnIn)).value;
        QVERIFY2(std::fmod(value, 10) == 0, "two digits");
        QVERIFY(!drawing.change(QPointF(-40, 200), QPointF(200, 200), drawnIn));
    }

    void ofSeveralGripsTheNearestIsDragged() {
        const ReportDrawing drawing = overSeconds({{.at = 10, .label = "near", .field = "sizes", .part = 0},
                                                   {.at = 1000,
                                                    .label = "far",
                                                    .field = "sizes",
                                                    .part = 1,
                                                    .fieldAt = [](double at) { return at / 3; },
                                                    .step = 1.05,
                                                    .readOut = {"the far one", "in two lines"}}});
        const std::vector<QPointF> grips = drawing.marks(drawnIn);
        QCOMPARE(grips.size(), std::size_t{2});
        const QPointF beside = grips[1] + QPointF(5, 3);
        const PlotFieldChange still = onlyOf(drawing.change(beside, beside, drawnIn));
        QCOMPARE(still.part, 1);
        QCOMPARE(still.value, std::optional(1000.0 / 3)); // a click beside a line moves nothing
        const double moved = *onlyOf(drawing.change(beside, beside + QPointF(40, 0), drawnIn)).value;
        QVERIFY(moved > 400 && std::abs(moved - std::round(moved)) < 1e-9); // three digits
        const QPointF between = (grips[0] + grips[1]) / 2;
        QVERIFY(!drawing.change(between, between, drawnIn));
        QCOMPARE(onlyOf(drawing.stepped(1, 1)).value, std::optional(350.0)); // 333.3 * 1.05
        QVERIFY(!drawing.stepped(2, 1));
        QCOMPARE(drawing.readOut(beside, drawnIn), (QStringList{"the far one", "in two lines"}));
        const QStringList words = writtenIn(drawing);
        QVERIFY(words.contains(QString("near")) && words.contains(QString("far")));
    }

    void keysMoveByADigitOfTheField() {
        const auto stepsOf = [](double at, const char* field) {
            const ReportDrawing drawing = overSeconds({{.at = at, .field = field}});
            return std::pair(*onlyOf(drawing.stepped(0, -1)).value, *onlyOf(drawing.stepped(0, 1)).value);
        };
        QCOMPARE(stepsOf(30, "ttl-s"), std::pair(29.0, 31.0));
        QCOMPARE(stepsOf(100, "ttl-s"), std::pair(99.0, 110.0));
        QCOMPARE(stepsOf(2, "ttl-s"), std::pair(1.0, 3.0)); // no finer than the least value
        QCOMPARE(stepsOf(1, "ttl-s"), std::pair(1.0, 2.0)); // nor below it
        QCOMPARE(stepsOf(8, "users"), std::pair(7.0, 9.0)); // whole
        QCOMPARE(stepsOf(0.5, "from"), std::pair(0.49, 0.51));
    }

    void aMarkerFollowsTheQuestionBeforeTheAnswer() {
        const auto scene = sceneOf(reportOf(Kind::Line, {1, 100, 10'000}, {0, 0.5, 1},
                                            {"kept", ask::Form::Seconds, ask::Scale::Log, 1, 10'000}, {"y"},
                                            {{.field = "ttl-s"}}));
        Asked asked;
        const ReportDrawing before(scene, askedFields(), ask::Question::of(asked));
        asked.ttlS = 3000;
        const ReportDrawing after(scene, askedFields(), ask::Question::of(asked));
        QVERIFY(after.marks(drawnIn).at(0).x() > before.marks(drawnIn).at(0).x() + 100);
        QVERIFY(ReportDrawing(scene, askedFields()).marks(drawnIn).empty());
    }

    void aFactorMultipliesByHowFarTheHandWent() {
        const ReportDrawing drawing(
            sceneOf(reportOf(
                Kind::Line, {0, 10}, {10, 10}, {"x"}, {"y", ask::Form::Plain, ask::Scale::Log, 1, 100},
                {{.across = Rule::Across::Y, .at = 3, .field = "from", .onMark = "y", .factor = true}})),
            askedFields());
        const auto kept = sceneOf(
            reportOf(Kind::Line, {0, 10}, {10, 10}, {"x"}, {"y", ask::Form::Plain, ask::Scale::Log, 1, 100}));
        const PlotAxes axes(*kept, drawnIn);
        const QPointF on(300, axes.y(10)), twice(300, axes.y(20));
        const PlotFieldChange change = onlyOf(drawing.change(on, twice, drawnIn));
        QVERIFY(std::abs(*change.value - 6) < 1e-6);
        QVERIFY(!drawing.change(on + QPointF(0, 40), twice, drawnIn));
        QVERIFY(drawing.marks(drawnIn).empty());
    }

    void theNearestRowIsReadOutExactly() {
        ask::Table table = tableOf(3, {columnOf("t", {1, 100, 10'000}, ask::Form::Seconds),
                                       columnOf("h", {0.1, 0.5, gap}, ask::Form::Share)});
        table.columns[0].readOut = "kept for {}";
        table.columns[1].readOut = "{} hit";
        const ReportDrawing drawing(sceneOf(reportOf(table, {{.table = "t", .x = "t", .y = "h"}},
                                                     {"t", ask::Form::Seconds, ask::Scale::Log, 1, 1e4})));
        QCOMPARE(drawing.readOut(QPointF(360, 100), drawnIn),
                 (QStringList{"kept for 1 min 40 s", "50.0 % hit"}));
        QVERIFY(drawing.readOut(QPointF(700, 100), drawnIn).isEmpty()); // the line has ended
        QVERIFY(drawing.readOut(QPointF(-20, 100), drawnIn).isEmpty());
    }

    void linesOfSeveralSeriesAreReadOutByName() {
        ask::Table table = tableOf(4, {columnOf("x", {1, 2, 1, 2}), columnOf("y", {3, 4, 5, 6}),
                                       namesOf("s", {"a", "a", "b", "b"})});
        table.columns[0].readOut = "at {}";
        table.columns[1].readOut = "{} s";
        const ReportDrawing drawing(
            sceneOf(reportOf(table, {{.table = "t", .x = "x", .y = "y", .series = "s", .legend = "{}"}})));
        const auto kept = sceneOf(reportOf(Kind::Line, {1, 2}, {3, 6}));
        const PlotAxes axes(*kept, drawnIn);
        QCOMPARE(drawing.readOut(QPointF(axes.x(1.9), 200), drawnIn),
                 (QStringList{"at 2", "a: 4 s", "b: 6 s"}));
        const QStringList words = writtenIn(drawing);
        QVERIFY(words.contains(QString("a")) && words.contains(QString("b"))); // at their ends
    }

    void pointsAndBoxesAreReadOutWhereTheyAre() {
        for (const Kind kind : {Kind::Points, Kind::Bars}) {
            ask::Table table = tableOf(2, {columnOf("x", {1, 2}), columnOf("y", {1, 4})});
            table.columns[1].readOut = "y is {}";
            const auto scene = sceneOf(reportOf(table, {{.kind = kind, .table = "t", .x = "x", .y = "y"}}));
            const PlotAxes axes(*scene, drawnIn);
            const ReportDrawing drawing(scene);
            const QPointF second(axes.x(2) - 1, axes.y(4) + 2);
            QCOMPARE(drawing.readOut(second, drawnIn), QStringList{"y is 4"});
            QVERIFY(drawing.readOut(QPointF(axes.x(0.2), axes.y(3)), drawnIn).isEmpty());
        }
    }

    void theWheelSetsTheFieldsOfAnAxis() {
        const auto drawingOf = [](std::optional<double> low, std::optional<double> high) {
            return ReportDrawing(
                sceneOf(reportOf(Kind::Line, {0, 100}, {0, 1},
                                 {"x", ask::Form::Plain, ask::Scale::Linear, low, high, "from", "to"})),
                askedFields());
        };
        const ReportDrawing whole = drawingOf({}, {});
        const auto kept = sceneOf(reportOf(Kind::Line, {0, 100}, {0, 1}));
        const PlotAxes axes(*kept, drawnIn);
        const QPointF at(axes.plot().center());
        const auto closer = whole.wheeled(at, 1, false, drawnIn);
        QCOMPARE(closer->fields.size(), std::size_t{2});
        const double low = *closer->fields[0].value, high = *closer->fields[1].value;
        QVERIFY(low > 0 && high < axes.scene().x.high && std::abs(low + high - axes.scene().x.high) < 1e-6);
        QVERIFY2(!whole.wheeled(at, -1, false, drawnIn), "there is no further out: the page scrolls");
        const auto out = drawingOf(low, high).wheeled(at, -1, false, drawnIn);
        QVERIFY(out && !out->fields[0].value && !out->fields[1].value);
        const auto aside = drawingOf(low, high).wheeled(at, -0.5, true, drawnIn);
        QVERIFY(std::abs((*aside->fields[1].value - *aside->fields[0].value) - (high - low)) < 1e-6);
        QVERIFY(*aside->fields[0].value > low);
        QVERIFY(!overSeconds({}).wheeled(at, 1, false, drawnIn));
    }

    void aClickPicksARow() {
        ask::Table table = tableOf(3, {columnOf("x", {1, 2, 3}), columnOf("y", {1, 2, 3}),
                                       columnOf("id", {1, 2, 3}), namesOf("lead", {"a", "b", "c"})});
        const auto scene = sceneOf(reportOf(table, {{.kind = Kind::Points,
                                                     .table = "t",
                                                     .x = "x",
                                                     .y = "y",
                                                     .pickField = "chosen",
                                                     .pickColumn = "id",
                                                     .leadColumn = "lead"}}));
        const ReportDrawing drawing(scene, askedFields(), ask::Question::of(Asked()));
        const std::vector<QPointF> items = drawing.items(drawnIn);
        QCOMPARE(items.size(), std::size_t{3});
        QCOMPARE(drawing.itemAt(items[2] + QPointF(2, 2), drawnIn), 2);
        QCOMPARE(drawing.pickedItem(), 1); // as the question has it
        QVERIFY(drawing.itemsLead());
        QCOMPARE(drawing.hand().pickOf(2)->field, std::string("chosen"));
        QCOMPARE(ask::plainText(drawing.hand().pickOf(2)->value), std::string("3"));
        QCOMPARE(ask::plainText(drawing.hand().leadOf(0)), std::string("a"));
        QVERIFY(!drawing.hand().pickOf(3));
        QCOMPARE(ReportDrawing(scene, askedFields()).pickedItem(), -1);
        QVERIFY(imageOf(drawing, QSize(400, 300)) != imageOf(ReportDrawing(scene), QSize(400, 300)));
    }

    void aGripThatMovesLeavesTheAnswerAsItIs() {
        const auto at = [](double ttlS, double y) {
            return drawingOf(reportOf(Kind::Line, {1, 10}, {y, gap}, {"x"}, {"y"},
                                      {{.at = ttlS, .field = "ttl-s"}, {.at = 5, .label = "five"}}),
                             askedFields());
        };
        QVERIFY(at(2, 1)->hasAnswerOf(*at(3, 1)));
        QVERIFY(!at(2, 1)->hasAnswerOf(*at(2, 1.01)));
        QVERIFY(imageOf(*at(2, 1), QSize(400, 300)) != imageOf(*at(3, 1), QSize(400, 300)));
    }

    void barsThatLieStandInARow() {
        ask::Table table = tableOf(4, {namesOf("fleet", {"a", "a", "b", "b"}), columnOf("gpus", {3, 2, 1, 4}),
                                       namesOf("use", {"prefill", "decode", "prefill", "decode"})});
        const auto scene = sceneOf(reportOf(table,
                                            {{.kind = Kind::Bars,
                                              .table = "t",
                                              .x = "gpus",
                                              .y = "fleet",
                                              .series = "use",
                                              .inks = {ask::Ink::NewInput, ask::Ink::Output}}},
                                            {"GPUs"}, {.title = "", .scale = ask::Scale::Category}));
        QCOMPARE(scene->marks[0].x2, (std::vector<double>{0, 3, 0, 1}));
        QCOMPARE(scene->marks[0].x, (std::vector<double>{3, 5, 1, 5}));
        const Theme& theme = Theme::of(ThemeKind::Light);
        QCOMPARE(colourOf(scene->marks[0], 1, theme), theme.output);
    }

    void aReportIsHeldByItsDrawing() {
        auto values = std::make_shared<std::vector<double>>(std::vector<double>{1, 2, 3});
        const std::weak_ptr<std::vector<double>> watched = values;
        ask::Report report;
        report.tables.push_back({.path = "t",
                                 .title = {},
                                 .rows = 3,
                                 .columns = {ask::columnOf(*values, "x", "x", [](double v) { return v; })}});
        report.plots.push_back({.key = "k",
                                .title = "T",
                                .description = {},
                                .sentence = {},
                                .x = {"x"},
                                .y = {"y"},
                                .marks = {{.table = "t", .x = "x", .y = "x"}}});
        report.keeps.push_back(std::move(values));
        auto drawing = drawingOf(std::move(report));
        QVERIFY(!watched.expired());
        QCOMPARE(drawing->table().rows.size(), std::size_t{3});
        drawing.reset();
        QVERIFY(watched.expired());
    }
};

QTEST_MAIN(ReportDrawingTest)
#include "report_drawing_test.moc"
