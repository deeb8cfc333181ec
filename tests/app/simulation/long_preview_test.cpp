// A preview that takes long shows its progress and can be stopped; what is answered is not computed anew.
#include "app/pages/simulation/simulation_page.h"
#include "tests/app/window_fixture.h"
#include "ui/panel/part/progress_strip.h"

#include <QProgressBar>
#include <QToolButton>

#include <algorithm>
#include <vector>

using namespace loadline;
using namespace loadline::app;

class LongPreviewTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] SimulationBench& simulation() const { return f().bench().simulation(); }

    [[nodiscard]] SimulationPage& page(Page which) const { return f().page<SimulationPage>(which); }

    /// Its preview takes half a second.
    static SimulationRequest longRuns() {
        SimulationRequest request;
        request.arrivals.users = 4000;
        return request;
    }

    /// Asks for a long preview on a page that has no answer yet; returns whether its progress showed before
    /// it was there.
    [[nodiscard]] bool beginsLongPreview(Page which) {
        fixture_ = std::make_unique<made_up::WindowFixture>();
        f().bench().setSimulation(made_up::shortRuns(), "short");
        f().trigger(Page::Simulator);
        if (!QTest::qWaitFor([&] { return simulation().isSettled(); }, 60'000)) {
            return false;
        }
        f().bench().setSimulation(longRuns(), "long");
        f().trigger(which);
        const bool isEmpty = page(which).frame()->isEmpty(); // no charts of another page
        const bool says = made_up::textOf(page(which)).contains(QStringLiteral("Computing"));
        const auto isShown = [&] { return page(which).progress()->isVisible(); };
        (void)QTest::qWaitFor([&] { return isShown() || simulation().isSettled(); }, 10'000);
        return isEmpty && says && isShown() && !simulation().isSettled();
    }

private slots:

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void aLongPreviewIsStoppedAndTakenUpAgain_data() {
        QTest::addColumn<Page>("which");
        QTest::newRow("crossover") << Page::Crossover;
        QTest::newRow("what pays") << Page::WhatPays;
    }

    void aLongPreviewIsStoppedAndTakenUpAgain() {
        QFETCH(Page, which);
        bool begins = false;
        for (int attempt = 0; attempt < 10 && !begins; ++attempt) { // a machine may be quick
            begins = beginsLongPreview(which);
        }
        QVERIFY2(begins, "its progress never showed before it was there");
        QTest::mouseClick(page(which).progress()->button(), Qt::LeftButton);
        QVERIFY(simulation().isStopped() && !simulation().isAnswered());
        QVERIFY(page(which).progress()->bar()->isHidden());
        QVERIFY(made_up::textOf(page(which)).contains(QStringLiteral("Stopped before there was an answer.")));
        QTest::qWait(300);
        QVERIFY(!simulation().isAnswered());
        f().bench().setSimulation(made_up::shortRuns(), "short"); // the newest wins
        QVERIFY(QTest::qWaitFor([&] { return simulation().isAnswered(); }, 60'000));
        QVERIFY(!page(which).frame()->isEmpty());
    }

    void whatWasStoppedIsTakenUpByItsButton() {
        f().bench().setSimulation(longRuns(), "long");
        f().trigger(Page::Crossover);
        simulation().stop(); // before any point of its curves is there
        QVERIFY(simulation().isStopped() && !simulation().isAnswered());
        QVERIFY(page(Page::Crossover).frame()->isEmpty());
        emit page(Page::Crossover).frame()->emptyActionRequested();
        QVERIFY(!simulation().isStopped());
        QVERIFY(QTest::qWaitFor([&] { return simulation().isAnswered(); }, 60'000));
        QVERIFY(!page(Page::Crossover).frame()->isEmpty());
    }

    /// Settled, but for its curves, when the page is left.
    void whatIsPartlyRefinedIsNotPreviewedAgain() {
        std::vector<Simulated> answers;
        connect(&simulation(), &SimulationBench::answered, this, [&](const Simulated& shown) {
            if (shown->question.study == &settingStudy) {
                answers.push_back(shown);
            }
        });
        const auto isSettled = [](const Simulated& answer) {
            return answer->simulator && answer->simulator->stage == FigureStage::Refined;
        };
        f().bench().setSimulation(made_up::shortRuns(), "short");
        f().trigger(Page::Simulator);
        QVERIFY(QTest::qWaitFor([&] { return std::ranges::any_of(answers, isSettled); }, 60'000));
        QVERIFY(!simulation().isRefined()); // else there is nothing to try
        f().trigger(Page::Crossover);
        QVERIFY(QTest::qWaitFor([&] { return simulation().isSettled(); }, 60'000));
        answers.clear();
        f().trigger(Page::Simulator);
        QVERIFY(QTest::qWaitFor([&] { return simulation().isSettled(); }, 60'000));
        QVERIFY(simulation().isAnswered());
        QVERIFY(QTest::qWaitFor([&] { return simulation().isRefined(); }, 120'000));
        QVERIFY(!answers.empty() && std::ranges::all_of(answers, isSettled));
        QVERIFY(answers.front()->isPartly);
    }
};

QTEST_MAIN(LongPreviewTest)

#include "long_preview_test.moc"
