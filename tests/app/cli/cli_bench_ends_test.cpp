// bench for a person: signals, crashes, hangs and full disks, and the points that are kept all the same.
#include "app/files/profile_library.h"
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_json.h"
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/types.h>

#include <csignal>

namespace loadline::app {
namespace {

constexpr int patience = 30'000;
const QStringList quickly = {"bench", "--device", "made-up", "--preset", "quick", "--k", "4"};

Result<Profile> savedProfile(const QString& path) {
    QFile file(path);
    const QByteArray text = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    return profileFromJson(text.toStdString(), path.toStdString());
}

/// Of a process that runs; 0 where the system does not tell.
pid_t childOf(qint64 process) {
    QFile file(QStringLiteral("/proc/%1/task/%1/children").arg(process));
    return file.open(QIODevice::ReadOnly) ? file.readAll().split(' ').front().toInt() : 0;
}

/// A run that goes on long enough to be ended, and has measured something.
class Running {
public:
    explicit Running(const QStringList& more) {
        process.start(QStringLiteral(LOADLINE_EXECUTABLE), quickly + more);
        process.waitForStarted(patience);
        QTest::qWait(1200); // thirty points or so
    }

    [[nodiscard]] bool begun() const { return process.state() == QProcess::Running; }

    void send(int signal) { sendSignal(process, signal); }

    bool end() { return process.state() == QProcess::NotRunning || process.waitForFinished(patience); }

    QProcess process;
};

} // namespace

class CliBenchEndsTest : public QObject {
    Q_OBJECT

private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
        qputenv("XDG_DATA_HOME", folder_->path().toLocal8Bit());
        qunsetenv("LOADLINE_MADE_UP");
    }

    void aCompleteRunIsNotKeptUnasked() {
        const Ended ended = runLoadline(quickly);
        QCOMPARE(ended.status, 0);
        QVERIFY(savedProfiles().empty());
    }

    void whateverEndsTheDevicesProcessThePointsAreKept_data() {
        QTest::addColumn<QByteArray>("behaviour");
        QTest::addColumn<QString>("said");
        QTest::newRow("a crash") << QByteArray("crash_at=300") << "crashed";
        QTest::newRow("a hang") << QByteArray("hang_at=300") << "told nothing for 0.7 s";
        QTest::newRow("an error") << QByteArray("error_at=300") << "illegal memory access";
    }

    void whateverEndsTheDevicesProcessThePointsAreKept() {
        QFETCH(QByteArray, behaviour);
        QFETCH(QString, said);
        qputenv("LOADLINE_MADE_UP", behaviour);
        const QStringList patient{"--patience", "0.7"};
        const Ended alone = runLoadline(quickly + patient);
        QCOMPARE(alone.status, 1);
        QVERIFY2(alone.err.contains(said.toUtf8()) && alone.err.contains("not complete"), alone.err);
        QVERIFY(alone.out.contains("median \u00b5s of one call")); // the table of what there is
        const std::vector<SavedProfile> kept = savedProfiles();
        QCOMPARE(kept.size(), std::size_t{1});
        QVERIFY2(alone.err.contains(QByteArray::fromStdString(kept.front().path)), alone.err);
        isPartial(*kept.front().profile, said);

        const QString path = folder_->filePath("cut.json");
        const Ended named = runLoadline(quickly + patient + QStringList{"--out", path});
        QCOMPARE(named.status, 1);
        const auto saved = savedProfile(path);
        QVERIFY(saved);
        isPartial(*saved, said);
        QCOMPARE(savedProfiles().size(), std::size_t{1}); // it is where it was wanted
        const Ended document = runLoadline(quickly + patient + QStringList{"--json"});
        QCOMPARE(document.status, 1);
        const auto printed = profileFromJson(document.out.toStdString(), "out");
        QVERIFY(printed);
        isPartial(*printed, said);
        QCOMPARE(savedProfiles().size(), std::size_t{1});
    }

    void signalsKeepThePoints_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("times");
        QTest::newRow("Ctrl-C") << SIGINT << 1;
        QTest::newRow("Ctrl-C by an impatient hand") << SIGINT << 4;
        QTest::newRow("a polite end") << SIGTERM << 1;
        QTest::newRow("the terminal is closed") << SIGHUP << 1;
    }

    void signalsKeepThePoints() {
        QFETCH(int, signal);
        QFETCH(int, times);
        qputenv("LOADLINE_MADE_UP", times == 1 ? "pace_ms=3" : "pace_ms=3,hang_at=200");
        Running running({});
        QVERIFY(running.begun());
        for (int i = 0; i < times; ++i) {
            running.send(signal);
            QTest::qWait(50);
        }
        QVERIFY(running.end());
        QCOMPARE(running.process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(running.process.exitCode(), 128 + signal);
        const std::vector<SavedProfile> kept = savedProfiles();
        QCOMPARE(kept.size(), std::size_t{1});
        isPartial(*kept.front().profile, times == 1 ? "stopped by the user" : "Cancelled");
    }

    void aKilledChildIsACrash() {
        qputenv("LOADLINE_MADE_UP", "pace_ms=3");
        Running running({});
        const pid_t child = childOf(running.process.processId());
        if (child <= 0) {
            QSKIP("this system does not tell the children of a process");
        }
        ::kill(child, SIGKILL);
        QVERIFY(running.end());
        QCOMPARE(running.process.exitCode(), 1);
        QCOMPARE(savedProfiles().size(), std::size_t{1});
        isPartial(*savedProfiles().front().profile, "crashed");
    }

    void aKilledProgramLeavesTheFileToItsChild() {
        qputenv("LOADLINE_MADE_UP", "pace_ms=3");
        const QString path = folder_->filePath("orphan.json");
        Running running({"--out", path});
        running.send(SIGKILL);
        QVERIFY(running.end());
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path); }, patience));
        const auto saved = savedProfile(path);
        QVERIFY(saved);
        isPartial(*saved, "stopped by the user");
    }

    void aFullDiskLosesNothing_data() {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("output");
        QTest::newRow("of the file") << QStringList{"--out", "/dev/full"} << "";
        QTest::newRow("of the output") << QStringList{} << "/dev/full";
        QTest::newRow("of the document") << QStringList{"--json"} << "/dev/full";
        QTest::newRow("of the output as a file") << QStringList{"--out", "-"} << "/dev/full";
    }

    void aFullDiskLosesNothing() {
        QFETCH(QStringList, more);
        QFETCH(QString, output);
        const Ended ended = runLoadline(quickly + more, output);
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("No space left"), ended.err);
        const std::vector<SavedProfile> kept = savedProfiles();
        QCOMPARE(kept.size(), std::size_t{1});
        QVERIFY2(ended.err.contains(QByteArray::fromStdString(kept.front().path)), ended.err);
        QVERIFY(cutOf(*kept.front().profile).empty()); // it is complete, only not where it should be
        QVERIFY(kept.front().profile->points.size() > 100);
    }

    void whereNothingCanBeKeptItIsSaidAndShown() {
        qputenv("XDG_DATA_HOME", "/dev/null/nowhere");
        qputenv("LOADLINE_MADE_UP", "crash_at=300");
        const Ended ended = runLoadline(quickly);
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("cannot make the folder of profiles"), ended.err);
        QVERIFY(ended.out.contains("median \u00b5s of one call"));
    }

    void nothingIsKeptOfARunWithoutPoints() {
        qputenv("LOADLINE_MADE_UP", "crash_at=0");
        const Ended ended = runLoadline(quickly);
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("crashed"), ended.err);
        QVERIFY(ended.out.isEmpty());
        QVERIFY(savedProfiles().empty());
    }

private:
    static void isPartial(const Profile& profile, const QString& why) {
        QVERIFY2(QString::fromStdString(cutOf(profile)).contains(why), cutOf(profile).c_str());
        QVERIFY(profile.points.size() >= 5 && profile.points.size() < 120);
        QCOMPARE(profile.source, std::string(madeUpSource));
        QVERIFY(profile.methodFacts.contains("seed")); // how it was measured is known all the same
        QVERIFY(profile.rowTiles.contains("mma"));
        QVERIFY(!profile.ceilings.empty());
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliBenchEndsTest)
#include "cli_bench_ends_test.moc"
