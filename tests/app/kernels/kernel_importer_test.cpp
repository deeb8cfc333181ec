// Kernels of one's own from the window: dropped or opened, previewed, added in one step of undo under their
// name.
#include "app/window/kernel_importer.h"

#include "app/options/cost_option.h"
#include "core/cost/profile/profile_naming.h"
#include "tests/app/kernels/kernels_fixture.h"
#include "ui/chart/plot_view.h"
#include "ui/model/kernel_import_model.h"
#include "ui/panel/kernels/import_dialog.h"
#include "ui/panel/part/banner.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>

using namespace loadline;
using namespace loadline::app;

class KernelImporterTest : public QObject, private made_up::KernelsFixture {
    Q_OBJECT

    using Column = ui::KernelImportModel::Column;

    static constexpr const char* head = "kernel,K,N,M,k_bits,time_us\n";

    QString write(const QByteArray& rows) const {
        const QString path = dataPath("mine.csv");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate) || file.write(head + rows) < 0) {
            qFatal("cannot write the made-up timings");
        }
        return path;
    }

    [[nodiscard]] ui::ImportDialog* dialog() const { return f().window->findChild<ui::ImportDialog*>(); }

    [[nodiscard]] QPushButton* add() const { return dialog()->buttons()->button(QDialogButtonBox::Ok); }

    /// The dialog over a file, its preview drawn.
    [[nodiscard]] bool opened(const QByteArray& rows) const {
        f().window->openPaths({write(rows)}); // as a drop does
        return QTest::qWaitFor([&] { return dialog() && dialog()->plot()->drawing(); }, patience) &&
               settled();
    }

    static bool choose(ui::ImportDialog& dialog, int row, Column column, const QVariant& value,
                       int role = Qt::EditRole) {
        return dialog.model()->setData(dialog.model()->index(row, column), value, role);
    }

private slots:
    void init() { startWindow(); }

    void cleanup() { endWindow(); }

    /// Once it is measured a profile is the one that is shown and one of those that are kept.
    void eachProfileIsOfferedOnce() {
        QVERIFY(open());
        QVERIFY(measured());
        QVERIFY(opened("mine,2048,5120,1,4,9\n"));
        QStringList offered;
        for (const QComboBox* list : dialog()->findChildren<QComboBox*>()) {
            for (int i = 0; list->accessibleName() == "Goes into" && i < list->count(); ++i) {
                offered << list->itemText(i);
            }
        }
        QVERIFY2(offered.size() > 2, qPrintable(offered.join('\n')));
        QStringList once = offered;
        once.removeDuplicates();
        QCOMPARE(offered, once);
    }

    void anUnknownKernelIsNamedPlacedAndAdded() {
        QVERIFY(open());
        const SimulationRequest before = f().bench().state().simulation;
        const std::string shownBefore = f().bench().state().asked.kernels.shown;
        QVERIFY(opened("mine,2048,5120,1,4,9\nmine,2048,5120,16,4,9.5\n"));
        QCOMPARE(f().bench().undoStack().count(), 0); // nothing yet
        const auto cell = [&](int column) { return dialog()->model()->index(0, column).data().toString(); };
        QCOMPARE(cell(Column::NameColumn), QString("mine"));
        QCOMPARE(cell(Column::StandsForColumn), QString("MMA (guessed)"));
        QCOMPARE(cell(Column::KBitsColumn), QString("4"));
        QCOMPARE(cell(Column::ShapesColumn), QString("2048 x 5120"));
        QCOMPARE(cell(Column::RowsColumn), QString("1 to 16"));
        QCOMPARE(cell(Column::PointsColumn), QString("2"));
        QVERIFY(dialog()->words()->text().contains("are replaced"));
        QVERIFY(dialog()->plot()->drawing()->sentence().contains("mine"));
        QVERIFY(choose(*dialog(), 0, Column::NameColumn, "turbo"));
        QVERIFY(dialog()->name()->text().endsWith("with turbo"));
        QVERIFY(QTest::qWaitFor([&] { return dialog()->plot()->drawing()->sentence().contains("turbo"); },
                                patience));
        add()->click();
        QVERIFY(QTest::qWaitFor([&] { return f().bench().undoStack().count() == 1; }, patience));
        QVERIFY(settled());
        const std::string shown = f().bench().state().asked.kernels.shown;
        QCOMPARE(f().bench().state().simulation.profile, shown);
        QVERIFY(!page().frame()->isEmpty());
        QVERIFY(page().frame()->drawing()->sentence().contains("turbo")); // and so in legend and CSV
        const Result<TimesChoice> read = resolveTimes(shown);             // as a command reads it
        QVERIFY(read && read->profile);
        QVERIFY(read->profile->name.ends_with("with turbo"));
        QCOMPARE(nameOf(Kernel::Mma, namingOf(read->profile.get(), {{2048, 5120}}, 4)), std::string("turbo"));
        f().trigger(ActionId::Undo);
        QVERIFY(f().bench().state().simulation == before);
        QCOMPARE(f().bench().state().asked.kernels.shown, shownBefore);
    }

    void thePictureBeginsAtAShapeWithKBitTimes() {
        QVERIFY(open());
        QVERIFY(opened("cublas,4096,128256,1,,700\ncublas,4096,28672,1,,160\nmine,4096,28672,1,4,50\n"));
        QCOMPARE(dialog()->shape().size.n, std::int64_t{28672});
        add()->click();
        QVERIFY(QTest::qWaitFor([&] { return f().bench().undoStack().count() == 1; }, patience));
        QVERIFY(settled());
        QCOMPARE(f().bench().state().asked.kernels.shape, std::string("4096x28672"));
    }

    void anotherBoardIsNotTakenForTheKnownOne() {
        QVERIFY(open());
        QFile file(dataPath("smaller.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("kernel,K,N,M,k_bits,time_us,device\nmine,4096,28672,1,4,50,NVIDIA A100-SXM4-40GB\n");
        file.close();
        f().window->openPaths({file.fileName()});
        QVERIFY(QTest::qWaitFor([&] { return dialog() && dialog()->plot()->drawing(); }, patience));
        QCOMPARE(dialog()->offer().head.hardware, std::string());
        QVERIFY(QTest::qWaitFor(
            [&] {
                return dialog()->words()->text().contains(
                    "NVIDIA A100-SXM4-40GB is not in the hardware table");
            },
            patience));
    }

    void theRuleEditorAndTheSimulationSayItsName() {
        QVERIFY(open());
        QVERIFY(opened("mine,2048,5120,1,4,9\nmine,2048,5120,16,4,9.5\n"));
        dialog()->use()->setChecked(true);
        add()->click();
        QVERIFY(QTest::qWaitFor([&] { return f().bench().undoStack().count() == 1; }, patience));
        SimulationRequest study = f().bench().state().simulation;
        study.shapes = "study";
        study.policy.policy = Policy::SinglePrefill;
        study.policy.chunkTokens = 512;
        f().bench().setSimulation(study, "shapes");
        f().trigger(Page::WhatPays);
        QVERIFY(QTest::qWaitFor([&] { return f().bench().simulation().isSettled(); }, patience));
        const Simulated shown = f().bench().simulation().shown(paysStudy);
        QVERIFY(shown && !shown->error);
        const KernelNaming naming = shown->figure.as<WhatPays>()->naming;
        QVERIFY2(nameOf(Kernel::Mma, naming).starts_with("mine"), nameOf(Kernel::Mma, naming).c_str());
    }

    void shapesThatWereNotTimedAreSaid() {
        QVERIFY(open());
        SimulationRequest study = f().bench().state().simulation;
        study.shapes = "study";
        f().bench().setSimulation(study, "shapes");
        QByteArray rows;
        for (const LayerGemm& gemm : findShapePreset("llama-3.1-8b")->gemms) {
            for (const int m : {1, 16}) {
                rows += "mine," + QByteArray::number(qint64(gemm.size.k)) + ',' +
                        QByteArray::number(qint64(gemm.size.n)) + ',' + QByteArray::number(m) + ",4,9\n";
            }
        }
        QVERIFY(opened(rows));
        QVERIFY2(dialog()->words()->text().contains("choose the shapes Llama-3.1-8B"),
                 qPrintable(dialog()->words()->text()));
        dialog()->use()->setChecked(true);
        const int before = f().bench().undoStack().count();
        add()->click();
        QVERIFY(QTest::qWaitFor([&] { return f().bench().undoStack().count() == before + 1; }, patience));
        QCOMPARE(f().bench().state().simulation.shapes, study.shapes);
        QVERIFY(f().bench().state().simulation.profile != study.profile);
    }

    void whatStandsInTheWayIsSaid() {
        QVERIFY(open());
        f().window->openPaths({write("a,2048,5120,1,4,9\nb,2048,5120,1,4,8\n")});
        QVERIFY(QTest::qWaitFor(
            [&] { return dialog() && dialog()->words()->text().contains("both stand for"); }, patience));
        QVERIFY(!add()->isEnabled());
        QVERIFY(choose(*dialog(), 1, Column::NameColumn, Qt::Unchecked, Qt::CheckStateRole));
        QVERIFY(QTest::qWaitFor([&] { return add()->isEnabled(); }, patience));
        dialog()->reject();
        QVERIFY(QTest::qWaitFor([&] { return dialog() == nullptr; }, patience));
        QCOMPARE(f().bench().undoStack().count(), 0);
        QVERIFY(kernels().saved().empty());
    }

    void aProfileOfItsOwnHoldsNothingElse() {
        QVERIFY(open());
        QVERIFY(opened("mine,2048,5120,1,4,9\nmine,2048,5120,16,4,9.5\n"));
        dialog()->into()->setCurrentIndex(1);
        emit dialog()->into()->activated(1);
        dialog()->name()->setText("My own");
        dialog()->use()->setChecked(false);
        const SimulationRequest before = f().bench().state().simulation;
        add()->click();
        QVERIFY(QTest::qWaitFor([&] { return kernels().saved().size() == 1; }, patience));
        QCOMPARE(kernels().saved().front().profile->points.size(), std::size_t{2});
        QCOMPARE(kernels().saved().front().profile->name, std::string("My own"));
        QVERIFY(QTest::qWaitFor([&] { return f().bench().undoStack().count() == 1; }, patience));
        QVERIFY(f().bench().state().simulation == before);
    }

    void anyProfileMayBeCopied() {
        QVERIFY(open());
        QVERIFY(opened("mine,2048,5120,1,4,9\nmine,2048,5120,16,4,9.5\n"));
        dialog()->into()->setCurrentIndex(1); // a new profile, which is kept
        emit dialog()->into()->activated(1);
        dialog()->name()->setText("My own");
        dialog()->use()->setChecked(false);
        add()->click();
        QVERIFY(QTest::qWaitFor([&] { return kernels().saved().size() == 1; }, patience));
        QVERIFY(QTest::qWaitFor([&] { return f().bench().undoStack().count() == 1; }, patience));
        f().trigger(ActionId::Undo); // another one is shown
        QVERIFY(settled());
        QVERIFY(QTest::qWaitFor([&] { return dialog() == nullptr; }, patience));
        QVERIFY(opened("other,2048,5120,1,3,8\nother,2048,5120,16,3,8.5\n"));
        const int own = dialog()->into()->findText("a copy of My own", Qt::MatchStartsWith);
        QVERIFY(own > 1); // the shown one and a new one come first
        dialog()->into()->setCurrentIndex(own);
        emit dialog()->into()->activated(own);
        QVERIFY2(dialog()->name()->text().startsWith("My own"), qPrintable(dialog()->name()->text()));
        dialog()->name()->setText("Both");
        add()->click();
        QVERIFY(QTest::qWaitFor([&] { return kernels().saved().size() == 2; }, patience));
        const auto both = std::ranges::find(kernels().saved(), "Both",
                                            [](const SavedProfile& one) { return one.profile->name; });
        QVERIFY(both != kernels().saved().end());
        QCOMPARE(both->profile->points.size(), std::size_t{4}); // nothing of a third
    }

    void theDeviceIsChosen() {
        QVERIFY(open());
        QVERIFY(opened("half,2048,5120,1,,4\nhalf,2048,5120,512,,40\n"));
        QComboBox* devices = dialog()->devices();
        QCOMPARE(devices->currentText(), QString("not known"));
        QVERIFY2(dialog()->words()->text().contains("replaced") ||
                     dialog()->words()->text().contains("which device"),
                 qPrintable(dialog()->words()->text()));
        QVERIFY(devices->findText("H100-SXM") > 0 && devices->findText("RTX4090") > 0);
        devices->setCurrentIndex(devices->findText("H100-SXM"));
        emit devices->activated(devices->currentIndex());
        QVERIFY(QTest::qWaitFor(
            [&] { return dialog()->words()->text().contains("1 of 2 points faster than"); }, patience));
        dialog()->into()->setCurrentIndex(dialog()->into()->findText("a new profile"));
        emit dialog()->into()->activated(dialog()->into()->currentIndex());
        dialog()->use()->setChecked(false);
        add()->click();
        QVERIFY(QTest::qWaitFor([&] { return kernels().saved().size() == 1; }, patience));
        const Profile& added = *kernels().saved().front().profile;
        QCOMPARE(added.hardware, std::string("H100-SXM"));
        QCOMPARE(added.points[0].flags, std::vector<std::string>{"implausible"});
    }

    void ofSeveralDevicesOneIsReadAndAnotherCanBe() {
        QVERIFY(open());
        QFile file(dataPath("two.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("kernel,K,N,M,k_bits,time_us,device\nmine,2048,5120,1,4,9,L40S\n"
                   "mine,2048,5120,16,4,10,L40S\nmine,2048,5120,1,4,7,NVIDIA H100 80GB HBM3\n");
        file.close();
        f().window->openPaths({file.fileName()});
        QVERIFY(QTest::qWaitFor([&] { return dialog() && dialog()->plot()->drawing(); }, patience));
        QComboBox* devices = dialog()->devices();
        QCOMPARE(devices->count(), 2);
        QCOMPARE(devices->currentText(), QString("L40S"));
        const auto points = [&] {
            return dialog()->model()->index(0, Column::PointsColumn).data().toString();
        };
        QCOMPARE(points(), QString("2"));
        devices->setCurrentIndex(1);
        emit devices->activated(1);
        QVERIFY(QTest::qWaitFor([&] { return points() == "1"; }, patience));
        QCOMPARE(QString::fromStdString(dialog()->offer().head.device), QString("NVIDIA H100 80GB HBM3"));
    }

    void aLineThatMakesNoSenseIsNamed() {
        QVERIFY(open());
        f().window->openPaths({write("mine,2048,5120,1,9,9\n")});
        auto* banner = f().window->findChild<ui::Banner*>();
        QVERIFY(QTest::qWaitFor([&] { return banner->isVisible(); }, patience));
        const auto labels = banner->findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* l) { return l->text().contains("line 2"); }));
        QVERIFY(dialog() == nullptr);
    }
};

QTEST_MAIN(KernelImporterTest)
#include "kernel_importer_test.moc"
