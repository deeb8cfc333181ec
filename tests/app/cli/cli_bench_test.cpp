// bench as a process: what it tells, what it leaves behind, and how it ends when it is stopped or fails.
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_json.h"
#include "tests/app/cli/cli_process.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <unistd.h>

#include <algorithm>
#include <csignal>

namespace loadline::app {
namespace {

Result<Profile> profileIn(const QString& path) {
    return profileFromJson(contentOf(path).toStdString(), path.toStdString());
}

/// The lines as a run; every one of them must be an event.
BenchRun runOf(const QByteArray& lines, bool& allUnderstood) {
    BenchRun run;
    allUnderstood = lines.endsWith('\n');
    for (const QByteArray& line : lines.split('\n')) {
        if (line.isEmpty()) {
            continue;
        }
        const Result<BenchEvent> event = benchEventFromJson(line.toStdString());
        allUnderstood = allUnderstood && event;
        if (event) {
            apply(run, *event);
        }
    }
    return run;
}

/// The made-up device with a behaviour, for one process.
class MadeUp {
public:
    explicit MadeUp(const char* behaviour) { qputenv("LOADLINE_MADE_UP", behaviour); }
    ~MadeUp() { qunsetenv("LOADLINE_MADE_UP"); }
    MadeUp(const MadeUp&) = delete;
    MadeUp& operator=(const MadeUp&) = delete;
};

const QStringList quick = {"bench", "--device", "made-up", "--preset", "quick", "--k", "4"};

} // namespace

class CliBenchTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        qputenv("XDG_DATA_HOME", folder_.filePath("data").toLocal8Bit());
    }

    void namesTheDevices() {
        const Ended table = runLoadline({"bench", "--list"});
        QCOMPARE(table.status, 0);
        QVERIFY2(table.out.contains("host"), table.out);
        const Ended document = runLoadline({"bench", "--list", "--json"});
        QCOMPARE(document.json()["schema"].toString(), "loadline.devices/1");
        QCOMPARE(document.json()["devices"].toArray()[0].toObject()["key"].toString(), "host");
        QVERIFY(document.json()["remarks"].isArray());
        const QJsonArray atlas = document.json()["atlas"].toArray();
        QCOMPARE(atlas.size(), 9);
        QCOMPARE(atlas[0].toObject()["key"].toString(), "h100-sxm");
        QVERIFY(atlas[0].toObject()["times"].toInteger() > 100'000);
        QVERIFY(atlas[0].toObject()["problems"].toArray().isEmpty());
        QVERIFY2(table.out.contains("h100-sxm") && table.out.contains("vllm 0.24.0"), table.out);
        const Ended lines = runLoadline({"bench", "--list", "--json-lines"});
        QCOMPARE(lines.status, 0);
        bool understood = false;
        const BenchRun run = runOf(lines.out, understood);
        QVERIFY(understood);
        QVERIFY(!run.devices.empty());
        QCOMPARE(run.devices[0].key, std::string("host"));
        QVERIFY(run.devices[0].facts.contains("instruction_set"));
        QVERIFY(!run.remarks.empty()); // about GPUs or cuBLAS
    }

    void aRunTellsEverythingAndLeavesAProfile() {
        const QString path = folder_.filePath("made_up.json");
        const Ended ended = runLoadline(quick + QStringList{"--json-lines", "--out", path});
        QCOMPARE(ended.status, 0);
        QVERIFY2(ended.err.isEmpty(), ended.err);
        bool understood = false;
        const BenchRun run = runOf(ended.out, understood);
        QVERIFY(understood);
        QVERIFY(run.done);
        QCOMPARE(run.cut, std::string());
        QCOMPARE(run.path, path.toStdString());
        QVERIFY(run.plan.points >= run.points.size());
        QVERIFY(!run.profile.ceilings.empty());
        const Result<Profile> saved = profileIn(path);
        QVERIFY(saved.hasValue());
        QVERIFY(*saved == run.profile);
        QCOMPARE(saved->points.size(), run.points.size());
    }

    void aMadeUpProfileSaysSoLoudly() {
        const Ended ended = runLoadline(quick + QStringList{"--json"});
        QCOMPARE(ended.status, 0);
        QCOMPARE(ended.json()["schema"].toString(), "loadline.profile/1");
        QVERIFY(ended.json()["source"].toString().contains("invented"));
        const QJsonArray points = ended.json()["points"].toArray();
        QVERIFY(!points.isEmpty());
        for (const auto& point : points) {
            QVERIFY(point.toObject()["origin"].toString() != "measured");
        }
    }

    void theTableIsReadable() {
        const Ended ended = runLoadline(quick);
        QCOMPARE(ended.status, 0);
        QVERIFY2(ended.err.isEmpty(), ended.err); // no progress unless on a terminal
        QVERIFY(ended.out.contains("invented"));
        QVERIFY(ended.out.contains("Ceilings: "));
        QVERIFY(ended.out.contains("2048x5120"));
        QVERIFY(ended.out.contains("swap-AB MMA, k = 4"));
        QVERIFY(ended.out.contains("M = 2048"));
    }

    void theTableHasAttention() {
        const Ended ended = runLoadline(quick + QStringList{"--shapes", "llama-3.1-8b"});
        QCOMPARE(ended.status, 0);
        QVERIFY2(ended.out.contains("decode attention, 32 query and 8 KV heads of 128"), ended.out);
        QVERIFY(ended.out.contains("prefill attention, 32 query"));
        QVERIFY(ended.out.contains("1024 tokens"));
        QVERIFY(ended.out.contains("16 sequences"));
    }

    void theSameSeedGivesTheSamePoints() {
        const Ended first = runLoadline(quick + QStringList{"--json"});
        const Ended second = runLoadline(quick + QStringList{"--json"});
        QCOMPARE(first.json()["points"].toArray(), second.json()["points"].toArray());
    }

    void measuresThisCpu() {
        const QString shapes = folder_.filePath("shapes.json");
        writeFile(shapes, R"({"schema": "loadline.shapes/1", "key": "tiny", "name": "Tiny",
                       "gemms": [{"name": "up", "shape": "64x96", "layers": 1}]})");
        const QString path = folder_.filePath("here.json");
        const Ended ended = runLoadline({"bench", "--preset", "quick", "--k", "2,4", "--threads", "1",
                                         "--shapes", shapes, "--out", path});
        QVERIFY2(ended.status == 0, ended.err);
        const QJsonObject profile = QJsonDocument::fromJson(contentOf(path)).object();
        const QJsonObject device = profile["device"].toObject();
        QCOMPARE(device["threads"].toInt(), 1);
        QVERIFY(!device["instruction_set"].toString().isEmpty());
        QVERIFY(!profile["method"].toObject().contains("failed_checks"));
        QVERIFY(profile["points"].toArray().size() > 20);
        QCOMPARE(profile["points"].toArray()[0].toObject()["origin"].toString(), "measured");
        QVERIFY2(ended.out.contains("own fp16 GEMM"), ended.out);
        QVERIFY2(!ended.out.contains("cuBLAS"), ended.out);
    }

    void anInterruptKeepsThePoints_data() {
        QTest::addColumn<int>("signal");
        QTest::newRow("Ctrl-C") << SIGINT;
        QTest::newRow("the parent's request") << SIGTERM;
        QTest::newRow("the end of the input") << 0;
    }

    void anInterruptKeepsThePoints() {
        QFETCH(int, signal);
        const MadeUp slow("pace_ms=2");
        const QString path = folder_.filePath("cut.json");
        QFile::remove(path);
        QProcess process;
        process.start(QStringLiteral(LOADLINE_EXECUTABLE),
                      quick + QStringList{"--json-lines", "--until-input-ends", "--out", path});
        QByteArray told;
        while (told.count("\"event\":\"point\"") < 5) {
            QVERIFY(process.waitForReadyRead(20'000));
            told += process.readAllStandardOutput();
        }
        if (signal == 0) {
            process.closeWriteChannel();
        } else {
            sendSignal(process, signal);
        }
        QVERIFY(process.waitForFinished(20'000));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 128 + (signal == 0 ? SIGTERM : signal));
        told += process.readAllStandardOutput();
        bool understood = false;
        const BenchRun run = runOf(told, understood);
        QVERIFY(understood);
        QCOMPARE(run.cut, std::string("stopped by the user"));
        const Result<Profile> saved = profileIn(path);
        QVERIFY(saved.hasValue());
        QVERIFY(*saved == run.profile);
        QVERIFY(saved->points.size() >= 5 && saved->points.size() < run.plan.points);
        QCOMPARE(cutOf(*saved), std::string("stopped by the user"));
    }

    void aDeviceThatFailsKeepsThePoints() {
        const MadeUp broken("error_at=900");
        const QString path = folder_.filePath("broken.json");
        const Ended ended = runLoadline(quick + QStringList{"--out", path});
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("illegal memory access"), ended.err);
        QVERIFY2(ended.err.contains("not complete"), ended.err);
        const Result<Profile> saved = profileIn(path);
        QVERIFY(saved.hasValue());
        QVERIFY(cutOf(*saved).find("illegal memory access") != std::string::npos);
        QVERIFY(saved->points.size() > 20);
    }

    void aDeviceThatDriftsIsTimedAgain() {
        const MadeUp drifting("drift_at=2500");
        const Ended ended =
            runLoadline({"bench", "--device", "made-up", "--preset", "standard", "--k", "4", "--json"});
        QCOMPARE(ended.status, 0);
        QVERIFY2(ended.err.contains("timed again"), ended.err);
        int again = 0;
        int isolated = 0;
        for (const auto& entry : ended.json()["points"].toArray()) {
            const QJsonObject point = entry.toObject();
            again += point.contains("drifted_us") ? 1 : 0;
            isolated += point.contains("isolated_us") ? 1 : 0;
            QVERIFY(!point["flags"].toArray().contains("drift"));
        }
        QVERIFY(again > 0 && again <= 50);
        QVERIFY(isolated > 5);
        const QJsonObject method = ended.json()["method"].toObject();
        QCOMPARE(method["points_timed_again"].toInt(), again);
        QCOMPARE(method["isolated_points"].toInt(), isolated);
        QVERIFY(!method["anchor"].toString().isEmpty());
    }

    void pairsAreTimedBesideTheirParts() {
        const QString path = folder_.filePath("pairs.json");
        const Ended ended = runLoadline(quick + QStringList{"--out", path});
        QCOMPARE(ended.status, 0);
        const Result<Profile> saved = profileIn(path);
        QVERIFY(saved.hasValue());
        std::size_t pairs = 0;
        for (const ProfilePoint& point : saved->points) {
            pairs += point.kernel == Kernel::DequantCublas ? 1 : 0;
        }
        QCOMPARE(pairs, std::size_t{5}); // the study's shapes, k = 4, M = 128
        QCOMPARE(saved->methodFacts.at("pairs_timed"), "5");
        const QByteArray said =
            QByteArray("Dequantise and the fp16 GEMM in one go, 5 times: a median of 0.9");
        QVERIFY2((ended.out + ended.err).contains(said), ended.out + ended.err);
    }

    void aKernelThatIsWrongIsNamedAndNotTimed() {
        const MadeUp wrong("wrong=mma");
        const Ended ended = runLoadline(quick + QStringList{"--json-lines"});
        QCOMPARE(ended.status, 0);
        bool understood = false;
        const BenchRun run = runOf(ended.out, understood);
        QVERIFY(!run.checkFailures.empty());
        for (const BenchPoint& point : run.points) {
            QVERIFY(point.point.kernel != Kernel::Mma);
        }
        const Ended text = runLoadline(quick);
        QVERIFY2(text.err.contains("it is not timed"), text.err);
    }

    void mistakesAreOneSentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no such device") << QStringList{"--device", "npu:0"} << 1 << QByteArray("npu:0");
        QTest::newRow("no such GPU") << QStringList{"--device", "cuda:99"} << 1
                                     << QByteArray("another|CPU"); // whatever is missing
        QTest::newRow("no such model")
            << QStringList{"--shapes", "llama-99b"} << 1 << QByteArray("llama-99b");
        QTest::newRow("no such k") << QStringList{"--k", "6"} << 2 << QByteArray("--k");
        QTest::newRow("no such preset") << QStringList{"--preset", "slow"} << 2 << QByteArray("--preset");
        QTest::newRow("no folder") << QStringList{"--out", "/nowhere/at/all.json"} << 1
                                   << QByteArray("cannot write: No such file or directory");
        QTest::newRow("a folder") << QStringList{"--out", "/"} << 1 << QByteArray("it is a folder");
        QTest::newRow("full") << QStringList{"--out", "/dev/full"} << 1 << QByteArray("No space left");
    }

    void mistakesAreOneSentence() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QByteArray, said);
        const bool device = arguments.contains("--device");
        const Ended ended =
            runLoadline((device ? QStringList{"bench", "--preset", "quick"} : quick) + arguments);
        QCOMPARE(ended.status, status);
        const QList<QByteArray> any = said.split('|');
        QVERIFY2(std::ranges::any_of(any, [&](const QByteArray& one) { return ended.err.contains(one); }),
                 ended.err);
        QVERIFY2(ended.err.startsWith("loadline"), ended.err);
    }

    void aFullDiskLosesNothingOfTheEvents() {
        const Ended ended = runLoadline(quick + QStringList{"--json-lines", "--out", "/dev/full"});
        QCOMPARE(ended.status, 1);
        bool understood = false;
        const BenchRun run = runOf(ended.out, understood);
        QVERIFY(run.done);
        QCOMPARE(run.path, std::string());
        QVERIFY(!run.remarks.empty());
        QVERIFY(QString::fromStdString(run.remarks.back()).contains("No space left"));
    }

    void aFolderThatMayNotBeWrittenToIsSeenBeforeMeasuring() {
        if (::geteuid() == 0) {
            QSKIP("root may write everywhere");
        }
        const QString closed = folder_.filePath("closed");
        QVERIFY(QDir().mkdir(closed));
        QFile::setPermissions(closed, QFile::ReadOwner | QFile::ExeOwner);
        const Ended ended = runLoadline(quick + QStringList{"--json-lines", "--out", closed + "/p.json"});
        QCOMPARE(ended.status, 1);
        QVERIFY(ended.out.contains("Permission denied"));
        QVERIFY(!ended.out.contains("\"event\":\"point\""));
    }

private:
    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliBenchTest)
#include "cli_bench_test.moc"
