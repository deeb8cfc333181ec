// Names of strangers on a terminal: nothing of them steers it, each message has one line, JSON means the
// same.
#include "core/text/visible_text.h"
#include "tests/app/cli/cli_process.h"
#include "tests/app/made_up_workloads.h"

#include <QDir>
#include <QJsonArray>
#include <QTest>

namespace loadline::app {
namespace {

/// A title, a colour, a link, a line end, C1's CSI, a turn of direction, an invisible tag.
const QString hostile = QStringLiteral("a\x1b]0;t\x07\x1b[31m\x1b]8;;http://x\x1b\\b\nloadline: done\r") +
                        QChar(0x9B) + QStringLiteral("2Jc") + QChar(0x202E) + QStringLiteral("txt.jsonl");
const QByteArray shown = "a\\x1b]0;t\\x07\\x1b[31m\\x1b]8;;http:";

/// The first character that a terminal would take for more than itself, as words; "" if there is none.
QByteArray hiddenIn(const QByteArray& text) {
    for (const char32_t c : QString::fromUtf8(text).toUcs4()) {
        if (c != U'\n' && isHidden(c)) {
            return "U+" + QByteArray::number(static_cast<uint>(c), 16) + " in " + text;
        }
    }
    return {};
}

} // namespace

class CliTerminalTest : public QObject, protected made_up::WorkloadFolder {
    Q_OBJECT

private slots:
    void initTestCase() {
        name_ = QString(hostile).remove('/');
        makeWorkloads();
        QVERIFY(QDir(path(".")).mkpath("odd"));
        QByteArray session = made_up::textOf({1, 6, "alpha", "claude", {}});
        session.replace("/home/me/alpha", R"(/home/me/\u001b[2J\n\u202ealpha)");
        session.replace("\"claude\"", R"("claude\u009b31m\nx")");
        session.replace("question 1 of", R"(\u001b]0;owned\u0007\u2066title\n of)");
        made("odd/" + name_, session + "{\"type\":\"\\u001b[2J\\u202e\"}\nno JSON \x1b[31m\n");
        QVERIFY(QFile::link(path("nowhere"), path("odd/gone" + name_)));
    }

    void textAndMessagesHoldNothingThatSteers_data() {
        QTest::addColumn<QStringList>("arguments");
        const QString odd = path("odd");
        const QString none = path("none/" + name_);
        const auto row = [](const QStringList& arguments) {
            QTest::newRow(
                qPrintable(arguments.mid(0, 3).join(' ').toLatin1().toPercentEncoding(" /-.").left(90)))
                << arguments;
        };
        row({"sessions", odd});
        row({"sessions", odd, "--json"});
        row({"turns", odd});
        row({"turns", odd, "--json"});
        row({"sessions", none});
        row({"sessions", odd, none});
        row({"sessions", odd, "--csv", none});
        row({"sessions", odd, "--" + name_});
        row({"sessions", odd, "--threads", name_});
        row({"turns", odd, "--method", name_});
        row({"schedule", none});
        row({"replay", none});
        row({"simulate", "--workload", none});
        row({"simulate", "--workload", odd, "--replicas", "1", "--iterations", "50"});
        row({"simulate", "--workload", odd, "--replicas", "1", "--iterations", "50", "--json"});
        row({"simulate", "--profile", name_});
        row({"simulate", "--rule", name_});
        row({"simulate", "--users", name_});
        row({"simulate", "--policy", name_});
        row({"sweep", "--k", name_});
        row({"sweep", "--shapes", name_});
        row({"export", name_, "--out", "x.png"});
        row({"export", "timeline", odd, "--show", name_, "--out", path("x.png")});
        row({"export", "timeline", odd, "--out", none + ".png"});
        row({"export", "timeline", odd, "--against", name_, "--out", path("x.png")});
        row({"bench", "--device", name_});
        row({"bench", "--import", none, "--as", name_});
        row({name_});
        row({"--" + name_});
        row({path("odd/" + name_)});
    }

    void textAndMessagesHoldNothingThatSteers() {
        QFETCH(QStringList, arguments);
        const Ended ended = runLoadline(arguments);
        QVERIFY(ended.status >= 0);
        QVERIFY2(hiddenIn(ended.out).isEmpty(), hiddenIn(ended.out));
        QVERIFY2(hiddenIn(ended.err).isEmpty(), hiddenIn(ended.err));
        for (const QByteArray& line : (ended.out + ended.err).split('\n')) {
            QVERIFY2(line != "loadline: done", "a name made a line of its own");
        }
    }

    void aMessageIsOneLineWithTheNameInIt() {
        const Ended missing = runLoadline({"sessions", path("none/" + name_)});
        QCOMPARE(missing.status, 1);
        QCOMPARE(missing.err.count('\n'), 1);
        QVERIFY2(missing.err.contains(shown), missing.err);
        const Ended beside = runLoadline({"sessions", path("odd"), path("none/" + name_)});
        QCOMPARE(beside.status, 1); // a part of what was asked for is in no sum
        QVERIFY2(beside.err.contains(shown), beside.err);
        QVERIFY2(beside.err.contains("\\nloadline: done\\r\\u009b2Jc\\u202etxt.jsonl"), beside.err);
    }

    void jsonMeansTheSame() {
        const Ended ended = runLoadline({"sessions", path("odd"), "--json"});
        QCOMPARE(ended.status, 1); // one of its lines is lost
        const QJsonObject session = ended.json()["sessions"].toArray().at(0).toObject();
        QCOMPARE(session["path"].toString(), path("odd/" + name_));
        QVERIFY(ended.out.contains("\\u009b2Jc\\u202etxt"));
        const QJsonObject models = ended.json()["by_model"].toObject();
        QVERIFY(models.contains(QStringLiteral("claude") + QChar(0x9B) + QStringLiteral("31m\nx")));
    }

    void jsonLinesMeanTheSame() {
        made("shapes.json", QString(R"({"schema": "loadline.shapes/1", "name": "m%1%2x",
            "gemms": [{"name": "qkv", "shape": "64x128"}]})")
                                .arg(QChar(0x202E), QChar(0x9B))
                                .toUtf8());
        const Ended ended = runLoadline({"bench", "--device", "made-up", "--preset", "quick", "--k", "4",
                                         "--json-lines", "--shapes", path("shapes.json"), "--out",
                                         path(QStringLiteral("p") + QChar(0x202E) + ".json")});
        QVERIFY2(ended.status == 0, ended.err);
        QVERIFY2(hiddenIn(ended.out).isEmpty(), hiddenIn(ended.out));
        QVERIFY(ended.out.contains("p\\u202e.json"));
        for (const QByteArray& line : ended.out.trimmed().split('\n')) {
            QVERIFY2(QJsonDocument::fromJson(line).isObject(), line);
        }
    }

private:
    QString name_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliTerminalTest)
#include "cli_terminal_test.moc"
