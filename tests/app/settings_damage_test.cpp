// Damaged settings: whatever happened to the file, the program starts, sane, at once.
#include "app/files/ini.h"
#include "app/window/settings/settings.h"
#include "tests/app/window_fixture.h"
#include "ui/panel/part/banner.h"
#include "ui/panel/start/start_page.h"

#include <QElapsedTimer>
#include <QFile>
#include <QRandomGenerator>
#include <QTest>
#include <sys/resource.h>

#include <functional>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

namespace {

/// What is written over a value.
const QByteArray unlikely[] = {"",
                               "-1",
                               "4294967296",
                               "99999999999999999999999",
                               "nan",
                               "inf",
                               "1e308",
                               "0x10",
                               "true",
                               "@Variant(\\0\\0\\0\\t\\x7f\\xff\\xff\\xff)",
                               "@ByteArray(\\0\\0\\0\\xff\\0\\0\\0\\0\\x7f\\xff\\xff\\xff)",
                               "@Size(99999 99999)",
                               "@Invalid()",
                               "a, b, c",
                               "\"",
                               "\xff\xfe\x1b[2J"};

long mebibytesUsed() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

} // namespace

class SettingsDamageTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    QByteArray good_;

    [[nodiscard]] QString path() const { return folder_.filePath("settings.ini"); }

    void write(const QByteArray& text) const {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }

    /// The good file, some bytes flipped, cut, or with one value replaced.
    [[nodiscard]] QList<QByteArray> mutations() const {
        QList<QByteArray> all;
        QRandomGenerator random(11);
        for (const QByteArray& line : good_.split('\n')) {
            const qsizetype equals = line.indexOf('=');
            if (equals < 0) {
                continue;
            }
            for (const QByteArray& value : unlikely) {
                all << QByteArray(good_).replace(line, line.left(equals + 1) + value);
            }
            QByteArray flipped = line; // one bit of each value
            const qsizetype at =
                equals + 1 + random.bounded(qint32(std::max<qsizetype>(1, line.size() - equals - 1)));
            if (at < line.size()) {
                flipped[at] = static_cast<char>(flipped[at] ^ (1 << random.bounded(8)));
                all << QByteArray(good_).replace(line, flipped);
            }
        }
        for (int i = 0; i < 60; ++i) {
            QByteArray text = good_;
            for (int flips = random.bounded(1, 12); flips > 0; --flips) {
                text[random.bounded(qint32(text.size()))] = static_cast<char>(random.bounded(256));
            }
            all << text << good_.left(random.bounded(qint32(good_.size())));
        }
        return all;
    }

private slots:
    void initTestCase() {
        QTemporaryDir sessions;
        made_up::writeThree(sessions.path());
        WindowFixture f;
        QVERIFY(f.open(sessions.path()));
        QVERIFY(f.show(Page::Timeline));
        f.trigger(ActionId::DockEvidence);
        f.window->close();
        QFile file(f.folder.filePath("settings.ini"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        good_ = file.readAll();
        for (const char* key : {"place=", "docks=", "columns_shown=", "parts=", "request=", "bench-k="}) {
            QVERIFY2(good_.contains(key), key);
        }
    }

    void init() { made_up::failOnWarnings(); }

    void aWholeFileIsSaidNothingOf() {
        write(good_);
        QCOMPARE(readSettings(path()).damaged, QStringList());
    }

    void everyMutationIsReadAtOnce() {
        const QList<QByteArray> all = mutations();
        QVERIFY2(all.size() > 400, qPrintable(QString::number(all.size())));
        write(good_);
        const Settings whole = readSettings(path()).settings;
        for (const QByteArray& text : all) {
            write(text);
            const Settings read = readSettings(path()).settings;
            QVERIFY(read.geometry.isEmpty() || read.geometry == whole.geometry); // Qt's bytes, or none
            QVERIFY(read.windowState.isEmpty() || read.windowState == whole.windowState);
            for (const auto& [page, parts] : read.parts) {
                QCOMPARE(parts.size(), 2);
            }
            QVERIFY(read.exports.size.width() <= 16384 && read.exports.scale <= 4);
            QVERIFY(read.recentFolders.size() <= maxRecentFolders);
        }
        QVERIFY(mebibytesUsed() < 1024);
    }

    void everyStartIsSane() {
        const QList<QByteArray> all = mutations();
        for (qsizetype i = 0; i < all.size(); i += 7) {
            WindowFixture f;
            f.window.reset();
            QFile file(f.folder.filePath("settings.ini"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(all[i]);
            file.close();
            f.restart();
            QVERIFY(f.window->startPage().isVisible());
            QVERIFY(f.window->width() <= 16384 && f.window->height() <= 16384);
            const bool damaged = !readSettings(f.folder.filePath("settings.ini")).damaged.isEmpty();
            QCOMPARE(f.window->banner().text().contains("damaged"), damaged);
            f.restart(); // closing wrote it anew: said once
            QVERIFY(f.window->banner().text().isEmpty());
        }
        QVERIFY(mebibytesUsed() < 1024);
    }

    void theWorkspaceTakesWhatIsLeft() {
        QTemporaryDir sessions;
        made_up::writeThree(sessions.path());
        for (const char* key : {"place", "docks", "columns_shown", "parts"}) {
            WindowFixture f;
            f.window.reset();
            QByteArray text = good_;
            const qsizetype at = text.indexOf(QByteArray("\n") + key + "=");
            text.replace(at, text.indexOf('\n', at + 1) - at,
                         QByteArray("\n") + key + "=2147483647, 2147483647");
            QFile file(f.folder.filePath("settings.ini"));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
            file.close();
            f.restart();
            QVERIFY(f.window->banner().text().contains(key));
            QVERIFY(f.open(sessions.path()));
            QVERIFY(f.show(Page::Timeline));
            QVERIFY(f.workspace().currentPage().isVisible());
        }
    }
};

QTEST_MAIN(SettingsDamageTest)
#include "settings_damage_test.moc"
