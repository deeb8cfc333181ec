// The hand's layer marks ends of lines, bands, grips out of view and estimates, and says nothing elsewhere.
#include "ui/plot/plot_hand.h"

#include "tests/ui/plot/made_up_plot.h"
#include "ui/plot/plot_shapes.h"
#include "ui/plot/report_drawing.h"

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

constexpr QRectF handRoom(0, 0, 720, 400);

QImage handPictureOf(const Drawing& drawing) {
    QImage image(720, 400, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::light().panel);
    QPainter painter(&image);
    drawing.paint(painter, handRoom, Theme::light());
    return image;
}

int pixelsAt(const QImage& image, const QPointF& at, int around, const QColor& color) {
    int count = 0;
    for (int y = static_cast<int>(at.y()) - around; y <= static_cast<int>(at.y()) + around; ++y) {
        for (int x = static_cast<int>(at.x()) - around; x <= static_cast<int>(at.x()) + around; ++x) {
            count += image.rect().contains(x, y) && image.pixelColor(x, y) == color ? 1 : 0;
        }
    }
    return count;
}

/// Pixels around a place in which two pictures differ.
int changedAt(const QImage& a, const QImage& b, const QPointF& at, int around) {
    int count = 0;
    for (int y = static_cast<int>(at.y()) - around; y <= static_cast<int>(at.y()) + around; ++y) {
        for (int x = static_cast<int>(at.x()) - around; x <= static_cast<int>(at.x()) + around; ++x) {
            count += a.rect().contains(x, y) && a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
        }
    }
    return count;
}

/// A table of x, y and their read-outs "x is {}" and "y is {}".
ask::Table readTable(const std::vector<double>& x, const std::vector<double>& y) {
    ask::Table table = tableOf(x.size(), {columnOf("x", x), columnOf("y", y)});
    table.columns[0].readOut = "x is {}";
    table.columns[1].readOut = "y is {}";
    return table;
}

} // namespace

class PlotHandTest : public QObject {
    Q_OBJECT

private slots:

    /// Rows that two marks share are found once: each where it has a y.
    void whatHasNoPlaceIsNoItem() {
        const ask::Mark known{.kind = Kind::Points,
                              .table = "t",
                              .x = "x",
                              .y = "known",
                              .pickField = "chosen",
                              .pickColumn = "id"};
        ask::Mark other = known;
        other.y = "other";
        const ReportDrawing drawing(
            sceneOf(reportOf(tableOf(3, {columnOf("x", {1, 2, 3}), columnOf("known", {1, gap, 3}),
                                         columnOf("other", {gap, 2, gap}), columnOf("id", {1, 2, 3})}),
                             {known, other})),
            askedFields(), ask::Question::of(Asked()));
        QCOMPARE(drawing.items(handRoom).size(), std::size_t{3});
        QCOMPARE(drawing.pickedItem(), 2); // the row 2 stands last, of the second mark
        const auto kept = sceneOf(reportOf(Kind::Points, {1, 2, 3}, {1, 2, 3}));
        const PlotAxes axes(*kept, handRoom);
        QCOMPARE(drawing.items(handRoom)[2].x(), axes.x(2));
        QVERIFY(drawing.items(handRoom)[2].y() > axes.plot().top() + 10); // not at the top
    }

    void aLineIsNotReadOutBeyondItsEnds() {
        const auto scene = sceneOf(reportOf(readTable({2, 4}, {5, 6}), {{.table = "t", .x = "x", .y = "y"}},
                                            {"x", ask::Form::Plain, ask::Scale::Linear, 0, 10}));
        const PlotAxes axes(*scene, handRoom);
        const ReportDrawing drawing(scene);
        const auto said = [&](double x) { return drawing.readOut({axes.x(x), 200}, handRoom); };
        QCOMPARE(said(3.9), (QStringList{"x is 4", "y is 6"}));
        QCOMPARE(said(4.05), said(3.9)); // the hand need not be exact
        QVERIFY(said(5).isEmpty() && said(9).isEmpty() && said(1).isEmpty());
    }

    void aBandIsReadOutWhereNothingElseIs() {
        const auto scene = sceneOf(reportOf(readTable({2, 4}, {5, 6}), {{.table = "t", .x = "x", .y = "y"}},
                                            {"x", ask::Form::Plain, ask::Scale::Linear, 0, 10}, {"y"},
                                            {{.at = 3, .to = 8, .label = "not told"}}));
        const PlotAxes axes(*scene, handRoom);
        const ReportDrawing drawing(scene);
        QCOMPARE(drawing.readOut({axes.x(7), 200}, handRoom), QStringList{"not told"});
        QCOMPARE(drawing.readOut({axes.x(3.5), 200}, handRoom).first(), QString("x is 4"));
        QVERIFY(drawing.readOut({axes.x(9), 200}, handRoom).isEmpty());
    }

    void ofManyLinesTheNearestIsReadOut() {
        std::vector<double> x, y;
        std::vector<std::string> names;
        for (int line = 0; line < 9; ++line) {
            for (const double at : {1, 2}) {
                x.push_back(at);
                y.push_back(line);
                names.push_back("line " + std::to_string(line));
            }
        }
        ask::Table table = readTable(x, y);
        table.columns.push_back(namesOf("s", names));
        const auto scene =
            sceneOf(reportOf(table, {{.table = "t", .x = "x", .y = "y", .series = "s", .legend = "{}"}}));
        const PlotAxes axes(*scene, handRoom);
        const ReportDrawing drawing(scene);
        QCOMPARE(drawing.readOut({axes.x(1.9), axes.y(6.2)}, handRoom),
                 (QStringList{"x is 2", "line 6: y is 6"}));
    }

    void aLineIsStraightOnTheAxesThatItHas() {
        const auto at = [](ask::Scale x, ask::Scale y, double place) {
            const auto scene = sceneOf(reportOf(Kind::Line, {1, 100}, {1, 10'000}, {"x", ask::Form::Plain, x},
                                                {"y", ask::Form::Plain, y}));
            return lineAt(*scene, scene->marks[0], place);
        };
        using enum ask::Scale;
        QCOMPARE(at(Linear, Linear, 50.5), 5000.5);
        QVERIFY(std::abs(at(Log, Log, 10) - 100) < 1e-9);
        QVERIFY(std::abs(at(Log, Linear, 10) - 5000.5) < 1e-9);
        QVERIFY(std::abs(at(Linear, Log, 50.5) - 100) < 1e-9);
        QVERIFY(std::isnan(at(Log, Log, 200)));
        const auto scene = sceneOf(reportOf(Kind::Line, {1, 100}, {1, 10'000}, {"x", ask::Form::Plain, Log},
                                            {"y", ask::Form::Plain, Log}));
        const PlotAxes axes(*scene, handRoom);
        const QPolygonF line = linesOf(scene->marks[0], axes)[0].points;
        const double middle = axes.valueAtX((line[0].x() + line[1].x()) / 2);
        QVERIFY(std::abs(axes.y(lineAt(*scene, scene->marks[0], middle)) - (line[0].y() + line[1].y()) / 2) <
                1e-6);
    }

    /// Its line is not drawn at the edge, as if the value lay there; its grip brings it back.
    void aGripOutOfViewStaysAtTheEdge() {
        const auto drawn = [](double at, const char* label = "") {
            return ReportDrawing(
                sceneOf(reportOf(Kind::Line, {10, 20}, {1, 2},
                                 {"x", ask::Form::Plain, ask::Scale::Linear, 10, 20}, {"y"},
                                 {{.at = at, .label = label, .field = "ttl-s", .ink = ask::Ink::Accent}})),
                askedFields());
        };
        const auto kept = sceneOf(
            reportOf(Kind::Line, {10, 20}, {1, 2}, {"x", ask::Form::Plain, ask::Scale::Linear, 10, 20}));
        const PlotAxes axes(*kept, handRoom);
        const QRectF& plot = axes.plot();
        QCOMPARE(drawn(500).marks(handRoom).at(0), plot.topRight());
        QCOMPARE(drawn(1).marks(handRoom).at(0), plot.topLeft());
        QCOMPARE(drawn(15).marks(handRoom).at(0).x(), axes.x(15));
        const QImage bare = handPictureOf(ReportDrawing(sceneOf(
            reportOf(Kind::Line, {10, 20}, {1, 2}, {"x", ask::Form::Plain, ask::Scale::Linear, 10, 20}))));
        const auto lineAtEdge = [&](double at) {
            return changedAt(handPictureOf(drawn(at)), bare, QPointF(plot.right(), plot.center().y()), 8);
        };
        QVERIFY(lineAtEdge(20) > 5);
        QCOMPARE(lineAtEdge(500), 0);
        const auto change = drawn(500).change(plot.topRight(), QPointF(axes.x(15), 100), handRoom);
        QVERIFY(change && std::abs(*change->fields.front().value - 15) < 0.2);
    }

    void theDotOfAnEstimateIsHollow() {
        const auto inside = [](ask::Basis basis) {
            const auto scene = sceneOf(reportOf(
                tableOf(2, {columnOf("x", {0, 10}), columnOf("y", {5, 5})}),
                {{.table = "t", .x = "x", .y = "y", .ink = ask::Ink::Muted},
                 {.kind = Kind::Points, .table = "t", .x = "x", .y = "y", .basis = basis}},
                {"x"}, {"y"}, {{.at = 5, .field = "ttl-s", .onMark = "y", .ink = ask::Ink::Accent}}));
            const PlotAxes axes(*scene, handRoom);
            return pixelsAt(handPictureOf(ReportDrawing(scene, askedFields())), {axes.x(5) + 2, axes.y(5)}, 0,
                            Theme::light().accent);
        };
        QCOMPARE(inside(ask::Basis::Measured), 1);
        QCOMPARE(inside(ask::Basis::Estimated), 0);
    }

    void aStillLineLiesAboveBars() {
        const auto pictureWith = [](const std::vector<Rule>& rules) {
            return handPictureOf(
                ReportDrawing(sceneOf(reportOf(Kind::Bars, {2, 4}, {6, 6}, {"x"}, {"y"}, rules))));
        };
        const auto kept = sceneOf(reportOf(Kind::Bars, {2, 4}, {6, 6}));
        const PlotAxes axes(*kept, handRoom);
        const QImage with = pictureWith({{.across = Rule::Across::Y, .at = 3, .ink = ask::Ink::Error}});
        QVERIFY(changedAt(with, pictureWith({}), {axes.x(2), axes.y(3)}, 6) > 0);
    }
};

QTEST_MAIN(PlotHandTest)
#include "plot_hand_test.moc"
