// Every policy, arrival and scope in the window: dragged within a frame, never NaN, refused in words.
#include "app/options/simulation_options.h"
#include "app/pages/simulation/simulation_page.h"
#include "tests/app/window_fixture.h"
#include "ui/form/value_slider.h"

#include <QFile>
#include <QLabel>
#include <QTimer>

#include <algorithm>
#include <cmath>

using namespace loadline;
using namespace loadline::app;

class EverySettingTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] SimulationBench& simulation() const { return f().bench().simulation(); }

    [[nodiscard]] SimulationPage& page() const { return f().page<SimulationPage>(Page::Simulator); }

    [[nodiscard]] bool settled() const {
        return QTest::qWaitFor([&] { return simulation().isSettled(); }, 60'000);
    }

    static SimulationRequest requestOf(const QString& words) {
        std::vector<std::string> list;
        if (!words.contains("--shapes")) {
            list = {"--shapes", "study"}; // quickly computed
        }
        for (const QString& word : words.split(' ', Qt::SkipEmptyParts)) {
            list.push_back(word.toStdString());
        }
        const auto request = simulationRequestFrom(list);
        if (!request) {
            qFatal("%s", request.error().sentence().c_str());
        }
        return *request;
    }

    /// All previews are of runs until they are settled. So is the refined answer of a setting for each way to
    /// simulate; that of the others is of short runs.
    static QStringList refinedUntilSettled() { return {"single prefill", "as by default", "MLX", "seldom"}; }

    /// All numbers of all charts are numbers; or there is one sentence instead.
    void checkShown() const {
        if (page().frame()->isEmpty()) {
            const auto shown = simulation().shown(settingStudy);
            QVERIFY(shown && shown->error && !shown->error->what.empty());
            return;
        }
        for (int i = 0; i < page().grid()->count(); ++i) {
            const auto& drawing = page().grid()->view(i)->drawing();
            const Table table = drawing->table();
            QVERIFY(!drawing->sentence().contains("nan", Qt::CaseInsensitive));
            for (const auto& row : table.rows) {
                for (const Cell& cell : row) {
                    if (const auto* value = std::get_if<double>(&cell)) {
                        QVERIFY2(std::isfinite(*value), qPrintable(drawing->title()));
                    }
                }
            }
        }
    }

    /// Moves a slider from end to end; the times from position to repaint, in ms.
    [[nodiscard]] std::vector<double> dragged(std::string_view parameter, int positions) const {
        QSlider* slider = qobject_cast<ui::ValueSlider*>(page().panel()->control(parameter))->slider();
        std::vector<double> ms;
        slider->setSliderDown(true);
        for (int i = 0; i < positions; ++i) {
            const SimulationRequest before = f().bench().state().simulation;
            QElapsedTimer timer;
            timer.start();
            slider->setSliderPosition(slider->minimum() +
                                      i * (slider->maximum() - slider->minimum()) / (positions - 1));
            if (f().bench().state().simulation == before) {
                continue;
            }
            QTimer limit; // wakes the loop where nothing else does
            limit.setSingleShot(true);
            limit.start(20'000);
            while (!simulation().isSettled() && limit.isActive()) {
                QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
            }
            page().grid()->repaint();
            QCoreApplication::processEvents();
            ms.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
            checkShown();
        }
        slider->setSliderDown(false);
        std::sort(ms.begin(), ms.end());
        return ms;
    }

private slots:

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void itIsDragged_data() {
        QTest::addColumn<QString>("words");
        const QString model = "--shapes llama-3.1-8b --profile roofline:H800 ";
        QTest::newRow("vLLM V1") << "";
        QTest::newRow("KV blocks") << "--kv-blocks 20000";
        QTest::newRow("too few KV blocks") << "--kv-blocks 2";
        QTest::newRow("prefix cache") << "--prefix-cache --kv-blocks 20000";
        QTest::newRow("asynchronous") << "--async";
        QTest::newRow("priority") << "--order priority";
        QTest::newRow("no chunked prefill") << "--no-chunked-prefill --engine-version 2025-10";
        QTest::newRow("as by default") << "--shapes llama-3.1-8b";
        QTest::newRow("whole step") << model + "--step whole-step --host-us 200";
        QTest::newRow("whole step without attention") << "--step whole-step";
        QTest::newRow("single prefill") << "--policy single-prefill --chunk 512";
        QTest::newRow("study-like")
            << "--policy single-prefill --chunk 512 --prompt-cap 16384 --free-prompt 32";
        QTest::newRow("MLX") << "--policy mlx";
        QTest::newRow("MLX, whole step") << model + "--policy mlx --step whole-step";
        QTest::newRow("think time") << model + "--think 2";
        QTest::newRow("think time of data that have none") << model + "--think data";
        QTest::newRow("replayed without sessions") << "--turn-order replayed";
        QTest::newRow("trace without a trace") << "--arrivals trace";
        QTest::newRow("a rate without a model") << "--arrivals poisson:1";
        QTest::newRow("think time without a model") << "--think 2";
        QTest::newRow("seldom") << model + "--arrivals poisson:0.001";
        QTest::newRow("far too often") << model + "--arrivals poisson:100000";
        QTest::newRow("all at once")
            << "--kv-blocks 30000 --prefix-cache --async --order priority --think 1 " + model +
                   "--step whole-step";
    }

    void itIsDragged() {
        QFETCH(QString, words);
        f().bench().setSimulation(requestOf(words), "setting");
        f().window->resize(1280, 800);
        f().trigger(Page::Simulator);
        QVERIFY(settled());
        checkShown();
        const bool closed = f().bench().state().simulation.arrivals.kind == ArrivalKind::Closed;
        const auto ms = dragged(closed ? "users" : "budget", 16);
        if (!ms.empty()) {
            qInfo("slider to repaint: p50 %.1f ms, p95 %.1f ms%s", ms[ms.size() / 2],
                  ms[ms.size() * 95 / 100], page().frame()->isEmpty() ? " (refused)" : "");
        }
        (void)dragged("max-seqs", 6);
        SimulationRequest back = requestOf(words);
        if (!refinedUntilSettled().contains(QTest::currentDataTag())) {
            back.length.iterations = 400;
            back.replicas = 4;
        }
        f().bench().setSimulation(back, "back");
        QVERIFY(
            QTest::qWaitFor([&] { return simulation().isSettled() && simulation().isRefined(); }, 100'000));
        checkShown();
    }

    void aTraceArrives() {
        const QString path = f().folder.filePath("trace.csv");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("TIMESTAMP,ContextTokens,GeneratedTokens\n");
        for (int i = 0; i < 60; ++i) {
            file.write(QByteArray("2023-11-16 18:15:") + QByteArray::number(i).rightJustified(2, '0') +
                       ".0000000," + QByteArray::number(100 + 37 * i) + "," + QByteArray::number(5 + i % 20) +
                       "\n");
        }
        file.close();
        SimulationRequest request;
        request.workload = path.toStdString();
        request.arrivals.kind = ArrivalKind::Trace;
        f().bench().setSimulation(request, "trace");
        f().trigger(Page::Simulator);
        QVERIFY(settled());
        QVERIFY(!page().frame()->isEmpty());
        checkShown();
        QVERIFY(!dragged("budget", 20).empty());
        QVERIFY(QTest::qWaitFor([&] { return simulation().isRefined(); }, 60'000));
        QCOMPARE(simulation().shown(settingStudy)->simulator->present.turns % 60, std::uint64_t{0});
        checkShown();
    }

    void sessionsAreReplayed() {
        QTemporaryDir sessions;
        made_up::writeThree(sessions.path());
        QVERIFY(f().open(sessions.path()));
        SimulationRequest request;
        request.workload = openWorkload;
        request.arrivals.order = TurnOrder::Replayed;
        request.arrivals.think = ThinkTime::FromData;
        request.policy.prefixCache = true;
        f().bench().setSimulation(request, "replay");
        f().trigger(Page::Simulator);
        QVERIFY(settled());
        QVERIFY(!page().frame()->isEmpty());
        checkShown();
        QVERIFY(!dragged("users", 20).empty());
        QVERIFY(QTest::qWaitFor([&] { return simulation().isRefined(); }, 60'000));
        checkShown();
    }
};

QTEST_MAIN(EverySettingTest)

#include "every_setting_test.moc"
