// The charts over users where the hand is: one dot of the present setting, and what is read out.
#include "tests/ui/simulation_fixtures.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace loadline;
using namespace loadline::ui;
using namespace loadline::ui::made_up;

namespace {

/// The dot of the present setting.
struct PresentDot {
    double users = 0, value = 0;
    ask::Basis basis = ask::Basis::Exact;
};

std::vector<PresentDot> presentDots(const SimulatorFigure& figure, std::int64_t handUsers) {
    SettingShown shown(shared(figure));
    shown.hand.emplace();
    shown.hand->arrivals.users = handUsers;
    const ask::Report report = usersReport(shown);
    std::vector<PresentDot> dots;
    for (const ask::Mark& mark : report.plots.front().marks) {
        const ask::Table* table = report.find(mark.table);
        if (mark.kind != ask::Kind::Points || mark.ink != ask::Ink::Accent || mark.y2 != "low") {
            continue; // the whisker upwards repeats the dot
        }
        const auto number = [&](const std::string& key) {
            const auto column = std::ranges::find(table->columns, key, &ask::Column::key);
            return *ask::numberOf(column->at(0).value);
        };
        dots.push_back({number(mark.x), number(mark.y), mark.basis});
    }
    for (const ask::Rule& rule : report.plots.front().rules) { // whose dot would be a second one
        dots.resize(dots.size() + (rule.onMark.empty() ? 0 : 1));
    }
    return dots;
}

} // namespace

class UsersDrawingTest : public QObject {
    Q_OBJECT

private slots:

    void thePresentSettingHasOneDot() {
        SimulatorFigure figure = figureOf();
        figure.stage = FigureStage::Refined;
        const auto dots = presentDots(figure, 16);
        QCOMPARE(dots.size(), std::size_t{1});
        QCOMPARE(dots[0].value, figure.timeVsFp16.value);
        QVERIFY(dots[0].basis == ask::Basis::Measured);
        figure.stage = FigureStage::Preview;
        QVERIFY(presentDots(figure, 16)[0].basis == ask::Basis::Estimated);
    }

    /// No run was made at the place of the hand: the dot is an estimate on the curve.
    void theDotFollowsTheHandAlongTheCurve() {
        SimulatorFigure figure = figureOf();
        figure.stage = FigureStage::Refined;
        const std::vector<SweepPoint>& points = figure.overUsers.points; // at 1, 4, 16, 64 and 256 users
        const PresentDot on = presentDots(figure, 64)[0];
        QCOMPARE(on.value, points[3].measure().value);
        QVERIFY(on.basis == ask::Basis::Estimated);
        const PresentDot between = presentDots(figure, 32)[0];
        QCOMPARE(between.users, 32.0);
        QVERIFY(std::abs(between.value - (points[2].measure().value + points[3].measure().value) / 2) < 1e-9);
    }

    /// Its words are those of the chosen curve: no line at 1 hides that of fp16.
    void aCrossoverIsReadOutOnItsCurve() {
        Crossover crossover;
        crossover.crossings = {{32, true}};
        const auto sweep = std::make_shared<const SweepResult>(sweepOf({512}));
        const ask::Report report = crossoverReport(curvesOf(sweep, {crossover}));
        QVERIFY(std::ranges::none_of(report.plots.front().marks,
                                     [](const ask::Mark& mark) { return mark.ink == ask::Ink::Fp16; }));
        const auto drawing = drawingOf(report);
        const QStringList said = drawing->readOut({300, 100}, QRectF(0, 0, 600, 400));
        QCOMPARE(said.first(), QString("16 users"));
        QVERIFY(said.join('|').contains("k = 4: "));
    }
};

QTEST_MAIN(UsersDrawingTest)
#include "users_drawing_test.moc"
