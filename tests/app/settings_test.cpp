// Settings: what was chosen comes back; broken, foreign and newer files do no harm.
#include "app/window/settings/settings.h"

#include "app/asked/asked.h"
#include "app/simulation/self_check.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <sys/stat.h>

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

    void foldersOfTheProgramAreTheirOwnersAlone() {
        const mode_t before = ::umask(0);
        const bool saved = saveSettings({}, path("made/loadline/settings.ini"));
        ::umask(before);
        QVERIFY(saved);
        for (const char* name : {"made", "made/loadline"}) {
            struct stat status {};
            QCOMPARE(::stat(qPrintable(path(name)), &status), 0);
            QCOMPARE(status.st_mode & 07777U, mode_t{0700});
        }
    }

    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void everythingComesBack() {
        Settings s;
        s.geometry = QByteArray("\0\1geometry", 10);
        s.windowState = "state";
        s.sessionColumns =
            "tokens down; session 300; tokens 90; start 128 hidden; duration 92; turns 60; calls 64; "
            "input 76; cache-write 104; cache-read 100; output 84; hit-rate 74; model 150";
        s.parts[Page::Timeline] = {300, 200};
        s.recentFolders = {"/a b/c", "/d,e", "/\u00e4\u4e2d"};
        s.lastPaths = {"/a b/c"};
        s.scope = {.sessions = {"claude:1a,2b"}, .projects = {"/a b"}, .models = {"m"}, .agents = {"main"}};
        s.scope.text = "--from";
        s.scope.from = TimeMs{1'768'000'000'123};
        s.scope.to = TimeMs{1'768'000'000'124};
        s.scope.turnInput = TokenRange{0, 7};
        s.scope.turnOutput = TokenRange{8, 8};
        s.rows = ChosenRows{CompositionGroup::Session, {}, {"claude:1a,2b", ""}};
        s.openRows = {"/a b", "claude:1a,2b"};
        s.reopenLast = true;
        s.theme = ThemeChoice::Dark;
        s.page = Page::Composition;
        s.simulation.arrivals.users = 33;
        s.asked.selfCheck.run = "/runs/one";
        s.asked.selfCheck.prompts = "/runs/served.jsonl";
        s.simulation.workload = "/data/a trace, with commas.csv";
        s.simulation.policy.kvBlocks = 4096;
        s.against = SimulationRequest();
        s.against->weights = Storage::K2;
        s.simulation.policy.memoryShare = 0.85;
        s.asked.sessions.distribution.method = TurnMethod::PerLine;
        s.asked.sessions.distribution.bins = BinKind::FineLog;
        s.asked.sessions.distribution.measure = Measure::Cumulative;
        s.asked.sessions.distribution.reference = true;
        s.asked.sessions.group = CompositionGroup::Model;
        s.asked.sessions.composition.perRequest = true;
        s.asked.sessions.composition.shares = false;
        s.asked.sessions.timeline.axis = TimelineAxis::TurnIndex;
        s.asked.kernels.bench.kBits = {3, 5};
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
        QTest::newRow("blobs without their sums")
            << QByteArray("[window]\nlayout=2\nplace=@ByteArray(\\x1\\xd9\\xd0\\xcb)\ndocks=0, AAAA\n");
        QTest::newRow("types that ask for memory")
            << QByteArray("[window]\ntheme=@Variant(\\0\\0\\0\\t\\x7f\\xff\\xff\\xff)\nplace=@Variant("
                          "\\0\\0\\0\\x13\\x7f\\xff\\xff\\xff)\n"
                          "[files]\nrecent=@DateTime(7)\n");
        QTest::newRow("zeros and half a pair") << QByteArray("[files]\nrecent=/a, /b\\0c\n"
                                                             "[composition]\ngroup=\\xd9d0\n");
        QTest::newRow("half a pair") << QByteArray("[files]\nrecent=/a, /b\\xd9d0\n");
        QTest::newRow("wrong types") << QByteArray(
            "[window]\ntheme=7\npage=nowhere\nlayout=2e9\n[distributions]\nmethod=guess\nbins=\nmeasure=@"
            "Size(3 "
            "4)\nreference=perhaps\n[export]\nsize=huge\nscale=-3\nformat=exe\ntheme=\n");
        QTest::newRow("out of range")
            << QByteArray("[export]\nsize=@Size(1 "
                          "99999999)\nscale=400\n[composition]\ngroup=galaxy\n[files]\nreopen_last=1\n");
    }

    void unusableFilesGiveDefaults() {
        QFETCH(QByteArray, bytes);
        writeFile(path("odd.ini"), bytes);
        const SettingsRead read = readSettings(path("odd.ini"));
        if (QByteArray(QTest::currentDataTag()) == "types that ask for memory") {
            QCOMPARE(read.settings.recentFolders.size(), 1); // words like any other
        } else {
            QCOMPARE(read.settings, Settings{});
        }
    }

    void damageIsNamedAndCostsOnlyItsValue() {
        Settings s;
        s.theme = ThemeChoice::Dark;
        s.geometry = "geometry";
        s.exports.scale = 2;
        QVERIFY(saveSettings(s, path("damaged.ini")));
        QCOMPARE(readSettings(path("damaged.ini")).damaged, QStringList());
        QFile file(path("damaged.ini"));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray text = file.readAll();
        text.replace("scale=2", "scale=2e9").replace(QByteArray("geometry").toBase64(), "AAAAAAAAAAAA");
        file.seek(0);
        file.write(text);
        file.close();
        const SettingsRead read = readSettings(path("damaged.ini"));
        QCOMPARE(read.damaged, (QStringList{"window/place", "export/scale"}));
        s.geometry.clear();
        s.exports.scale = 1;
        QCOMPARE(read.settings, s);
    }

    void whatIsNoFileIsNotRead() {
        QVERIFY(::mkfifo(qPrintable(path("fifo.ini")), 0600) == 0);
        QVERIFY(QDir().mkpath(path("folder2.ini")));
        for (const char* name : {"fifo.ini", "folder2.ini"}) {
            const SettingsRead read = readSettings(path(name));
            QCOMPARE(read.settings, Settings{});
            QCOMPARE(read.damaged.size(), 1);
        }
        writeFile(path("huge.ini"), "[a]\nb=" + QByteArray(2 << 20, 'x'));
        QCOMPARE(readSettings(path("huge.ini")).damaged.size(), 1);
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
        QVERIFY(text.contains("layout=2"));
        text.replace("layout=2", "layout=99");
        file.seek(0);
        file.resize(0);
        file.write(text);
        file.close();
        const Settings read = loadSettings(path("layout.ini"));
        QCOMPARE(read.theme, ThemeChoice::Light);
        QVERIFY(read.windowState.isEmpty());
        QCOMPARE(read.geometry, s.geometry);
    }

    void aFolderInTheWayIsReported() {
        QVERIFY(QDir().mkpath(path("folder.ini")));
        QVERIFY(!saveSettings({}, path("folder.ini")));
    }

    void recentFoldersAreDistinctAndFew() {
        Settings s;
        for (int i = 0; i < 12; ++i) {
            remember(s, {QString("/f%1").arg(i)});
        }
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
