// What was chosen comes back at the next start; the look follows the system.
#include "app/asked/asked.h"
#include "app/pages/sessions/distribution_page.h"
#include "app/pages/sessions/timeline_page.h"
#include "app/pages/simulation/self_check_page.h"
#include "app/pages/simulation/simulation_page.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/timeline/timeline_chart.h"
#include "ui/panel/frame/side_fold.h"
#include "ui/panel/sessions/session_panel.h"
#include "ui/panel/start/start_page.h"

#include <QDateTime>
#include <QDockWidget>
#include <QFile>
#include <QFileInfo>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

class WindowSettingsTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir sessions_;

private slots:

    void initTestCase() { made_up::writeThree(sessions_.path()); }

    void init() { made_up::failOnWarnings(); }

    void choicesComeBack() {
        WindowFixture f;
        QVERIFY(f.open(sessions_.path()));
        QVERIFY(f.show(Page::Distributions));
        WorkbenchState state = f.bench().state();
        state.asked.sessions.distribution.method = TurnMethod::Prompt;
        state.asked.sessions.distribution.bins = BinKind::FineLog;
        state.asked.sessions.distribution.measure = Measure::Count;
        state.asked.sessions.group = CompositionGroup::Day;
        state.asked.sessions.composition.perRequest = true;
        state.asked.sessions.timeline.axis = TimelineAxis::TurnIndex;
        state.scope.text = "session 2";
        f.bench().change("Choose", state);
        f.trigger(ActionId::ThemeDark);
        f.trigger(ActionId::DockEvidence);
        f.window->resize(1111, 733);
        QVERIFY(f.settle());

        f.restart();
        QVERIFY(f.window->startPage().isVisible()); // folders are offered, not opened
        QCOMPARE(f.window->settings().recentFolders, QStringList{QDir::cleanPath(sessions_.path())});
        QCOMPARE(f.window->height(), 733); // newer Qt narrows it to the screen of the tests
        QCOMPARE(f.look->kind(), ui::ThemeKind::Dark);
        QVERIFY(f.window->actions()[ActionId::ThemeDark]->isChecked());
        QVERIFY(f.open(sessions_.path()));
        const WorkbenchState& back = f.bench().state();
        QCOMPARE(back.page, Page::Distributions);
        QCOMPARE(back.asked, state.asked);
        QCOMPARE(back.scope, state.scope); // the same folder is open again
        QVERIFY(f.workspace().evidenceDock().isVisible());
        QVERIFY(f.page<DistributionPage>(Page::Distributions).isVisible());
        f.trigger(ActionId::ThemeSystem);
    }

    void moreParametersStandOpenOnEveryPage() {
        WindowFixture f;
        const auto isOpen = [&](Page page) {
            const ui::FieldForm* panel = f.page<SimulationPage>(page).panel();
            return !panel->control("seed")->isHidden() && panel->control("seed")->isVisibleTo(panel);
        };
        f.trigger(Page::Simulator);
        f.trigger(Page::Crossover);
        QVERIFY(!isOpen(Page::Simulator) && !isOpen(Page::Crossover));
        for (QToolButton* button :
             f.page<SimulationPage>(Page::Simulator).panel()->findChildren<QToolButton*>()) {
            if (button->text() == "More") {
                button->click();
            }
        }
        QVERIFY(isOpen(Page::Simulator) && isOpen(Page::Crossover));
        QVERIFY(isOpen(Page::Batch)); // built later
        f.restart();
        f.trigger(Page::Crossover);
        QVERIFY(isOpen(Page::Crossover));
    }

    void whatAnOddFileOpenedDoesNotComeBack() {
        QTemporaryDir folder;
        made_up::write(folder.path(), {1, 6, "alpha", "claude-made-up-1", "{\"broken"});
        WindowFixture f;
        QVERIFY(f.open(folder.path()));
        const auto dock = [&] { return f.workspace().diagnosticsDock().isVisible(); };
        QTRY_VERIFY(dock());
        f.restart();
        QVERIFY(f.open(sessions_.path())); // nothing is odd there
        QVERIFY(!dock());
        f.trigger(ActionId::DockDiagnostics);
        QVERIFY(dock());
        f.restart();
        QVERIFY(f.open(sessions_.path()));
        QVERIFY2(dock(), "it was opened by hand");
    }

    /// Evidence that a click opened would come back empty: it starts closed, unless its dock was asked for.
    void whatAClickOpenedDoesNotComeBack() {
        WindowFixture f;
        const auto isOpen = [&] { return !f.workspace().evidenceDock().isHidden(); };
        QVERIFY(f.open(sessions_.path()));
        QVERIFY(f.show(Page::Timeline));
        QVERIFY(!isOpen());
        const auto click = [&] {
            f.bench().pin(PinnedItem{f.keyOf(3), {ui::TimelineItem::Kind::Call, 0}});
            return f.settle();
        };
        QVERIFY(click());
        QTRY_VERIFY(isOpen());
        f.restart();
        QVERIFY(f.open(sessions_.path()));
        QVERIFY(!isOpen());
        QVERIFY(f.show(Page::Timeline));
        QVERIFY(click());
        QTRY_VERIFY(isOpen());
        f.trigger(ActionId::CloseFiles);
        QVERIFY(f.open(sessions_.path()));
        QVERIFY2(!isOpen(), "nor with the next files");
        f.trigger(ActionId::DockEvidence);
        QVERIFY(isOpen());
        f.restart();
        QVERIFY(f.open(sessions_.path()));
        QVERIFY2(isOpen(), "it was opened by hand");
    }

    void noWindowIsLargerThanTheScreen() {
        WindowFixture f;
        f.window->resize(5000, 4000);
        QVERIFY(f.settle());
        f.restart();
        const QSize room = f.window->screen()->availableSize();
        QVERIFY2(f.window->height() < room.height(), "with room for a title bar");
        QVERIFY(f.window->width() <= std::max(room.width(), f.window->minimumSizeHint().width()));
    }

    void whatWasSelectedComesBackWithItsFolderAlone() {
        WindowFixture f;
        QVERIFY(f.open(sessions_.path()));
        QVERIFY(f.show(Page::Timeline));
        Scope scope;
        scope.sessions = {f.bench().corpus()->sessions.back().key};
        scope.from = TimeMs{1'768'000'000'000};
        scope.turnOutput = TokenRange{20, 400};
        f.bench().setScope(scope, "Select");
        QVERIFY(f.settle());
        const ChosenRows rows{CompositionGroup::Model, {}, {"claude-made-up-2"}};
        f.bench().setRows(rows);
        f.page<TimelinePage>(Page::Timeline).zoomIn();
        const ui::TimelineView view = f.bench().state().asked.sessions.timeline;
        QVERIFY(view.end > view.start);
        auto* tree = f.workspace().sessions().findChild<QTreeView*>();
        tree->collapseAll();
        tree->expand(tree->model()->index(1, 0));
        const QStringList open = f.workspace().sessions().openRows();
        QCOMPARE(open.size(), 1);

        f.restart();
        QVERIFY(f.open(sessions_.path()));
        QCOMPARE(f.bench().state().page, Page::Timeline);
        QCOMPARE(f.bench().state().scope, scope);
        QCOMPARE(f.bench().state().rows, std::optional(rows));
        QCOMPARE(f.bench().state().asked.sessions.timeline, view);
        const ui::TimelineView back = f.page<TimelinePage>(Page::Timeline).chart()->view();
        QCOMPARE(back, view);
        QCOMPARE(f.workspace().sessions().openRows(), open); // the shown session's stands open beside them

        f.restart();
        QTemporaryDir other;
        made_up::writeThree(other.path());
        QVERIFY(f.open(other.path()));
        QCOMPARE(f.bench().state().scope, Scope{});
        QVERIFY(!f.bench().state().rows);
        QVERIFY(f.open(sessions_.path())); // opened later, not at the start
        QCOMPARE(f.bench().state().scope, Scope{});
    }

    void aFoldedPanelStaysFolded() {
        WindowFixture f;
        f.window->resize(1440, 900);
        f.trigger(Page::Simulator);
        const auto fold = [&] { return f.page<SimulationPage>(Page::Simulator).findChild<ui::SideFold*>(); };
        QVERIFY(!fold()->isFolded());
        QTest::mouseClick(fold()->handle(), Qt::LeftButton);
        QVERIFY(fold()->isFolded());
        f.restart();
        f.window->resize(1440, 900);
        f.trigger(Page::Simulator);
        QVERIFY(fold()->isFolded());
        f.trigger(Page::SelfCheck);
        QVERIFY(!f.page<SelfCheckPage>(Page::SelfCheck).findChild<ui::SideFold*>()->isFolded());
    }

    void aKillLosesNothing() {
        WindowFixture f;
        QVERIFY(f.open(sessions_.path()));
        f.trigger(ActionId::ThemeDark);
        Scope scope;
        scope.text = "session 2";
        f.bench().setScope(scope, "Search");
        f.trigger(ActionId::LocalTime);
        const QString file = f.folder.filePath("settings.ini");
        const auto kept = [&] {
            const Settings now = loadSettings(file);
            return now.theme == ThemeChoice::Dark && now.scope == scope &&
                   now.asked.sessions.clock == Zone::Local &&
                   now.lastPaths == QStringList{QDir::cleanPath(sessions_.path())};
        };
        QVERIFY(f.settle());
        QTRY_VERIFY(kept()); // and the window was not closed
        QTest::qWait(1000);  // what arrives late is written, too
        const QDateTime written = QFileInfo(file).lastModified();
        QTest::mouseClick(&f.workspace().sessions(), Qt::LeftButton); // changes nothing
        QTest::qWait(1000);
        QCOMPARE(QFileInfo(file).lastModified(), written);
        f.trigger(ActionId::LocalTime);
        f.trigger(ActionId::ThemeSystem);
    }

    void lastFoldersAreReopenedOnlyWhenWanted() {
        WindowFixture f;
        QVERIFY(f.open(sessions_.path()));
        f.restart();
        f.window->openLastIfWanted();
        QVERIFY(!f.bench().loader().isLoading());
        f.trigger(ActionId::ReopenLast);
        f.restart();
        f.window->openLastIfWanted();
        QVERIFY(f.settle());
        QCOMPARE(f.bench().corpus()->sessions.size(), std::size_t{3});
    }

    void aBrokenSettingsFileIsNoObstacle() {
        WindowFixture f;
        const QSize atFirstStart = f.window->size();
        QFile file(f.folder.filePath("settings.ini"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray("[window]\nlayout=1\nstate=@ByteArray(\\x1\\x2nonsense)\ngeometry=@ByteArray("
                              "zzz)\npage=7\n\xff\xfe["));
        file.close();
        f.window.reset(); // not closed: would write it anew
        f.restart();
        QVERIFY(f.open(sessions_.path()));
        QVERIFY(f.workspace().currentPage().isVisible());
        QCOMPARE(f.window->size(), atFirstStart);
    }

    void theSystemsColoursAreFollowed() {
        WindowFixture f;
        QVERIFY(f.open(sessions_.path()));
        QCOMPARE(f.look->kind(), ui::ThemeKind::Light);
        QApplication::setPalette(ui::Theme::dark().palette()); // as a desktop does
        QCOMPARE(f.look->kind(), ui::ThemeKind::Dark);
        QCOMPARE(f.window->palette().color(QPalette::Window), ui::Theme::dark().window);
        f.trigger(ActionId::ThemeLight); // the user's choice goes before
        QCOMPARE(f.look->kind(), ui::ThemeKind::Light);
        QCOMPARE(f.window->palette().color(QPalette::Window), ui::Theme::light().window);
        f.trigger(ActionId::ThemeSystem);
        QCOMPARE(f.look->kind(), ui::ThemeKind::Dark);
        QApplication::setPalette(ui::Theme::light().palette());
        QCOMPARE(f.look->kind(), ui::ThemeKind::Light);
    }
};

QTEST_MAIN(WindowSettingsTest)
#include "window_settings_test.moc"
