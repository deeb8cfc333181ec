// A new window paints itself, empty or with files to read. How soon is measured by
// tests/bench/window_bench.cpp.
#include "app/window/main_window.h"
#include "app/window/settings/appearance.h"
#include "tests/app/made_up_sessions.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <ctime>

using namespace loadline::app;

namespace {

double paintingMs() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Notices the first paint of a window.
class FirstPaint : public QObject {
public:
    bool seen = false;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        seen = seen || event->type() == QEvent::Paint;
        return QObject::eventFilter(watched, event);
    }
};

} // namespace

class WindowPaintTest : public QObject {
    Q_OBJECT
private slots:

    void aNewWindowPaintsItself_data() {
        QTest::addColumn<bool>("withFiles");
        QTest::newRow("empty") << false;
        QTest::newRow("with files") << true;
    }

    void aNewWindowPaintsItself() {
        QFETCH(bool, withFiles);
        QTemporaryDir folder;
        made_up::writeThree(folder.path());
        QElapsedTimer wall;
        wall.start();
        const double before = paintingMs();
        // What openWindow does.
        Appearance look(*static_cast<QApplication*>(QCoreApplication::instance()));
        MainWindow window(look, folder.filePath("settings.ini"));
        FirstPaint paint;
        window.installEventFilter(&paint);
        window.show();
        if (withFiles) {
            window.openPaths({folder.path()});
        }
        QVERIFY(QTest::qWaitFor([&] { return paint.seen; }, 60'000));
        const double took = paintingMs() - before;
        qInfo("first paint after %lld ms, %.1f ms of processor time", wall.elapsed(), took);
        window.workbench().loader().close();
    }
};

QTEST_MAIN(WindowPaintTest)
#include "window_paint_test.moc"
