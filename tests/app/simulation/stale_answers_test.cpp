// Answers of an earlier setting are dimmed until the new one is there, wherever the setting was changed.
#include "app/pages/simulation/simulation_page.h"
#include "tests/app/window_fixture.h"
#include "ui/panel/simulation/served_strip.h"

#include <QGraphicsEffect>

using namespace loadline;
using namespace loadline::app;

class StaleAnswersTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;
    QTemporaryDir sessions_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] SimulationPage& page(Page which) const { return f().page<SimulationPage>(which); }

    [[nodiscard]] bool dims(Page which) const {
        const QGraphicsEffect* const figures = page(which).served()->graphicsEffect();
        return page(which).frame()->isStale() && figures != nullptr && figures->isEnabled();
    }

    [[nodiscard]] bool arrived() const {
        return QTest::qWaitFor([&] { return f().bench().simulation().isSettled(); }, 60'000);
    }

    static SimulationRequest shortRuns() {
        SimulationRequest request;
        request.length = {.iterations = 500, .turns = std::nullopt};
        return request;
    }

    static void pages() {
        QTest::addColumn<Page>("which");
        QTest::newRow("simulator") << Page::Simulator;
        QTest::newRow("crossover") << Page::Crossover;
        QTest::newRow("what pays") << Page::WhatPays;
        QTest::newRow("batch") << Page::Batch;
    }

private slots:

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
        f().bench().setSimulation(shortRuns(), "short");
    }

    void cleanup() { fixture_.reset(); }

    void aModelOfAnotherPageDimsAtOnce_data() { pages(); }

    void aModelOfAnotherPageDimsAtOnce() {
        QFETCH(Page, which);
        f().trigger(which);
        QVERIFY(arrived());
        QVERIFY(!dims(which));
        const QString before = page(which).frame()->drawing()->sentence();
        const auto shown = page(which).frame()->drawing();
        f().trigger(which == Page::Batch ? Page::Simulator : Page::Batch);
        SimulationRequest other = shortRuns();
        other.shapes = "llama-3.1-8b";
        other.profile = "roofline:L40S";
        f().bench().setSimulation(other, "model and device");
        QVERIFY(arrived());
        f().trigger(which);
        QVERIFY(dims(which));
        QCOMPARE(page(which).frame()->drawing()->sentence(), before);
        emit f().bench().pinnedSimulation().changed(); // draws the same answer once more
        QVERIFY(dims(which));
        QVERIFY(arrived());
        QVERIFY(!dims(which));
        QVERIFY(page(which).frame()->drawing() != shown);
    }

    void aModelOfTheSamePageDimsAtOnce_data() { pages(); }

    void aModelOfTheSamePageDimsAtOnce() {
        QFETCH(Page, which);
        f().trigger(which);
        QVERIFY(arrived());
        SimulationRequest other = shortRuns();
        other.shapes = "llama-3.1-8b";
        other.profile = "roofline:L40S";
        f().bench().setSimulation(other, "model and device");
        QVERIFY(dims(which));
        QVERIFY(arrived());
        QVERIFY(!dims(which));
    }

    /// The page that is left while it is dimmed, and the one that is entered.
    void everyPageThatIsEnteredIsJudged() {
        f().trigger(Page::WhatPays);
        QVERIFY(arrived());
        f().trigger(Page::Simulator);
        QVERIFY(arrived());
        SimulationRequest other = shortRuns();
        other.shapes = "llama-3.1-8b";
        other.profile = "roofline:L40S";
        f().bench().setSimulation(other, "model and device");
        QVERIFY(dims(Page::Simulator));
        f().trigger(Page::WhatPays); // before the other page's answer
        QVERIFY(dims(Page::WhatPays));
        QVERIFY(arrived());
        QVERIFY(!dims(Page::WhatPays));
    }

    void whatWasAnsweredBeforeIsNotDimmed() {
        f().trigger(Page::WhatPays);
        QVERIFY(arrived());
        f().trigger(Page::Sessions);
        f().trigger(Page::WhatPays);
        QVERIFY(arrived());
        QVERIFY(!dims(Page::WhatPays));
    }

    void sessionsThatAreSelectedOutdateTheirSimulation() {
        for (const int number : {1, 2, 3}) {
            made_up::write(sessions_.path(), {number, 12, "alpha", "claude-made-up-1", {}});
        }
        QVERIFY(f().open(sessions_.path()));
        SimulationRequest open = shortRuns();
        open.workload = openWorkload;
        f().bench().setSimulation(open, "sessions");
        f().trigger(Page::Simulator);
        QVERIFY(arrived());
        f().trigger(Page::Distributions);
        QVERIFY(f().settle());
        Scope one;
        one.sessions = {f().keyOf(1)};
        f().bench().setScope(one, "one session");
        f().trigger(Page::Simulator); // while the scope is applied
        QVERIFY(dims(Page::Simulator));
        QVERIFY(f().settle() && arrived());
        QTRY_VERIFY(!dims(Page::Simulator));
    }
};

QTEST_MAIN(StaleAnswersTest)

#include "stale_answers_test.moc"
