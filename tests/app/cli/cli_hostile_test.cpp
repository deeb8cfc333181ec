// What the machine and strangers do to a command: names, a locale with decimal commas, a kill at any time.
#include "tests/app/cli/cli_process.h"
#include "tests/app/hostile_sessions.h"
#include "tests/app/made_up_sessions.h"

#include <QDir>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

namespace loadline::app {
namespace {

QByteArray contentAt(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// What a command prints with this locale, its measured times aside.
QByteArray printedIn(const QString& locale, const QString& folder, const QStringList& arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LOCPATH"), folder);
    environment.insert(QStringLiteral("LC_ALL"), locale);
    environment.insert(QStringLiteral("LANG"), locale);
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(LOADLINE_EXECUTABLE), arguments);
    if (!process.waitForFinished(60'000) || process.exitCode() != 0) {
        return {};
    }
    QByteArray kept;
    for (const QByteArray& line : process.readAllStandardOutput().split('\n')) {
        if (!line.contains("\"wall_s\"") && !line.contains("\"steps_per_s\"")) {
            kept += line + '\n';
        }
    }
    return kept;
}

} // namespace

class CliHostileTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

private slots:

    void picturesOfHostileNamesAreXml_data() {
        QTest::addColumn<QString>("chart");
        for (const char* chart : {"composition", "timeline", "cache-requests"}) {
            QTest::newRow(chart) << chart;
        }
    }

    void picturesOfHostileNamesAreXml() {
        QFETCH(QString, chart);
        const QString sessions = made_up::writeHostile(path("hostile"), path("bait"));
        QVERIFY(!sessions.isEmpty());
        const Ended ended = runLoadline({"export", chart, sessions, "--out", path("chart.svg")});
        QCOMPARE(ended.status, 1); // one line is lost, which is said
        QVERIFY2(ended.err.contains("does not decode"), ended.err);
        QXmlStreamReader xml(contentAt(path("chart.svg")));
        int elements = 0;
        while (!xml.atEnd()) {
            if (xml.readNext() == QXmlStreamReader::StartElement) {
                ++elements;
                const QStringView name = xml.name();
                QVERIFY2(name != u"script" && name != u"a" && name != u"image" && name != u"style",
                         qPrintable(name.toString()));
            }
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(elements > 10);
    }

    void numbersHavePointsWhateverTheLocale() {
        const QString localedef = QStandardPaths::findExecutable("localedef");
        if (localedef.isEmpty() ||
            QProcess::execute(localedef, {"-i", "de_DE", "-f", "UTF-8", path("de_DE.UTF-8")}) != 0) {
            QSKIP("the locale cannot be made here");
        }
        const QStringList simulate = {"simulate",    "--iterations", "50",      "--arrivals",
                                      "poisson:0.5", "--time-scale", "mma=0.5", "--json"};
        const QByteArray usual = printedIn("C.UTF-8", folder_.path(), simulate);
        QVERIFY(usual.size() > 1000);
        QCOMPARE(printedIn("de_DE.UTF-8", folder_.path(), simulate), usual);
        const QStringList log = {"bench", "--modelled", "H100-SXM", "--shapes", "llama-3.1-8b", "--k", "4"};
        QCOMPARE(printedIn("de_DE.UTF-8", folder_.path(), log), printedIn("C.UTF-8", folder_.path(), log));
    }

    void aKillLeavesTheOldFileOrTheNew() {
        const QString sessions = path("sessions");
        made_up::writeThree(sessions);
        const QStringList arguments = {"sessions", sessions, "--csv", path("out.csv")};
        QElapsedTimer clock;
        clock.start();
        QCOMPARE(runLoadline(arguments).status, 0);
        const auto usualMs = static_cast<int>(clock.elapsed());
        const QByteArray whole = contentAt(path("out.csv"));
        QVERIFY(!whole.isEmpty());
        const QByteArray old = "what was there before\n";
        QRandomGenerator random(1);
        for (int i = 0; i < 12; ++i) {
            writeFile(path("out.csv"), old);
            QProcess process;
            process.start(QStringLiteral(LOADLINE_EXECUTABLE), arguments);
            QVERIFY(process.waitForStarted());
            QTest::qWait(random.bounded(usualMs + 1));
            process.kill();
            QVERIFY(process.waitForFinished() ||
                    process.state() == QProcess::NotRunning); // or it was done before
            const QByteArray left = contentAt(path("out.csv"));
            QVERIFY2(left == old || left == whole, left.left(200).constData());
        }
    }
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliHostileTest)
#include "cli_hostile_test.moc"
