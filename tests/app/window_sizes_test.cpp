// Nothing of the window is cut without a cue, overlaps or lies outside: pages, their tables, docks, dialogs.
#include "tests/app/window_faults.h"
#include "tests/app/window_fixture.h"
#include "ui/panel/frame/scroll_stack.h"

#include <QDialog>
#include <QDockWidget>
#include <QScrollBar>
#include <QStatusBar>

#include <memory>
#include <utility>

using namespace loadline;
using namespace loadline::app;
using made_up::faultsOf;
using made_up::WindowFixture;

class WindowSizesTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir sessions_;
    std::unique_ptr<WindowFixture> fixture_;

    [[nodiscard]] WindowFixture& f() const { return *fixture_; }

    /// What it shows by then is enough: some pages compute for long.
    void look(Page page) const {
        f().bench().showPage(page);
        (void)QTest::qWaitFor([&] { return f().bench().isSettled(); }, 2'000);
        made_up::layOut();
    }

    static void sizes() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1024x640") << QSize(1024, 640);
        QTest::newRow("1280x800") << QSize(1280, 800);
        QTest::newRow("1440x900") << QSize(1440, 900);
        QTest::newRow("1280x800 at 200 %") << QSize(640, 400); // in logical pixels
    }

private slots:

    void initTestCase() { made_up::writeThree(sessions_.path()); }

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void everyPageAtEverySize_data() { sizes(); }

    void theTableTwinsAtEverySize_data() { sizes(); }

    void theDocksAtEverySize_data() { sizes(); }

    void theDialogsAtEverySize_data() { sizes(); }

    void everyPageAtEverySize() {
        QFETCH(QSize, size);
        QVERIFY(f().open(sessions_.path()));
        f().window->resize(size);
        QStringList faults;
        for (const Page page : pages()) {
            look(page);
            const QString name = f().workspace().page(page).accessibleName();
            if (f().window->size() != size) {
                faults << name + ": the window does not get that small";
            }
            if (!f().window->rect().contains(f().inWindow(f().window->statusBar()))) {
                faults << name + ": the status bar is off";
            }
            const auto* scroll = f().window->findChild<ui::ScrollStack*>();
            const QSize content = scroll->widget()->size();
            const QSize shown = scroll->viewport()->size();
            if (size.width() >= 1024 && content.width() > shown.width()) {
                faults << name + ": wider than the window";
            }
            if ((content.width() > shown.width() && !scroll->horizontalScrollBar()->isVisible()) ||
                (content.height() > shown.height() && !scroll->verticalScrollBar()->isVisible())) {
                faults << name + ": cut without a scroll bar";
            }
            for (const QString& fault : faultsOf(*f().window)) {
                faults << name + ": " + fault;
            }
        }
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }

    void theTableTwinsAtEverySize() {
        QFETCH(QSize, size);
        QVERIFY(f().open(sessions_.path()));
        f().window->resize(size);
        QStringList faults;
        int tables = 0;
        for (const Page page : pages()) {
            look(page);
            ui::ChartFrame* frame = f().workspace().page(page).frame();
            if (frame->isEmpty() || !frame->drawing()) {
                continue;
            }
            frame->setTableShown(true);
            made_up::layOut();
            ++tables;
            for (const QString& fault : faultsOf(*f().window)) {
                faults << f().workspace().page(page).accessibleName() + ": " + fault;
            }
        }
        QVERIFY(tables >= 4);
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }

    void theDocksAtEverySize() {
        QFETCH(QSize, size);
        QVERIFY(f().open(sessions_.path()));
        f().window->resize(size);
        QVERIFY(f().show(Page::Timeline));
        f().bench().pin(PinnedItem{f().keyOf(3), {ui::TimelineItem::Kind::Call, 0}});
        f().workspace().showDiagnostics();
        QVERIFY(f().settle());
        made_up::layOut();
        QVERIFY(!f().workspace().evidenceDock().isHidden() && f().workspace().diagnosticsDock().isVisible());
        QStringList faults;
        for (const char* dock : {"sessions", "evidence", "diagnostics"}) {
            auto* widget = f().window->findChild<QDockWidget*>(dock);
            widget->show();
            widget->raise();
            made_up::layOut();
            faults << faultsOf(*f().window);
        }
        if (!f().window->rect().contains(f().inWindow(f().window->statusBar()))) {
            faults << "the status bar is off";
        }
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }

    /// A dialog may be made as small as the window and still shows, or scrolls to, all that it says.
    void theDialogsAtEverySize() {
        QFETCH(QSize, size);
        QVERIFY(f().open(sessions_.path()));
        f().window->resize(size);
        QStringList faults;
        int dialogs = 0;
        const auto check = [&](const QString& name) {
            for (QWidget* widget : QApplication::topLevelWidgets()) {
                auto* dialog = qobject_cast<QDialog*>(widget);
                if (!dialog || !dialog->isVisible()) {
                    continue;
                }
                ++dialogs;
                dialog->resize(dialog->size().boundedTo(size));
                made_up::layOut();
                if (dialog->width() > size.width() || dialog->height() > size.height()) {
                    faults << QString("%1: does not get smaller than %2 x %3")
                                  .arg(name)
                                  .arg(dialog->width())
                                  .arg(dialog->height());
                }
                for (const QString& fault : faultsOf(*dialog)) {
                    faults << name + ": " + fault;
                }
                dialog->close(); // and with it others of the list may go
                made_up::layOut();
                return;
            }
        };
        f().trigger(ActionId::ExportAs);
        check("export");
        f().trigger(ActionId::Shortcuts);
        check("keys");
        look(Page::Simulator);
        for (const auto& [command, name] : {std::pair(ActionId::EditKernels, "rule"),
                                            {ActionId::EditShapes, "shapes"},
                                            {ActionId::PasteVllm, "engine"}}) {
            f().trigger(command);
            made_up::layOut();
            check(name);
        }
        QCOMPARE(dialogs, 5);
        faults.removeDuplicates();
        QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
    }
};

QTEST_MAIN(WindowSizesTest)
#include "window_sizes_test.moc"
