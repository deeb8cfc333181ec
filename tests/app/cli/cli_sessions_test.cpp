// sessions and turns as a process: documents, exit statuses, hostile surroundings.
#include "core/ask/write_json.h"
#include "core/session/study/usage_columns.h"
#include "tests/app/cli/cli_process.h"
#include "tests/tools/generate/generate.h"

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <unistd.h>

#include <cstdio>

namespace loadline::app {
namespace {

void writeTo(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
    file.write(content);
}

/// The sums of the made-up sessions, under the names that `sessions` gives them.
QJsonObject documentOf(const GeneratedLedger& ledger) {
    constexpr std::size_t counted = 9; // what follows speaks of content and costs, which made-up calls lack
    ask::Report report;
    ask::addUsage(report, "totals", ledger.totals, ask::usageFigures().first(counted));
    ask::addUsage(report, "progress_only", ledger.progressOnly, ask::usageFigures().first(counted));
    return QJsonDocument::fromJson(QByteArray::fromStdString(ask::jsonOfReport(report))).object();
}

/// Without what differs from run to run.
QByteArray withoutSeconds(const QByteArray& document) {
    QByteArray kept;
    for (const QByteArray& line : document.split('\n')) {
        kept += line.contains("\"seconds\"") ? QByteArray() : line + '\n';
    }
    return kept;
}

constexpr auto oneCall =
    R"({"type":"user","uuid":"u1","timestamp":"2026-01-20T04:11:56.547Z","message":{"role":"user","content":"hello"}}
{"type":"assistant","uuid":"a1","timestamp":"2026-01-20T04:11:59.547Z","requestId":"r1","version":"2.1.62","message":{"id":"m1","model":"model-x","stop_reason":"end_turn","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":3,"cache_creation_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":4,"ephemeral_1h_input_tokens":1},"cache_read_input_tokens":7,"output_tokens":11}}}
)";

} // namespace

class CliSessionsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        made_ = generated("made", true);
        whole_ = generated("whole", false);
        QVERIFY(made_.files > 0 && whole_.files > 0);
        QDir().mkpath(path("empty"));
        writeTo(path("one.jsonl"), oneCall);
    }

    void whatWasGeneratedIsReadBack() {
        const QJsonObject read = runLoadline({"sessions", path("made"), "--json"}).json();
        QCOMPARE(read["schema"].toString(), "loadline.sessions/1");
        QCOMPARE(read["files"].toInt(), static_cast<int>(made_.files));
        QCOMPARE(read["bytes"].toInt(), static_cast<int>(made_.bytes));
        const QJsonObject ledger = documentOf(made_);
        for (const auto* group : {"totals", "progress_only"}) {
            const QJsonObject written = ledger[group].toObject();
            QVERIFY(!written.isEmpty());
            for (auto it = written.begin(); it != written.end(); ++it) {
                QCOMPARE(read[group].toObject()[it.key()], it.value());
            }
        }
    }

    void resultsDoNotDependOnThreads() {
        for (const QStringList& command :
             {QStringList{"sessions", path("made"), "--json"},
              QStringList{"turns", path("made"), "--method", "prompt", "--json"},
              QStringList{"turns", path("made"), "--method", "per-line", "--json"}}) {
            const QByteArray one = withoutSeconds(runLoadline(command + QStringList{"--threads", "1"}).out);
            QVERIFY(one.size() > 500);
            QCOMPARE(withoutSeconds(runLoadline(command + QStringList{"--threads", "2"}).out), one);
            QCOMPARE(withoutSeconds(runLoadline(command + QStringList{"--threads", "4"}).out), one);
        }
    }

    void theDocumentsHaveTheirKeys() {
        const QByteArray out = runLoadline({"sessions", path("one.jsonl"), "--json"}).out;
        QVERIFY(out.startsWith("{\n  \"schema\": \"loadline.sessions/1\"")); // the first key
        const QJsonObject sessions = QJsonDocument::fromJson(out).object();
        for (const auto* key : {"files", "bytes", "seconds", "totals", "by_model", "by_utc_day",
                                "progress_only", "sessions", "diagnostics"}) {
            QVERIFY2(sessions.contains(QLatin1String(key)), key);
        }
        const QJsonObject totals = sessions["totals"].toObject();
        QCOMPARE(totals["calls"].toInt(), 1);
        QCOMPARE(totals["input_tokens"].toInt(), 3);
        QCOMPARE(totals["cache_creation_input_tokens"].toInt(), 5);
        QCOMPARE(totals["cache_creation_5m"].toInt(), 4);
        QCOMPARE(totals["cache_creation_1h"].toInt(), 1);
        QCOMPARE(totals["cache_read_input_tokens"].toInt(), 7);
        QCOMPARE(totals["output_tokens"].toInt(), 11);
        QCOMPARE(totals["calls_final_output"].toInt(), 1);
        QCOMPARE(totals["output_tokens_of_final_calls"].toInt(), 11);
        const QJsonObject session = sessions["sessions"].toArray().at(0).toObject();
        for (const auto* key : {"path", "agent", "session_id", "project", "cli_versions", "first_timestamp",
                                "last_timestamp", "records", "prompts", "turns", "tools", "sidechain_calls",
                                "inherited_calls", "totals", "output_quality", "diagnostics"}) {
            QVERIFY2(session.contains(QLatin1String(key)), key);
        }
        QCOMPARE(session["path"].toString(), path("one.jsonl"));

        const QJsonObject turns =
            runLoadline({"turns", path("one.jsonl"), "--method", "api-call", "--json"}).json();
        QCOMPARE(turns["schema"].toString(), "loadline.turns/1");
        for (const auto* key : {"method", "turns", "turns_input_gt0", "turns_output_gt0", "sum_input_est",
                                "sum_output", "input_hist", "output_hist", "files"}) {
            QVERIFY2(turns.contains(QLatin1String(key)), key);
        }
        QCOMPARE(turns["sum_input_est"].toInt(), 8);
        QCOMPARE(turns["sum_output"].toInt(), 11);
    }

    void pricesOfOnesOwnGoBefore() {
        const auto costOf = [&](const QStringList& more) -> QJsonValue {
            const QJsonObject read =
                runLoadline(QStringList{"sessions", path("one.jsonl"), "--json"} + more).json();
            return read["totals"].toObject()["cost_usd"];
        };
        QVERIFY(costOf({}).isNull()); // nobody knows model-x
        writeTo(path("prices.json"), R"({"models": {"model-x": {"input": 100000, "output": 300000,
            "cache_read": 10000, "cache_write_5m": 200000, "cache_write_1h": 400000}}})");
        QCOMPARE(costOf({"--prices", path("prices.json")}).toDouble(), 0.3 + 4 * 0.2 + 0.4 + 0.07 + 3.3);
        const auto text = runLoadline({"sessions", path("one.jsonl"), "--prices", path("prices.json")});
        QVERIFY2(text.out.contains("$4.87"), text.out.constData());
        QVERIFY2(text.out.contains("prices.json; else "), text.out.constData());
    }

    void failuresAreOneSentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("missing path") << QStringList{"sessions", path("none")};
        QTest::newRow("missing path, json") << QStringList{"sessions", path("none"), "--json"};
        QTest::newRow("turns") << QStringList{"turns", path("none")};
        QTest::newRow("csv into a folder")
            << QStringList{"sessions", path("one.jsonl"), "--csv", path("empty")};
        QTest::newRow("csv below nothing")
            << QStringList{"sessions", path("one.jsonl"), "--csv", path("none/x.csv")};
        QTest::newRow("csv over what is read")
            << QStringList{"sessions", path("one.jsonl"), "--csv", path("one.jsonl")};
        QTest::newRow("csv over the prices") << QStringList{
            "sessions", path("one.jsonl"), "--csv", path("prices.json"), "--prices", path("prices.json")};
        QTest::newRow("no prices") << QStringList{"sessions", path("one.jsonl"), "--prices", path("none")};
        QTest::newRow("other prices")
            << QStringList{"sessions", path("one.jsonl"), "--prices", path("one.jsonl")};
        QTest::newRow("out over what is read")
            << QStringList{"turns", path("one.jsonl"), "--out", path("./one.jsonl")};
        QTest::newRow("full disk") << QStringList{"sessions", path("one.jsonl"), "--csv", "/dev/full"};
        QTest::newRow("export of nothing")
            << QStringList{"export", "timeline", path("empty"), "--out", path("t.png")};
        QTest::newRow("export of no session") << QStringList{
            "export", "timeline", path("one.jsonl"), "--show", "nobody", "--out", path("t.png")};
        QTest::newRow("window without display") << QStringList{path("one.jsonl")};
    }

    void failuresAreOneSentence() {
        QFETCH(QStringList, arguments);
        const Ended ended = runLoadline(arguments);
        QCOMPARE(ended.status, 1);
        QVERIFY(ended.out.isEmpty());
        QVERIFY2(ended.err.startsWith("loadline: "), ended.err);
        QCOMPARE(ended.err.count('\n'), 1);
        QCOMPARE(contentOf(path("one.jsonl")), QByteArray(oneCall)); // never written to
    }

    void wrongUsageShowsTheUsage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("unknown command") << QStringList{"sesions"};
        QTest::newRow("unknown option") << QStringList{"--frobnicate"};
        QTest::newRow("no path") << QStringList{"sessions"};
        QTest::newRow("option of a command") << QStringList{"sessions", path("one.jsonl"), "--frobnicate"};
        QTest::newRow("method") << QStringList{"turns", path("one.jsonl"), "--method", "guess"};
        QTest::newRow("threads") << QStringList{"sessions", path("one.jsonl"), "--threads", "0"};
        QTest::newRow("threads in words") << QStringList{"sessions", path("one.jsonl"), "--threads", "many"};
        QTest::newRow("both forms in one place")
            << QStringList{"sessions", path("one.jsonl"), "--json", "--csv", "-"};
        QTest::newRow("export") << QStringList{"export", "timeline"};
    }

    void wrongUsageShowsTheUsage() {
        QFETCH(QStringList, arguments);
        const Ended ended = runLoadline(arguments);
        QCOMPARE(ended.status, 2);
        QVERIFY(ended.out.isEmpty());
        QVERIFY2(ended.err.contains("--help"), ended.err);
    }

    void helpIsForEveryCommand() {
        const Ended all = runLoadline({"--help"});
        QCOMPARE(all.status, 0);
        for (const char* command :
             {"sessions", "turns", "export", "schedule", "simulate", "sweep", "cache"}) {
            QVERIFY(all.out.contains(command));
            const Ended one = runLoadline({command, "--help"});
            QCOMPARE(one.status, 0);
            QVERIFY(one.out.contains("Examples:"));
            QVERIFY(one.err.isEmpty());
        }
        QVERIFY(runLoadline({"--version"}).out.startsWith("loadline "));
    }

    void aFolderWithoutSessionsIsNoFailure() {
        const Ended ended = runLoadline({"sessions", path("empty"), "--json"});
        QCOMPARE(ended.status, 0);
        QCOMPARE(ended.json()["files"].toInt(), 0);
        QVERIFY(ended.err.contains("no session files"));
    }

    void aFileThatIsNoSessionLogIsNamed() {
        QVERIFY(QDir(folder_.path()).mkpath("other"));
        writeFile(path("other/x.jsonl"), "{\"some\":\"thing\"}\n");
        const Ended ended = runLoadline({"sessions", path("other")});
        QVERIFY2(ended.err.contains("x.jsonl is no session log that Loadline knows"), ended.err);
        QVERIFY(!ended.err.contains("no session files"));
        writeFile(path("other/y.jsonl"), "{\"some\":\"thing\"}\n");
        const Ended two = runLoadline({"sessions", path("other")});
        QVERIFY2(two.err.contains("x.jsonl and 1 more file are no session logs"), two.err);
    }

    void oneBadPathOfTwoIsSaidAndTheOtherRead() {
        const Ended ended = runLoadline({"sessions", path("none"), path("one.jsonl"), "--json"});
        QCOMPARE(ended.status, 1);
        QVERIFY(!ended.json()["complete"].toBool(true));
        QCOMPARE(ended.json()["totals"].toObject()["calls"].toInt(), 1);
        QVERIFY(ended.err.contains("none"));
        QCOMPARE(ended.json()["diagnostics"].toArray().size(), 1);
    }

    void filesWithoutPermissionAreSaid() {
        if (::geteuid() == 0) {
            QSKIP("root may read everything");
        }
        writeTo(path("secret.jsonl"), oneCall);
        QFile::setPermissions(path("secret.jsonl"), {});
        const Ended ended = runLoadline({"sessions", path("secret.jsonl")});
        QCOMPARE(ended.status, 1);
        QVERIFY(ended.err.contains("secret.jsonl"));
    }

    void aFullDiskAtStandardOutputIsAFailure() {
        if (!QFile::exists(QStringLiteral("/dev/full"))) {
            QSKIP("no /dev/full here");
        }
        for (const QStringList& command : {QStringList{"sessions", path("one.jsonl")},
                                           QStringList{"sessions", path("one.jsonl"), "--json"},
                                           QStringList{"turns", path("one.jsonl")}, QStringList{"--help"}}) {
            const Ended ended = runLoadline(command, QStringLiteral("/dev/full"));
            QCOMPARE(ended.status, 1);
            QVERIFY2(ended.err.contains("standard output"), ended.err);
        }
    }

    void aReaderThatGoesAwayIsNone() {
        QProcess shell;
        shell.start(QStringLiteral("/bin/bash"),
                    {QStringLiteral("-c"),
                     QStringLiteral("'%1' sessions '%2' --json | head -n 1; echo ${PIPESTATUS[0]}")
                         .arg(QStringLiteral(LOADLINE_EXECUTABLE), path("whole"))});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(shell.readAllStandardError(), QByteArray());
        QVERIFY(shell.readAllStandardOutput().endsWith("\n0\n"));
    }

    void csvIsWrittenWhole() {
        writeTo(path("old.csv"), "before");
        const Ended ended = runLoadline({"sessions", path("whole"), "--csv", path("old.csv")});
        QCOMPARE(ended.status, 0);
        QVERIFY(ended.out.isEmpty());
        QCOMPARE(contentOf(path("old.csv")).count('\n'), static_cast<int>(whole_.files) + 1);
        QCOMPARE(runLoadline({"sessions", path("whole"), "--csv", "-"}).out, contentOf(path("old.csv")));
        QVERIFY(QDir(folder_.path()).entryList({QStringLiteral("*.part")}).isEmpty());
    }

    void bothFormsAreWrittenWhereEachHasAPlace() {
        const Ended ended = runLoadline({"sessions", path("one.jsonl"), "--json", "--csv", path("both.csv")});
        QCOMPARE(ended.status, 0);
        QCOMPARE(ended.json()["totals"].toObject()["calls"].toInt(), 1);
        QCOMPARE(contentOf(path("both.csv")).count('\n'), 2);
    }

    void hostileNamesAreTakenLiterally() {
        const QByteArray invalid = "bad\xff\xfe.jsonl";
        for (const QString& name : {QStringLiteral("[a,b].jsonl"), QStringLiteral("-dash.jsonl"),
                                    QStringLiteral("new\nline.jsonl")}) {
            writeTo(path("odd/" + name), oneCall);
            const Ended ended = runLoadline({"sessions", "--json", "--", path("odd/" + name)});
            QCOMPARE(ended.status, 0);
            QCOMPARE(ended.json()["sessions"].toArray().at(0).toObject()["path"].toString(),
                     path("odd/" + name));
        }
        const QByteArray target = path("odd/").toLocal8Bit() + invalid;
        FILE* raw = std::fopen(target.constData(), "w");
        QVERIFY(raw != nullptr);
        std::fputs(oneCall, raw);
        std::fclose(raw);
        const Ended ended = runLoadline({"sessions", "--json", path("odd")});
        QCOMPARE(ended.status, 0);
        std::remove(target.constData());            // QTemporaryDir cannot name it
        QCOMPARE(ended.json()["files"].toInt(), 4); // the document parses although a name is no UTF-8
    }

private:
    [[nodiscard]] QString path(const QString& name) {
        if (name.startsWith(QLatin1String("odd/"))) {
            QDir().mkpath(folder_.filePath("odd"));
        }
        return folder_.filePath(name);
    }

    GeneratedLedger generated(const QString& name, bool odd) {
        Progress progress;
        const Result<GeneratedLedger> ledger =
            generateSessions(path(name).toStdString(),
                             {.sessions = 12, .bytes = 3'000'000, .seed = 9, .odd = odd}, {}, progress);
        return ledger ? *ledger : GeneratedLedger{};
    }

    QTemporaryDir folder_;
    GeneratedLedger made_;  ///< with odd lines
    GeneratedLedger whole_; ///< without
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliSessionsTest)
#include "cli_sessions_test.moc"
