// The Self-check page: a run is opened, drawn, exported, forgotten and broken.
#include "app/chart/self_check_chart.h"
#include "app/pages/simulation/self_check_page.h"
#include "app/simulation/self_check.h"
#include "tests/app/window_fixture.h"
#include "ui/panel/frame/side_fold.h"

#include <QDir>
#include <QFile>
#include <QLabel>
#include <QTest>

namespace loadline::app {
namespace {

const QString madeUpRun = QStringLiteral(LOADLINE_TEST_DATA "/engine_run");

} // namespace

class SelfCheckWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { made_up::failOnWarnings(); }

    void withoutARunItSaysWhatIsMissing() {
        made_up::WindowFixture fixture;
        SelfCheckPage& page = open(fixture);
        QVERIFY(page.frame()->isEmpty());
        QVERIFY(page.details().isEmpty());
        QVERIFY(page.side()->isHidden());
    }

    void aRunIsServedAgainAndCompared() {
        made_up::WindowFixture fixture;
        SelfCheckPage& page = open(fixture);
        check(fixture, {.run = madeUpRun.toStdString(), .prompts = "", .kvBlocks = std::nullopt});
        QVERIFY(!page.frame()->isEmpty());
        QCOMPARE(page.grid()->count(), 4);
        for (int i = 0; i < 4; ++i) {
            QVERIFY(page.grid()->view(i)->drawing());
        }
        QVERIFY(page.frame()->drawing()->sentence().contains("against the recorded engine"));
        QVERIFY2(page.details().contains("Made-up GPU"), qPrintable(page.details()));
        QVERIFY(page.details().contains("prompts were not recorded"));
        QVERIFY(!page.side()->isHidden());
        page.grid()->choose(3);
        QCOMPARE(page.frame()->drawing()->table().rows.size(), std::size_t{12});
        QCOMPARE(page.request().chart, &charts::selfCheckErrors);
    }

    void aRunThatIsOpenedLikeAFolderIsShownHere() {
        made_up::WindowFixture fixture;
        fixture.window->openPaths({madeUpRun});
        QTRY_COMPARE(fixture.bench().state().page, Page::SelfCheck);
        QTRY_VERIFY(fixture.bench().shown<SelfCheckShown>(Page::SelfCheck));
        QVERIFY(!fixture.page<SelfCheckPage>(Page::SelfCheck).frame()->isEmpty());
    }

    void aBrokenRunIsOneSentenceAndUndone() {
        made_up::WindowFixture fixture;
        SelfCheckPage& page = open(fixture);
        check(fixture, {.run = madeUpRun.toStdString(), .prompts = "", .kvBlocks = std::nullopt});
        check(fixture, {.run = madeUpRun.toStdString(), .prompts = "/nowhere", .kvBlocks = std::nullopt});
        QVERIFY(page.frame()->isEmpty());
        QVERIFY(page.side()->isHidden());
        fixture.bench().undoStack().undo();
        QTRY_VERIFY(fixture.bench().isSettled());
        QTRY_VERIFY(!page.frame()->isEmpty());
        fixture.bench().undoStack().undo();
        QTRY_VERIFY(page.frame()->isEmpty()); // no run again
    }

    void exportsAreRepeatable() {
        ChartRequest request;
        request.chart = &charts::selfCheckTtft;
        QVERIFY(!drawingFor(request, nullptr)); // no run
        request.asked.selfCheck.run = madeUpRun.toStdString();
        request.asked.selfCheck.kvBlocks = 60;
        QVERIFY(!needsCorpus(request));
        const auto drawing = drawingFor(request, nullptr);
        QVERIFY(drawing);
        QCOMPARE((*drawing)->table().rows.size(), std::size_t{3});
        QVERIFY(QString::fromStdString(captionFor(request, nullptr)).contains("engine_run, 60 KV blocks"));
        const std::string command = commandFor(request, {}, "out.png");
        QVERIFY(QString::fromStdString(command).startsWith("loadline export self-check-ttft --run "));
        QVERIFY(QString::fromStdString(command).contains("--blocks 60"));
    }

private:
    static SelfCheckPage& open(const made_up::WindowFixture& fixture) {
        fixture.trigger(Page::SelfCheck);
        return fixture.page<SelfCheckPage>(Page::SelfCheck);
    }

    static void check(const made_up::WindowFixture& fixture, const ReplayQuestion& choice) {
        Workbench& bench = fixture.bench();
        Asked next = bench.state().asked;
        next.selfCheck = choice;
        bench.setAsked(next, QStringLiteral("Check"));
        QTRY_VERIFY(bench.isSettled());
        QTRY_VERIFY(bench.shown<SelfCheckShown>(Page::SelfCheck));
    }
};

} // namespace loadline::app

QTEST_MAIN(loadline::app::SelfCheckWindowTest)
#include "self_check_window_test.moc"
