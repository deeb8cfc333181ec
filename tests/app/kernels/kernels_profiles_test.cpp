// Profiles on the Kernels page: told apart, used, saved, opened, removed, imported.
#include "app/files/profile_library.h"
#include "app/files/this_machine.h"
#include "app/kernels/use_profile.h"
#include "app/pages/simulation/simulation_page.h"
#include "core/base/file/write_file.h"
#include "core/cost/analytic/modelled_profile.h"
#include "core/cost/device/atlas_name.h"
#include "core/cost/profile/profile_json.h"
#include "tests/app/kernels/kernels_fixture.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>

#include <map>

using namespace loadline;
using namespace loadline::app;

class KernelsProfilesTest : public QObject, protected made_up::KernelsFixture {
    Q_OBJECT

private:
    static void write(const QString& path, const QByteArray& content) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }

private slots:

    void init() { startWindow(); }

    void cleanup() { endWindow(); }

    void publishedTimingsAreShownAtOnce() {
        QVERIFY(open());
        QCOMPARE(f().bench().state().page, Page::Kernels);
        QVERIFY(page().isVisible());
        QVERIFY(!page().frame()->isEmpty());
        QVERIFY(rows() > 10);
        QVERIFY(page().frame()->drawing()->sentence().contains("fastest k-bit kernel"));
        for (int i = 0; i < page().grid()->count(); ++i) {
            QVERIFY(!page().grid()->view(i)->accessibleName().isEmpty());
            QVERIFY(!page().grid()->view(i)->accessibleDescription().isEmpty());
        }
        QVERIFY(!page().list()->accessibleName().isEmpty());
        QVERIFY(!run()->isEnabled()); // a profile cannot be measured
        QVERIFY(!run()->toolTip().isEmpty());
    }

    void devicesAndProfilesAreToldApart() {
        QVERIFY(open());
        QVERIFY(measured());
        std::map<QString, ui::ProfileMark> marks;
        for (const ui::ProfileEntry& entry : page().list()->profiles().entries()) {
            marks[entry.key] = entry.mark;
        }
        QVERIFY(marks.at("rtx4090-published") == ui::ProfileMark::Elsewhere);
        QVERIFY(marks.at("device:host") == ui::ProfileMark::Nothing);
        QVERIFY(marks.at("device:made-up") == ui::ProfileMark::MadeUp);
        const std::string saved = kernels().outcome()->path;
        QVERIFY(marks.at(QString::fromStdString(saved)) == ui::ProfileMark::MadeUp);
        QVERIFY(page().frame()->drawing()->sentence().contains("invented"));
    }

    void whatAnotherMachineMeasuredIsNotOurs() {
        Profile theirs;
        theirs.name = theirs.device = thisMachine().processor; // the same kind of CPU
        theirs.date = "2026-11-20T08:00:00Z";
        theirs.deviceFacts[machineFact] = "\"00c0ffee\"";
        ProfilePoint point;
        point.size = {2048, 5120};
        point.timeUs = 30;
        theirs.points = {point};
        const auto path = saveProfile(theirs);
        QVERIFY(path);
        QVERIFY(open());
        const auto& list = page().list()->profiles();
        const auto entry = [&](const std::string& key) {
            return list.entries()[static_cast<std::size_t>(list.rowOf(QString::fromStdString(key)))];
        };
        QVERIFY(entry(*path).mark == ui::ProfileMark::Elsewhere);
        QVERIFY2(entry(*path).toolTip.contains("another machine"), qPrintable(entry(*path).toolTip));
        QVERIFY(entry("device:host").mark == ui::ProfileMark::Nothing); // it has not been measured
        choose(*path);
        QVERIFY(settled());
        QTest::keyClick(page().grid()->view(0), Qt::Key_Right);
        QVERIFY(page().pointPanel()->isVisible());
        QVERIFY2(page().pointPanel()->text().contains("measured elsewhere"),
                 qPrintable(page().pointPanel()->text()));
        QVERIFY(!page().pointPanel()->text().contains("on this machine"));
    }

    void oneClickUsesItForTheSimulation() {
        QVERIFY(open());
        QVERIFY(measured());
        f().bench().setSimulation(SimulationRequest{}, "defaults");
        f().bench().showPage(Page::Crossover);
        QVERIFY(QTest::qWaitFor([&] { return f().bench().isSettled(); }, patience));
        const QString before = f().workspace().currentPage().frame()->drawing()->sentence();
        f().bench().showPage(Page::Kernels);
        QVERIFY(settled());
        auto* use = page().findChild<QPushButton*>("use");
        QVERIFY(use->isEnabled());
        QTest::mouseClick(use, Qt::LeftButton);
        QCOMPARE(f().bench().state().simulation.profile, kernels().outcome()->path);
        QTest::mouseClick(use, Qt::LeftButton); // now it leads there
        QCOMPARE(f().bench().state().page, Page::Crossover);
        QVERIFY(QTest::qWaitFor([&] { return f().bench().isSettled(); }, patience));
        QVERIFY(!f().workspace().currentPage().frame()->isEmpty());
        QVERIFY(f().workspace().currentPage().frame()->drawing()->sentence() != before);
        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state().simulation.profile, SimulationRequest{}.profile);
    }

    void chosenInThePanelNothingElseChanges_data() {
        QTest::addColumn<bool>("known");
        QTest::newRow("saved here") << true;
        QTest::newRow("any file, read in a job") << false;
    }

    /// Model, shapes, k and rule stay as they were chosen; one step of undo takes the times back.
    void chosenInThePanelNothingElseChanges() {
        QFETCH(bool, known);
        Profile mine;
        mine.name = "mine";
        ProfilePoint point;
        point.size = {8192, 10240};
        point.timeUs = 30;
        for (const Kernel kernel : {Kernel::CublasFp16, Kernel::SwapAb}) {
            point.kernel = kernel;
            point.kBits = kernel == Kernel::CublasFp16 ? fp16Bits : 3;
            for (const std::int64_t m : {1, 64, 4096}) {
                point.rowsM = m;
                mine.points.push_back(point);
            }
        }
        const auto path =
            known ? saveProfile(mine) : Result<std::string>(f().folder.filePath("mine.json").toStdString());
        QVERIFY(path && (known || writeFile(*path, toJson(mine))));
        f().bench().setSimulation(SimulationRequest{}, "defaults");
        f().trigger(Page::Simulator);
        QVERIFY(QTest::qWaitFor([&] { return f().bench().isSettled(); }, patience));
        auto& simulator = f().page<SimulationPage>(Page::Simulator);
        SimulationRequest asked = f().bench().state().simulation;
        asked.profile = *path;
        emit simulator.panel()->changed(ask::Question::of(asked), true, simulationField("profile"));
        QVERIFY(f().bench().state().simulation == asked);
        QVERIFY(QTest::qWaitFor([&] { return f().bench().isSettled(); }, patience));
        QVERIFY(f().bench().state().simulation == asked);
        QVERIFY(simulator.frame()->isEmpty());          // which says that k = 4 was not timed ...
        emit simulator.frame()->emptyActionRequested(); // ... and takes one that was
        QCOMPARE(f().bench().state().simulation.weights, Storage::K3);
        f().trigger(ActionId::Undo);
        QVERIFY(f().bench().state().simulation == asked);
        f().trigger(ActionId::Undo);
        QVERIFY(f().bench().state().simulation == SimulationRequest{});
    }

    void aProfileIsSavedAndOpened() {
        QVERIFY(open());
        QVERIFY(measured());
        const QString path = dataPath("mine.json");
        QSignalSpy saved(&kernels(), &KernelBench::savedAs);
        page().saveProfileTo(path);
        QVERIFY(saved.wait(patience));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto read = profileFromJson(file.readAll().toStdString(), "mine.json");
        QVERIFY(read);
        QVERIFY(*read == *kernels().profileOf(madeUp));
        page().openProfile(path);
        QVERIFY(settled());
        QCOMPARE(f().bench().state().asked.kernels.shown, path.toStdString());
        QVERIFY(!page().frame()->isEmpty());
        QVERIFY(page().list()->profiles().rowOf(path) >= 0);
        QCOMPARE(page().list()->current(), path);
    }

    void onlyWhatWasMeasuredHereIsRemoved() {
        QVERIFY(open());
        QVERIFY(measured());
        const std::string path = kernels().outcome()->path;
        choose("rtx4090-published");
        page().removeChosen();
        QVERIFY(settled());
        QCOMPARE(kernels().saved().size(), std::size_t{1});
        choose(path);
        page().removeChosen();
        QVERIFY(QTest::qWaitFor([&] { return kernels().saved().empty(); }, patience));
        QVERIFY(!QFile::exists(QString::fromStdString(path)));
        QVERIFY(settled());
        QVERIFY(!page().frame()->isEmpty()); // the published ones
    }

    void kernelsOfOnesOwnAreOpenedAndUsed_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("CSV") << "mine.csv"
                             << QByteArray(
                                    "kernel,shape,K,N,M,k_bits,time_us\n"
                                    "swap_ab,gateup,2048,5120,1,4,9.5\nswap_ab,gateup,2048,5120,64,4,15\n"
                                    "cublas_fp16,gateup,2048,5120,1,,21\n");
        QTest::newRow("NVBench") << "nv.json" << QByteArray(R"({"devices": [{"id": 0, "name": "A GPU"}],
            "benchmarks": [{"name": "swap_ab", "states": [{"name": "M=1", "device": 0, "is_skipped": false,
            "axis_values": [{"name": "K", "value": "2048"}, {"name": "N", "value": "5120"},
                            {"name": "M", "value": "1"}, {"name": "k_bits", "value": "4"}],
            "summaries": [{"tag": "nv/cold/time/gpu/mean",
                           "data": [{"name": "value", "value": "9.5e-06"}]}]}]}]})");
    }

    void kernelsOfOnesOwnAreOpenedAndUsed() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QVERIFY(open());
        const QString path = dataPath(name);
        write(path, content);
        page().openProfile(path);
        QVERIFY(settled());
        QVERIFY2(!page().frame()->isEmpty(), qPrintable(page().frame()->findChild<QLabel*>()->text()));
        QVERIFY(rows() > 0);
        const int row = page().list()->profiles().rowOf(path);
        QVERIFY(row >= 0);
        QVERIFY(page().list()->profiles().entries()[static_cast<std::size_t>(row)].mark ==
                ui::ProfileMark::Elsewhere);
        const SimulationRequest before = f().bench().state().simulation;
        page().useForSimulation();
        SimulationRequest used = before;
        used.profile = path.toStdString();
        QVERIFY(f().bench().state().simulation == used); // nothing else changes
    }

    void aFileThatChangedIsReadAgain() {
        QVERIFY(open());
        const QString path = dataPath("mine.csv");
        const QByteArray head = "kernel,K,N,M,k_bits,time_us\n";
        write(path, head + "mine,2048,5120,1,4,9\n");
        page().openProfile(path);
        QVERIFY(settled());
        QVERIFY(page().frame()->isEmpty()); // of a kernel that is none of ours
        write(path, head + "swap_ab,2048,5120,1,4,9\n");
        page().openProfile(path);
        QVERIFY(settled());
        QCOMPARE(rows(), std::size_t{1});
        write(path, head + "swap_ab,2048,5120,1,4,9\nswap_ab,2048,5120,2,4,9\n");
        page().openProfile(path);
        QVERIFY(settled());
        QCOMPARE(rows(), std::size_t{2});
    }

    void aGpuThatIsNotHereIsModelled() {
        QVERIFY(open());
        for (const GpuFacts& gpu : gpuTable()) {
            const int row = page().list()->profiles().rowOf(QString::fromStdString(modelNameOf(gpu)));
            QVERIFY2(row >= 0, gpu.hardware.data());
            const ui::ProfileEntry& entry =
                page().list()->profiles().entries().at(static_cast<std::size_t>(row));
            QVERIFY(entry.mark == ui::ProfileMark::Modelled);
            QVERIFY(entry.note.contains("unvalidated"));
        }
        const int before = page().list()->profiles().rowCount();
        choose("model:B200-HGX");
        QVERIFY(settled());
        QCOMPARE(page().list()->profiles().rowCount(), before); // it is no opened file
        QVERIFY(page().frame()->drawing()->sentence().startsWith("Modelled, unvalidated"));
        QVERIFY(page().frame()->drawing()->title().contains("modelled, unvalidated"));
        for (const KernelCurve& curve : kernels().shown()->figure->curves) {
            for (const KernelSample& sample : curve.line) {
                QVERIFY(sample.time.origin == PointOrigin::Modelled);
            }
        }
        emit page().grid()->view(0)->itemPicked(0);
        QVERIFY(page().pointPanel()->isVisible());
        QVERIFY(page().pointPanel()->text().contains("aunch and latencies"));
        QVERIFY(page().pointPanel()->text().contains("unvalidated"));
        QVERIFY(!page().pointPanel()->text().contains("clock: "));
        const std::string rule = f().bench().state().simulation.rule;
        QTest::mouseClick(page().findChild<QPushButton*>("use"), Qt::LeftButton);
        QCOMPARE(f().bench().state().simulation.profile, std::string("model:B200-HGX"));
        QCOMPARE(f().bench().state().simulation.rule, rule); // it has every kernel that the rule names
    }

    void gpusThatOthersMeasuredStandInTheList() {
        QVERIFY(open());
        for (const AtlasName& gpu : atlasNames()) {
            const int row = page().list()->profiles().rowOf(QString::fromUtf8(gpu.key));
            QVERIFY2(row >= 0, gpu.key.data());
            QVERIFY(page().list()->profiles().entries().at(static_cast<std::size_t>(row)).mark ==
                    ui::ProfileMark::Elsewhere);
        }
        const int before = page().list()->profiles().rowCount();
        choose("h200-sxm");
        QVERIFY(settled());
        QCOMPARE(page().list()->profiles().rowCount(), before); // it is no opened file
        const ShownKernels shown = kernels().shown();
        QVERIFY(shown->figure);
        QCOMPARE(shown->figure->curves.size(), std::size_t{2}); // bf16, and int4 of another engine
        QVERIFY(QString::fromStdString(shown->timesToBeat).contains("int4 of TensorRT-LLM"));
        QVERIFY2(page().note().contains("must take less than"), qPrintable(page().note()));
        choose("h100-sxm");
        QVERIFY(settled());
        QCOMPARE(kernels().shown()->figure->curves.size(), std::size_t{1});
        QVERIFY(page().note().contains("Nobody measured 4-bit weights"));
    }

    /// Beside any profile the model of a GPU can be drawn, before it was ever shown.
    void theModelStandsBesideAProfile() {
        QVERIFY(open());
        KernelsQuestion view = f().bench().state().asked.kernels;
        auto* box = page().findChild<QComboBox*>("compared");
        const int place = box->findData("model:RTX4090");
        QVERIFY(place > 0);
        box->setCurrentIndex(place);
        emit box->activated(place);
        QVERIFY(settled());
        view = f().bench().state().asked.kernels;
        QCOMPARE(view.compared, std::string("model:RTX4090"));
        QVERIFY(kernels().shown()->compared && isUnvalidated(*kernels().shown()->compared));
        QVERIFY(page().frame()->drawing()->sentence().contains("Model of RTX4090, unvalidated"));
    }

    void aFileThatIsNoneSaysSoAndIsMended() {
        QVERIFY(open());
        const QString path = dataPath("none.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"schema\": \"something else\"}");
        file.close();
        page().openProfile(path);
        QVERIFY(settled());
        QVERIFY(page().frame()->isEmpty());
        auto* button = page().frame()->findChild<QPushButton*>("emptyAction");
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(settled());
        QVERIFY(!page().frame()->isEmpty());
    }
};

QTEST_MAIN(KernelsProfilesTest)

#include "kernels_profiles_test.moc"
