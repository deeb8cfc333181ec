// Commands about simulations in the window: vLLM's words in and out.
#include "app/pages/simulation_page.h"
#include "ui/panel/banner.h"
#include "ui/panel/engine_dialog.h"
#include "window_fixture.h"

#include <QClipboard>
#include <QPlainTextEdit>
#include <QToolButton>

using namespace loadline;
using namespace loadline::app;

class SimulationCommandsTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] const SimulationRequest& request() const { return f().bench().state().simulation; }

    [[nodiscard]] bool arrived() const {
        return QTest::qWaitFor([&] { return f().bench().simulation().isSettled(); }, 60'000);
    }

    [[nodiscard]] ui::EngineDialog* dialog() const { return f().window->findChild<ui::EngineDialog*>(); }

private slots:

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void pastingIsOneStepOfUndo() {
        f().trigger(ActionId::SpeakVllm); // from the start page
        QVERIFY(dialog() && dialog()->isVisible());
        QCOMPARE(f().bench().state().page, Page::Simulator);
        dialog()->text()->setPlainText("vllm serve m --max-num-seqs 12 --max-num-batched-tokens 2048");
        QVERIFY(arrived());
        QCOMPARE(request().policy.maxSeqs, std::int64_t{12});
        QCOMPARE(request().policy.budgetTokens, Tokens{2048});
        QCOMPARE(f().bench().undoStack().count(), 1);
        f().trigger(ActionId::Undo);
        QVERIFY(request() == SimulationRequest{});
        f().trigger(ActionId::Redo);
        QCOMPARE(request().policy.maxSeqs, std::int64_t{12});
    }

    void typingIsOneStepToo() {
        f().trigger(ActionId::SpeakVllm);
        QTest::keyClicks(dialog()->text(), "--max-num-seqs 128 --block-size 32");
        QCOMPARE(request().policy.maxSeqs, std::int64_t{128});
        QCOMPARE(request().policy.blockTokens, Tokens{32});
        QCOMPARE(f().bench().undoStack().count(), 1);
    }

    void thereIsOneDialog() {
        f().trigger(ActionId::SpeakVllm);
        f().trigger(ActionId::SpeakVllm);
        QCOMPARE(f().window->findChildren<ui::EngineDialog*>().size(), 1);
        dialog()->close();
        QVERIFY(QTest::qWaitFor([&] { return dialog() == nullptr; }, 2000));
        f().trigger(ActionId::SpeakVllm);
        QVERIFY(dialog() != nullptr);
    }

    void thePageHasAButton() {
        f().trigger(ActionId::PageSimulator);
        QVERIFY(arrived());
        bool found = false;
        for (const auto* button : f().workspace().page(Page::Simulator).findChildren<QToolButton*>()) {
            found = found || button->defaultAction() == f().window->actions()[ActionId::SpeakVllm];
        }
        QVERIFY(found);
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
