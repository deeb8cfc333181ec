// What the program writes: nothing over its inputs, nothing that cannot be, nothing in halves.
#include "tests/app/cli/cli_process.h"
#include "tests/app/made_up_workloads.h"

#include <QDir>
#include <QTest>
#include <unistd.h>

#include <csignal>

namespace loadline::app {
namespace {

/// Longer than any test waits: only what is refused before it ends in time.
const QStringList endless = {"--iterations", "1000000000", "--replicas", "1"};

QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

constexpr auto shapes = R"({"schema": "loadline.shapes/1", "name": "mine",
    "gemms": [{"name": "qkv", "shape": "64x128"}]})";

} // namespace

class CliOutputsTest : public QObject, protected made_up::WorkloadFolder {
    Q_OBJECT

private slots:
    void initTestCase() {
        makeWorkloads();
        made("shapes.json", shapes);
        made("mine.csv", "kernel,shape,K,N,M,k_bits,time_us\nmine,gateup,2048,5120,1,4,10\n");
        made("table.csv", "arrival_s,input_tokens,output_tokens\n0,10,5\n1,20,5\n");
        QVERIFY(QFile::link("shapes.json", path("link.json")));
        QVERIFY(QFile::link(".", path("loop")));
        QCOMPARE(::link(qPrintable(path("shapes.json")), qPrintable(path("hard.json"))), 0);
        QVERIFY(QDir(folder()).mkpath("profile"));
        QCOMPARE(runLoadline({"bench", "--import", path("mine.csv"), "--as", "swap_ab", "--out",
                              path("profile/profile.json")})
                     .status,
                 0);
    }

    void whatCannotBeWrittenIsRefusedBeforeTheWork_data() {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QString>("file");
        const QString bench = "bench";
        const QList<QPair<QStringList, QString>> commands = {
            {{"sessions", path("no sessions"), "--csv"}, "x.csv"},
            {{"turns", path("no sessions"), "--out"}, "x.json"},
            {QStringList{"simulate"} + endless + QStringList{"--out"}, "x.json"},
            {QStringList{"sweep"} + endless + QStringList{"--out"}, "x.json"},
            {QStringList{"sweep"} + endless + QStringList{"--csv"}, "x.csv"},
            {QStringList{"export", "crossover"} + endless + QStringList{"--out"}, "x.png"},
            {{"export", "timeline", path("no sessions"), "--out"}, "x.svg"},
            {{"export", "self-check-e2e", "--run", path("no run"), "--out"}, "x.csv"},
            {QStringList{"export", "all"} + endless + QStringList{"--out-dir"}, "x"},
            {{bench, "--import", path("no timings"), "--out"}, "x.json"},
            {{bench, "--device", "made-up", "--shapes", path("no shapes"), "--out"}, "x.json"}};
        for (const auto& [command, name] : commands) {
            const QString words = command.first() + " " + command.last() + " ";
            QTest::newRow(qPrintable(words + name + ": below a file"))
                << command << path("shapes.json/" + name);
            if (name == "x") {
                continue; // folders are made, with those above them
            }
            QTest::newRow(qPrintable(words + name + ": no folder")) << command << path("none/" + name);
            QVERIFY(QDir(folder()).mkpath("folder/" + name));
            QTest::newRow(qPrintable(words + name + ": a folder")) << command << path("folder/" + name);
            QTest::newRow(qPrintable(words + name + ": proc")) << command << "/proc/none/" + name;
        }
    }

    void whatCannotBeWrittenIsRefusedBeforeTheWork() {
        QFETCH(QStringList, command);
        QFETCH(QString, file);
        const Ended ended = runLoadline(command + QStringList{file});
        QCOMPARE(ended.status, 1);
        QVERIFY(ended.out.isEmpty());
        QCOMPARE(ended.err.count('\n'), 1);
        QVERIFY2(ended.err.contains(file.toUtf8()), ended.err);
        QVERIFY2(ended.err.contains("try: "), ended.err);
    }

    void oneFormAtMostGoesToStandardOutput_data() {
        QTest::addColumn<QStringList>("command");
        const QStringList cache = {"cache", path("sessions"), "--export-trace", "mooncake"};
        for (const QStringList& command :
             {QStringList{"simulate", "--json", "--out", "-"}, QStringList{"sweep", "--json", "--out", "-"},
              QStringList{"sweep", "--csv", "-", "--out", "-"},
              QStringList{"sessions", path("sessions"), "--csv", "-", "--json"},
              QStringList{"turns", path("sessions"), "--json", "--out", "-"},
              QStringList{"log", path("mine.csv"), "--json", "--out", "-"},
              cache + QStringList{"--json", "--out", "-"}}) {
            QTest::newRow(qPrintable(command.first() + " " + command.mid(command.size() - 3).join(' ')))
                << command;
        }
    }

    void oneFormAtMostGoesToStandardOutput() {
        QFETCH(QStringList, command);
        const Ended ended = runLoadline(command);
        QCOMPARE(ended.status, 2);
        QVERIFY(ended.out.isEmpty());
        QVERIFY2(ended.err.contains("leaves no room for"), ended.err);
    }

    void aReadOnlyPlaceIsRefusedBeforeTheWork() {
        if (::geteuid() == 0) {
            QSKIP("root may write everywhere");
        }
        made("kept.json", "kept");
        QFile::setPermissions(path("kept.json"), QFile::ReadOwner);
        QVERIFY(QDir(folder()).mkpath("locked"));
        QFile::setPermissions(path("locked"), QFile::ReadOwner | QFile::ExeOwner);
        for (const char* name : {"kept.json", "locked/x.json"}) {
            const Ended ended =
                runLoadline(QStringList{"simulate"} + endless + QStringList{"--out", path(name)});
            QCOMPARE(ended.status, 1);
            QVERIFY2(ended.err.contains("Permission denied"), ended.err);
        }
        QFile::setPermissions(path("locked"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QCOMPARE(bytesOf(path("kept.json")), QByteArray("kept"));
    }

    void noInputIsOverwritten_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("input");
        const QString session = "sessions/alpha/" + made_up::idOf(1) + ".jsonl";
        const auto row = [&](const QStringList& arguments, const QString& input) {
            QTest::newRow(qPrintable(arguments.first() + " " + arguments.mid(arguments.size() - 2).join(' ')))
                << arguments << path(input);
        };
        for (const char* name : {"shapes.json", "./shapes.json", "link.json", "hard.json",
                                 "loop/loop/shapes.json", "sessions/../shapes.json"}) {
            row({"bench", "--device", "made-up", "--preset", "quick", "--shapes", path("shapes.json"),
                 "--out", path(name)},
                "shapes.json");
            row({"simulate", "--shapes", path("shapes.json"), "--out", path(name)}, "shapes.json");
        }
        row({"bench", "--device", "made-up", "--json-lines", "--shapes", path("shapes.json"), "--out",
             path("shapes.json")},
            "shapes.json");
        row({"bench", "--import", path("mine.csv"), "--as", "swap_ab", "--out", path("mine.csv")},
            "mine.csv");
        row({"bench", "--import", path("mine.csv"), "--as", "swap_ab", "--into", path("profile"), "--out",
             path("profile/profile.json")},
            "profile/profile.json");
        row({"sessions", path("sessions"), "--csv", path("loop/" + session)}, session);
        row({"turns", path("sessions"), "--out", path(session)}, session);
        row({"simulate", "--workload", path("sessions"), "--out", path(session)}, session);
        row({"sweep", "--profile", path("profile"), "--csv", path("profile/profile.json")},
            "profile/profile.json");
        row({"sweep", "--workload", path("table.csv"), "--arrivals", "trace", "--csv", path("table.csv")},
            "table.csv");
        row({"export", "crossover", "--workload", path("table.csv"), "--out", path("table.csv")},
            "table.csv");
        row({"export", "kernels", "--compare", path("mine.csv"), "--out", path("mine.csv")}, "mine.csv");
        row({"export", "crossover", "--against", "--workload " + path("table.csv"), "--out",
             path("table.csv")},
            "table.csv");
        row({"export", "self-check-e2e", "--run", path("profile"), "--out", path("profile/x.csv")},
            "profile/x.csv");
    }

    void noInputIsOverwritten() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, input);
        if (!QFile::exists(input)) {
            made("profile/x.csv", "m,n,k,time_us\n");
        }
        const QByteArray before = bytesOf(input);
        const Ended ended = runLoadline(arguments);
        QCOMPARE(ended.status, 1);
        const QByteArray said = ended.out + ended.err;
        QVERIFY2(said.contains("will not overwrite a file that is being read"), said);
        QVERIFY(!before.isEmpty());
        QCOMPARE(bytesOf(input), before);
        QVERIFY(QFileInfo(path("link.json")).isSymLink());
    }

    void aDiskThatTakesNoMoreLeavesTheOldFile_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("file");
        QTest::newRow("sessions") << "sessions '" + path("sessions") + "' --csv"
                                  << "a.csv";
        QTest::newRow("simulate") << "simulate --replicas 1 --iterations 50 --out"
                                  << "a.json";
        QTest::newRow("png") << "export study-users --out"
                             << "a.png";
        QTest::newRow("pdf") << "export study-users --out"
                             << "a.pdf";
        QTest::newRow("bench") << "bench --device made-up --preset quick --k 4 --out"
                               << "b.json";
    }

    void aDiskThatTakesNoMoreLeavesTheOldFile() {
        QFETCH(QString, command);
        QFETCH(QString, file);
        made(file, "old");
        QProcess shell;
        shell.start("/bin/sh", {"-c", "ulimit -f 0; exec '" LOADLINE_EXECUTABLE "' " + command + " '" +
                                          path(file) + "' 2>&1 >/dev/null | cat"});
        QVERIFY(shell.waitForFinished(60'000));
        const QByteArray said = shell.readAllStandardOutput();
        QVERIFY2(said.contains("cannot write: File too large: " + path(file).toUtf8()), said);
        QCOMPARE(bytesOf(path(file)), QByteArray("old"));
        QVERIFY(QDir(folder()).entryList({"*.part"}).isEmpty());
    }

private:
    [[nodiscard]] QString folder() const { return path("."); }
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliOutputsTest)
#include "cli_outputs_test.moc"
