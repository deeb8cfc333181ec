// Small parts that say that there is more: a cut field, what scrolls.
#include "tests/ui/chart_fixtures.h"
#include "ui/chart/frame/more_below.h"
#include "ui/panel/frame/rail.h"
#include "ui/panel/part/themed.h"
#include "ui/theme/style.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QMainWindow>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QVBoxLayout>

#include <utility>

using namespace loadline::ui;

class FramePartsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(fixtures::unexpectedWarnings()); }

    /// Buttons that Qt puts at docks and tool bars: seen on both grounds, and as sharp as the screen is.
    void buttonsThatQtBringsAreSeen() {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            const Theme& theme = Theme::of(kind);
            Style style;
            QMainWindow window;
            window.setPalette(theme.palette());
            auto* rail = new Rail("Pages", &window);
            auto* bar = new QToolBar("Scope", &window);
            inkExtension(*bar);
            auto* dock = new QDockWidget("Evidence", &window);
            dock->setStyle(&style);
            window.addToolBar(Qt::LeftToolBarArea, rail);
            window.addToolBar(Qt::TopToolBarArea, bar);
            window.addDockWidget(Qt::RightDockWidgetArea, dock);
            const std::pair<QWidget*, const char*> buttons[] = {{rail, "qt_toolbar_ext_button"},
                                                                {bar, "qt_toolbar_ext_button"},
                                                                {dock, "qt_dockwidget_closebutton"},
                                                                {dock, "qt_dockwidget_floatbutton"}};
            for (const auto& [at, name] : buttons) {
                const auto* button = at->findChild<QAbstractButton*>(name);
                QVERIFY2(button, name);
                constexpr int side = 48; // of a bitmap there would be no more than it has
                const QImage image = button->icon().pixmap(QSize(side, side)).toImage();
                QCOMPARE(image.width(), side);
                int seen = 0;
                for (int y = 0; y < side; ++y) {
                    for (int x = 0; x < side; ++x) {
                        const QColor ink = image.pixelColor(x, y);
                        const int apart = std::abs(ink.lightness() - theme.window.lightness());
                        seen += ink.alpha() > 200 && apart > 70 ? 1 : 0;
                    }
                }
                QVERIFY2(seen > side, name);
            }
            dock->setStyle(nullptr);
        }
    }

    void whatIsBelowIsTold() {
        QScrollArea area;
        auto* content = new QWidget;
        content->setMinimumSize(200, 1000);
        area.setWidgetResizable(true);
        area.setWidget(content);
        auto* more = new MoreBelow(&area);
        area.resize(300, 400);
        area.show();
        QVERIFY(QTest::qWaitForWindowExposed(&area));
        QVERIFY(more->isVisible() && area.rect().contains(more->geometry()));
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(area.verticalScrollBar()->value() > 300);
        QTest::mouseClick(more, Qt::LeftButton);
        QVERIFY(!more->isVisible()); // the end is there
        area.verticalScrollBar()->setValue(0);
        QVERIFY(more->isVisible());
        area.resize(300, 1010);
        QVERIFY(QTest::qWaitFor([&] { return !more->isVisible(); }, 5'000));
    }
};

QTEST_MAIN(FramePartsTest)
#include "frame_parts_test.moc"
