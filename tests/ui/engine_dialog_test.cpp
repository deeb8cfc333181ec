// EngineDialog: what is pasted is followed, what is not understood is listed, what is wrong is said.
#include "ui/panel/simulation/engine_dialog.h"

#include "ui/model/table_model.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

namespace {

SimulationRequest last(const QSignalSpy& spy) {
    return spy.last().at(0).value<SimulationRequest>();
}

/// The row of an option; empty where there is none.
std::vector<Cell> rowOf(const EngineDialog& dialog, const std::string& option) {
    for (const auto& row : dialog.options()->table().rows) {
        if (std::get<std::string>(row[0]).find(option) != std::string::npos) {
            return row;
        }
    }
    return {};
}

} // namespace

class EngineDialogTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*"));
        qRegisterMetaType<SimulationRequest>();
    }

    void emptyItSaysWhatToDo() {
        EngineDialog dialog(SimulationRequest{});
        QVERIFY(dialog.answer()->text().contains("follow what is pasted"));
        QCOMPARE(dialog.options()->rowCount(), 0);
        QVERIFY(!dialog.text()->accessibleName().isEmpty());
        QVERIFY(!dialog.command()->accessibleName().isEmpty());
    }

    void whatIsPastedIsFollowed_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("command line")
            << "$ vllm serve Qwen/Qwen3-32B --max-num-batched-tokens 2048 \\\n --max-num-seqs=12 --port 80";
        QTest::newRow("JSON") << R"({"model": "Qwen/Qwen3-32B", "port": 80,
                                     "scheduler_config": {"max_num_batched_tokens": 2048, "max_num_seqs": 12}})";
        QTest::newRow("YAML") << "model: Qwen/Qwen3-32B\nport: 80\nmax-num-batched-tokens: 2048\n"
                                 "max-num-seqs: 12\n";
    }

    void whatIsPastedIsFollowed() {
        QFETCH(QString, text);
        SimulationRequest request;
        request.arrivals.users = 77;
        request.policy.policy = Policy::Mlx;
        EngineDialog dialog(request);
        QSignalSpy followed(&dialog, &EngineDialog::followed);
        dialog.text()->setPlainText(text);
        QCOMPARE(followed.count(), 1);
        SimulationRequest wanted = request;
        wanted.policy.policy = Policy::VllmV1;
        wanted.policy.budgetTokens = 2048;
        wanted.policy.maxSeqs = 12;
        wanted.shapes = "qwen3-32b";
        QVERIFY(last(followed) == wanted);
        QCOMPARE(rowOf(dialog, "port").at(1), Cell(std::string("no")));
        QCOMPARE(rowOf(dialog, "seqs").at(1), Cell(std::string("yes")));
    }

    void whatIsUnknownIsListedNotGuessed() {
        EngineDialog dialog(SimulationRequest{});
        QSignalSpy followed(&dialog, &EngineDialog::followed);
        dialog.text()->setPlainText("vllm serve no/such-model --max-num-seq 4 --speculative-config '{}'");
        QCOMPARE(followed.count(), 0); // nothing of it has a meaning here
        QCOMPARE(dialog.options()->rowCount(), 3);
        for (const auto& row : dialog.options()->table().rows) {
            QCOMPARE(row[1], Cell(std::string("no")));
            QVERIFY(!std::get<std::string>(row[2]).empty());
        }
    }

    void whatIsWrongIsSaid() {
        EngineDialog dialog(SimulationRequest{});
        QSignalSpy followed(&dialog, &EngineDialog::followed);
        dialog.text()->setPlainText("vllm serve m --max-num-seqs lots");
        QCOMPARE(followed.count(), 0);
        QVERIFY(dialog.answer()->text().contains("--max-num-seqs"));
        QVERIFY(dialog.answer()->text().contains("whole number"));
        dialog.text()->setPlainText("vllm serve 'm");
        QVERIFY(!dialog.answer()->text().contains("followed"));
    }

    void aCorrectionBeginsWhereTheFirstTextBegan() {
        SimulationRequest request;
        EngineDialog dialog(request);
        QSignalSpy followed(&dialog, &EngineDialog::followed);
        dialog.text()->setPlainText("--max-num-seqs 3 --block-size 32");
        dialog.setRequest(last(followed)); // as the window does
        dialog.text()->setPlainText("--max-num-seqs 3");
        request.policy.maxSeqs = 3;
        QVERIFY(last(followed) == request);
    }

    void aChangeMadeElsewhereIsKept() {
        EngineDialog dialog(SimulationRequest{});
        QSignalSpy followed(&dialog, &EngineDialog::followed);
        SimulationRequest other;
        other.arrivals.users = 99;
        dialog.setRequest(other);
        QCOMPARE(followed.count(), 0);
        dialog.text()->setPlainText("--max-num-seqs 3");
        QCOMPARE(last(followed).arrivals.users, std::int64_t{99});
    }

    void thePresentSettingIsCopied() {
        SimulationRequest request;
        request.policy.budgetTokens = 4096;
        EngineDialog dialog(request);
        QSignalSpy copied(&dialog, &EngineDialog::copied);
        QTest::mouseClick(dialog.copyButton(), Qt::LeftButton);
        QCOMPARE(copied.count(), 1);
        const QString text = QApplication::clipboard()->text();
        QVERIFY2(text.startsWith("vllm serve MODEL --") && text.contains(" --max-num-batched-tokens 4096 "),
                 qPrintable(text));
        dialog.text()->setPlainText(text); // reads back as what it was
        QVERIFY(withOptions(request, *engineOptionsIn(text.toStdString(), request.policy)) == request);
    }

    void aModelThatIsNoPlainWordIsNotCopied() {
        EngineDialog dialog(SimulationRequest{});
        dialog.text()->setPlainText("vllm serve 'm; rm -rf ~' --max-num-seqs 3");
        QVERIFY(dialog.command()->text().startsWith("vllm serve MODEL "));
        dialog.text()->setPlainText("vllm serve Qwen/Qwen3-32B --max-num-seqs 3");
        QVERIFY(dialog.command()->text().startsWith("vllm serve Qwen/Qwen3-32B "));
    }

    void otherPoliciesHaveNoSuchCommand() {
        SimulationRequest request;
        request.policy.policy = Policy::Mlx;
        EngineDialog dialog(request);
        QVERIFY(!dialog.copyButton()->isEnabled());
        QVERIFY(dialog.command()->text().contains("not a policy of vLLM"));
        dialog.setRequest(SimulationRequest{});
        QVERIFY(dialog.copyButton()->isEnabled());
    }
};

QTEST_MAIN(EngineDialogTest)

#include "engine_dialog_test.moc"
