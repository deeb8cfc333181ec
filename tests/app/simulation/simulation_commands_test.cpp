// Commands about simulations in the window: vLLM's words in and out.
#include "app/files/profile_library.h"
#include "app/options/cost_option.h"
#include "app/pages/simulation/simulation_page.h"
#include "tests/app/window_fixture.h"
#include "ui/model/table_model.h"
#include "ui/panel/part/banner.h"
#include "ui/panel/simulation/engine_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>

#include <algorithm>

using namespace loadline;
using namespace loadline::app;

class SimulationCommandsTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;
    QTemporaryDir data_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] const SimulationRequest& request() const { return f().bench().state().simulation; }

    /// A request of short runs of a few kernels, for a quick answer.
    static SimulationRequest quickRequest() {
        SimulationRequest quick;
        quick.shapes = "study";
        quick.length.iterations = 500;
        quick.replicas = 4;
        return quick;
    }

    [[nodiscard]] bool arrived() const {
        return QTest::qWaitFor([&] { return f().bench().simulation().isSettled(); }, 60'000);
    }

    [[nodiscard]] ui::EngineDialog* dialog() const { return f().window->findChild<ui::EngineDialog*>(); }

private slots:

    void initTestCase() { qputenv("XDG_DATA_HOME", data_.path().toLocal8Bit()); } // no saved profiles

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void pastingIsOneStepOfUndo() {
        f().trigger(ActionId::PasteVllm); // from the start page
        QVERIFY(dialog() && dialog()->isVisible());
        QCOMPARE(f().bench().state().page, Page::Simulator);
        dialog()->text()->setPlainText("vllm serve m --max-num-seqs 12 --max-num-batched-tokens 2048");
        QVERIFY(arrived());
        QCOMPARE(*request().policy.maxSeqs, std::int64_t{12});
        QCOMPARE(*request().policy.budgetTokens, Tokens{2048});
        QCOMPARE(f().bench().undoStack().count(), 1);
        f().trigger(ActionId::Undo);
        QVERIFY(request() == firstRequest());
        f().trigger(ActionId::Redo);
        QCOMPARE(*request().policy.maxSeqs, std::int64_t{12});
    }

    void typingIsOneStepToo() {
        f().trigger(ActionId::PasteVllm);
        QTest::keyClicks(dialog()->text(), "--max-num-seqs 128 --block-size 32");
        QCOMPARE(*request().policy.maxSeqs, std::int64_t{128});
        QCOMPARE(request().policy.blockTokens, Tokens{32});
        QCOMPARE(f().bench().undoStack().count(), 1);
    }

    void thereIsOneDialog() {
        f().trigger(ActionId::PasteVllm);
        f().trigger(ActionId::PasteVllm);
        QCOMPARE(f().window->findChildren<ui::EngineDialog*>().size(), 1);
        dialog()->close();
        QVERIFY(QTest::qWaitFor([&] { return dialog() == nullptr; }, 2000));
        f().trigger(ActionId::PasteVllm);
        QVERIFY(dialog() != nullptr);
    }

    void thePageHasAButton() {
        f().trigger(Page::Simulator);
        QVERIFY(arrived());
        bool found = false;
        for (const auto* button : f().workspace().page(Page::Simulator).findChildren<QToolButton*>()) {
            found = found || button->defaultAction() == f().window->actions()[ActionId::PasteVllm];
        }
        QVERIFY(found);
    }

    void pinningDrawsTheNextAgainstIt() {
        SimulationRequest first = quickRequest();
        first.shapes = SimulationRequest().shapes; // a model's, so that formats are compared
        first.policy.policy = Policy::SinglePrefill;
        first.policy.chunkTokens = 512;
        f().bench().setSimulation(first, "study");
        f().trigger(ActionId::PinSimulation);
        QVERIFY(arrived());
        auto& page = f().page<SimulationPage>(Page::Simulator);
        QVERIFY(page.comparison()->isVisible());
        QVERIFY(page.comparison()->words()->text().contains("nothing differs"));
        SimulationRequest second = first;
        second.policy.chunkTokens = 2048;
        f().bench().setSimulation(second, "larger chunks");
        QVERIFY(arrived());
        QVERIFY(QTest::qWaitFor([&] { return f().bench().pinnedSimulation().isSettled(); }, 60'000));
        QVERIFY(QTest::qWaitFor([&] { return f().bench().simulation().isRefined(); }, 60'000));
        QVERIFY(page.comparison()->words()->text().contains("chunk 2"));
        const Table numbers = page.comparison()->numbers()->table();
        QVERIFY(std::get<double>(numbers.rows[2][1]) != 0);
        QCOMPARE(page.frame()->drawing()->table().columns.front(), std::string("setting"));
        QCOMPARE(f().tableOf(Page::Simulator).rows.back().front(), Cell(std::string("pinned")));
        QVERIFY(page.request().against == first); // what an export asks for

        QTest::mouseClick(page.comparison()->swapButton(), Qt::LeftButton);
        QVERIFY(request() == first);
        QVERIFY(f().bench().state().against == second);
        f().trigger(ActionId::Undo);
        QVERIFY(request() == second);
        QTest::mouseClick(page.comparison()->unpinButton(), Qt::LeftButton);
        QVERIFY(!page.comparison()->isVisible());
        QVERIFY(arrived());
        QVERIFY(f().tableOf(Page::Simulator).columns.front() != "setting");
        f().trigger(ActionId::Undo);
        QVERIFY(page.comparison()->isVisible());
    }

    /// What is refined is not computed once more when it is pinned.
    void aPinOfWhatIsRefinedIsThereAtOnce() {
        SimulationRequest first = quickRequest();
        first.arrivals.users = 5;
        first.policy.policy = Policy::SinglePrefill;
        f().bench().setSimulation(first, "study");
        f().trigger(Page::Simulator);
        QVERIFY(arrived());
        QVERIFY(QTest::qWaitFor([&] { return f().bench().simulation().isRefined(); }, 60'000));
        f().trigger(ActionId::PinSimulation);
        const Simulated pinned = f().bench().pinnedSimulation().shown(settingStudy);
        QVERIFY(pinned);
        QCOMPARE(pinned->simulator, f().bench().simulation().shown(settingStudy)->simulator);
        QVERIFY(f().bench().pinnedSimulation().isSettled());
        f().trigger(ActionId::Undo);
        QVERIFY(!f().bench().pinnedSimulation().shown(settingStudy));
    }

    /// What was pinned stays what it was when others are selected.
    void thePinKeepsItsSessions() {
        QTemporaryDir sessions;
        made_up::writeThree(sessions.path());
        QVERIFY(f().open(sessions.path()));
        SimulationRequest open = quickRequest();
        open.workload = "open";
        f().bench().setSimulation(open, "open sessions");
        const auto keyOf = [&](int session) {
            for (const Session& s : f().bench().corpus()->sessions) {
                if (s.sessionId == made_up::idOf(session).toStdString()) {
                    return s.key;
                }
            }
            return std::string();
        };
        Scope one;
        one.sessions = {keyOf(1)};
        f().bench().setScope(one, "one");
        f().trigger(Page::Simulator);
        QVERIFY(f().settle());
        f().trigger(ActionId::PinSimulation);
        Scope other;
        other.sessions = {keyOf(3)};
        f().bench().setScope(other, "other");
        auto& page = f().page<SimulationPage>(Page::Simulator);
        const auto pinnedScope = [&] {
            const Simulated pinned = f().bench().pinnedSimulation().shown(settingStudy);
            return pinned && pinned->question.sources->open ? pinned->question.sources->open->scope : Scope{};
        };
        QVERIFY(QTest::qWaitFor([&] { return pinnedScope() == one; }, 60'000));
        QVERIFY(QTest::qWaitFor([&] { return f().bench().simulation().isRefined(); }, 60'000));
        QVERIFY2(page.comparison()->words()->text().contains("sessions:"),
                 qPrintable(page.comparison()->words()->text()));

        const ChartRequest request = page.request();
        QVERIFY(request.against->workload.scope == one);
        const std::string command = commandFor(request, {}, "x.csv");
        QVERIFY2(command.find(" --session ", command.find("--against=--workload open ")) != std::string::npos,
                 command.c_str());
        const auto exported = drawingFor(request, f().bench().corpus());
        QVERIFY(exported);
        QCOMPARE((*exported)->table().rows.back(), f().tableOf(Page::Simulator).rows.back());

        QTest::mouseClick(page.comparison()->swapButton(), Qt::LeftButton);
        QCOMPARE(f().bench().state().scope, one);
        QVERIFY(f().bench().state().against->workload.scope == other);
        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state().scope, other);
        QTemporaryDir others;
        made_up::writeThree(others.path());
        QVERIFY(f().open(others.path()));
        QVERIFY(!f().bench().state().against); // its sessions are gone
    }

    void thePinIsRememberedAndExported() {
        SimulationRequest pinned = quickRequest();
        pinned.weights = Storage::K2;
        f().bench().setSimulation(pinned, "k");
        f().trigger(ActionId::PinSimulation);
        SimulationRequest other = pinned;
        other.weights = Storage::K4;
        f().bench().setSimulation(other, "back");
        QVERIFY(arrived());
        f().restart();
        f().trigger(Page::Crossover);
        QVERIFY(arrived());
        QVERIFY(f().bench().state().against == pinned);
        const QString path = f().folder.filePath("crossover.csv");
        f().window->exportTo(path);
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path); }, 60'000));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(text.startsWith("setting,k,") && text.contains("\npinned,"), text.constData());
        const std::string command = commandFor(f().workspace().page(Page::Crossover).request(), {}, "x.png");
        QVERIFY2(command.find(" --k 2 ", command.find("'--against=--workload ")) != std::string::npos,
                 command.c_str());
    }

    void autoIsNoOtherWorkloadThanTheOneItCameTo() {
        QTemporaryDir sessions;
        made_up::writeThree(sessions.path());
        QVERIFY(f().open(sessions.path()));
        SimulationRequest automatic = quickRequest();
        automatic.workload = autoWorkload;
        f().bench().setSimulation(automatic, "auto");
        f().trigger(Page::Simulator);
        const auto words = [&] { // before there is an answer
            return f().page<SimulationPage>(Page::Simulator).comparison()->words()->text();
        };
        f().trigger(ActionId::PinSimulation);
        QCOMPARE(f().bench().state().against->workload.name, std::string(openWorkload));
        QVERIFY2(words().contains("nothing differs"), qPrintable(words()));
        QVERIFY(arrived());
        f().restart();
        f().trigger(Page::Simulator);
        f().window->openPaths({sessions.path()});
        QVERIFY(request().workload.isAuto() && f().bench().state().against);
        QVERIFY2(words().contains("nothing differs"), qPrintable(words())); // while they are read
        QVERIFY(arrived());
        QVERIFY2(words().contains("nothing differs"), qPrintable(words()));
    }

    void savedProfilesAreOffered() {
        const Result<TimesChoice> published = resolveTimes("rtx4090-published");
        QVERIFY(published && published->profile);
        Profile profile = *published->profile;
        profile.name = "My card";
        profile.date = "2026-01-02T03:04:05Z";
        const Result<std::string> path = saveProfile(profile);
        QVERIFY(path);
        f().trigger(Page::Simulator);
        const auto boxes = f().page<SimulationPage>(Page::Simulator).panel()->findChildren<QComboBox*>();
        const auto box = std::ranges::find(boxes, QStringLiteral("Profile"), &QComboBox::accessibleName);
        QVERIFY(box != boxes.end());
        QTRY_VERIFY((*box)->findData(QString::fromStdString(*path)) >= 0); // before any look at the kernels
        const int at = (*box)->findData(QString::fromStdString(*path));
        QCOMPARE((*box)->itemText(at), QStringLiteral("My card, elsewhere 2026-01-02"));
        (*box)->setCurrentIndex(at);
        emit(*box)->activated(at);
        QCOMPARE(request().profile, *path);
        QVERIFY(arrived());
        QVERIFY(!f().workspace().page(Page::Simulator).frame()->isEmpty());
        QVERIFY(removeProfile(*path));
    }

    void thePolicyIsCopied() {
        f().trigger(ActionId::CopyVllm);
        QVERIFY(QApplication::clipboard()->text().startsWith("vllm serve MODEL "));
        QApplication::clipboard()->clear();
        SimulationRequest other;
        other.policy.policy = Policy::Mlx;
        f().bench().setSimulation(other, "MLX");
        f().trigger(ActionId::CopyVllm);
        QVERIFY(QApplication::clipboard()->text().isEmpty());
        QVERIFY(f().window->banner().isVisible());
    }
};

QTEST_MAIN(SimulationCommandsTest)

#include "simulation_commands_test.moc"
