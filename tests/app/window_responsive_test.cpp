// While a folder loads, results come as they are read, the event loop turns, and it can be cancelled. How
// long a task of the window takes is measured by tests/bench/window_bench.cpp.
#include "app/pages/sessions/overview_page.h"
#include "tests/app/window_fixture.h"
#include "tests/tools/generate/generate.h"
#include "ui/panel/part/banner.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <ctime>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

namespace {

/// Processor time that this thread has used: what its own tasks took, however busy the machine is.
double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Watches the event loop with a short timer: the longest stretches between two of its ticks.
class Heartbeat {
public:
    Heartbeat() : last_(threadMs()) {
        timer_.setTimerType(Qt::PreciseTimer);
        timer_.setInterval(5);
        QObject::connect(&timer_, &QTimer::timeout, [this] { beat(); });
        wall_.start();
        timer_.start();
    }

    [[nodiscard]] double longestTaskMs() const { return longestTask_; }

    [[nodiscard]] double longestGapMs() const { return longestGap_; }

    [[nodiscard]] int beats() const { return beats_; }

private:
    void beat() {
        const double now = threadMs();
        longestTask_ = std::max(longestTask_, now - last_);
        last_ = now;
        longestGap_ = std::max(longestGap_, static_cast<double>(wall_.nsecsElapsed()) / 1e6);
        wall_.restart();
        ++beats_;
    }

    QTimer timer_;
    QElapsedTimer wall_;
    double last_, longestTask_ = 0, longestGap_ = 0;
    int beats_ = 0;
};

} // namespace

class WindowResponsiveTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    GeneratedLedger ledger_;

    [[nodiscard]] QString corpus() const { return folder_.filePath("corpus"); }

private slots:

    void initTestCase() {
        GenerateOptions options;
        options.sessions = 150;
        options.bytes = 120'000'000;
        options.largestResult = 4096;
        Progress progress;
        auto made = generateSessions(corpus().toStdString(), options, {}, progress);
        QVERIFY(made.hasValue());
        ledger_ = *made;
    }

    void init() { made_up::failOnWarnings(); }

    void theEventLoopTurnsWhileLoading_data() {
        QTest::addColumn<Page>("page");
        QTest::newRow("sessions") << Page::Sessions;
        QTest::newRow("distributions") << Page::Distributions;
        QTest::newRow("timeline") << Page::Timeline;
        QTest::newRow("composition") << Page::Composition;
    }

    void theEventLoopTurnsWhileLoading() {
        QFETCH(Page, page);
        WindowFixture f;
        QTemporaryDir small;
        made_up::writeThree(small.path());
        QVERIFY(f.open(small.path())); // builds the window's parts, which is not loading
        QVERIFY(f.show(page));

        int partial = 0, beats = 0, partialAfterABeat = 0;
        Heartbeat heart;
        connect(&f.bench().loader(), &Loader::corpusReady, this,
                [&](const std::shared_ptr<const Corpus>&, bool isFinal) {
                    partial += !isFinal;
                    partialAfterABeat += !isFinal && heart.beats() > beats; // none where the window waits
                    beats = heart.beats();
                });
        f.bench().loader().setPartialEvery(std::chrono::milliseconds(10)); // more often than users see
        // A busy machine may have read everything before its window hears of it: then once more.
        for (int tries = 0; tries < 20 && partialAfterABeat < 3; ++tries) {
            QVERIFY(f.open(corpus()));
        }
        QCOMPARE(f.bench().corpus()->calls.size(), static_cast<std::size_t>(ledger_.totals.calls));
        qInfo("%d beats, longest task %.1f ms of processor time, longest gap %.1f ms, %d partial results, %d "
              "after a beat",
              heart.beats(), heart.longestTaskMs(), heart.longestGapMs(), partial, partialAfterABeat);
        QVERIFY(partialAfterABeat >= 3);
    }

    void cancellingHalfWayKeepsWhatWasRead() {
        WindowFixture f;
        Loader& loader = f.bench().loader();
        loader.setPartialEvery(std::chrono::milliseconds(1)); // progress as often
        connect(&loader, &Loader::progressed, this, [&](const LoadProgress& now) {
            if (now.filesDone > 0) {
                f.trigger(ActionId::StopLoading);
            }
        });
        // A busy machine may hear of the first file when the last one is read: then once more.
        int tries = 0;
        do {
            QVERIFY(f.open(corpus()));
        } while (f.bench().corpus()->complete && ++tries < 20);
        const Corpus& kept = *f.bench().corpus();
        QVERIFY(!kept.complete);
        QVERIFY(!kept.files.empty());
        QVERIFY(kept.files.size() < ledger_.files);
        QVERIFY(f.window->banner().isVisible());
        QVERIFY(!f.workspace().currentPage().frame()->isEmpty());
        QVERIFY(!f.window->actions()[ActionId::StopLoading]->isEnabled());
        disconnect(&loader, &Loader::progressed, this, nullptr);
        emit f.window->banner().actionRequested(); // read everything
        QVERIFY(f.settle());
        QVERIFY(f.bench().corpus()->complete);
        QCOMPARE(f.bench().corpus()->files.size(), static_cast<std::size_t>(ledger_.files));
        QVERIFY(!f.window->banner().isVisible());
    }

    void closingWhileLoadingEnds() {
        WindowFixture f;
        f.window->openPaths({corpus()});
        QTest::qWait(30);
        QElapsedTimer clock;
        clock.start();
        f.window.reset();
        qInfo("closed after %lld ms", clock.elapsed());
    }
};

QTEST_MAIN(WindowResponsiveTest)
#include "window_responsive_test.moc"
