// The window's limits: first paint (150 ms), the longest task of the GUI thread while loading (16 ms), and
// from a slider's new position to its charts (16 ms).
#include "app/window/appearance.h"
#include "app/window/main_window.h"
#include "core/session/generate.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTimer>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>

using namespace loadline;
using namespace loadline::app;

namespace {

QApplication& application() {
    static int count = 1;
    static char name[] = "window_bench";
    static char* arguments[] = {name, nullptr};
    static const bool offscreen = qputenv("QT_QPA_PLATFORM", "offscreen"); // before there is an application
    static QApplication app(count, arguments);
    static_cast<void>(offscreen);
    return app;
}

class FirstPaint : public QObject {
public:
    bool seen = false;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        seen = seen || event->type() == QEvent::Paint;
        return QObject::eventFilter(watched, event);
    }
};

void firstPaint(benchmark::State& state) {
    QApplication& app = application();
    const QTemporaryDir folder;
    for (auto _ : state) {
        Appearance look(app);
        MainWindow window(look, folder.filePath("settings.ini"));
        FirstPaint paint;
        window.installEventFilter(&paint);
        window.show();
        while (!paint.seen)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

BENCHMARK(firstPaint)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Processor time that this thread has used.
double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Between two ticks of a 5 ms timer: `longest_gap_ms` passed (waiting for a processor that reads included),
/// of which the GUI thread worked at most `longest_task_ms`.
void loading(benchmark::State& state) {
    QApplication& app = application();
    const QTemporaryDir folder;
    const QString corpus = folder.filePath("corpus");
    GenerateOptions options;
    options.sessions = static_cast<std::uint64_t>(state.range(0)) * 6 / 5;
    options.bytes = static_cast<std::uint64_t>(state.range(0)) * 1'000'000;
    Progress progress;
    if (!generateSessions(corpus.toStdString(), options, {}, progress)) {
        state.SkipWithError("the made-up corpus cannot be written");
        return;
    }
    double longest = 0, longestTask = 0;
    for (auto _ : state) {
        Appearance look(app);
        MainWindow window(look, folder.filePath("settings.ini"));
        window.show();
        QCoreApplication::processEvents();
        window.openPaths({folder.path()}); // builds the window's parts
        QCoreApplication::processEvents();
        QElapsedTimer gap;
        QTimer beat;
        beat.setTimerType(Qt::PreciseTimer);
        double worked = threadMs();
        QObject::connect(&beat, &QTimer::timeout, [&] {
            longestTask = std::max(longestTask, threadMs() - worked);
            worked = threadMs();
            longest = std::max(longest, static_cast<double>(gap.nsecsElapsed()) / 1e6);
            gap.restart();
        });
        gap.start();
        beat.start(5);
        Workbench& bench = window.workbench();
        while (bench.loader().isLoading() || !bench.isSettled())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        state.counters["calls"] = static_cast<double>(bench.corpus()->calls.size());
    }
    state.counters["longest_gap_ms"] = longest;
    state.counters["longest_task_ms"] = longestTask;
    state.SetBytesProcessed(static_cast<std::int64_t>(progress.bytesDone) * state.iterations());
}

BENCHMARK(loading)->Arg(200)->Arg(2000)->Unit(benchmark::kMillisecond)->UseRealTime();

/// From a new number of users to the Simulator's charts painted with it, the event loop included.
void dragging(benchmark::State& state) {
    QApplication& app = application();
    const QTemporaryDir folder;
    Appearance look(app);
    MainWindow window(look, folder.filePath("settings.ini"));
    window.resize(1280, 800);
    window.show();
    Workbench& bench = window.workbench();
    SimulationRequest request;
    request.policy.policy = Policy::SinglePrefill;
    request.policy.chunkTokens = 512;
    const auto ask = [&] {
        bench.setSimulation(request, "users", false);
        while (!bench.simulation().isSettled())
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCoreApplication::processEvents(); // repaints that were asked for
    };
    bench.showPage(Page::Simulator);
    ask();
    for (auto _ : state) {
        request.arrivals.users = request.arrivals.users % 100 + 1;
        ask();
    }
}

BENCHMARK(dragging)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
