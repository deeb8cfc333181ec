// The present setting is answered before its curves, roughly at first, then settled.
#include "app/pages/simulation/simulation_page.h"
#include "core/simulate/answer/served_table.h"
#include "tests/app/window_fixture.h"

#include <algorithm>
#include <vector>

using namespace loadline;
using namespace loadline::app;

class FirstAnswerTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;
    std::vector<Simulated> answers_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] bool refined() const {
        return QTest::qWaitFor([&] { return f().bench().simulation().isRefined(); }, 120'000);
    }

    [[nodiscard]] std::vector<Simulated> answersOf(FigureStage stage, bool isPartly) const {
        std::vector<Simulated> found;
        std::ranges::copy_if(answers_, std::back_inserter(found), [&](const Simulated& answer) {
            return answer->simulator && answer->simulator->stage == stage && answer->isPartly == isPartly;
        });
        return found;
    }

private slots:

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
        connect(&f().bench().simulation(), &SimulationBench::answered, this,
                [this](const Simulated& shown) { answers_.push_back(shown); });
    }

    void cleanup() {
        fixture_.reset();
        answers_.clear();
    }

    void thePresentSettingComesBeforeItsCurves() {
        f().bench().setSimulation(made_up::shortRuns(), "short");
        f().trigger(Page::Simulator);
        QVERIFY(refined());
        QVERIFY(answers_.size() >= 4);
        const SimulationShown& first = *answers_.front();
        QVERIFY(first.isPartly && first.simulator && first.simulator->pair);
        QVERIFY(first.simulator->overUsers.points.empty());
        QVERIFY(first.simulator->present.turns > 0);
        QVERIFY(!first.counts.empty() && !first.simulator->sentence.empty());

        const std::vector<Simulated> settled = answersOf(FigureStage::Refined, true);
        QCOMPARE(settled.size(), std::size_t{1});
        const SimulatorFigure& early = *settled.front()->simulator;
        QVERIFY(!early.overUsers.points.empty()); // the preview's
        QVERIFY(std::ranges::all_of(early.overUsers.points, &SweepPoint::isPreview));
        const SimulatorFigure& last = *answers_.back()->simulator;
        QVERIFY(answers_.back()->stage == FigureStage::Refined && !answers_.back()->isPartly);
        const auto& page = f().page<SimulationPage>(Page::Simulator);
        QVERIFY(!page.frame()->isEmpty());
        QVERIFY(servedTableOf(*early.pair) == servedTableOf(*last.pair));
        QVERIFY(std::ranges::none_of(last.overUsers.points, &SweepPoint::isPreview));
    }

    /// Under a drag every answer is drawn once, and no chart is emptied.
    void aChangeKeepsTheChartsUntilItsPreviewIsThere() {
        f().bench().setSimulation(made_up::shortRuns(), "short");
        f().trigger(Page::Simulator);
        QVERIFY(refined());
        answers_.clear();
        SimulationRequest request = f().bench().state().simulation;
        request.arrivals.users = 21;
        f().bench().setSimulation(request, "users");
        QVERIFY(refined());
        QVERIFY(answersOf(FigureStage::Preview, true).empty());
        QVERIFY(std::ranges::none_of(
            answers_, [](const Simulated& answer) { return answer->simulator->overUsers.points.empty(); }));
        QCOMPARE(answers_.back()->simulator->present.users, std::int64_t{21});
    }
};

QTEST_MAIN(FirstAnswerTest)

#include "first_answer_test.moc"
