// The window's limits: first paint (150 ms), the longest task of the GUI thread while loading and while
// kernels are measured (16 ms), and from a slider's new position to its charts (16 ms).
#include "app/asked/asked.h"
#include "app/pages/simulation/simulation_page.h"
#include "app/window/main_window.h"
#include "app/window/settings/appearance.h"
#include "tests/tools/generate/generate.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QTimer>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <vector>

using namespace loadline;
using namespace loadline::app;

namespace {

QApplication& application() {
    static int count = 1;
    static char name[] = "window_bench";
    static char* arguments[] = {name, nullptr};
    static const bool offscreen = qputenv("QT_QPA_PLATFORM", "offscreen"); // before there is an application
    static QApplication& app = *new QApplication(count, arguments); // Qt is gone when statics are destroyed
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
        while (!paint.seen) {
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
    }
}

BENCHMARK(firstPaint)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Processor time that this thread has used.
double threadMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Watches the GUI thread by a 5 ms timer: between two of its ticks `longest_gap_ms` passed (waiting for a
/// processor that others have included), of which the thread worked at most `longest_task_ms`.
class Watch {
public:
    Watch() {
        beat_.setTimerType(Qt::PreciseTimer);
        QObject::connect(&beat_, &QTimer::timeout, [this] {
            task_ = std::max(task_, threadMs() - worked_);
            gap_ = std::max(gap_, static_cast<double>(clock_.nsecsElapsed()) / 1e6);
            restart();
        });
    }

    void start() {
        restart();
        beat_.start(5);
    }

    void stop() { beat_.stop(); }

    void tell(benchmark::State& state) const {
        state.counters["longest_gap_ms"] = gap_;
        state.counters["longest_task_ms"] = task_;
    }

private:
    void restart() {
        worked_ = threadMs();
        clock_.restart();
    }

    QTimer beat_;
    QElapsedTimer clock_;
    double worked_ = 0, task_ = 0, gap_ = 0;
};

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
    Watch watch;
    for (auto _ : state) {
        Appearance look(app);
        MainWindow window(look, folder.filePath("settings.ini"));
        window.show();
        QCoreApplication::processEvents();
        window.openPaths({folder.path()}); // builds the window's parts
        QCoreApplication::processEvents();
        watch.start();
        Workbench& bench = window.workbench();
        while (bench.loader().isLoading() || !bench.isSettled()) {
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
        watch.stop();
        state.counters["calls"] = static_cast<double>(bench.corpus()->calls.size());
    }
    watch.tell(state);
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
        while (!bench.simulation().isSettled()) {
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
        QCoreApplication::processEvents(); // repaints that were asked for
    };
    window.actions()[Page::Simulator]->trigger();
    ask();
    for (auto _ : state) {
        request.arrivals.users = request.arrivals.users % 100 + 1;
        ask();
    }
}

BENCHMARK(dragging)->Unit(benchmark::kMillisecond)->UseRealTime();

double percentile95(std::vector<double> ms) {
    std::ranges::sort(ms);
    return ms.empty() ? 0 : ms[(ms.size() - 1) * 95 / 100];
}

/// A whole model on a simulation page. Three times of each move: from the move to the charts that show it
/// painted (`hand_p95_ms`), to the preview of what follows painted (`preview_p95_ms`), and what of both the
/// GUI thread worked (`window_p95_ms`): the rest is the simulation's.
class HandWatch {
public:
    explicit HandWatch(MainWindow& window) : window_(window) {}

    template <typename Move>
    void time(Move move) {
        QElapsedTimer clock;
        clock.start();
        const double worked = threadMs();
        move();
        window_.repaint();
        hand_.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        while (!window_.workbench().simulation().isSettled()) {
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
        QCoreApplication::processEvents(); // repaints that were asked for
        preview_.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        window_ms_.push_back(threadMs() - worked);
    }

    void tell(benchmark::State& state) const {
        state.counters["hand_p95_ms"] = percentile95(hand_);
        state.counters["preview_p95_ms"] = percentile95(preview_);
        state.counters["window_p95_ms"] = percentile95(window_ms_);
    }

private:
    MainWindow& window_;
    std::vector<double> hand_, preview_, window_ms_;
};

/// A page of a whole model, vLLM, its preview there.
void showWhole(MainWindow& window, Page page) {
    window.resize(1280, 800);
    window.show();
    SimulationRequest request;
    window.workbench().setSimulation(request, "whole model");
    window.actions()[page]->trigger(); // as by hand: the workspace is built by it
    while (!window.workbench().simulation().isRefined()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

/// The slider of the users.
void slidingWhole(benchmark::State& state) {
    QApplication& app = application();
    const QTemporaryDir folder;
    Appearance look(app);
    MainWindow window(look, folder.filePath("settings.ini"));
    showWhole(window, Page::Simulator);
    HandWatch watch(window);
    SimulationRequest request = window.workbench().state().simulation;
    for (auto _ : state) {
        request.arrivals.users = request.arrivals.users % 60 + 1;
        watch.time([&] { window.workbench().setSimulation(request, "users", false); });
    }
    watch.tell(state);
}

BENCHMARK(slidingWhole)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);

/// A kernel's curve on What pays, by the mouse.
void draggingCurve(benchmark::State& state) {
    QApplication& app = application();
    const QTemporaryDir folder;
    Appearance look(app);
    MainWindow window(look, folder.filePath("settings.ini"));
    showWhole(window, Page::WhatPays);
    ui::PlotView* view =
        static_cast<SimulationPage&>(window.workspace()->page(Page::WhatPays)).grid()->view(1);
    const QRectF area = QRectF(view->rect()).adjusted(4, 4, -4, -4); // as the view insets it
    QPointF grip(-1, -1);
    for (int y = 0; grip.x() < 0 && y < view->height(); y += 2) {
        for (int x = 0; grip.x() < 0 && x < view->width(); x += 2) {
            if (view->drawing()->change(QPointF(x, y), QPointF(x, y), area)) {
                grip = QPointF(x, y);
            }
        }
    }
    if (grip.x() < 0) {
        state.SkipWithError("there is no curve to drag");
        return;
    }
    const auto send = [&](QEvent::Type type, const QPointF& at) {
        QMouseEvent event(type, at, view->mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(view, &event);
    };
    send(QEvent::MouseButtonPress, grip);
    HandWatch watch(window);
    int step = 0;
    for (auto _ : state) {
        watch.time([&] { send(QEvent::MouseMove, grip + QPointF(0, ++step % 40)); });
    }
    send(QEvent::MouseButtonRelease, grip);
    watch.tell(state);
}

BENCHMARK(draggingCurve)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(60);

/// The made-up device measured on the Kernels page, points arriving as fast as a child process tells them.
void measuring(benchmark::State& state) {
    QApplication& app = application();
    const QTemporaryDir folder;
    qputenv("XDG_DATA_HOME", folder.path().toLocal8Bit()); // where profiles are kept
    qunsetenv("LOADLINE_MADE_UP");
    Appearance look(app);
    MainWindow window(look, folder.filePath("settings.ini"));
    window.resize(1280, 800);
    window.show();
    Workbench& bench = window.workbench();
    KernelBench& kernels = bench.kernels();
    kernels.job().setProgram(LOADLINE_EXECUTABLE);
    kernels.lister().setProgram(LOADLINE_EXECUTABLE);
    const auto wait = [](auto until) {
        while (!until()) {
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        }
    };
    window.actions()[Page::Kernels]->trigger();
    wait([&] { return kernels.isSettled() && kernels.knowsDevices(); });
    KernelsQuestion view = bench.state().asked.kernels;
    view.shown = "device:made-up";
    bench.setKernels(view, "device");
    wait([&] { return kernels.isSettled(); });
    Watch watch;
    for (auto _ : state) {
        watch.start();
        window.actions()[ActionId::MeasureKernels]->trigger();
        if (!kernels.isMeasuring()) {
            state.SkipWithError("the made-up device is not measured");
            return;
        }
        wait([&] { return !kernels.isMeasuring() && kernels.isSettled(); });
        watch.stop();
        state.counters["points"] = static_cast<double>(kernels.run().points.size());
    }
    watch.tell(state);
}

BENCHMARK(measuring)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
