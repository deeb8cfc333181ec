// Input that cannot be read, as a process: every command says so, ends with 1 and marks what it writes.
#include "tests/app/cli/cli_process.h"
#include "tests/app/made_up_sessions.h"

#include <QImage>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {
namespace {

constexpr auto readError = "could not be read to its end: Input/output error";

/// Returns a file's bytes; of a picture its text.
QByteArray textIn(const QString& path) {
    if (path.endsWith(".png")) {
        return QImage(path).text("Description").toUtf8();
    }
    return contentOf(path);
}

} // namespace

class CliLossesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        made_up::write(path("good"), {1, 6, "alpha", "claude-made-up-1", {}});
        made_up::write(path("bad"), {2, 6, "beta", "claude-made-up-1", "{\"type\":\"assistant\",\"mess"});
        // A regular file that the system fails to read at its beginning.
        QVERIFY(QFile::link(QStringLiteral("/proc/self/mem"), path("unreadable.jsonl")));
    }

    void everyCommandSaysItAndEndsWithOne_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("written"); ///< that carries it; "-": standard output; "": nothing can
        const auto row = [](const char* name, const QStringList& arguments, const QString& written) {
            QTest::newRow(name) << arguments << written;
        };
        row("sessions", {"sessions", "PATHS"}, "");
        row("sessions json", {"sessions", "PATHS", "--json"}, "json");
        row("sessions csv", {"sessions", "PATHS", "--csv", "OUT.csv"}, "OUT.csv");
        row("turns", {"turns", "PATHS"}, "-");
        row("turns json", {"turns", "PATHS", "--json"}, "json");
        row("turns out", {"turns", "PATHS", "--out", "OUT.json"}, "OUT.json");
        row("cache", {"cache", "PATHS"}, "-");
        row("cache json", {"cache", "PATHS", "--json"}, "json");
        row("cache trace", {"cache", "PATHS", "--export-trace", "mooncake", "--out", "OUT.jsonl"}, "");
        row("export csv", {"export", "timeline", "PATHS", "--out", "OUT.csv"}, "OUT.csv");
        row("export svg", {"export", "distributions", "PATHS", "--out", "OUT.svg"}, "OUT.svg");
        row("export png", {"export", "timeline", "PATHS", "--out", "OUT.png"}, "OUT.png");
        row("export pdf", {"export", "timeline", "PATHS", "--out", "OUT.pdf"}, "");
        row("export page", {"export", "page", "distributions", "PATHS", "--out", "OUT.svg"}, "OUT.svg");
    }

    void everyCommandSaysItAndEndsWithOne() {
        QFETCH(const QStringList, arguments);
        QFETCH(const QString, written);
        const auto run = [&](const QStringList& paths, const QString& out) {
            QStringList words;
            for (const QString& word : arguments) {
                if (word == "PATHS") {
                    words += paths;
                } else {
                    words << QString(word).replace("OUT", path(out));
                }
            }
            return runLoadline(words);
        };
        const Ended whole = run({path("good")}, "whole");
        const bool isSaid = arguments.contains("--export-trace")
                                ? whole.err.startsWith("loadline: the trace's blocks are rebuilt") &&
                                      whole.err.count('\n') == 1
                                : whole.err.isEmpty();
        QVERIFY2(whole.status == 0 && isSaid, whole.err);
        int outputs = 0; // a trace's file is never written twice
        for (const auto& [paths, said] :
             {std::pair(QStringList{path("good"), path("unreadable.jsonl")}, QByteArray(readError)),
              std::pair(QStringList{path("good"), path("bad")},
                        QByteArray("line does not decode as JSON"))}) {
            const QString out = QStringLiteral("lost%1").arg(outputs++);
            const Ended ended = run(paths, out);
            QCOMPARE(ended.status, 1);
            QVERIFY2(ended.err.contains(said) && !ended.err.contains("vanished"), ended.err);
            if (written == "json") {
                QVERIFY(whole.json()["complete"].toBool());
                QVERIFY(!ended.json()["complete"].toBool(true));
                continue;
            }
            const QString name = QString(written).replace("OUT", path(out));
            const QByteArray carries = written == "-"      ? ended.out
                                       : written.isEmpty() ? QByteArray()
                                                           : textIn(name);
            QVERIFY2(written.isEmpty() || carries.contains("Incomplete: "), carries.left(2000));
            if (name.endsWith(".csv")) {
                QVERIFY(carries.left(carries.indexOf('\n')).endsWith(",incomplete"));
            }
        }
    }

    void simulationsOfWhatWasLostSayIt() {
        const QString points = path("points.csv");
        const QStringList few{"--users", "1", "--replicas", "1", "--turns", "9"};
        const Ended one = runLoadline(QStringList{"simulate", "--workload", path("bad"), "--json"} + few);
        QCOMPARE(one.status, 1);
        QVERIFY2(one.err.contains("line does not decode as JSON"), one.err);
        const QJsonObject read = one.json()["inputs"].toObject()["workload_read"].toObject();
        QVERIFY(!read["complete"].toBool(true));
        QVERIFY(read["notes"].toArray().first().toString().startsWith("Incomplete: "));
        const Ended many = runLoadline(
            {"sweep", "--workload", path("bad"), "--users", "1,2", "--csv", points, "--draws", "0"});
        QCOMPARE(many.status, 1);
        QVERIFY(textIn(points).contains(",incomplete\n"));
        const QString trace = path("trace.csv");
        writeFile(trace, "arrival_s,input_tokens,output_tokens\n0,10,5\n1,many,5\n2,10,5\n");
        const Ended cut = runLoadline(QStringList{"simulate", "--workload", trace, "--json"} + few);
        QCOMPARE(cut.status, 1);
        QVERIFY2(cut.err.contains("Incomplete: trace.csv: line 3 left out"), cut.err);
    }

    void nothingButAnErrorIsNoAnswer() {
        const Ended ended = runLoadline({"sessions", path("unreadable.jsonl"), "--json"});
        QCOMPARE(ended.status, 1);
        QVERIFY(!ended.json()["complete"].toBool(true));
        QVERIFY2(ended.err.contains(readError), ended.err);
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliLossesTest)
#include "cli_losses_test.moc"
