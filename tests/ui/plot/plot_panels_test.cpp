// Several plots in one picture, drawn tables, long legends, and cells around a middle.
#include "ui/plot/plot_panels.h"

#include "tests/ui/chart/painted_words.h"
#include "tests/ui/plot/made_up_plot.h"
#include "ui/chart/export_drawing.h"
#include "ui/plot/plot_legend.h"
#include "ui/plot/plot_table.h"
#include "ui/plot/report_drawing.h"

#include <QTest>

#include <algorithm>

using namespace loadline;
using namespace loadline::ui;
using namespace loadline::ui::fixtures;
using ask::Kind;

namespace {

const QRectF panelsRoom(0, 0, 600, 300);

QStringList wordsPaintedIn(const PlotDrawing& drawing) {
    return paintedWords({600, 300},
                        [&](QPainter& painter) { drawing.paint(painter, panelsRoom, Theme::light()); });
}

QImage pictureOf(const PlotDrawing& drawing) {
    QImage image(600, 300, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::light().panel);
    QPainter painter(&image);
    drawing.paint(painter, panelsRoom, Theme::light());
    return image;
}

int pixelsOf(const QImage& image, const QColor& color) {
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            count += image.pixelColor(x, y) == color ? 1 : 0;
        }
    }
    return count;
}

/// Two plots of one facet whose lines can be dragged, with one entry of the legend in common.
ask::Report twoPlots() {
    ask::Table table = tableOf(2, {columnOf("x", {0, 10}), columnOf("y", {1, 2}), columnOf("z", {5, 9})});
    table.columns[1].readOut = "y is {}";
    ask::Report report = reportOf(table, {{.table = "t", .x = "x", .y = "y", .legend = "both"}}, {"x"},
                                  {"first"}, {{.at = 4, .field = "ttl-s"}});
    report.plots.push_back(report.plots.front());
    report.plots.back().y.title = "second";
    report.plots.back().marks.front().y = "z";
    for (ask::Plot& plot : report.plots) {
        plot.facet = "two";
    }
    return report;
}

} // namespace

class PlotPanelsTest : public QObject {
    Q_OBJECT

private slots:

    void panelsHaveAGoodShape() {
        const std::vector<PanelShare> four(4);
        const auto places = [&](const QRectF& in) { return panelPlaces(four, in); };
        QCOMPARE(places({0, 0, 4000, 500})[3].top(), 0.0); // in a row
        QCOMPARE(places({0, 0, 200, 1000})[3].left(), 0.0);
        QVERIFY(places({0, 0, 900, 500})[3].left() > 0 && places({0, 0, 900, 500})[3].top() > 0);
        const std::vector<QRectF> stacked = panelPlaces({{1, 3}, {1, 1}}, {0, 0, 4000, 408});
        QCOMPARE(stacked[0].height(), 300.0);
        QCOMPARE(stacked[1], QRectF(0, 308, 4000, 100));
        QCOMPARE(panelPlaces({{3, 1}, {1, 1}}, {0, 0, 408, 4000})[0], QRectF(0, 0, 300, 4000));
    }

    void plotsOfAFacetShareALegendAndAreDraggedEach() {
        const auto drawing = drawingOf(twoPlots());
        const QStringList words = wordsPaintedIn(*drawing);
        QVERIFY(words.contains("first") && words.contains("second"));
        QCOMPARE(words.count("both"), 1);
        for (const QPointF& inside : {QPointF(150, 150), QPointF(450, 150)}) { // beside each other
            const auto change = drawing->change(inside, inside + QPointF(20, 0), panelsRoom);
            QVERIFY(change && change->fields.size() == 1 && change->fields[0].field == "ttl-s");
            QVERIFY(drawing->readOut(inside, panelsRoom).join(' ').contains("y is "));
        }
        QCOMPARE(drawing->marks(panelsRoom).size(), std::size_t{1}); // keys move those of the first
        QCOMPARE(drawing->extents().size(), std::size_t{8});
        const auto held = drawingOf(twoPlots(), {}, {}, {0, 10, 0, 10, 0, 10, 0, 100});
        QCOMPARE(held->extents()[7], 100.0);
        for (const QSize size : {QSize(1, 1), QSize(20, 400), QSize(400, 20)}) {
            QImage image(size, QImage::Format_ARGB32_Premultiplied);
            QPainter painter(&image);
            drawing->paint(painter, QRectF(QPointF(), QSizeF(size)), Theme::dark());
        }
    }

    void aLegendThatIsTooLongHasLinesOfItsOwn() {
        ask::Table table = tableOf(2, {columnOf("x", {0, 10}), columnOf("y", {1, 2})});
        std::vector<ask::Mark> marks;
        for (int i = 0; i < 9; ++i) {
            marks.push_back(
                {.table = "t", .x = "x", .y = "y", .legend = "a long name, number " + std::to_string(i)});
        }
        const QStringList words = wordsPaintedIn(*drawingOf(reportOf(table, marks)));
        QVERIFY2(words.contains("a long name, number 8"), qPrintable(words.join('|')));
        QVERIFY(words.contains("y"));
    }

    void aLegendWithoutRoomCountsTheRest() {
        ask::Table table = tableOf(2, {columnOf("x", {0, 10}), columnOf("y", {1, 2})});
        std::vector<ask::Mark> marks;
        for (int i = 0; i < 60; ++i) {
            marks.push_back(
                {.table = "t", .x = "x", .y = "y", .legend = "a long name, number " + std::to_string(i)});
        }
        const QStringList words = wordsPaintedIn(*drawingOf(reportOf(table, marks)));
        const auto named =
            std::ranges::count_if(words, [](const QString& word) { return word.startsWith("a long name"); });
        QVERIFY2(named >= 6 && named < 60, qPrintable(words.join('|')));
        QVERIFY2(words.contains(QString("and %1 more").arg(60 - named)), qPrintable(words.join('|')));
    }

    void aTableIsDrawnWithBarsWhereTheyHaveRoom() {
        ask::Table table =
            tableOf(3, {namesOf("name", {"one", "two\nbelow", "three"}), columnOf("v", {1, 2, 3})});
        table.path = "rows";
        table.columns[1].bar = [](std::size_t row) { return row == 0 ? 0.5 : gap; };
        table.columns[1].readOut = "v is {}";
        ask::Report report;
        report.tables.push_back(table);
        report.plots.push_back({.key = "t",
                                .title = "T",
                                .description = {},
                                .sentence = {},
                                .x = {},
                                .y = {},
                                .marks = {},
                                .drawn = "rows"});
        const auto drawing = drawingOf(report);
        const QStringList words = wordsPaintedIn(*drawing);
        for (const char* word : {"name", "one", "two", "below", "v", "3"}) {
            QVERIFY2(words.contains(QString(word)), qPrintable(words.join('|')));
        }
        QVERIFY(pixelsOf(pictureOf(*drawing), Theme::light().good) > 50);
        QCOMPARE(drawing->readOut({300, 290}, QRectF(0, 0, 600, 300)), QStringList());
        QCOMPARE(drawing->readOut({300, 30}, panelsRoom), QStringList{"v is 1"});
        const QStringList few = paintedWords({600, 45}, [&](QPainter& painter) {
            paintTable(painter, {0, 0, 600, 45}, table, Theme::light());
        });
        QVERIFY2(few.contains("name") && few.contains("v") && few.contains("one"), qPrintable(few.join('|')));
        QVERIFY2(few.contains("and 2 more: see the table") && !few.contains("three"),
                 qPrintable(few.join('|')));
    }

    void cellsAroundAMiddleHaveTwoColoursAndAScale() {
        ask::Table table = tableOf(3, {columnOf("x", {1, 2, 3}), columnOf("y", {1, 1, 1}),
                                       columnOf("v", {0.5, 1, 2}), columnOf("open", {gap, gap, 1})});
        ask::Mark cells{
            .kind = Kind::Cells, .table = "t", .x = "x", .y = "y", .value = "v", .legend = "times"};
        cells.middle = 1;
        ask::Mark open = cells;
        open.value = "open";
        open.legend = "either";
        open.dashed = true;
        const auto drawing = drawingOf(reportOf(table, {cells}));
        const QImage image = pictureOf(*drawing);
        QVERIFY(pixelsOf(image, Theme::light().cacheWrite) > 1000);
        QVERIFY(pixelsOf(image, Theme::light().output) > 1000);
        QVERIFY(wordsPaintedIn(*drawing).contains("2 times"));
        const auto hatched = drawingOf(reportOf(table, {cells, open}));
        QVERIFY(pictureOf(*hatched) != image);
        QVERIFY(wordsPaintedIn(*hatched).contains("either"));
    }
};

QTEST_MAIN(PlotPanelsTest)
#include "plot_panels_test.moc"
