// Settings: what was chosen comes back; broken, foreign and newer files do no harm.
#include "app/window/settings.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace loadline;
using namespace loadline::app;

class SettingsTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;

    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(name); }

    void writeFile(const QString& file, const QByteArray& bytes) const {
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(bytes);
    }

private slots:

    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void everythingComesBack() {
        Settings s;
        s.geometry = QByteArray("\0\1geometry", 10);
        s.windowState = "state";
        s.sessionColumns = QByteArray::fromHex("00ff10");
        s.timelineSplit = "split";
        s.recentFolders = {"/a b/c", "/d,e", "/\u00e4\u4e2d"};
        s.lastPaths = {"/a b/c"};
        s.reopenLast = true;
        s.theme = ThemeChoice::Dark;
        s.page = Page::Composition;
        s.simulation.arrivals.users = 33;
        s.checkedRun = "/runs/one";
        s.checkedPrompts = "/runs/served.jsonl";
        s.simulation.workload = "/data/a trace, with commas.csv";
        s.simulation.policy.kvBlocks = 4096;
        s.against = SimulationRequest();
        s.against->kBits = 2;
        s.simulation.policy.memoryShare = 0.85;
        s.distribution = {TurnMethod::PerLine, BinKind::FineLog, Measure::Cumulative, true};
        s.group = CompositionGroup::Model;
        s.composition = {true, false};
        s.axis = TimelineAxis::TurnIndex;
        s.exports = {"/out put", "svg", {1234, 567}, 2.5, ui::ThemeKind::Dark};
        QVERIFY(saveSettings(s, path("all/of/it.ini"))); // makes the folders
        QCOMPARE(loadSettings(path("all/of/it.ini")), s);
    }

    void defaultsComeBackToo() {
        QVERIFY(saveSettings({}, path("plain.ini")));
        QCOMPARE(loadSettings(path("plain.ini")), Settings{});
        QCOMPARE(loadSettings(path("not-there.ini")), Settings{});
    }

    void oneRecentFolderIsAList() {
        Settings s;
        s.recentFolders = {"/only one"};
        QVERIFY(saveSettings(s, path("one.ini")));
        QCOMPARE(loadSettings(path("one.ini")).recentFolders, s.recentFolders);
    }

    void unusableFilesGiveDefaults_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("noise") << QByteArray::fromHex("00fffe5b5b3d0a5d0d00");
        QTest::newRow("another program's")
            << QByteArray("[window]\ngeometry=12\nstate=@Invalid()\n[MainWindow]\nx=3\n");
        QTest::newRow("wrong types") << QByteArray(
            "[window]\ntheme=7\npage=nowhere\nlayout=1e9\n[distributions]\nmethod=guess\nbins=\nmeasure=@"
            "Size(3 "
            "4)\nreference=perhaps\n[export]\nsize=huge\nscale=-3\nformat=exe\ntheme=\n");
        QTest::newRow("out of range")
            << QByteArray("[export]\nsize=@Size(1 "
                          "99999999)\nscale=400\n[composition]\ngroup=galaxy\n[files]\nreopen_last=1\n");
    }

    void unusableFilesGiveDefaults() {
        QFETCH(QByteArray, bytes);
        writeFile(path("odd.ini"), bytes);
        QCOMPARE(loadSettings(path("odd.ini")), Settings{});
    }

    void anotherLayoutKeepsTheRest() {
        Settings s;
        s.windowState = "state";
        s.geometry = "geometry";
        s.theme = ThemeChoice::Light;
        QVERIFY(saveSettings(s, path("layout.ini")));
        QFile file(path("layout.ini"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray text = file.readAll();
        QVERIFY(text.contains("layout=1"));
        text.replace("layout=1", "layout=99");
        file.seek(0);
        file.resize(0);
        file.write(text);
        file.close();
        const Settings read = loadSettings(path("layout.ini"));
        QCOMPARE(read.theme, ThemeChoice::Light);
        QVERIFY(read.windowState.isEmpty());
        QVERIFY(read.geometry.isEmpty());
    }

    void aFolderInTheWayIsReported() {
        QVERIFY(QDir().mkpath(path("folder.ini")));
        QVERIFY(!saveSettings({}, path("folder.ini")));
    }

    void recentFoldersAreDistinctAndFew() {
        Settings s;
        for (int i = 0; i < 12; ++i)
            remember(s, {QString("/f%1").arg(i)});
        remember(s, {"/f9/", "/new"});
        QCOMPARE(s.recentFolders, (QStringList{"/f9", "/new", "/f11", "/f10", "/f8", "/f7", "/f6", "/f5"}));
    }

    void theFileLiesInTheConfigurationFolder() {
        QVERIFY(!qEnvironmentVariable("XDG_CONFIG_HOME").isEmpty());
        QCOMPARE(settingsPath(), qEnvironmentVariable("XDG_CONFIG_HOME") + "/loadline/loadline.ini");
    }
};

QTEST_GUILESS_MAIN(SettingsTest)
#include "settings_test.moc"
