// ShapesDialog: what is edited is told at once, absurd numbers are refused, presets stay presets.
#include "ui/panel/kernels/shapes_dialog.h"

#include "core/cost/shapes/shapes_json.h"
#include "ui/model/gemm_model.h"
#include "ui/panel/kernels/attention_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

namespace {

using Column = GemmModel::Column;

const ModelShapes& preset(const char* key) {
    return *findShapePreset(key);
}

bool put(const ShapesDialog& dialog, int row, Column column, const QVariant& value) {
    return dialog.gemms()->setData(dialog.gemms()->index(row, column), value, Qt::EditRole);
}

QPushButton* okOf(const ShapesDialog& dialog) {
    return dialog.buttons()->button(QDialogButtonBox::Ok);
}

} // namespace

class ShapesDialogTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*"));
        qRegisterMetaType<ModelShapes>();
    }

    void showsEveryPresetUnchanged() {
        for (const ModelShapes& shapes : shapePresets()) {
            ShapesDialog dialog(shapes, "somewhere");
            QVERIFY(dialog.shapes() == shapes);
            QCOMPARE(dialog.presets()->currentData().toString(), QString::fromStdString(shapes.key));
            QCOMPARE(dialog.gemms()->rowCount(), static_cast<int>(shapes.gemms.size()));
            QVERIFY(dialog.attention()->facts() == shapes.attention);
            QVERIFY(okOf(dialog)->isEnabled());
            QVERIFY(dialog.answer()->text().contains("in fp16"));
        }
    }

    void anEditIsToldAndNamed() {
        ShapesDialog dialog(preset("llama-3.1-8b"), "somewhere");
        QSignalSpy edited(&dialog, &ShapesDialog::edited);
        QVERIFY(put(dialog, 0, Column::N, "8k"));
        QCOMPARE(edited.count(), 1);
        const auto shapes = edited.last().at(0).value<ModelShapes>();
        QCOMPARE(shapes.gemms[0].size, (GemmSize{4096, 8000}));
        QCOMPARE(shapes.name, std::string("Llama-3.1-8B, edited"));
        QCOMPARE(shapes.key, std::string("llama-3.1-8b-edited"));
        QCOMPARE(shapes.source, std::string("edited from Llama-3.1-8B"));
        QCOMPARE(dialog.presets()->currentIndex(), -1);
        QVERIFY(put(dialog, 0, Column::N, "6144")); // as it was: the preset again
        QVERIFY(dialog.shapes() == preset("llama-3.1-8b"));
        QVERIFY(dialog.presets()->currentIndex() >= 0);
    }

    void whatIsEditedCanBeKept() {
        ShapesDialog dialog(preset("gpt-oss-20b"), "somewhere");
        QVERIFY(put(dialog, 3, Column::Experts, "64"));
        QVERIFY(put(dialog, 3, Column::PerRow, "8"));
        QVERIFY(put(dialog, 0, Column::Name, "q_k_v"));
        QVERIFY(dialog.gemms()->setData(dialog.gemms()->index(1, Column::Quantised), Qt::Unchecked,
                                        Qt::CheckStateRole));
        dialog.attention()->window()->setValue(256);
        const auto again = shapesFromJson(toJson(dialog.shapes()), "");
        QVERIFY(again);
        QVERIFY(*again == dialog.shapes());
        QCOMPARE(dialog.shapes().attention->window, std::int64_t{256});
        QVERIFY(!dialog.shapes().gemms[1].quantised);
        QVERIFY(put(dialog, 3, Column::Experts, "4")); // never more per row than there are
        QCOMPARE(dialog.shapes().gemms[3].expertsPerRow, 4);
        QVERIFY(put(dialog, 3, Column::Experts, "0"));
        QVERIFY(!dialog.shapes().gemms[3].grouped());
        QVERIFY(!(dialog.gemms()->index(3, Column::PerRow).flags() & Qt::ItemIsEditable));
    }

    void absurdNumbersAreRefused_data() {
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("typed");
        const int k = Column::K;
        for (const char* typed : {"", "0", "-1", "16777217", "1e300", "nan", "2048x", "1.5"}) {
            QTest::addRow("K %s", typed) << k << QString(typed);
        }
        QTest::newRow("layers") << int(Column::Layers) << "4097";
        QTest::newRow("per layer") << int(Column::PerLayer) << "0";
        QTest::newRow("experts") << int(Column::Experts) << "65537";
        QTest::newRow("top") << int(Column::PerRow) << "33";
        QTest::newRow("name twice") << int(Column::Name) << "qkv";
        QTest::newRow("no name") << int(Column::Name) << "  ";
        QTest::newRow("endless name") << int(Column::Name) << QString(1000, 'x');
    }

    void absurdNumbersAreRefused() {
        QFETCH(int, column);
        QFETCH(QString, typed);
        ShapesDialog dialog(preset("gpt-oss-20b"), "somewhere");
        QSignalSpy edited(&dialog, &ShapesDialog::edited);
        const QString before = dialog.answer()->text();
        QVERIFY(!put(dialog, 3, static_cast<Column>(column), typed));
        QCOMPARE(edited.count(), 0);
        QVERIFY(dialog.answer()->text() != before);
        QVERIFY(dialog.shapes() == preset("gpt-oss-20b"));
        QVERIFY(okOf(dialog)->isEnabled());
    }

    void whatDoesNotFitTogetherIsSaid() {
        ShapesDialog dialog(preset("llama-3.1-8b"), "somewhere");
        QSignalSpy edited(&dialog, &ShapesDialog::edited);
        dialog.attention()->kvHeads()->setValue(33);
        QCOMPARE(edited.count(), 0);
        QVERIFY2(dialog.answer()->text().contains("KV heads is 33: choose 1 to 32"),
                 qPrintable(dialog.answer()->text()));
        QVERIFY(!okOf(dialog)->isEnabled());
        dialog.attention()->kvHeads()->setValue(4);
        QCOMPARE(edited.count(), 1);
        QVERIFY(okOf(dialog)->isEnabled());
        dialog.attention()->kind()->setCurrentIndex(static_cast<int>(AttentionKind::SlidingWindow));
        QVERIFY(dialog.answer()->text().contains("sliding window needs a size"));
        dialog.attention()->known()->setChecked(false);
        QVERIFY(okOf(dialog)->isEnabled());
        QVERIFY(!dialog.shapes().attention);
    }

    void rowsAreAddedAndRemoved() {
        ShapesDialog dialog(preset("study"), "somewhere");
        dialog.view()->setCurrentIndex(dialog.gemms()->index(1, 0));
        QTest::mouseClick(dialog.addButton(), Qt::LeftButton);
        QCOMPARE(dialog.shapes().gemms[2].name, std::string("down_2"));
        QCOMPARE(dialog.shapes().gemms[2].size, dialog.shapes().gemms[1].size);
        while (dialog.gemms()->rowCount() > 0) {
            QTest::mouseClick(dialog.removeButton(), Qt::LeftButton);
        }
        QVERIFY(dialog.answer()->text().contains("There is no GEMM"));
        QVERIFY(!okOf(dialog)->isEnabled());
        QVERIFY(!dialog.removeButton()->isEnabled());
        QTest::mouseClick(dialog.addButton(), Qt::LeftButton);
        QVERIFY(okOf(dialog)->isEnabled());
        QCOMPARE(dialog.shapes().gemms.size(), std::size_t{1});
    }

    void aNameIsOnesOwn() {
        ShapesDialog dialog(preset("study"), "somewhere");
        dialog.name()->selectAll();
        QTest::keyClicks(dialog.name(), "Mine: 7B / \"test\"");
        QCOMPARE(dialog.shapes().key, std::string("mine-7b-test"));
        QVERIFY(put(dialog, 0, Column::K, "4096"));
        QCOMPARE(dialog.shapes().name, std::string("Mine: 7B / \"test\"")); // kept
        dialog.name()->selectAll();
        QTest::keyClick(dialog.name(), Qt::Key_Delete);
        QVERIFY(dialog.answer()->text().contains("no name"));
        QCOMPARE(keyFor("../../\xC3\xA9"), std::string("edited"));
        QCOMPARE(keyFor("a/../b"), std::string("a-..-b"));
    }

    void presetsAndFilesReplaceEverything() {
        ShapesDialog dialog(preset("study"), "somewhere");
        QSignalSpy edited(&dialog, &ShapesDialog::edited);
        QVERIFY(put(dialog, 0, Column::K, "64"));
        const int index = dialog.presets()->findData("qwen3-32b");
        emit dialog.presets()->activated(index);
        QVERIFY(dialog.shapes() == preset("qwen3-32b"));
        QCOMPARE(edited.count(), 2);
        ModelShapes file = preset("study");
        file.key = file.name = "from a file";
        dialog.load(file);
        QVERIFY(dialog.shapes() == file);
        QCOMPARE(edited.count(), 3);
        dialog.say("Loaded.", false);
        QVERIFY(dialog.answer()->text().startsWith("Loaded."));
    }

    void everythingHasANameAndIsReachedByKeys() {
        const ShapesDialog dialog(preset("gpt-oss-20b"), "somewhere");
        for (const QWidget* control : dialog.findChildren<QWidget*>()) {
            const bool mine = qobject_cast<const QComboBox*>(control) ||
                              qobject_cast<const QSpinBox*>(control) ||
                              qobject_cast<const QTableView*>(control) ||
                              (qobject_cast<const QLineEdit*>(control) &&
                               !qobject_cast<const QAbstractSpinBox*>(control->parent()));
            if (mine) {
                QVERIFY2(!control->accessibleName().isEmpty(), control->metaObject()->className());
                QVERIFY(!control->toolTip().isEmpty() || qobject_cast<const QTableView*>(control));
                QVERIFY(control->focusPolicy() & Qt::TabFocus);
            }
        }
    }
};

QTEST_MAIN(ShapesDialogTest)

#include "shapes_dialog_test.moc"
