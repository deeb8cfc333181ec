// export as a process: every chart in every format, and the command inside a PNG makes the same PNG.
#include "tests/app/cli/cli_process.h"
#include "tests/app/made_up_server_logs.h"
#include "tests/app/made_up_sessions.h"
#include "ui/chart/export_drawing.h"

#include <QDir>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {
namespace {

QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// "loadline ..." of a PNG, by the program that is tested.
bool runsInAShell(QString command) {
    command.replace(0, int(qstrlen("loadline")), QStringLiteral("'" LOADLINE_EXECUTABLE "'"));
    QProcess shell;
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command});
    return shell.waitForFinished(60'000) && shell.exitCode() == 0;
}

} // namespace

class CliExportTest : public QObject {
    Q_OBJECT

private slots:
    void anInterruptedOneEndsAndWritesNothing() {
        for (const QStringList& chart : {QStringList{"what-pays"}, {"page", "crossover"}}) {
            const QString out = path("interrupted.png");
            const Ended ended = interruptLoadline(QStringList{"export"} + chart + QStringList{"--out", out});
            QCOMPARE(ended.status, 128 + SIGINT);
            QVERIFY(ended.err.isEmpty());
            QVERIFY(!QFile::exists(out));
        }
    }

    void allWritesEveryChartOfTheSample() {
        const Ended ended = runLoadline({"export", "all", "--shapes", "study", "--iterations", "500",
                                         "--replicas", "4", "--out-dir", path("charts/below")});
        QCOMPARE(ended.status, 0);
        const QDir charts(path("charts/below"));
        for (const char* name :
             {"distributions", "timeline", "composition-by-session", "composition-by-day",
              "composition-by-model", "composition-by-project", "cache-tiers", "cache-capacity", "cache-ttl",
              "cache-users", "cache-requests", "cache-split", "profile-ratio", "profile-times"}) {
            const QImage image(charts.filePath(QLatin1String(name) + ".png"));
            QCOMPARE(image.size(), QSize(1600, 900));
            QVERIFY(read(charts.filePath(QLatin1String(name) + ".csv")).count('\n') > 1);
        }
        QCOMPARE(charts.entryList(QDir::Files).size(), 60);
    }

    void aServersLogIsDrawn() {
        made_up::writeText(path("server, 1.log"), made_up::llamaCppLog(4));
        const QString log = path("server\\, 1.log"); // a comma divides files
        for (const char* chart : {"log-time", "log-rate"}) {
            const Ended ended = runLoadline({"export", chart, "--log", log, "--out", path("log.csv")});
            QCOMPARE(ended.status, 0);
            QVERIFY(read(path("log.csv")).count('\n') > 4);
        }
        QCOMPARE(runLoadline({"export", "log-time", "--out", path("none.csv")}).status, 1);
        const Ended over = runLoadline({"export", "log-time", "--log", log, "--out", path("server, 1.log")});
        QVERIFY(over.status != 0 && read(path("server, 1.log")) == made_up::llamaCppLog(4));
    }

    void attentionInTablesIsNotCalledUntimed() {
        QVERIFY(QDir().mkpath(path("tables")));
        const auto write = [&](const QString& name, const QByteArray& text) {
            QFile file(path("tables/" + name));
            return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
        };
        QVERIFY(write("gemm.csv", "m,n,k,time_us\n1,4096,4096,20\n16,4096,4096,21\n"));
        QVERIFY(write("decode_attention.csv", "batch,kv_tokens,q_heads,kv_heads,head_dim,time_us\n"
                                              "1,1024,32,8,128,9\n1,4096,32,8,128,15\n"));
        const QString out = path("attention.csv");
        const Ended ended =
            runLoadline({"export", "kernels-attention", "--profile", path("tables"), "--out", out});
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("attention is in tables"), ended.err.constData());
        QVERIFY(!QFile::exists(out));
    }

    void formatsBySuffix_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("start");
        QTest::newRow("png") << "a.png" << QByteArray("\x89PNG");
        QTest::newRow("svg") << "a.svg" << QByteArray("<?xml");
        QTest::newRow("pdf") << "a.PDF" << QByteArray("%PDF");
        QTest::newRow("csv") << "a.csv" << QByteArray("quantity,");
    }

    void formatsBySuffix() {
        QFETCH(QString, file);
        QFETCH(QByteArray, start);
        const Ended ended = runLoadline({"export", "distributions", "--out", path(file)});
        QVERIFY2(ended.status == 0, ended.err);
        QVERIFY(ended.out.isEmpty() && ended.err.isEmpty());
        QVERIFY(read(path(file)).startsWith(start));
    }

    void otherSuffixesAndFullDisksAreFailures() {
        const Ended format = runLoadline({"export", "distributions", "--out", path("a.gif")});
        QCOMPARE(format.status, 1);
        QVERIFY(format.err.contains("a.gif"));
        const Ended folder = runLoadline({"export", "distributions", "--out", path("none/a.png")});
        QCOMPARE(folder.status, 1);
        QVERIFY(!QFile::exists(path("a.gif")));
    }

    void aPageIsOnePictureWithItsCommand_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("sessions") << QStringList{"sessions", "--project", "harbour-site"};
        QTest::newRow("cache") << QStringList{"cache", "--ttl-s", "60"};
        QTest::newRow("published") << QStringList{"published", "--k", "2"};
    }

    void aPageIsOnePictureWithItsCommand() {
        QFETCH(const QStringList, words);
        const QString file = path("page.png");
        const Ended ended = runLoadline(QStringList{"export", "page"} + words +
                                        QStringList{"--size", "1200x800", "--out", file});
        QVERIFY2(ended.status == 0, ended.err);
        const QByteArray first = read(file);
        QCOMPARE(QImage(file).size(), QSize(1200, 800));
        const QString command = ui::commandInPng(file.toStdString());
        QVERIFY2(command.startsWith("loadline export page " + words[0]), qPrintable(command));
        QVERIFY2(!command.contains("--group"), qPrintable(command)); // the page's own
        QVERIFY(QFile::remove(file));
        QVERIFY(runsInAShell(command));
        QCOMPARE(read(file), first);
    }

    void aPageThatIsNoneIsRefusedWithThoseThereAre() {
        const Ended none = runLoadline({"export", "page", "settings", "--out", path("none.png")});
        QCOMPARE(none.status, 2);
        QVERIFY2(none.err.contains("no page 'settings'") && none.err.contains("what-pays"), none.err);
        QCOMPARE(runLoadline({"export", "page", "--out", path("none.png")}).status, 2);
        QVERIFY(runLoadline({"export", "--list"}).out.contains("server-log"));
    }

    void theCommandInAPngMakesItAgain() {
        const QString file = path("it's a chart.png");
        const Ended ended = runLoadline({"export", "composition", "--group", "model", "--model",
                                         "claude-opus-4-6", "--model", "claude-opus-4-8", "--size", "900x500",
                                         "--scale", "2", "--theme", "dark", "--out", file});
        QVERIFY2(ended.status == 0, ended.err);
        const QByteArray first = read(file);
        QCOMPARE(QImage(file).size(), QSize(1800, 1000));
        const QString command = ui::commandInPng(file.toStdString());
        QVERIFY(command.startsWith("loadline export composition"));
        QVERIFY(QFile::remove(file));

        QVERIFY(runsInAShell(command));
        QCOMPARE(read(file), first);
    }

    void theCommandInAPngSaysWhatAutoCameTo_data() {
        QTest::addColumn<QString>("shapes");
        QTest::addColumn<QString>("step");
        QTest::newRow("the study's layer") << "study"
                                           << "gemm";
        QTest::newRow("a model") << "llama-3.1-8b"
                                 << "whole-step";
    }

    void theCommandInAPngSaysWhatAutoCameTo() {
        QFETCH(QString, shapes);
        QFETCH(QString, step);
        const QString file = path("simulated.png");
        const Ended ended = runLoadline({"export", "simulator-users", "--turns", "50", "--replicas", "1",
                                         "--users", "2", "--shapes", shapes, "--out", file});
        QVERIFY2(ended.status == 0, ended.err);
        const QString command = ui::commandInPng(file.toStdString());
        QVERIFY2(command.contains("--step " + step + ' '), qPrintable(command));
        QVERIFY2(command.contains("--turn-order sampled "), qPrintable(command));
        QVERIFY2(command.contains("--outputs recorded "), qPrintable(command));
        QVERIFY2(!command.contains("auto"), qPrintable(command));
    }

    void theCommandInAPngNamesItsClock() {
        const QString file = path("timeline.png");
        for (const QString clock : {"local", "utc"}) {
            QCOMPARE(runLoadline({"export", "timeline", "--clock", clock, "--out", file}).status, 0);
            const QString command = ui::commandInPng(file.toStdString());
            QVERIFY2(command.contains("--clock " + clock + ' '), qPrintable(command));
        }
    }

    void theScopeReachesTheNumbers() {
        QVERIFY(
            runLoadline({"export", "composition", "--group", "project", "--out", path("all.csv")}).status ==
            0);
        QVERIFY(runLoadline({"export", "composition", "--group", "project", "--project",
                             "/home/user/tide-tables", "--out", path("one.csv")})
                    .status == 0);
        QVERIFY(read(path("all.csv")).contains("harbour-site"));
        QVERIFY(!read(path("one.csv")).contains("harbour-site"));
        QVERIFY(read(path("one.csv")).contains("tide-tables"));
        const Ended nothing = runLoadline(
            {"export", "distributions", "--project", "/no/such/project", "--out", path("nothing.png")});
        QCOMPARE(nothing.status, 1);
        QVERIFY2(nothing.err.contains("no project is called \"/no/such/project\""), nothing.err);
        QVERIFY2(nothing.err.contains("/home/user/tide-tables"), nothing.err); // what there is
        QVERIFY(runLoadline({"export", "composition", "--group", "project", "--project", "tide", "--model",
                             "OPUS-4-6", "--out", path("part.csv")})
                    .status == 0);
        QVERIFY(read(path("part.csv")).contains("tide-tables"));
        QVERIFY(!read(path("part.csv")).contains("harbour-site"));
    }

    void theSessionsOfAPathAreWhatIsSimulated() {
        const QString sessions = path("sessions");
        for (const int number : {1, 2}) {
            made_up::write(sessions, {number, 6, "alpha", "claude-made-up-1", {}});
        }
        const QStringList run{"--users", "2", "--iterations", "300", "--replicas", "2"};
        const QJsonObject simulated =
            runLoadline(QStringList{"simulate", "--json", "--workload", sessions} + run).json();
        const QString picture = path("simulated.svg");
        const Ended ended = runLoadline(QStringList{"export", "simulator-users", "--out", picture} + run +
                                        QStringList{sessions});
        QVERIFY2(ended.status == 0, ended.err);
        const QString headline = simulated["headline"].toString();
        QVERIFY2(headline.startsWith("k = 4 serves ") && read(picture).contains(headline.left(24).toUtf8()),
                 qPrintable(headline));
        QVERIFY(read(picture).contains("workload all 2 sessions"));
        const QString other = path("reference.svg");
        QCOMPARE(
            runLoadline(QStringList{"export", "simulator-users", "--workload", "reference", "--out", other} +
                        run + QStringList{sessions})
                .status,
            0);
        QVERIFY(read(other).contains("workload reference;"));
    }

    void whatItIsComparedWithIsOfTheSameSessions() {
        const QString sessions = path("compared");
        made_up::write(sessions, {1, 6, "alpha", "claude-made-up-1", {}});
        const QString picture = path("compared.png");
        const Ended ended = runLoadline(
            {"export", "simulator-users", "--users", "2", "--iterations", "200", "--replicas", "1",
             "--against=--users 4 --iterations 200 --replicas 1", "--out", picture, sessions});
        QVERIFY2(ended.status == 0, ended.err);
        const QString command = ui::commandInPng(picture.toStdString());
        QVERIFY2(command.count("--workload open") == 2, qPrintable(command));
    }

    void listNamesTheCharts() {
        const Ended ended = runLoadline({"export", "--list"});
        QCOMPARE(ended.status, 0);
        for (const char* name : {"distributions", "timeline", "composition"}) {
            QVERIFY(ended.out.contains(name));
        }
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliExportTest)
#include "cli_export_test.moc"
