// Batch view and published tables in the window: recorded, scrubbed, exported.
#include "app/pages/simulation/batch_page.h"

#include "app/chart/simulation_chart.h"
#include "app/pages/simulation/published_page.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/frame/notes_area.h"
#include "ui/model/table_model.h"
#include "ui/panel/simulation/step_panel.h"

#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace loadline;
using namespace loadline::app;

class BatchPageTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;
    QTemporaryDir data_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] bool refined() const {
        SimulationBench& simulation = f().bench().simulation();
        return QTest::qWaitFor([&] { return simulation.isSettled() && simulation.isRefined(); }, 200'000);
    }

private slots:

    void initTestCase() { qputenv("XDG_DATA_HOME", data_.path().toLocal8Bit()); } // no saved profiles

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void stepsAreScrubbed() {
        f().trigger(Page::Batch);
        QVERIFY(refined());
        auto& page = f().page<BatchPage>(Page::Batch);
        QVERIFY(!page.frame()->isEmpty());
        const QString before = page.frame()->drawing()->sentence();
        QVERIFY(before.startsWith("Step 0 "));
        QTest::keyClick(&page, Qt::Key_Right);
        QTest::keyClick(&page, Qt::Key_PageDown);
        QCOMPARE(page.steps()->step(), std::int64_t{101});
        QVERIFY(page.frame()->drawing()->sentence().startsWith("Step 101 "));
        ui::PlotView* view = page.grid()->view(0);
        QTest::mouseClick(view, Qt::LeftButton, {}, QPoint(view->width() / 2, 20));
        QVERIFY(page.steps()->step() > 101);
        QCOMPARE(f().bench().undoStack().count(), 0); // looking is no change
        const std::int64_t clicked = page.steps()->step();
        QTest::mousePress(view, Qt::LeftButton, {}, QPoint(view->width() / 3, 20));
        QTest::mouseMove(view, QPoint(view->width() / 4, 20));
        QVERIFY(page.steps()->step() != clicked);
        QTest::keyClick(view, Qt::Key_Escape);
        QCOMPARE(page.steps()->step(), clicked);
        SimulationRequest fewer;
        fewer.length.iterations = 50;
        f().bench().setSimulation(fewer, "fewer");
        QVERIFY(refined());
        QVERIFY(page.steps()->step() < 50);
    }

    void aStepIsExportedByItsCommand() {
        f().trigger(Page::Batch);
        QVERIFY(refined());
        auto& page = f().page<BatchPage>(Page::Batch);
        page.steps()->moveTo(37);
        disconnect(&page, &PageView::exportRequested, nullptr, nullptr); // no dialog
        QSignalSpy asked(&page, &PageView::exportRequested);
        emit page.steps()->tableRequested();
        QCOMPARE(asked.count(), 1);
        auto request = asked[0][0].value<ChartRequest>();
        QCOMPARE(request.chart, &charts::batchStep);
        QVERIFY(commandFor(request, {}, "x.csv").find("batch-step --at-step 37") != std::string::npos);
        const auto drawing = drawingFor(request, nullptr);
        QVERIFY(drawing);
        QCOMPARE((*drawing)->table().rows.size(),
                 static_cast<std::size_t>(page.steps()->requests()->rowCount()));
        const QString path = f().folder.filePath("batch.csv");
        f().window->exportTo(path);
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path); }, 60'000));
    }

    void whatCannotBeSimulatedSaysWhy() {
        SimulationRequest impossible;
        impossible.policy.kvBlocks = 2;
        f().bench().setSimulation(impossible, "tiny cache");
        f().trigger(Page::Batch);
        QVERIFY(refined());
        QVERIFY(f().page<BatchPage>(Page::Batch).frame()->isEmpty());
    }

    void thePublishedTablesStandBesideOurs() {
        f().trigger(Page::Published);
        QVERIFY(refined());
        auto& page = f().page<PublishedPage>(Page::Published);
        const Table table = f().tableOf(Page::Published);
        QCOMPARE(table.rows.size(), publishedUsers().size() * studyReadings.size());
        QVERIFY(page.notes()->text().contains("never published"));
        const QLabel& text = *page.notes()->findChild<QLabel*>();
        const int line = text.fontMetrics().lineSpacing();
        const int shown = page.notes()->viewport()->height();
        QVERIFY2(shown >= text.height() || shown % line == 0, "a line is cut");
        QVERIFY(page.frame()->drawing()->sentence().contains("64 users"));
        page.grid()->choose(1);
        QVERIFY(page.request().chart == &charts::studyTurn);
        QVERIFY(!f().tableOf(Page::Published).rows.empty());
        QVERIFY(page.panel()->isHidden() || !page.panel()->isVisible());
    }
};

QTEST_MAIN(BatchPageTest)

#include "batch_page_test.moc"
