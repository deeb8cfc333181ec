// The Crossover page: both scopes side by side, computed in the background, given up and taken up again.
#include "app/pages/simulation/simulation_page.h"
#include "tests/app/window_fixture.h"
#include "ui/panel/part/progress_strip.h"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>
#include <iterator>

using namespace loadline;
using namespace loadline::app;

class CrossoverPageTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] SimulationBench& simulation() const { return f().bench().simulation(); }

    [[nodiscard]] SimulationPage& page() const { return f().page<SimulationPage>(Page::Crossover); }

    [[nodiscard]] bool refined() const {
        return QTest::qWaitFor([&] { return simulation().isSettled() && simulation().isRefined(); }, 200'000);
    }

    /// Of a model whose attention is known, on modelled kernels.
    static SimulationRequest modelRequest() {
        SimulationRequest request;
        request.shapes = "llama-3.1-8b";
        request.profile = "roofline:H800";
        request.scope = StepScope::GemmOnly;
        request.policy.memoryShare.reset(); // in closed form
        request.length.iterations = 1000;
        return request;
    }

    /// Rows of the table in a scope.
    [[nodiscard]] int rowsOf(const std::string& scope) const {
        int rows = 0;
        const Table table = f().tableOf(Page::Crossover);
        for (const auto& row : table.rows) {
            rows += row[1] == Cell(scope) ? 1 : 0;
        }
        return rows;
    }

private slots:

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void bothScopesAreFound() {
        f().bench().setSimulation(modelRequest(), "model");
        f().trigger(Page::Crossover);
        QVERIFY(refined());
        QCOMPARE(rowsOf("gemm"), 4);
        QCOMPARE(rowsOf("whole-step"), 4);
        QVERIFY(page().frame()->drawing()->sentence().contains("Whole steps:"));
        QVERIFY(page().progress()->isHidden());
        SimulationRequest whole = modelRequest();
        whole.scope = StepScope::WholeStep;
        f().bench().setSimulation(whole, "whole step");
        QVERIFY(refined());
        QCOMPARE(rowsOf("gemm"), 4);
        QCOMPARE(rowsOf("whole-step"), 4);
        QVERIFY(page().frame()->drawing()->sentence().contains("GEMMs alone:"));
    }

    void whatWasRefinedIsThereAgainAtOnce() {
        f().bench().setSimulation(modelRequest(), "model");
        f().trigger(Page::Crossover);
        QVERIFY(refined());
        const Simulated before = simulation().shown(crossoverStudy);
        SimulationRequest other = modelRequest();
        other.arrivals.users = 3;
        f().bench().setSimulation(other, "users");
        QVERIFY(refined());
        QVERIFY(simulation().shown(crossoverStudy) != before);
        f().trigger(Page::Simulator);
        QVERIFY(QTest::qWaitFor([&] { return simulation().isSettled(); }, 60'000));
        int refinements = 0;
        connect(&simulation(), &SimulationBench::workingChanged, this,
                [&](bool refining) { refinements += refining ? 1 : 0; });
        f().bench().setSimulation(modelRequest(), "back");
        f().trigger(Page::Crossover);
        QVERIFY(refined());
        QCOMPARE(simulation().shown(crossoverStudy), before); // the very same answer
        QCOMPARE(refinements, 0);
    }

    void shapesWithoutAttentionSaySo() {
        SimulationRequest brief;
        brief.shapes = "study";
        brief.length.iterations = 1000;
        f().bench().setSimulation(brief, "brief");
        f().trigger(Page::Crossover);
        QVERIFY(refined());
        QCOMPARE(rowsOf("whole-step"), 0);
        const Simulated shown = simulation().shown(crossoverStudy);
        QVERIFY2(shown->otherWhyNot.find("attention") != std::string::npos, shown->otherWhyNot.c_str());
    }

    void draggingTheMarkerKeepsTheOtherScope() {
        f().bench().setSimulation(modelRequest(), "model");
        f().trigger(Page::Crossover);
        QVERIFY(refined());
        SimulationRequest moved = modelRequest();
        moved.arrivals.users = 40;
        f().bench().setSimulation(moved, "users", false);
        QVERIFY(QTest::qWaitFor([&] { return simulation().isSettled(); }, 60'000));
        QCOMPARE(rowsOf("whole-step"), 4); // in the preview, too
    }

    void aRateHasNoUsersToCrossAt() {
        SimulationRequest atRate = modelRequest();
        atRate.arrivals.kind = ArrivalKind::Poisson;
        atRate.arrivals.ratePerS = 1;
        f().bench().setSimulation(atRate, "a rate");
        f().trigger(Page::Crossover);
        QTRY_VERIFY(made_up::textOf(page()).contains("1 turn a second"));
        QVERIFY(page().frame()->isEmpty());
        auto* button = page().frame()->findChild<QPushButton*>("emptyAction");
        QCOMPARE(button->text(), QStringLiteral("Ask over users"));
        button->click();
        QCOMPARE(f().bench().state().simulation.arrivals.kind, ArrivalKind::Closed);
        QVERIFY(refined());
        QVERIFY(!page().frame()->isEmpty());
    }

    /// Points that are simulated, and all there are.
    [[nodiscard]] std::pair<std::ptrdiff_t, std::ptrdiff_t> pointsShown() const {
        const auto curve = simulation().shown(crossoverStudy)->sweep->curve(0, 0);
        return {std::ranges::count(curve, false, &SweepPoint::isPreview), std::ssize(curve)};
    }

    void pointsAreShownAsTheyAreSimulated() {
        SimulationRequest slow = modelRequest();
        slow.length.iterations = 2'000'000; // minutes
        f().bench().setSimulation(slow, "slow");
        f().trigger(Page::Crossover);
        const auto partly = [&] {
            const Simulated shown = simulation().shown(crossoverStudy);
            return shown && shown->isPartly;
        };
        QVERIFY(QTest::qWaitFor(partly, 100'000));
        const auto [simulated, all] = pointsShown();
        QVERIFY(simulated > 0 && simulated < all);
        QVERIFY(made_up::textOf(page()).contains(QStringLiteral("%1 of %2 points").arg(simulated).arg(all)));
        const Simulated first = simulation().shown(crossoverStudy);
        QCOMPARE(first->stage, FigureStage::Preview);
        QVERIFY(first->crossovers.front().isPreview);
        QVERIFY(!simulation().isRefined());
        simulation().stop();
        QVERIFY(partly()); // and stays
        const auto [kept, ofAll] = pointsShown();
        QVERIFY(kept >= simulated);
        SimulationRequest quick = modelRequest();
        f().bench().setSimulation(quick, "quick");
        QVERIFY(refined());
        QVERIFY(!partly());
        QCOMPARE(pointsShown().first, pointsShown().second);
    }

    void itIsGivenUpAndTakenUpAgain() {
        SimulationRequest slow = modelRequest();
        slow.length.iterations = 2'000'000; // minutes
        slow.scope = StepScope::WholeStep;
        f().bench().setSimulation(slow, "slow");
        QSignalSpy progressed(&simulation(), &SimulationBench::progressed);
        f().trigger(Page::Crossover);
        QVERIFY(QTest::qWaitFor([&] { return simulation().isSettled(); }, 60'000)); // the preview
        progressed.clear();
        QVERIFY(progressed.wait(60'000));
        QVERIFY(page().progress()->isVisible());
        QVERIFY(!page().frame()->isEmpty()); // the preview stands
        QVERIFY(!simulation().isRefined());
        for (const auto& arguments : progressed) {
            const double share = arguments[0].toDouble();
            QVERIFY(share >= 0 && share <= 1);
        }
        QElapsedTimer timer;
        timer.start();
        QTest::mouseClick(page().progress()->button(), Qt::LeftButton);
        QVERIFY2(timer.elapsed() < 20'000, "the window waits for the run to end, which takes minutes");
        QVERIFY(simulation().isStopped());
        QVERIFY(simulation().isRefined()); // nothing is under way
        QVERIFY(page().progress()->bar()->isHidden());
        progressed.clear();
        QTest::mouseClick(page().progress()->button(), Qt::LeftButton);
        QVERIFY(progressed.wait(60'000));
        SimulationRequest quick = modelRequest(); // the newest wins
        f().bench().setSimulation(quick, "quick");
        QVERIFY(refined());
        QVERIFY(simulation().shown(crossoverStudy)->question.request == quick);
        QVERIFY(page().progress()->isHidden());
        QCOMPARE(rowsOf("whole-step"), 4);
    }
};

QTEST_MAIN(CrossoverPageTest)

#include "crossover_page_test.moc"
