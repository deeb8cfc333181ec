// Editing kernels and shapes in the window: simulated while edited, one step of undo, kept for the next
// start.
#include "app/window/cost_editor.h"

#include "app/files/kept_shapes.h"
#include "app/options/cost_option.h"
#include "app/pages/simulation/simulation_page.h"
#include "core/base/file/write_file.h"
#include "core/cost/profile/profile_json.h"
#include "core/cost/shapes/shapes_json.h"
#include "tests/app/window_fixture.h"
#include "ui/model/gemm_model.h"
#include "ui/model/kernel_range_model.h"
#include "ui/panel/kernels/range_table.h"
#include "ui/panel/kernels/rule_dialog.h"
#include "ui/panel/kernels/shapes_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

using namespace loadline;
using namespace loadline::app;

class CostEditorTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] const SimulationRequest& request() const { return f().bench().state().simulation; }

    [[nodiscard]] bool arrived() const {
        return QTest::qWaitFor([&] { return f().bench().simulation().isSettled(); }, 60'000);
    }

    [[nodiscard]] ui::RuleDialog* ruleDialog() const { return f().window->findChild<ui::RuleDialog*>(); }

    [[nodiscard]] ui::ShapesDialog* shapesDialog() const {
        return f().window->findChild<ui::ShapesDialog*>();
    }

    [[nodiscard]] SimulationPage& page() const { return f().page<SimulationPage>(Page::Simulator); }

    /// From the second range of the rule "code".
    void putMmaTo(const char* bound) const {
        ui::KernelRangeModel* model = ruleDialog()->dense()->model();
        QVERIFY(model->setData(model->index(1, ui::KernelRangeModel::ToColumn), bound, Qt::EditRole));
    }

    void putN(const char* n) const {
        ui::GemmModel* model = shapesDialog()->gemms();
        QVERIFY(model->setData(model->index(0, ui::GemmModel::N), n, Qt::EditRole));
    }

private slots:

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
        qputenv("XDG_DATA_HOME", f().folder.filePath("data").toUtf8());
    }

    void cleanup() { fixture_.reset(); }

    void thePanelHasButtons() {
        f().window->resize(1280, 800); // wide enough for the panel
        f().trigger(Page::Simulator);
        QVERIFY(arrived());
        for (const std::string_view parameter : {"rule", "shapes"}) {
            auto* button = page().panel()->control(parameter)->parentWidget()->findChild<QToolButton*>();
            QVERIFY(button && button->isVisible());
            QVERIFY(!button->accessibleName().isEmpty() && !button->toolTip().isEmpty());
            QTest::mouseClick(button, Qt::LeftButton);
            QVERIFY((parameter == "rule" ? static_cast<QDialog*>(ruleDialog()) : shapesDialog()) != nullptr);
            f().window->findChild<QDialog*>()->reject();
            QVERIFY(QTest::qWaitFor([&] { return f().window->findChild<QDialog*>() == nullptr; }, 5000));
        }
        QCOMPARE(f().bench().undoStack().count(), 0);
    }

    void theSimulationFollowsAndCancelRestores() {
        f().trigger(ActionId::EditKernels); // from the start page
        QVERIFY(arrived());
        QCOMPARE(f().bench().state().page, Page::Simulator);
        const Table before = f().tableOf(Page::Simulator);
        putMmaTo("4096");
        QVERIFY(arrived());
        QVERIFY(request().rule.find("mma:4096") != std::string::npos);
        QVERIFY(f().tableOf(Page::Simulator).rows != before.rows);
        QCOMPARE(f().bench().undoStack().count(), 0);
        ruleDialog()->reject();
        QVERIFY(arrived());
        QVERIFY(request() == firstRequest());
        QCOMPARE(f().bench().undoStack().count(), 0);
        QVERIFY(f().tableOf(Page::Simulator).rows == before.rows);
    }

    void kernelsAreCalledAsTheProfileCallsThem() {
        Profile own = *resolveTimes("rtx4090-published")->profile;
        for (ProfilePoint& point : own.points) {
            point.name = point.kernel == Kernel::Mma ? "my_fused" : point.name;
        }
        const QString path = f().folder.filePath("own.json");
        QVERIFY(writeFile(path.toStdString(), toJson(own)));
        SimulationRequest request = firstRequest();
        request.profile = path.toStdString();
        f().bench().setSimulation(request, "own");
        f().trigger(ActionId::EditKernels); // nothing was simulated yet
        const ui::KernelRangeModel* model = ruleDialog()->dense()->model();
        const auto second = [&] {
            return model->index(1, ui::KernelRangeModel::KernelColumn).data().toString();
        };
        QVERIFY(QTest::qWaitFor([&] { return second() == "my_fused"; }, 60'000));
        QVERIFY2(ruleDialog()->answer()->text().contains("my_fused to 16"),
                 qPrintable(ruleDialog()->answer()->text()));
        ruleDialog()->reject();
    }

    void acceptingIsOneStepOfUndo() {
        f().trigger(ActionId::EditKernels);
        for (const char* bound : {"20", "40", "64"}) {
            putMmaTo(bound);
        }
        ruleDialog()->accept();
        const std::string edited = "scalar:4,mma:64,dequant_cublas;grouped_mma:16,grouped_dequant";
        QCOMPARE(request().rule, edited);
        QCOMPARE(f().bench().undoStack().count(), 1);
        QCOMPARE(f().bench().undoStack().undoText(), QString("Edit the kernels"));
        QVERIFY(arrived());
        const auto* list = qobject_cast<QComboBox*>(page().panel()->control("rule"));
        QCOMPARE(list->currentText().toStdString(), edited);
        f().trigger(ActionId::Undo);
        QCOMPARE(request().rule, SimulationRequest{}.rule);
        f().trigger(ActionId::Redo);
        QCOMPARE(request().rule, edited);
        f().restart();
        QCOMPARE(request().rule, edited);
        QVERIFY(arrived());
        f().trigger(ActionId::EditKernels);
        QCOMPARE(kernelFor(ruleDialog()->rule(), false, 64), Kernel::Mma);
        const std::string command = commandFor(f().workspace().page(Page::Simulator).request(), {}, "x.png");
        QVERIFY2(command.find("--rule '" + edited + "'") != std::string::npos, command.c_str());
    }

    void aKernelWithoutTimesIsSaid() {
        f().trigger(ActionId::EditKernels);
        QVERIFY(arrived());
        ruleDialog()->text()->selectAll();
        QTest::keyClicks(ruleDialog()->text(), "swap_ab:64,dequant_cublas");
        QVERIFY(QTest::qWaitFor([&] { return request().rule.find("swap_ab") != std::string::npos; }));
        QVERIFY(arrived());
        QVERIFY2(ruleDialog()->answer()->text().contains("no time"),
                 qPrintable(ruleDialog()->answer()->text()));
        ruleDialog()->reject();
        QVERIFY(arrived());
        QVERIFY(!page().frame()->isEmpty());
    }

    void editedShapesAreKeptAsAFile() {
        f().trigger(ActionId::EditShapes);
        QVERIFY(arrived());
        const Table before = f().tableOf(Page::Simulator);
        putN("20480");
        QVERIFY(arrived());
        QVERIFY(isShapesText(request().shapes)); // nothing is written yet
        QVERIFY(!QDir(keptShapesFolder()).exists());
        QVERIFY(!page().frame()->isEmpty());
        QCOMPARE(f().bench().undoStack().count(), 0);
        shapesDialog()->accept();
        QCOMPARE(f().bench().undoStack().count(), 1);
        QVERIFY(arrived());
        const QString path = QString::fromStdString(request().shapes);
        QVERIFY2(path.startsWith(f().folder.path()) && QFile::exists(path), qPrintable(path));
        const Result<ModelShapes> kept = resolveShapes(request().shapes);
        QVERIFY(kept);
        QCOMPARE(kept->gemms[0].size.n, std::int64_t{20480});
        const auto* list = qobject_cast<QComboBox*>(page().panel()->control("shapes"));
        QCOMPARE(list->currentText(), QString("Llama-3.1-8B, edited"));
        f().trigger(ActionId::Undo);
        QVERIFY(arrived());
        QCOMPARE(request().shapes, std::string("llama-3.1-8b"));
        QVERIFY(list->findData(path) >= 0); // still offered
        f().trigger(ActionId::Redo);
        f().restart();
        QVERIFY(arrived());
        f().trigger(Page::Simulator); // its answer was there before it
        QVERIFY(QTest::qWaitFor([&] { return page().frame()->drawing() != nullptr; }, 60'000));
        QCOMPARE(QString::fromStdString(request().shapes), path);
        const std::string command = commandFor(f().workspace().page(Page::Simulator).request(), {}, "x.png");
        QVERIFY2(command.find(path.toStdString()) != std::string::npos, command.c_str());
    }

    void theSameShapesAreOneFile() {
        for (int round = 0; round < 2; ++round) {
            f().trigger(ActionId::EditShapes);
            putN("20480");
            shapesDialog()->accept();
            QVERIFY(QTest::qWaitFor([&] { return shapesDialog() == nullptr; }, 5000));
            QCOMPARE(keptShapes(10).size(), 1);
            if (round == 0) { // accepted as it is: not a copy of the copy
                const std::string path = request().shapes;
                f().trigger(ActionId::EditShapes);
                shapesDialog()->accept();
                QVERIFY(QTest::qWaitFor([&] { return shapesDialog() == nullptr; }, 5000));
                QCOMPARE(request().shapes, path);
                f().trigger(ActionId::Undo);
            }
        }
    }

    void whereNothingCanBeWrittenTheTextServes() {
        QFile file(f().folder.filePath("data")); // a file where the folder should be
        QVERIFY(file.open(QIODevice::WriteOnly));
        f().trigger(ActionId::EditShapes);
        putN("20480");
        shapesDialog()->accept();
        QVERIFY(isShapesText(request().shapes));
        QVERIFY(arrived());
        QVERIFY(!page().frame()->isEmpty());
        f().restart();
        QVERIFY(isShapesText(request().shapes));
        QCOMPARE(resolveShapes(request().shapes)->gemms[0].size.n, std::int64_t{20480});
    }

    void shapesAreSavedAsRead() {
        const QString path = f().folder.filePath("mine.json");
        const ModelShapes& shapes = *findShapePreset("qwen3-coder-next");
        QVERIFY(saveShapes(shapes, path));
        QVERIFY(*resolveShapes(path.toStdString()) == shapes);
        const Status failed = saveShapes(shapes, f().folder.filePath("none/mine.json"));
        QVERIFY(!failed);
        QVERIFY(failed.error().what.starts_with("cannot write: "));
        QCOMPARE(failed.error().remedy, std::string("a folder that exists"));
    }

    void namesOfModelsAreNoPaths() {
        ModelShapes shapes = *findShapePreset("llama-3.1-8b");
        shapes.key = "../Qwen/Qwen3-32B";
        const Result<std::string> kept = keepShapes(shapes);
        QVERIFY(kept);
        QCOMPARE(QFileInfo(QString::fromStdString(*kept)).absolutePath(),
                 QFileInfo(keptShapesFolder()).absoluteFilePath());
        QCOMPARE(resolveShapes(*kept)->key, shapes.key);
        QVERIFY(QFile::remove(QString::fromStdString(*kept)));
    }

    void whatCannotBeReadIsReplacedByAStart() {
        SimulationRequest broken;
        broken.shapes = f().folder.filePath("gone.json").toStdString();
        broken.rule = "mma:";
        f().bench().setSimulation(broken, "break");
        f().trigger(ActionId::EditShapes);
        QVERIFY(shapesDialog()->answer()->text().contains("there is no model", Qt::CaseInsensitive));
        QCOMPARE(request().shapes, std::string("study"));
        shapesDialog()->reject();
        QVERIFY(request() == broken);
        QVERIFY(QTest::qWaitFor([&] { return shapesDialog() == nullptr; }, 5000));
        f().trigger(ActionId::EditKernels);
        QCOMPARE(request().rule, std::string("code"));
        ruleDialog()->accept();
        QCOMPARE(request().rule, std::string("code"));
        QVERIFY(f().bench().undoStack().canUndo());
    }

    void closingTheWindowCancels() {
        f().trigger(ActionId::EditKernels);
        putMmaTo("999");
        f().restart();
        QVERIFY(request() == firstRequest());
    }
};

QTEST_MAIN(CostEditorTest)

#include "cost_editor_test.moc"
