// RuleDialog: ranges and text follow each other, what is wrong is said at once, refusals change nothing.
#include "ui/panel/kernels/rule_dialog.h"

#include "core/cost/kernel/dispatch_text.h"
#include "ui/model/kernel_range_model.h"
#include "ui/model/roles.h"
#include "ui/panel/kernels/range_table.h"
#include "ui/theme/typed_number.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

namespace {

using RangeColumn = KernelRangeModel::Column;

const DispatchRule& code() {
    return *findDispatchPreset("code");
}

bool put(RangeTable& table, int row, RangeColumn column, const QVariant& value) {
    return table.model()->setData(table.model()->index(row, column), value, Qt::EditRole);
}

QString shown(const RangeTable& table, int row, RangeColumn column) {
    return table.model()->index(row, column).data().toString();
}

QPushButton* okOf(const RuleDialog& dialog) {
    return dialog.buttons()->button(QDialogButtonBox::Ok);
}

void type(QLineEdit& field, const QString& text) {
    field.selectAll();
    QTest::keyClicks(&field, text);
}

} // namespace

class RuleDialogTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*"));
        qRegisterMetaType<DispatchRule>();
    }

    void kernelsOfOnesOwnHaveTheirNames() {
        KernelNaming naming = KernelNaming::Gpu;
        naming.given[Kernel::Mma] = {"mine"};
        RuleDialog dialog(code());
        dialog.setNaming(naming);
        QCOMPARE(shown(*dialog.dense(), 1, RangeColumn::KernelColumn), QString("mine"));
        const QModelIndex cell = dialog.dense()->model()->index(1, RangeColumn::KernelColumn);
        QVERIFY(cell.data(ChoicesRole).toStringList().contains("dequantise + cuBLAS"));
        QVERIFY(dialog.answer()->text().startsWith("Scalar GEMV to M = 4, mine to 16"));
        QCOMPARE(dialog.text()->text(),
                 QString("scalar:4,mma:16,dequant_cublas;grouped_mma:16,grouped_dequant"));
    }

    void showsARule() {
        const RuleDialog dialog(code());
        QCOMPARE(dialog.presets()->currentData().toString(), QString("code"));
        QCOMPARE(dialog.dense()->model()->rowCount(), 3);
        QCOMPARE(shown(*dialog.dense(), 1, RangeColumn::KernelColumn), QString("MMA"));
        QCOMPARE(shown(*dialog.dense(), 1, RangeColumn::FromColumn), QString("5"));
        QCOMPARE(shown(*dialog.dense(), 2, RangeColumn::ToColumn), QString("no end"));
        QCOMPARE(dialog.text()->text(),
                 QString("scalar:4,mma:16,dequant_cublas;grouped_mma:16,grouped_dequant"));
        QVERIFY(dialog.answer()->text().startsWith("Scalar GEMV to M = 4, MMA to 16"));
        QVERIFY(okOf(dialog)->isEnabled());
        for (const QWidget* control :
             {static_cast<QWidget*>(dialog.presets()), static_cast<QWidget*>(dialog.text()),
              static_cast<QWidget*>(dialog.dense()->view()),
              static_cast<QWidget*>(dialog.grouped()->view())}) {
            QVERIFY(!control->accessibleName().isEmpty());
            QVERIFY(control->focusPolicy() & Qt::TabFocus);
        }
    }

    void aBoundMovesTheNextRange() {
        RuleDialog dialog(code());
        QSignalSpy edited(&dialog, &RuleDialog::edited);
        QVERIFY(put(*dialog.dense(), 1, RangeColumn::ToColumn, "64"));
        QCOMPARE(edited.count(), 1);
        QCOMPARE(kernelFor(dialog.rule(), false, 64), Kernel::Mma);
        QCOMPARE(kernelFor(dialog.rule(), false, 65), Kernel::DequantCublas);
        QCOMPARE(dialog.presets()->currentIndex(), -1); // none of them any more
        QVERIFY(dialog.text()->text().startsWith("scalar:4,mma:64,"));
        QVERIFY(put(*dialog.dense(), 2, RangeColumn::FromColumn, "17")); // and back, from the other side
        QCOMPARE(edited.last().at(0).value<DispatchRule>(), code());
        QCOMPARE(dialog.presets()->currentData().toString(), QString("code"));
    }

    void aKernelIsChosen() {
        RuleDialog dialog(code());
        const QStringList kernels =
            dialog.dense()->model()->index(1, RangeColumn::KernelColumn).data(ChoicesRole).toStringList();
        QVERIFY(put(*dialog.dense(), 1, RangeColumn::KernelColumn, kernels.indexOf("swap-AB MMA")));
        QCOMPARE(kernelFor(dialog.rule(), false, 10), Kernel::SwapAb);
        QVERIFY(!kernels.contains("dequantise") && !kernels.contains("grouped MMA"));
    }

    void aRangeThatEndsBeforeItStartsIsSaid() {
        RuleDialog dialog(code());
        QSignalSpy edited(&dialog, &RuleDialog::edited);
        QVERIFY(put(*dialog.dense(), 0, RangeColumn::ToColumn, "40"));
        QCOMPARE(edited.count(), 0);
        QVERIFY2(dialog.answer()->text().contains("ends before it starts"),
                 qPrintable(dialog.answer()->text()));
        QVERIFY(!okOf(dialog)->isEnabled());
        QVERIFY(dialog.rule() == code());
        QVERIFY(put(*dialog.dense(), 1, RangeColumn::ToColumn, "100"));
        QVERIFY(okOf(dialog)->isEnabled());
        QCOMPARE(kernelFor(dialog.rule(), false, 40), Kernel::Scalar);
    }

    void absurdBoundsAreRefused_data() {
        QTest::addColumn<QString>("typed");
        for (const char* typed :
             {"", "0", "-4", "4.5", "four", "nan", "1e99", "16777217", "9999999999999999"}) {
            QTest::newRow(typed) << QString(typed);
        }
    }

    void absurdBoundsAreRefused() {
        QFETCH(QString, typed);
        RuleDialog dialog(code());
        QSignalSpy edited(&dialog, &RuleDialog::edited);
        QVERIFY(!put(*dialog.dense(), 1, RangeColumn::ToColumn, typed));
        QVERIFY(!put(*dialog.dense(), 1, RangeColumn::FromColumn, typed));
        QCOMPARE(edited.count(), 0);
        QVERIFY2(dialog.answer()->text().contains("whole number"), qPrintable(dialog.answer()->text()));
        QVERIFY(okOf(dialog)->isEnabled()); // the rule is as it was
    }

    void numbersAreReadAsPeopleWriteThem() {
        QVERIFY(wholeFromText("8k") == 8000);
        QVERIFY(wholeFromText(" 8,192 ") == 8192);
        QVERIFY(wholeFromText("2M") == 2'000'000);
        QVERIFY(!wholeFromText("1.0001k5") && !wholeFromText("k") && !wholeFromText("1e300"));
    }

    void rangesAreDividedAndRemoved() {
        RuleDialog dialog(code());
        RangeTable& table = *dialog.dense();
        table.view()->setCurrentIndex(table.model()->index(2, 0));
        QTest::mouseClick(table.divideButton(), Qt::LeftButton);
        QCOMPARE(table.model()->rowCount(), 4);
        QCOMPARE(shown(table, 2, RangeColumn::ToColumn), QString("32"));
        QVERIFY(put(table, 2, RangeColumn::KernelColumn, 3)); // else the two would be one
        QVERIFY(!problemOf(dialog.rule()));
        QCOMPARE(dialog.rule().dense.size(), std::size_t{4});
        for (int left = 4; left > 1; --left) {
            table.view()->setCurrentIndex(table.model()->index(0, 0));
            QTest::mouseClick(table.removeButton(), Qt::LeftButton);
            QVERIFY(!problemOf(dialog.rule()));
        }
        QCOMPARE(table.ranges(), std::vector{KernelRange{}});
        QVERIFY(!table.removeButton()->isEnabled());
        QVERIFY(put(table, 0, RangeColumn::KernelColumn, 0));
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        table.view()->setFocus();
        QTest::keyClick(table.view(), Qt::Key_Insert);
        QCOMPARE(table.model()->rowCount(), 2);
    }

    void textIsFollowed() {
        RuleDialog dialog(code());
        QSignalSpy edited(&dialog, &RuleDialog::edited);
        type(*dialog.text(), "mma:8,dequant_cublas");
        QCOMPARE(dialog.dense()->model()->rowCount(), 2);
        QCOMPARE(dialog.rule().grouped, code().grouped); // the text does not speak of experts
        QCOMPARE(dialog.rule(), *dispatchRuleFromText("mma:8,dequant_cublas"));
        QCOMPARE(dialog.text()->text(), QString("mma:8,dequant_cublas")); // not rewritten under the hand
        QCOMPARE(edited.count(), 0); // none of the rules on the way: "mma", "mma:8,dequant"
        QTRY_COMPARE(edited.count(), 1);
        QCOMPARE(edited.last().at(0).value<DispatchRule>(), dialog.rule());
        QTest::keyClicks(dialog.text(), ";grouped_dequant");
        QTest::keyClick(dialog.text(), Qt::Key_Return); // ends typing
        QCOMPARE(edited.count(), 2);
        QTRY_VERIFY(!dialog.isVisible());
        QCOMPARE(dialog.rule().grouped.size(), std::size_t{1});
        type(*dialog.text(), "mma:8,dequant_cublas");
        QCOMPARE(dialog.rule().grouped, code().grouped); // as before typing began
        RuleDialog other(*dispatchRuleFromText("scalar;batched_fp16"));
        type(*other.text(), "mma");
        QCOMPARE(other.rule(), *dispatchRuleFromText("mma;batched_fp16"));
        QTest::keyClicks(dialog.text(), "x");
        QVERIFY(dialog.answer()->text().contains("no kernel \"dequant_cublasx\""));
        QVERIFY(!okOf(dialog)->isEnabled());
        QTest::keyClick(dialog.text(), Qt::Key_Backspace);
        QVERIFY(okOf(dialog)->isEnabled());
    }

    void presetsAreStartingPoints() {
        RuleDialog dialog(code());
        const auto choose = [&](const char* key) {
            const int index = dialog.presets()->findData(QString(key));
            dialog.presets()->setCurrentIndex(index);
            emit dialog.presets()->activated(index);
        };
        choose("published");
        QCOMPARE(dialog.rule(), *findDispatchPreset("published"));
        choose("fastest");
        QCOMPARE(dialog.rule(), *findDispatchPreset("fastest"));
        QVERIFY(!dialog.dense()->isEnabled()); // there are no ranges
        QCOMPARE(dialog.text()->text(), QString("fastest"));
        choose("code");
        QVERIFY(dialog.dense()->isEnabled());
        QCOMPARE(dialog.rule(), code());
    }

    void whatCannotBeSimulatedIsSaid() {
        RuleDialog dialog(code());
        dialog.setOutcome("There is no time of swap-AB MMA");
        QVERIFY(dialog.answer()->text().contains("no time of swap-AB"));
        QVERIFY(okOf(dialog)->isEnabled()); // another profile may have it
        dialog.setOutcome({});
        QVERIFY(dialog.answer()->text().startsWith("Scalar"));
    }

    void cellsAreEditedByKeys() {
        RuleDialog dialog(code());
        dialog.show();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        QTableView* view = dialog.dense()->view();
        view->setFocus();
        view->setCurrentIndex(view->model()->index(1, RangeColumn::ToColumn));
        QTest::keyClick(view, Qt::Key_Return); // edits, and does not accept the dialog
        auto* editor = view->findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, "48");
        QTest::keyClick(editor, Qt::Key_Return); // taken when the event loop runs
        QVERIFY(QTest::qWaitFor([&] { return kernelFor(dialog.rule(), false, 48) == Kernel::Mma; }, 5000));
        QVERIFY(dialog.isVisible());
    }
};

QTEST_MAIN(RuleDialogTest)

#include "rule_dialog_test.moc"
