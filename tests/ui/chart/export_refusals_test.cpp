// Exports that cannot be: said in a sentence, without a trace in the folder.
#include "tests/ui/chart_fixtures.h"
#include "ui/chart/drawings.h"
#include "ui/chart/export_drawing.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <limits>
#include <memory>

using namespace loadline;
using namespace loadline::ui;

class ExportRefusalsTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] std::string path(const char* name) const {
        return folder_->filePath(QLatin1String(name)).toStdString();
    }

    [[nodiscard]] QStringList files() const {
        return QDir(folder_->path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

    static std::unique_ptr<Drawing> drawing() {
        return drawingOf(fixtures::distribution({.reference = true}, true));
    }

    static ExportOptions options() {
        ExportOptions all;
        all.size = {800, 450};
        return all;
    }

private slots:
    void init() {
        QTest::failOnWarning(fixtures::unexpectedWarnings());
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void impossibleWishesAreRefused_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<double>("scale");
        QTest::addColumn<QString>("what");
        const QSize good(800, 450);
        QTest::newRow("ending") << "a.jpg" << good << 1.0 << "format";
        QTest::newRow("no ending") << "png" << good << 1.0 << "format";
        QTest::newRow("narrow") << "a.png" << QSize(199, 450) << 1.0 << "size";
        QTest::newRow("high") << "a.svg" << QSize(800, 16385) << 1.0 << "size";
        QTest::newRow("negative") << "a.pdf" << QSize(-5, 450) << 1.0 << "size";
        QTest::newRow("scale") << "a.png" << good << 9.0 << "scale";
        QTest::newRow("not a number")
            << "a.png" << good << std::numeric_limits<double>::quiet_NaN() << "scale";
        QTest::newRow("too many pixels") << "a.png" << QSize(16384, 16384) << 4.0 << "400 million";
        QTest::newRow("no folder") << "missing/a.png" << good << 1.0 << "cannot write";
        QTest::newRow("a folder") << "." << good << 1.0 << "format";
    }

    void impossibleWishesAreRefused() {
        QFETCH(const QString, name);
        QFETCH(const QSize, size);
        QFETCH(const double, scale);
        QFETCH(const QString, what);
        ExportOptions wished = options();
        wished.size = size;
        wished.scale = scale;
        const Status status = exportDrawing(*drawing(), folder_->filePath(name).toStdString(), wished);
        QVERIFY(!status);
        const QString error = QString::fromStdString(status.error().sentence());
        QVERIFY2(error.contains(what), qPrintable(error));
        QVERIFY(!status.error().remedy.empty());
        QVERIFY(files().isEmpty());
    }

    void aFolderInTheWayIsLeftAlone() {
        QVERIFY(QDir(folder_->path()).mkdir(QStringLiteral("a.png")));
        const Status status = exportDrawing(*drawing(), path("a.png"), options());
        QVERIFY(!status);
        QCOMPARE(files(), QStringList{QStringLiteral("a.png")});
    }

    void anUnwritableFolderIsNamed() {
        if (geteuid() == 0) {
            QSKIP("root may write everywhere");
        }
        QFile::setPermissions(folder_->path(), QFile::ReadOwner | QFile::ExeOwner);
        const Status status = exportDrawing(*drawing(), path("a.png"), options());
        QFile::setPermissions(folder_->path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QVERIFY(!status);
        QVERIFY(status.error().where == path("a.png"));
        QVERIFY(files().isEmpty());
    }

    void aFullDiskLeavesTheOldFile() {
        QFile old(QString::fromStdString(path("a.png")));
        QVERIFY(old.open(QIODevice::WriteOnly) && old.write("old") == 3);
        old.close();
        // A file may not grow beyond 1000 bytes: writes fail as on a full disk.
        rlimit before{};
        QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit tight{1000, before.rlim_max};
        QCOMPARE(setrlimit(RLIMIT_FSIZE, &tight), 0);
        const Status status = exportDrawing(*drawing(), path("a.png"), options());
        setrlimit(RLIMIT_FSIZE, &before);
        std::signal(SIGXFSZ, handler);
        QVERIFY(!status);
        QVERIFY(QString::fromStdString(status.error().what)
                    .contains(QStringLiteral("cannot write: File too large")));
        QCOMPARE(files(), QStringList{QStringLiteral("a.png")});
        QVERIFY(old.open(QIODevice::ReadOnly));
        QCOMPARE(old.readAll(), QByteArray("old"));
    }
};

QTEST_MAIN(ExportRefusalsTest)
#include "export_refusals_test.moc"
