// Profiles on the Kernels page: told apart, picked, compared, used, saved, opened, removed, exported.
#include "app/files/profile_library.h"
#include "app/files/this_machine.h"
#include "app/kernels/use_profile.h"
#include "app/pages/simulation_page.h"
#include "core/base/write_file.h"
#include "core/cost/profile/profile_json.h"
#include "kernels_fixture.h"
#include "ui/chart/export_drawing.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSettings>
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

    void aPointIsPickedWithItsSamples() {
        QVERIFY(open());
        QVERIFY(measured());
        ui::PlotView* view = page().grid()->view(0);
        const auto& drawing = view->drawing();
        const QRectF area = QRectF(view->rect()).adjusted(4, 4, -4, -4);
        const std::vector<QPointF> items = drawing->items(area);
        QVERIFY(items.size() > 5);
        QTest::mouseClick(view, Qt::LeftButton, {}, items[3].toPoint());
        QVERIFY(page().pointPanel()->isVisible());
        QVERIFY(page().pointPanel()->point()->samples.size() > 2);
        QVERIFY(page().pointPanel()->text().contains("clock: "));
        QVERIFY(page().pointPanel()->text().contains("of the ceiling"));
        const ProfilePoint first = page().pointPanel()->point()->point;
        QTest::keyClick(view, Qt::Key_Right);
        QVERIFY(!(page().pointPanel()->point()->point == first));
        QTest::keyClick(view, Qt::Key_Escape);
        QVERIFY(!page().pointPanel()->isVisible());
        choose("rtx4090-published");
        QVERIFY(settled());
        QTest::keyClick(page().grid()->view(0), Qt::Key_Right);
        QVERIFY(page().pointPanel()->isVisible());
        QVERIFY(page().pointPanel()->point()->samples.empty()); // only their number is known
        QVERIFY(page().pointPanel()->text().contains("published"));
    }

    void aPairTimedInOneGoIsAPointLikeOthers() {
        QVERIFY(open());
        QVERIFY(measured());
        ui::PlotView* view = page().grid()->view(0);
        const auto& drawing = view->drawing();
        QVERIFY2(drawing->sentence().contains("what both take in one go at M = 128"),
                 qPrintable(drawing->sentence()));
        const QRectF area = QRectF(view->rect()).adjusted(4, 4, -4, -4);
        int pairs = 0;
        for (const QPointF& at : drawing->items(area)) {
            if (!drawing->readOut(at, area).join(' ').contains("both in one go: ")) {
                continue;
            }
            ++pairs;
            QTest::mouseClick(view, Qt::LeftButton, {}, at.toPoint());
            QVERIFY(page().pointPanel()->isVisible());
            QCOMPARE(page().pointPanel()->point()->point.kernel, Kernel::DequantCublas);
            QCOMPARE(page().pointPanel()->point()->point.rowsM, 128);
            QVERIFY(page().pointPanel()->point()->samples.size() > 2);
            QVERIFY(page().pointPanel()->text().contains("of what both take apart"));
        }
        QCOMPARE(pairs, 1);
    }

    void twoProfilesAreCompared() {
        QVERIFY(open());
        QVERIFY(measured());
        const std::size_t alone = rows();
        auto* box = page().findChild<QComboBox*>("compared");
        const int other = box->findData("rtx4090-published");
        QVERIFY(other > 0);
        box->setCurrentIndex(other);
        emit box->activated(other);
        QVERIFY(settled());
        QVERIFY(rows() > alone);
        QVERIFY(page().frame()->drawing()->sentence().contains("Compared with RTX 4090, published"));
        f().trigger(ActionId::Undo);
        QVERIFY(settled());
        QCOMPARE(rows(), alone);
    }

    void shapeAndKAreChosenAndUndone() {
        QVERIFY(open());
        const QString before = page().frame()->drawing()->title();
        KernelsView view = kernelsView(f().bench().state().choices);
        view.kBits = 2;
        view.shape = "2048x512x8";
        f().bench().setKernels(view, "other");
        QVERIFY(settled());
        const QString after = page().frame()->drawing()->title();
        QVERIFY2(after.contains("2048x512x8, k = 2"), qPrintable(after));
        f().trigger(ActionId::Undo);
        QVERIFY(settled());
        QCOMPARE(page().frame()->drawing()->title(), before);
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

    void chosenInThePanelItFollowsAsWell_data() {
        QTest::addColumn<bool>("known");
        QTest::newRow("saved here") << true;
        QTest::newRow("any file, read in a job") << false;
    }

    /// As with one click here: what the simulation needs beside follows, in one step of undo.
    void chosenInThePanelItFollowsAsWell() {
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
        emit simulator.panel()->changed(asked, true, "profile");
        const SimulationRequest& followed = f().bench().state().simulation;
        QCOMPARE(followed.kBits == asked.kBits, !known); // the window waits for no file
        QTRY_VERIFY(followed == withProfile(asked, *path, mine).request);
        QCOMPARE(followed.kBits, 3);
        QVERIFY(followed.shapes != asked.shapes);
        QCOMPARE(followed.rule, std::string("fastest"));
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
        QCOMPARE(kernelsView(f().bench().state().choices).shown, path.toStdString());
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
        page().useForSimulation();
        QCOMPARE(f().bench().state().simulation.profile, path.toStdString());
        QCOMPARE(f().bench().state().simulation.rule, std::string("fastest"));
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

    void chartsAreExported_data() {
        QTest::addColumn<int>("chart");
        QTest::addColumn<QString>("command");
        QTest::newRow("times") << 0 << "export kernels ";
        QTest::newRow("ceiling") << 1 << "export kernels-ceiling ";
        QTest::newRow("attention") << 2 << "export kernels-attention ";
    }

    void chartsAreExported() {
        QFETCH(int, chart);
        QFETCH(QString, command);
        QVERIFY(open());
        KernelsView view = kernelsView(f().bench().state().choices);
        view.kBits = 3;
        view.shape = "5120x2048";
        f().bench().setKernels(view, "other");
        QVERIFY(settled());
        page().grid()->choose(chart);
        const QString path = f().folder.filePath("kernels.png");
        f().window->exportTo(path);
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path); }, patience));
        const QString words = ui::commandInPng(path.toStdString());
        QVERIFY2(words.contains(command) && words.contains("--k 3") && words.contains("--shape 5120x2048"),
                 qPrintable(words));
        const auto drawing = drawingFor(page().request(), nullptr);
        QVERIFY(drawing);
        QVERIFY((*drawing)->table() == page().frame()->drawing()->table());
    }

    void choicesComeBackAndHostileOnesDoNot() {
        QVERIFY(open());
        KernelsView view = kernelsView(f().bench().state().choices);
        view.kBits = 5;
        view.compared = "rtx4090-published";
        view.shape = "2048x512";
        view.bench = {"llama-3.1-8b", {3, 5}, "thorough"};
        f().bench().setKernels(view, "all");
        f().restart();
        useProgram();
        QVERIFY(kernelsView(f().bench().state().choices) == view);
        QCOMPARE(f().bench().state().page, Page::Kernels);
        f().window->close();
        {
            QSettings file(f().folder.filePath("settings.ini"), QSettings::IniFormat);
            file.setValue("kernels/k", 77);
            file.setValue("kernels/shown", "");
            file.setValue("kernels/bench_shapes", "no such");
            file.setValue("kernels/bench_preset", "eternal");
            file.setValue("kernels/bench_k", QStringList{"9", "x"});
        }
        const KernelsView read = kernelsView(loadSettings(f().folder.filePath("settings.ini")).choices);
        const KernelsView usual;
        QCOMPARE(read.kBits, usual.kBits);
        QCOMPARE(read.shown, usual.shown);
        QVERIFY(read.bench == usual.bench);
    }
};

QTEST_MAIN(KernelsProfilesTest)

#include "kernels_profiles_test.moc"
