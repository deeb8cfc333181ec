// What is no session, as a process: logs of other agents, links out of a folder, pipes and devices.
#include "tests/app/cli/cli_process.h"
#include "tests/app/made_up_sessions.h"
#include "tests/made_up_logs.h"

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

namespace loadline::app {
namespace {

constexpr auto codexSentence =
    "2 files look like Codex CLI logs; Loadline does not read those yet. No sessions were made of them";
constexpr auto noRegularFile = "it is a pipe, a socket or a device";

void write(const QString& path, const QByteArray& content) {
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
    file.write(content);
}

} // namespace

class CliNotReadTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        const QByteArray codex = QByteArray::fromStdString(made_up::codexLog());
        for (const char* where : {"codex", "mixed"}) {
            write(path(where) + "/2026/06/rollout-1.jsonl", codex);
            write(path(where) + "/2026/07/rollout-2.jsonl", codex);
        }
        made_up::write(path("mixed"), {1, 6, "alpha", "claude-made-up-1", {}});
        write(path("mixed/trace.jsonl"), R"({"timestamp":0,"input_length":10,"output_length":5})");
        write(path("unknown/app.jsonl"), "{\"level\":\"info\"}\n");
        write(path("store/opencode.db"), QByteArray::fromStdString(made_up::database("")));
        QVERIFY(QDir().mkpath(path("pipes")));
        QCOMPARE(::mkfifo(qPrintable(path("pipes/a.jsonl")), 0600), 0);
        QCOMPARE(::mkfifo(qPrintable(path("pipe")), 0600), 0);
    }

    void aFolderOfCodexLogsHasNoSessionsAndSaysWhy() {
        const Ended ended = runLoadline({"sessions", path("codex"), "--json"});
        QCOMPARE(ended.status, 0);
        const QJsonObject document = ended.json();
        QCOMPARE(document["files"].toInt(), 0);
        QVERIFY(document["sessions"].toArray().isEmpty());
        const QJsonArray notRead = document["not_read"].toArray();
        QCOMPARE(notRead.size(), 2);
        QCOMPARE(notRead[0].toObject()["path"].toString(), path("codex/2026/06/rollout-1.jsonl"));
        QCOMPARE(notRead[0].toObject()["looks_like"].toString(), "codex");
        const QJsonArray odd = document["diagnostics"].toArray();
        QCOMPARE(odd.size(), 2);
        QCOMPARE(odd[0].toObject()["kind"].toString(), "other_log");
        QVERIFY(!odd[0].toObject()["loses_data"].toBool(true)); // of sessions nothing is lost
        QVERIFY(odd[0].toObject()["left_aside"].toBool());
        QVERIFY(document["complete"].toBool());
        QCOMPARE(ended.err, QByteArray("loadline: ") + codexSentence + "\n");

        const Ended table = runLoadline({"sessions", path("codex")});
        QVERIFY(table.out.contains("0 sessions") && table.out.contains("it looks like a Codex CLI log"));
        const Ended turns = runLoadline({"turns", path("codex"), "--json"});
        QCOMPARE(turns.json()["turns"].toInt(), 0);
        QVERIFY(turns.err.contains(codexSentence));
    }

    void ofAMixedFolderTheSessionsAreRead() {
        const Ended ended = runLoadline({"sessions", path("mixed"), "--json"});
        QCOMPARE(ended.json()["sessions"].toArray().size(), 1);
        QCOMPARE(ended.json()["totals"].toObject()["calls"].toInt(), 6);
        QCOMPARE(ended.json()["not_read"].toArray().size(), 3);
        QCOMPARE(ended.err.count('\n'), 2);
        QVERIFY(ended.err.contains(codexSentence));
        QVERIFY(ended.err.contains("1 file looks like a request trace"));
        QCOMPARE(
            runLoadline({"simulate", "--workload", path("mixed"), "--replicas", "1", "--turns", "9"}).status,
            0);
    }

    void whatNoRuleKnowsIsSaid() {
        const Ended ended = runLoadline({"sessions", path("unknown"), "--json"});
        QCOMPARE(ended.status, 0);
        QVERIFY(ended.json()["sessions"].toArray().isEmpty());
        QVERIFY(ended.json()["not_read"].toArray().isEmpty());
        QCOMPARE(ended.json()["diagnostics"].toArray()[0].toObject()["kind"].toString(), "not_a_session_log");
        QVERIFY(ended.err.contains("not a session log that Loadline knows"));
    }

    void failuresAreOneSentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const QStringList& arguments, const QByteArray& said) {
            QTest::newRow(name) << arguments << said;
        };
        row("drawing Codex logs", {"export", "timeline", path("codex"), "--out", path("t.png")},
            codexSentence);
        row("simulating Codex logs", {"simulate", "--workload", path("codex")}, codexSentence);
        row("simulating one", {"simulate", "--workload", path("codex/2026/06/rollout-1.jsonl")},
            "1 file looks like a Codex CLI log");
        row("pipe in a folder", {"sessions", path("pipes")}, noRegularFile);
        row("pipe", {"sessions", path("pipe")}, noRegularFile);
        row("device", {"turns", "/dev/zero"}, noRegularFile);
        row("workload from a device", {"simulate", "--workload", "/dev/zero"}, noRegularFile);
        row("workload from a pipe", {"sweep", "--workload", path("pipe")}, noRegularFile);
        row("profile from a device", {"simulate", "--profile", "/dev/zero"}, noRegularFile);
        row("shapes from a pipe", {"simulate", "--shapes", path("pipe")}, noRegularFile);
        row("scenario from a device", {"schedule", "/dev/zero"}, noRegularFile);
        row("scenario from a pipe", {"schedule", path("pipe")}, noRegularFile);
        row("timings from a device", {"bench", "--import", "/dev/zero", "--out", path("p.json")},
            noRegularFile);
        row("writing over one", {"sessions", path("store"), "--csv", path("store/opencode.db")},
            "will not overwrite");
        row("a run with a pipe", {"replay", runWithPipe()}, noRegularFile);
    }

    void failuresAreOneSentence() {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, said);
        const Ended ended = runLoadline(arguments);
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.out.isEmpty(), ended.out);
        QVERIFY2(ended.err.startsWith("loadline: ") && ended.err.contains(said), ended.err);
        QCOMPARE(ended.err.count('\n'), 1);
    }

    void limitsAreInTheHelp() {
        QVERIFY(runLoadline({"schedule", "--help"}).out.contains("at most 64 MiB"));
        QVERIFY(runLoadline({"simulate", "--help"}).out.contains("at most 1 GiB"));
        QFile huge(path("huge.json"));
        QVERIFY(huge.open(QIODevice::WriteOnly) && huge.resize(qint64{2} << 30)); // of holes
        const Ended scenario = runLoadline({"schedule", path("huge.json")});
        QCOMPARE(scenario.status, 1);
        QVERIFY2(scenario.err.contains("it is larger than 64 MiB"), scenario.err);
        const Ended workload = runLoadline({"simulate", "--workload", path("huge.json")});
        QVERIFY2(workload.err.contains("it is larger than 1024 MiB"), workload.err);
    }

    void linksOutOfAFolderAreSaid() {
        QTemporaryDir in;
        made_up::write(in.path(), {1, 6, "alpha", "claude-made-up-1", {}});
        QTemporaryDir out;
        made_up::write(out.path(), {2, 4, "beta", "claude-made-up-1", {}});
        QVERIFY(QFile::link(out.path(), in.filePath("elsewhere")));
        const Ended ended = runLoadline({"sessions", in.path(), "--json"});
        QCOMPARE(ended.json()["totals"].toObject()["calls"].toInt(), 6);
        const QJsonObject odd = ended.json()["diagnostics"].toArray()[0].toObject();
        QCOMPARE(odd["kind"].toString(), "link_leads_out");
        QCOMPARE(odd["path"].toString(), in.filePath("elsewhere"));
        const Ended both = runLoadline({"sessions", in.path(), in.filePath("elsewhere"), "--json"});
        QCOMPARE(both.json()["totals"].toObject()["calls"].toInt(), 10);
        QVERIFY(both.json()["diagnostics"].toArray().isEmpty());
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    /// The made-up run, with a pipe for its requests.
    [[nodiscard]] QString runWithPipe() const {
        const QString run = path("run");
        QDir().mkpath(run);
        for (const QFileInfo& file :
             QDir(QStringLiteral(LOADLINE_TEST_DATA "/engine_run")).entryInfoList(QDir::Files)) {
            if (file.fileName() != "requests.jsonl") {
                QFile::copy(file.filePath(), run + "/" + file.fileName());
            }
        }
        ::mkfifo(qPrintable(run + "/requests.jsonl"), 0600);
        return run;
    }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliNotReadTest)
#include "cli_not_read_test.moc"
