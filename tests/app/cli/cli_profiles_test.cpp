// loadline profiles, and its charts by loadline export: what is refused, and what is said of it.
#include "core/cost/compare/comparison_report.h"
#include "tests/app/cli/cli_process.h"

#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {

class CliProfilesTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    /// A profile of a user, made of a bundled one's point.
    [[nodiscard]] bool makeProfile(const QString& name) const {
        QFile table(path("table.csv"));
        if (!table.open(QIODevice::WriteOnly)) {
            return false;
        }
        table.write("kernel,shape,K,N,M,k_bits,time_us\nmine,gateup,2048,5120,1,4,10\n");
        table.close();
        return runLoadline({"bench", "--import", path("table.csv"), "--as", "swap_ab", "--out", path(name)})
                   .status == 0;
    }

private slots:

    void initTestCase() { QVERIFY(makeProfile("before.json") && makeProfile("after.json")); }

    void whatIsWrong_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("words");
        QTest::newRow("a table without its CSV")
            << QStringList{"profiles", "--table", "points"} << 2 << "--table: names the table of --csv";
        QTest::newRow("no such table")
            << QStringList{"profiles", "--table", "nope", "--csv", "-"} << 1 << "there is no such table";
        QTest::newRow("no such file")
            << QStringList{"profiles", "--before", "/none.json"} << 1 << "there is no such file";
        QTest::newRow("no such name")
            << QStringList{"profiles", "--after", "h300"} << 1 << "there is no profile \"h300\"";
        QTest::newRow("no such chart")
            << QStringList{"export", "profile-pie", "--before", "h100-study", "--out", "a.png"} << 2
            << "there is no chart 'profile-pie'";
        QTest::newRow("no such page")
            << QStringList{"export", "page", "pies", "--before", "h100-study", "--out", "a.png"} << 2
            << "there is no page 'pies': sessions, ";
        QTest::newRow("the chart behind its options")
            << QStringList{"export", "--size", "800x600", "profile-ratio", "--out", "a.png"} << 2
            << "'profile-ratio' has options of its own: name it first, before them";
    }

    void whatIsWrong() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, words);
        const Ended ended = runLoadline(arguments);
        QCOMPARE(ended.status, status);
        QVERIFY2(ended.err.contains(words.toUtf8()), ended.err);
        QVERIFY2(!ended.err.contains("not expected"), ended.err);
        QVERIFY(ended.out.isEmpty());
    }

    void theHelpNamesTheDefaults() {
        const QByteArray help = runLoadline({"profiles", "--help"}).out.simplified();
        const ComparisonQuestion usual;
        for (const std::string& name : {usual.before, usual.after}) {
            QVERIFY2(help.contains(("a file or a folder (" + name + ")").c_str()), help);
        }
    }

    void noProfileIsOverwritten_data() {
        QTest::addColumn<QStringList>("arguments");
        const QStringList both = {"--before", path("before.json"), "--after", path("after.json")};
        QTest::newRow("csv") << QStringList{"profiles"} + both + QStringList{"--csv", path("after.json")};
        QTest::newRow("export") << QStringList{"export", "profile-ratio"} + both +
                                       QStringList{"--out", path("before.json")};
    }

    void noProfileIsOverwritten() {
        QFETCH(QStringList, arguments);
        const QByteArray before = contentOf(arguments.last());
        const Ended ended = runLoadline(arguments);
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("will not overwrite a file that is being read"), ended.err);
        QVERIFY(!before.isEmpty());
        QCOMPARE(contentOf(arguments.last()), before);
    }
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliProfilesTest)
#include "cli_profiles_test.moc"
