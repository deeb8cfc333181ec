// Measuring in the window: points arrive, cancel, crash, hang, and a run under way is exported as it is.
#include "app/files/profile_library.h"
#include "app/kernels/use_profile.h"
#include "core/cost/profile/bench_event.h"
#include "tests/app/kernels/kernels_fixture.h"
#include "ui/chart/export_drawing.h"

#include <QFile>
#include <QProgressBar>

#include <algorithm>
#include <vector>

using namespace loadline;
using namespace loadline::app;

namespace {

/// Counts the turns of the event loop that find more points than the one before: a window that waits for a
/// run to end finds them all at once.
class GrowingTurns : public QObject {
public:
    explicit GrowingTurns(const KernelBench& kernels) : kernels_(kernels) { startTimer(0); }

    [[nodiscard]] int count() const { return count_; }

protected:
    void timerEvent(QTimerEvent* /*event*/) override {
        const std::size_t points = kernels_.run().points.size();
        count_ += points > points_ ? 1 : 0;
        points_ = points;
    }

private:
    const KernelBench& kernels_;
    std::size_t points_ = 0;
    int count_ = 0;
};

} // namespace

class KernelsRunTest : public QObject, protected made_up::KernelsFixture {
    Q_OBJECT

private:
    [[nodiscard]] bool pointsArrive(std::size_t count) const {
        return QTest::qWaitFor([&] { return kernels().run().points.size() >= count; }, patience);
    }

private slots:

    void init() { startWindow(); }

    void cleanup() { endWindow(); }

    void anUnmeasuredDeviceSaysWhatToDo() {
        QVERIFY(open());
        chooseMadeUp();
        QVERIFY(settled());
        QVERIFY(page().frame()->isEmpty());
        auto* button = page().frame()->findChild<QPushButton*>("emptyAction");
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton); // measures it
        QVERIFY(kernels().isMeasuring());
        QVERIFY(ended());
        QVERIFY(!page().frame()->isEmpty());
    }

    void pointsAppearAsTheyArriveAndTheRunIsKept() {
        qputenv("LOADLINE_MADE_UP", "pace_ms=1");
        QVERIFY(open());
        chooseMadeUp();
        QVERIFY(run()->isEnabled());
        QTest::mouseClick(run(), Qt::LeftButton);
        QVERIFY(kernels().isMeasuring());
        QVERIFY(pointsArrive(12));
        QVERIFY(QTest::qWaitFor([&] { return rows() > 0; }, patience));
        QVERIFY(kernels().isMeasuring()); // while it measures
        QVERIFY(page().measuring()->progress()->isVisible());
        QVERIFY(page().measuring()->progress()->maximum() > 20);
        QVERIFY(page().measuring()->progress()->text().contains("left"));
        const std::size_t early = kernels().run().points.size();
        QVERIFY(ended());
        QCOMPARE(kernels().outcome()->end, BenchEnd::Complete);
        QVERIFY(kernels().run().points.size() > early);
        QVERIFY(QFile::exists(QString::fromStdString(kernels().outcome()->path)));
        QVERIFY(kernels().outcome()->path.starts_with(profileFolder()));
        QVERIFY(!page().measuring()->progress()->isVisible());
        QVERIFY(page().note().contains("Saved"));
        const auto attention = page().grid()->view(2)->drawing();
        QVERIFY2(attention->sentence().contains("No attention was timed"), // the study's shapes have none
                 qPrintable(attention->sentence()));
        f().restart(); // another window finds it
        QVERIFY(open());
        QCOMPARE(f().bench().state().asked.kernels.shown, madeUp);
        QVERIFY(settled());
        QCOMPARE(kernels().saved().size(), std::size_t{1});
    }

    void attentionOfAModelIsTimedAndDrawn() {
        QVERIFY(open());
        chooseMadeUp();
        KernelsQuestion view = f().bench().state().asked.kernels;
        view.bench.shapes = "llama-3.1-8b";
        f().bench().setKernels(view, "shapes");
        page().measure();
        QVERIFY(ended());
        QVERIFY(QTest::qWaitFor([&] { return !page().grid()->view(2)->drawing()->table().rows.empty(); },
                                patience));
        const auto drawing = page().grid()->view(2)->drawing();
        QVERIFY2(drawing->sentence().contains("not FlashAttention"), qPrintable(drawing->sentence()));
        const Table table = drawing->table();
        QCOMPARE(table.rows.size(), kernels().profileOf(madeUp)->attention.size());
    }

    void theKThatIsMeasuredIsShown() {
        QVERIFY(open());
        chooseMadeUp();
        KernelsQuestion view = f().bench().state().asked.kernels;
        QCOMPARE(view.kBits, 4);
        view.bench.kBits = {5};
        f().bench().setKernels(view, "k");
        page().measure();
        QVERIFY(ended());
        QCOMPARE(f().bench().state().asked.kernels.kBits, 5);
        QVERIFY2(!page().frame()->drawing()->sentence().contains("no k-bit kernel"),
                 qPrintable(page().frame()->drawing()->sentence()));
    }

    void cancelKeepsThePointsAndSaysSo() {
        qputenv("LOADLINE_MADE_UP", "pace_ms=2");
        QVERIFY(open());
        chooseMadeUp();
        f().trigger(ActionId::MeasureKernels);
        QVERIFY(pointsArrive(8));
        QTest::mouseClick(run(), Qt::LeftButton);
        QVERIFY(ended());
        QCOMPARE(kernels().outcome()->end, BenchEnd::Cancelled);
        QVERIFY(kernels().outcome()->points >= 8);
        QVERIFY(rows() > 0);
        QVERIFY2(page().note().contains("kept"), qPrintable(page().note()));
        QVERIFY(page().frame()->drawing()->sentence().contains("Not complete"));
        QVERIFY(!standsForThisMachine(*kernels().profileOf(madeUp)));
        QVERIFY(run()->isEnabled()); // and may be run again
    }

    void closingTheWindowKeepsThePoints() {
        qputenv("LOADLINE_MADE_UP", "pace_ms=20");
        QVERIFY(open());
        chooseMadeUp();
        f().trigger(ActionId::MeasureKernels);
        QVERIFY(pointsArrive(8));
        QVERIFY(savedProfiles().empty());
        closeWindow();
        const std::vector<SavedProfile> kept = savedProfiles();
        QCOMPARE(kept.size(), std::size_t{1});
        QVERIFY(kept.front().profile->points.size() >= 8);
    }

    void aCrashLeavesTheWindowAndThePoints() {
        qputenv("LOADLINE_MADE_UP", "crash_at=400");
        QVERIFY(open());
        chooseMadeUp();
        page().measure();
        QVERIFY(ended());
        QCOMPARE(kernels().outcome()->end, BenchEnd::Crashed);
        QVERIFY(kernels().outcome()->points > 0);
        QVERIFY(rows() > 0);
        QVERIFY(page().note().contains("crashed") && page().note().contains("kept"));
        QVERIFY(f().window->isVisible());
        qunsetenv("LOADLINE_MADE_UP");
        page().measure();
        QVERIFY(ended());
        QCOMPARE(kernels().outcome()->end, BenchEnd::Complete);
    }

    void aHangIsEnded() {
        qputenv("LOADLINE_MADE_UP", "hang_at=400");
        QVERIFY(open());
        kernels().job().setSilenceLimit(std::chrono::milliseconds(1500));
        chooseMadeUp();
        page().measure();
        QVERIFY(ended());
        QCOMPARE(kernels().outcome()->end, BenchEnd::Hung);
        QVERIFY(kernels().outcome()->points > 0);
        QVERIFY(page().note().contains("kept"));
    }

    void aDeadBeginningIsSaid() {
        qputenv("LOADLINE_MADE_UP", "error_at=0");
        QVERIFY(open());
        chooseMadeUp();
        page().measure();
        QVERIFY(ended());
        QCOMPARE(kernels().outcome()->end, BenchEnd::Failed);
        QCOMPARE(kernels().outcome()->points, std::size_t{0});
        QVERIFY(page().frame()->isEmpty());
        QVERIFY(kernels().saved().empty());
        QVERIFY(!page().note().isEmpty());
    }

    void aProgramThatIsNotThereIsSaid() {
        kernels().job().setProgram("/no/such/program");
        kernels().lister().setProgram("/no/such/program");
        f().trigger(Page::Kernels);
        QVERIFY(settled());
        QVERIFY(!kernels().deviceFailure().isEmpty());
        QVERIFY(!page().frame()->isEmpty()); // published timings need no device
    }

    void aRunUnderWayIsExportedAsItIs_data() {
        QTest::addColumn<int>("chart");
        QTest::newRow("times") << 0;
        QTest::newRow("ceiling") << 1;
    }

    void aRunUnderWayIsExportedAsItIs() {
        QFETCH(int, chart);
        qputenv("LOADLINE_MADE_UP", "pace_ms=2");
        QVERIFY(open());
        chooseMadeUp();
        page().measure();
        QVERIFY(pointsArrive(12));
        QVERIFY(QTest::qWaitFor([&] { return rows() > 0; }, patience));
        page().grid()->choose(chart);
        QVERIFY(kernels().isMeasuring());
        const ChartRequest request = page().request();
        const auto drawn = page().frame()->drawing();
        const QString picture = f().folder.filePath("running.png");
        const QString table = f().folder.filePath("running.csv");
        f().window->exportTo(picture);
        f().window->exportTo(table);
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(picture) && QFile::exists(table); }, patience));
        QVERIFY2(drawn->title().contains("not complete"), qPrintable(drawn->title()));
        QCOMPARE(ui::commandInPng(picture.toStdString()), QString()); // nothing would make it again
        QFile file(table);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList lines = file.readAll().trimmed().split('\n');
        QVERIFY(lines.front().trimmed().endsWith("not_complete"));
        QVERIFY(lines.size() > 1);
        QVERIFY2(lines[1].contains("the run has not ended"), lines[1]);
        QVERIFY(captionFor(request, nullptr).find("not complete: the run has not ended") !=
                std::string::npos);
        const auto again = drawingFor(request, nullptr); // what was asked for, whatever has come since
        QVERIFY(again);
        QVERIFY((*again)->table() == drawn->table());
        page().measureOrCancel();
        QVERIFY(ended());
        QVERIFY(page().request().unsaved.empty()); // now there is a file
        QVERIFY(!commandFor(page().request(), {}, "x.csv").empty());
    }

    /// The event loop turns from point to point, and charts are drawn meanwhile. How long a turn takes is
    /// measured by tests/bench/window_bench.cpp.
    void theWindowTurnsWhilePointsArrive() {
        qputenv("LOADLINE_MADE_UP", "pace_ms=2");
        QVERIFY(open());
        choose(madeUp);
        f().window->resize(1280, 800);
        QVERIFY(settled());
        const GrowingTurns turns(kernels());
        page().measure();
        QVERIFY(ended());
        QVERIFY(kernels().run().points.size() > 100);
        qInfo("%zu points in %d turns", kernels().run().points.size(), turns.count());
        QVERIFY(turns.count() >= 20);
    }
};

QTEST_MAIN(KernelsRunTest)

#include "kernels_run_test.moc"
