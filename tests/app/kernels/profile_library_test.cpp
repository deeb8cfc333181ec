// Profiles measured on this machine: kept, found again, and the default of --profile.
#include "app/files/profile_library.h"

#include "app/files/this_machine.h"
#include "app/kernels/use_profile.h"
#include "app/options/cost_option.h"
#include "app/options/simulation_options.h"
#include "app/options/simulation_words.h"
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/bench_run.h"
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {

class ProfileLibraryTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        data_ = std::make_unique<QTemporaryDir>();
        qputenv("XDG_DATA_HOME", data_->path().toLocal8Bit());
    }

    void nothingIsThereAtFirst() {
        QVERIFY(savedProfiles().empty());
        QVERIFY(!hasSavedProfiles());
        QCOMPARE(taken(), std::string("rtx4090-published"));
    }

    void aProfileIsKeptUnderItsDeviceAndDate() {
        const Profile profile = measured("2026-11-21T08:00:00Z");
        const auto path = saveProfile(profile);
        QVERIFY2(path, path ? "" : path.error().sentence().c_str());
        QVERIFY2(path->ends_with("/loadline/profiles/a-cpu-3-2-ghz-2026-11-21t08-00-00z.json"),
                 path->c_str());
        const auto again = saveProfile(profile); // never over another
        QVERIFY(again && *again != *path);
        const std::vector<SavedProfile> saved = savedProfiles();
        QCOMPARE(saved.size(), std::size_t{2});
        QVERIFY(*saved.front().profile == profile);
    }

    void theNewestCompleteOneOfThisMachineIsTheDefault() {
        QVERIFY(saveProfile(measured("2026-11-20T08:00:00Z")));
        const auto newest = saveProfile(measured("2026-11-21T08:00:00Z"));
        Profile cut = measured("2026-11-22T08:00:00Z");
        markCut(cut, "stopped by the user");
        QVERIFY(saveProfile(cut));
        Profile invented = measured("2026-11-23T08:00:00Z");
        invented.source = madeUpSource;
        QVERIFY(saveProfile(invented));
        Profile empty = measured("2026-11-24T08:00:00Z");
        empty.points.clear();
        QVERIFY(saveProfile(empty));
        QFile broken(QDir(QString::fromStdString(profileFolder())).filePath("broken.json"));
        QVERIFY(broken.open(QIODevice::WriteOnly));
        broken.write("{");
        broken.close();
        QCOMPARE(taken(), *newest);
        QCOMPARE(savedProfiles().size(), std::size_t{4}); // the broken and the empty one cannot be read
    }

    void whatWasMeasuredElsewhereNeverStandsForThisMachine() {
        Profile theirs = measured("2026-11-24T08:00:00Z");
        theirs.deviceFacts[machineFact] = "\"00c0ffee\"";
        const auto foreign = saveProfile(theirs);
        QVERIFY(foreign);
        QCOMPARE(taken(), std::string("rtx4090-published"));
        const std::vector<SavedProfile> saved = savedProfiles();
        QCOMPARE(saved.size(), std::size_t{1});
        QVERIFY(saved.front().profile->source.find("another machine, 2026-11-24") != std::string::npos);
        QVERIFY(saved.front().profile->points.front().origin == PointOrigin::Published);
        const auto mine = saveProfile(measured("2026-11-21T08:00:00Z"));
        QVERIFY(mine);
        QCOMPARE(taken(), *mine); // though it is older
        const auto named = resolveTimes(*foreign);
        QVERIFY(named);
        QVERIFY(!named->profile->source.empty());
        const Ended copied = runLoadline({"bench", "--import", QString::fromStdString(*foreign)});
        QCOMPARE(copied.status, 0);
        QVERIFY(copied.json()["source"].toString().contains("another machine"));
    }

    void thisMachineIsKnownAgainAndToldToNobody() {
        QCOMPARE(thisMachine().machine.size(), std::size_t{8});
        QVERIFY(!thisMachine().processor.empty());
        const QByteArray id = QSysInfo::machineUniqueId();
        QVERIFY(id.isEmpty() || !id.contains(QByteArray::fromStdString(thisMachine().machine)));
        const Ended ended =
            runLoadline({"bench", "--device", "made-up", "--preset", "quick", "--k", "4", "--json"});
        QCOMPARE(ended.json()["device"].toObject()["machine"].toString(),
                 QString::fromStdString(thisMachine().machine));
    }

    void aMeasurementOfAnotherKIsNoDefault() {
        Profile onlyFive = published();
        std::erase_if(onlyFive.points,
                      [](const ProfilePoint& point) { return readsKBits(point.kernel) && point.kBits != 5; });
        onlyFive.date = "2026-11-26T08:00:00Z";
        const auto five = saveProfile(onlyFive);
        QVERIFY(five);
        const QStringList simulate = {"simulate", "--users", "2", "--iterations", "50", "--json"};
        const auto profileOf = [](const Ended& ended) {
            return QJsonDocument::fromJson(ended.out).object()["inputs"].toObject()["profile"].toString();
        };
        const QString path = QString::fromStdString(*five);
        const Ended unasked = runLoadline(simulate);
        QVERIFY2(unasked.status == 0, unasked.err);
        QCOMPARE(profileOf(unasked), QString("rtx4090-published"));
        QVERIFY2(unasked.err.contains("cannot serve k = 4: --profile " + path.toUtf8() + " --k 5 takes it"),
                 unasked.err);
        const Ended asked = runLoadline(simulate + QStringList{"--k", "5"});
        QCOMPARE(asked.status, 0);
        QCOMPARE(profileOf(asked), path);
        const Ended named = runLoadline(simulate + QStringList{"--profile", path});
        QVERIFY(named.status != 0);
        QVERIFY2(named.err.contains("(try: k = 5, which was timed, "), named.err);
        Profile all = published();
        all.date = "2026-11-20T08:00:00Z";
        const auto older = saveProfile(all);
        QVERIFY(older);
        QCOMPARE(taken({4}), *older);
        QCOMPARE(taken({5}), *five);
        QCOMPARE(taken({4, 5}), *older);
        QCOMPARE(taken(), *five); // draws what there is
    }

    void simulateTakesItAndSaysSo() {
        const auto path = saveProfile(published());
        QVERIFY(path);
        const Ended ended = runLoadline({"simulate", "--users", "2", "--iterations", "50", "--json"});
        QCOMPARE(ended.status, 0);
        const QJsonObject inputs = QJsonDocument::fromJson(ended.out).object()["inputs"].toObject();
        QCOMPARE(inputs["profile"].toString(), QString::fromStdString(*path));
        QVERIFY2(ended.err.contains("measured on this machine"), ended.err);
        const Ended given = runLoadline(
            {"simulate", "--users", "2", "--iterations", "50", "--json", "--profile", "rtx4090-published"});
        QCOMPARE(given.status, 0);
        const QJsonObject named = QJsonDocument::fromJson(given.out).object()["inputs"].toObject();
        QCOMPARE(named["profile"].toString(), QString("rtx4090-published"));
        QVERIFY(named["command"].toString().contains("--profile rtx4090-published")); // gives the same again
        QVERIFY(!given.err.contains("measured on this machine"));
    }

    void whatWasPrintedIsComparedWithPublishedTimes() {
        QVERIFY(saveProfile(published()));
        QTemporaryDir folder;
        const QString csv = folder.filePath("chart.csv");
        QVERIFY(runLoadline({"export", "simulator-users", "--iterations", "50", "--out", csv})
                    .err.contains("measured on this machine"));
        const Ended study = runLoadline({"export", "study-turn", "--iterations", "50", "--out", csv});
        QVERIFY2(study.status == 0 && !study.err.contains("measured on this machine"), study.err);
    }

    void commandsNameTheProfileOnceThereAreOthers() {
        QVERIFY(commandWordsOf({}).empty());
        QVERIFY(saveProfile(measured("2026-11-21T08:00:00Z")));
        QVERIFY(commandWordsOf({}) == (std::vector<std::string>{"--profile", "rtx4090-published"}));
        QCOMPARE(simulationRequestFrom(wordsOf(SimulationRequest{}))->profile,
                 std::string("rtx4090-published")); // as settings do
    }

    void onlySavedOnesAreRemoved() {
        const auto path = saveProfile(measured("2026-11-21T08:00:00Z"));
        QVERIFY(path);
        const QString other = data_->filePath("other.json");
        QVERIFY(QFile::copy(QString::fromStdString(*path), other));
        QVERIFY(!removeProfile(other.toStdString()));
        QVERIFY(QFile::exists(other));
        QVERIFY(removeProfile(*path));
        QVERIFY(savedProfiles().empty());
    }

    void timesOfOtherShapesAreRemarkedOn() {
        const Profile own = measured("2026-11-21T08:00:00Z"); // of one shape of Llama
        SimulationRequest request;
        QVERIFY(shapesRemarkOf(request, own).empty());
        request.shapes = "study";
        QVERIFY2(shapesRemarkOf(request, own).find("choose the shapes Llama-3.1-8B") != std::string::npos,
                 shapesRemarkOf(request, own).c_str());
    }

private:
    /// Returns --profile as it is when it is not given.
    static std::string taken(const std::vector<int>& kBits = {}) {
        CostOption option;
        takeLocalProfile(option, kBits);
        return option.profile;
    }

    /// As if it had been measured here.
    static Profile published() {
        Profile profile = *resolveTimes("rtx4090-published")->profile;
        profile.source.clear();
        profile.deviceFacts[machineFact] = machineFactOf(thisMachine());
        return profile;
    }

    static Profile measured(const std::string& date) {
        Profile profile;
        profile.name = "A CPU";
        profile.device = "A CPU @ 3.2 GHz";
        profile.date = date;
        profile.deviceFacts[machineFact] = machineFactOf(thisMachine());
        for (const Kernel kernel : {Kernel::Scalar, Kernel::CublasFp16}) {
            ProfilePoint point;
            point.kernel = kernel;
            point.size = {4096, 4096};
            point.kBits = readsKBits(kernel) ? 3 : fp16Bits;
            point.timeUs = 12;
            profile.points.push_back(point);
        }
        return profile;
    }

    std::unique_ptr<QTemporaryDir> data_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::ProfileLibraryTest)

#include "profile_library_test.moc"
