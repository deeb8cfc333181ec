// The simulation pages in the window: always up to date, undone, restored, mended, dragged within a frame.
#include "app/pages/simulation/simulation_page.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/export_drawing.h"
#include "ui/form/value_slider.h"
#include "ui/panel/kernels/import_dialog.h"
#include "ui/panel/start/start_page.h"

#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>

using namespace loadline;
using namespace loadline::app;

class SimulatorWindowTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    /// Without any files: from the start page.
    [[nodiscard]] bool simulate(Page page) const {
        f().trigger(page);
        return arrived();
    }

    [[nodiscard]] bool arrived() const {
        return QTest::qWaitFor([&] { return f().bench().simulation().isSettled(); }, 60'000);
    }

    [[nodiscard]] bool refined() const {
        return QTest::qWaitFor([&] { return f().bench().simulation().isRefined(); }, 120'000);
    }

    [[nodiscard]] SimulationPage& page(Page which) const { return f().page<SimulationPage>(which); }

    static SimulationRequest studyRequest() {
        SimulationRequest request;
        request.policy.policy = Policy::SinglePrefill;
        request.policy.chunkTokens = 512;
        request.arrivals.users = 14;
        return request;
    }

private slots:

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void noFilesAreNeeded() {
        auto* button = f().window->startPage().findChild<QPushButton*>("simulate");
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(arrived());
        QCOMPARE(f().bench().state().page, Page::Simulator);
        QVERIFY(page(Page::Simulator).isVisible());
        QVERIFY(!page(Page::Simulator).frame()->isEmpty());
        QVERIFY(!f().window->actions()[Page::Timeline]->isEnabled());
    }

    void kernelsAreOneClickFromTheStart() {
        auto* button = f().window->startPage().findChild<QPushButton*>("kernels");
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(f().bench().state().page, Page::Kernels);
        QVERIFY(f().workspace().currentPage().isVisible());
    }

    void filesWithoutSessionsOpenWhereTheyBelong() {
        const auto write = [this](const QString& name, const QByteArray& content) {
            QFile file(f().folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write(content) == content.size() ? file.fileName()
                                                                                            : QString();
        };
        const QString trace = write("trace.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n"
                                                 "2023-11-16 18:15:46.6805900,374,44\n"
                                                 "2023-11-16 18:15:50.9951690,396,109\n");
        f().window->openPaths({trace});
        QVERIFY(arrived());
        QCOMPARE(f().bench().state().page, Page::Simulator);
        QCOMPARE(f().bench().state().simulation.workload, trace.toStdString());
        QVERIFY(!page(Page::Simulator).frame()->isEmpty());
        QVERIFY(!f().bench().corpus());
        const QString times = write("mine.csv", "kernel,K,N,M,k_bits,time_us\nmma,64,64,1,4,10\n");
        f().window->openPaths({times});
        QCOMPARE(f().bench().state().page, Page::Kernels);
        QTRY_VERIFY(f().window->findChild<ui::ImportDialog*>());
        f().window->findChild<ui::ImportDialog*>()->close();
    }

    void everyPageAnswers_data() {
        QTest::addColumn<Page>("which");
        QTest::newRow("simulator") << Page::Simulator;
        QTest::newRow("crossover") << Page::Crossover;
        QTest::newRow("what pays") << Page::WhatPays;
    }

    void everyPageAnswers() {
        QFETCH(Page, which);
        SimulationRequest request = studyRequest();
        if (which != Page::Simulator) { // which alone is refined until its runs are settled
            request.length.iterations = 1000;
            request.replicas = 4;
        }
        f().bench().setSimulation(request, "study");
        QVERIFY(simulate(which));
        QVERIFY(refined());
        SimulationPage& shown = page(which);
        QVERIFY(!shown.frame()->isEmpty());
        for (int i = 0; i < shown.grid()->count(); ++i) {
            const auto& drawing = shown.grid()->view(i)->drawing();
            QVERIFY(drawing);
            QVERIFY2(!drawing->table().rows.empty(), qPrintable(drawing->title()));
            QVERIFY(!drawing->sentence().isEmpty());
            QVERIFY(!shown.grid()->view(i)->accessibleName().isEmpty());
        }
    }

    void aChangeIsFollowedAndUndone() {
        QVERIFY(simulate(Page::Simulator));
        auto* users = qobject_cast<ui::ValueSlider*>(page(Page::Simulator).panel()->control("users"));
        const QString before = page(Page::Simulator).frame()->drawing()->sentence();
        users->field()->setText("100");
        emit users->field()->editingFinished();
        QVERIFY(arrived());
        QCOMPARE(f().bench().state().simulation.arrivals.users, std::int64_t{100});
        QVERIFY(page(Page::Simulator).frame()->drawing()->sentence() != before);
        f().trigger(ActionId::Undo);
        QVERIFY(arrived());
        QCOMPARE(f().bench().state().simulation.arrivals.users, std::int64_t{8});
        QCOMPARE(users->field()->text(), QString("8"));
    }

    void aDragIsOneStepOfUndo() {
        QVERIFY(simulate(Page::Simulator));
        auto* panel = page(Page::Simulator).panel();
        QSlider* slider = qobject_cast<ui::ValueSlider*>(panel->control("users"))->slider();
        slider->setSliderDown(true);
        for (int position = 200; position < 260; position += 10) {
            slider->setSliderPosition(position);
        }
        slider->setSliderDown(false);
        QVERIFY(arrived());
        QCOMPARE(f().bench().undoStack().count(), 1);
        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state().simulation.arrivals.users, std::int64_t{8});
        f().trigger(ActionId::Redo);
        SimulationRequest other = f().bench().state().simulation;
        other.policy.budgetTokens = 4096;
        f().bench().setSimulation(other, QString::fromStdString(nameOfChange(simulationField("budget"))));
        QCOMPARE(f().bench().undoStack().count(), 2); // another parameter is another step
    }

    void theMarkerIsDraggedInTheChart() {
        f().bench().setSimulation(studyRequest(), "study");
        QVERIFY(simulate(Page::Simulator));
        ui::PlotView* view = page(Page::Simulator).grid()->view(0);
        const QPoint from(view->width() / 3, view->height() / 2);
        const QPoint to(view->width() * 6 / 10, view->height() / 2);
        QTest::mousePress(view, Qt::LeftButton, {}, from);
        QTest::mouseMove(view, (from + to) / 2);
        QTest::mouseMove(view, to);
        QTest::mouseRelease(view, Qt::LeftButton, {}, to);
        QVERIFY(arrived());
        const std::int64_t users = f().bench().state().simulation.arrivals.users;
        QVERIFY2(users > 14 && users < 64, qPrintable(QString::number(users)));
        QCOMPARE(f().bench().undoStack().undoText(), QString("Drag the marker"));
    }

    void aKernelsCurveMovesInTheFrameOfTheHand() {
        f().bench().setSimulation(studyRequest(), "study");
        QVERIFY(simulate(Page::WhatPays));
        ui::PlotView* view = page(Page::WhatPays).grid()->view(1);
        const QRectF area = QRectF(view->rect()).adjusted(4, 4, -4, -4); // as the view insets it
        std::optional<QPoint> grip;
        for (int y = 0; !grip && y < view->height(); y += 3) {
            for (int x = 0; !grip && x < view->width(); x += 3) {
                if (view->drawing()->change({double(x), double(y)}, {double(x), double(y)}, area)) {
                    grip = QPoint(x, y);
                }
            }
        }
        QVERIFY(grip);
        QTest::mousePress(view, Qt::LeftButton, {}, *grip);
        QTest::mouseMove(view, *grip + QPoint(0, 3));
        const Table before = view->drawing()->table();
        const SimulationRequest first = f().bench().state().simulation;
        QTest::mouseMove(view, *grip + QPoint(0, 40));
        const SimulationRequest now = f().bench().state().simulation;
        const Table after = view->drawing()->table(); // no event was handled in between
        QVERIFY(!f().bench().simulation().isSettled());
        QCOMPARE(after.rows.size(), before.rows.size());
        std::size_t moved = 0;
        for (std::size_t i = 0; i < after.rows.size(); ++i) {
            const Kernel kernel = *kernelFromKey(std::get<std::string>(after.rows[i][0]));
            const auto place = static_cast<std::size_t>(kernel);
            const double factor = now.timeScale[place] / first.timeScale[place];
            const double was = std::get<double>(before.rows[i][2]);
            const double is = std::get<double>(after.rows[i][2]);
            QVERIFY2(std::abs(is / was - factor) < 1e-6, qPrintable(QString::number(is / was)));
            moved += factor < 0.99 ? 1 : 0;
        }
        QVERIFY(moved > 0);
        QTest::mouseRelease(view, Qt::LeftButton, {}, *grip + QPoint(0, 40));
        QVERIFY(arrived());
        QCOMPARE(f().bench().state().simulation.timeScale, now.timeScale);
    }

    void failuresSayWhatMendsThem() {
        SimulationRequest request;
        request.workload = "/there/is/no/such/workload.json";
        f().bench().setSimulation(request, "break");
        QVERIFY(simulate(Page::Simulator));
        SimulationPage& shown = page(Page::Simulator);
        QVERIFY(shown.frame()->isEmpty());
        auto* button = shown.frame()->findChild<QPushButton*>("emptyAction");
        QVERIFY(button->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(arrived());
        QVERIFY(!shown.frame()->isEmpty());
        QCOMPARE(f().bench().state().simulation.workload, std::string(autoWorkload));
    }

    void openSessionsAreAWorkload() {
        QTemporaryDir sessions;
        made_up::writeThree(sessions.path());
        QVERIFY(f().open(sessions.path()));
        SimulationRequest request = studyRequest();
        request.workload = openWorkload;
        f().bench().setSimulation(request, "mine");
        QVERIFY(simulate(Page::Simulator));
        QVERIFY(!page(Page::Simulator).frame()->isEmpty());
        const auto turns = [&] { return f().bench().simulation().sources()->summary.turns; };
        const std::uint64_t all = turns();
        QVERIFY(all > 0);
        Scope scope;
        scope.projects = {f().bench().corpus()->sessions.front().project};
        f().bench().setScope(scope, "narrow");
        QVERIFY(QTest::qWaitFor([&] { return f().bench().isSettled() && turns() < all; }, 20'000));
        const ChartRequest chart = page(Page::Simulator).request();
        QVERIFY(needsCorpus(chart));
        QVERIFY(QString::fromStdString(commandFor(chart, {}, "x.png")).contains("--workload open"));
        f().window->closeFiles(); // and none are open any more
        QVERIFY(simulate(Page::Simulator));
        QVERIFY(page(Page::Simulator).frame()->isEmpty());
    }

    void numberKeysLeadHere() {
        QVERIFY(QTest::qWaitForWindowActive(f().window.get()));
        QTest::keyClick(f().window.get(), Qt::Key_4);
        QVERIFY(arrived());
        QCOMPARE(f().bench().state().page, Page::Simulator);
        f().trigger(ActionId::NextTab);
        QVERIFY(arrived());
        QCOMPARE(f().bench().state().page, Page::Crossover);
        QVERIFY(page(Page::Crossover).isVisible());
    }

    void theRequestComesBack() {
        SimulationRequest request = studyRequest();
        request.weights = Storage::K3;
        request.timeScale[static_cast<std::size_t>(Kernel::Dequantise)] = 0.5;
        f().bench().setSimulation(request, "study");
        QVERIFY(simulate(Page::Crossover));
        f().restart();
        QVERIFY(f().bench().state().simulation == request);
        QCOMPARE(f().bench().state().page, Page::Crossover);
    }

    void hostileSettingsGiveDefaults_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("nonsense") << QStringList{"--nonsense", "\x01", ""};
        QTest::newRow("absurd users") << QStringList{"--users", "-5"};
        QTest::newRow("too many") << QStringList{"--users", "4000000000"};
        QTest::newRow("nan") << QStringList{"--host-us", "nan"};
        QTest::newRow("k") << QStringList{"--k", "77"};
        QTest::newRow("help") << QStringList{"--help"};
        QTest::newRow("no step") << QStringList{"--iterations", "0"};
    }

    void hostileSettingsGiveDefaults() {
        QFETCH(QStringList, words);
        f().window->close();
        {
            QSettings file(f().folder.filePath("settings.ini"), QSettings::IniFormat);
            file.setValue("simulation/request", words);
        }
        const Settings read = loadSettings(f().folder.filePath("settings.ini"));
        QVERIFY(read.simulation == firstRequest());
    }

    void chartsAreExported() {
        SimulationRequest request = studyRequest();
        request.length.iterations = 1000;
        request.replicas = 4;
        f().bench().setSimulation(request, "study");
        QVERIFY(simulate(Page::Simulator));
        const QString path = f().folder.filePath("users.png");
        f().window->exportTo(path);
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path); }, 60'000));
        const QString command = ui::commandInPng(path.toStdString());
        QVERIFY2(command.contains("export simulator-users") && command.contains("--users 14") &&
                     command.contains("--policy single-prefill"),
                 qPrintable(command));
    }

    /// Every position of a slider is answered by charts of its own, the event loop included. How soon is
    /// measured by tests/bench/window_bench.cpp.
    void everyPositionOfADragIsAnswered() {
        f().bench().setSimulation(studyRequest(), "study");
        f().window->resize(1280, 800);
        QVERIFY(simulate(Page::Simulator));
        SimulationPage& shown = page(Page::Simulator);
        QSlider* slider = qobject_cast<ui::ValueSlider*>(shown.panel()->control("users"))->slider();
        const SimulationBench& simulation = f().bench().simulation();
        int positions = 0;
        slider->setSliderDown(true);
        for (int i = 0; positions < 40 && i < 2000; ++i) {
            const std::int64_t before = f().bench().state().simulation.arrivals.users;
            slider->setSliderPosition(i % 800 < 400 ? i % 400 : 400 - i % 400);
            if (f().bench().state().simulation.arrivals.users == before) {
                continue; // between two whole numbers
            }
            QVERIFY(QTest::qWaitFor([&] { return simulation.isSettled(); }, 60'000));
            QCOMPARE(simulation.shown(settingStudy)->question.request.arrivals.users,
                     f().bench().state().simulation.arrivals.users);
            shown.grid()->repaint();
            ++positions;
        }
        slider->setSliderDown(false);
        QCOMPARE(positions, 40);
    }
};

QTEST_MAIN(SimulatorWindowTest)

#include "simulator_window_test.moc"
