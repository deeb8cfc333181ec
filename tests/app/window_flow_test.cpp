// The window's flows, driven by hand and key: folder to charts, click to scope, chart to evidence, undo.
#include "app/asked/asked.h"
#include "app/asked/figures.h"
#include "app/pages/sessions/composition_page.h"
#include "app/pages/sessions/distribution_page.h"
#include "app/pages/sessions/overview_page.h"
#include "app/pages/sessions/timeline_page.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/distribution/distribution_chart.h"
#include "ui/chart/timeline/timeline_chart.h"
#include "ui/panel/evidence/diagnostics_panel.h"
#include "ui/panel/evidence/evidence_panel.h"
#include "ui/panel/part/banner.h"
#include "ui/panel/part/figure_tiles.h"
#include "ui/panel/sessions/prompt_turn_list.h"
#include "ui/panel/sessions/session_panel.h"
#include "ui/panel/start/start_page.h"

#include <QAbstractButton>
#include <QDockWidget>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTest>
#include <QToolBar>
#include <QTreeView>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

namespace {

/// The index of the row whose text contains `words`, anywhere in the tree.
QModelIndex find(const QAbstractItemModel& model, const QString& words, const QModelIndex& parent = {}) {
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        if (index.data().toString().contains(words)) {
            return index;
        }
        if (const QModelIndex below = find(model, words, index); below.isValid()) {
            return below;
        }
    }
    return {};
}

} // namespace

class WindowFlowTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir sessions_;
    std::unique_ptr<WindowFixture> fixture_;

    [[nodiscard]] WindowFixture& f() const { return *fixture_; }

private slots:

    void initTestCase() { made_up::writeThree(sessions_.path()); }

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void startsEmpty() {
        QVERIFY(f().window->startPage().isVisible());
        QVERIFY(!f().window->workspace());
        QVERIFY(!f().window->actions()[ActionId::ExportPng]->isEnabled());
        QTest::keyClick(f().window.get(), Qt::Key_2); // no page to go to yet
        QVERIFY(f().window->startPage().isVisible());
    }

    void theKeysGoToThePageThatIsShown() {
        QVERIFY(QTest::qWaitForWindowActive(f().window.get()));
        QVERIFY(f().open(sessions_.path()));
        const auto inPage = [&] {
            const QWidget* focus = QApplication::focusWidget();
            return focus && f().workspace().currentPage().isAncestorOf(focus);
        };
        QVERIFY2(inPage(), QApplication::focusWidget()
                               ? QApplication::focusWidget()->metaObject()->className()
                               : "nowhere");
        auto* rail = f().window->findChild<QToolBar*>("rail");
        const auto buttonOf = [&](Room id) { return rail->widgetForAction(f().window->actions()[id]); };
        for (const Room id : {Room::Simulator, Room::Kernels, Room::Sessions, Room::Cache}) {
            buttonOf(Room::Validation)->setFocus(Qt::TabFocusReason);
            QTest::mouseClick(buttonOf(id), Qt::LeftButton);
            QVERIFY(inPage()); // no ring stays behind in the rail
        }
        buttonOf(Room::Kernels)->setFocus(Qt::TabFocusReason);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QCOMPARE(QApplication::focusWidget(), buttonOf(Room::Kernels)); // walking the rail by keys
    }

    void openingAFolderFillsEveryPage() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(!f().window->startPage().isVisible());
        QCOMPARE(f().bench().corpus()->calls.size(), std::size_t{36});

        QVERIFY(f().show(Page::Sessions));
        const auto& tiles = f().page<OverviewPage>(Page::Sessions).tiles()->tiles();
        QCOMPARE(tiles[0].value, QStringLiteral("3"));
        QCOMPARE(tiles[1].value, QStringLiteral("36"));

        QVERIFY(f().show(Page::Distributions));
        QCOMPARE(made_up::sumOf(f().tableOf(Page::Distributions), "count"),
                 qint64{2 * 36}); // input and output

        QVERIFY(f().show(Page::Timeline));
        QCOMPARE(f().bench().shown<TimelineShown>(Page::Timeline)->session, f().keyOf(3)); // used most
        QCOMPARE(f().page<TimelinePage>(Page::Timeline).turns()->turnModel().rowCount(), 9);

        QVERIFY(f().show(Page::Composition));
        QCOMPARE(f().tableOf(Page::Composition).rows.size() >= 3, true);
        for (const Page page : {Page::Sessions, Page::Distributions, Page::Timeline, Page::Composition}) {
            QVERIFY(!f().workspace().page(page).frame()->isEmpty());
        }
    }

    void keysWalkThePages() {
        QVERIFY(f().open(sessions_.path()));
        for (const auto& [key, page] :
             {std::pair(Qt::Key_5, Page::Kernels), std::pair(Qt::Key_2, Page::Cache),
              std::pair(Qt::Key_1, Page::Sessions)}) {
            QTest::keyClick(f().window.get(), key);
            QVERIFY(f().settle());
            QCOMPARE(f().bench().state().page, page);
            QVERIFY(f().workspace().currentPage().isVisible());
        }
        f().trigger(ActionId::NextTab);
        QCOMPARE(f().bench().state().page, Page::Distributions);
        QTest::keyClick(f().window.get(), Qt::Key_2);
        QTest::keyClick(f().window.get(), Qt::Key_1);
        QCOMPARE(f().bench().state().page, Page::Distributions); // a room is as it was left
        f().trigger(ActionId::PreviousTab);
        auto* search = f().workspace().sessions().findChild<QLineEdit*>();
        QTest::keyClick(search, Qt::Key_2); // a digit in a text field is a digit
        QCOMPARE(f().bench().state().page, Page::Sessions);
        QCOMPARE(search->text(), QStringLiteral("2"));
    }

    void choosingASessionIsTheScopeOfEveryView() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Distributions));
        auto* view = f().workspace().sessions().findChild<QTreeView*>();
        view->expandAll();
        const QModelIndex row = find(*view->model(), "of session 2");
        QVERIFY(row.isValid());
        view->scrollTo(row);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(row).center());
        QVERIFY(f().settle());
        QCOMPARE(f().bench().state().scope.sessions, std::vector<std::string>{f().keyOf(2)});
        QCOMPARE(made_up::sumOf(f().tableOf(Page::Distributions), "count"), qint64{2 * 12});
        QVERIFY(f().show(Page::Timeline));
        QCOMPARE(f().bench().shown<TimelineShown>(Page::Timeline)->session, f().keyOf(2));
        QVERIFY(f().show(Page::Sessions));
        QCOMPARE(f().page<OverviewPage>(Page::Sessions).tiles()->tiles()[1].value, QStringLiteral("12"));

        QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(row).center());
        QVERIFY(f().settle());
        QCOMPARE(f().bench().state().page, Page::Timeline);
        QCOMPARE(f().bench().shown<TimelineShown>(Page::Timeline)->session, f().keyOf(2));
    }

    void brushingBinsNarrowsTheOtherViews() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Distributions));
        auto* chart = f().page<DistributionPage>(Page::Distributions).chart();
        chart->setFocus();
        QTest::keyClick(chart->focusWidget() ? chart->focusWidget() : chart, Qt::Key_Right);
        QTest::keyClick(chart->focusWidget() ? chart->focusWidget() : chart, Qt::Key_Return);
        QVERIFY(f().settle());
        const auto& scope = f().bench().state().scope;
        QVERIFY(scope.turnInput.has_value() != scope.turnOutput.has_value());
        const auto& selection = f().bench().scoped()->selection;
        QVERIFY(selection.callsHit > 0);
        QVERIFY(selection.callsHit < selection.calls);
        QVERIFY(f().show(Page::Timeline));
        const auto& calls = f().bench().shown<TimelineShown>(Page::Timeline)->timeline->calls;
        const auto hits = std::ranges::count_if(calls, [](const CallSpan& c) { return c.hit; });
        QVERIFY(hits > 0 && static_cast<std::uint64_t>(hits) <= selection.callsHit);
        QTest::keyClick(chart, Qt::Key_Escape);
        f().bench().undoStack().undo();
        QVERIFY(f().settle());
        QVERIFY(!f().bench().state().scope.turnInput && !f().bench().state().scope.turnOutput);
    }

    void pinningShowsTheRecord() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Timeline));
        QVERIFY(!f().workspace().evidenceDock().isVisible());
        auto* chart = f().page<TimelinePage>(Page::Timeline).chart();
        QWidget* canvas = chart->focusProxy() ? chart->focusProxy() : chart;
        chart->setFocus();
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(canvas, Qt::Key_Right);
        }
        QTest::keyClick(canvas, Qt::Key_Return);
        QVERIFY(f().bench().state().pinned.has_value());
        QVERIFY(f().workspace().evidenceDock().isVisible());
        const auto& panel = f().workspace().evidence();
        QTRY_VERIFY(made_up::textOf(panel).contains("\"timestamp\"")); // the record itself
        QVERIFY(made_up::textOf(panel).contains(made_up::idOf(3)));
        const QRegularExpression place(".jsonl:\\d+");
        QVERIFY2(place.match(made_up::textOf(panel)).hasMatch(), qPrintable(made_up::textOf(panel)));
    }

    void aTurnOfTheListIsShownOnTheTimeline() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Timeline));
        auto& page = f().page<TimelinePage>(Page::Timeline);
        auto* turns = page.turns();
        const SessionPromptTurn most = *turns->turnModel().turn(0);
        for (int row = 1; row < turns->turnModel().rowCount(); ++row) {
            QVERIFY(turns->turnModel().turn(row)->tokens() <= most.tokens());
        }
        const QPoint first = turns->visualRect(turns->model()->index(0, 1)).center();
        QTest::mouseClick(turns->viewport(), Qt::LeftButton, {}, first); // selects
        QVERIFY(f().bench().state().asked.sessions.timeline.end < 0);
        QTest::mouseDClick(turns->viewport(), Qt::LeftButton, {}, first);
        QVERIFY(f().settle());
        const ui::TimelineView view = f().bench().state().asked.sessions.timeline;
        QVERIFY(view.end > view.start);
        QCOMPARE(page.chart()->view(), view);
        const TimelineScale scale(*f().bench().shown<TimelineShown>(Page::Timeline)->timeline, view.axis);
        QVERIFY(scale.unitsAt(most.start) >= view.start && scale.unitsAt(most.start) <= view.end);
        QVERIFY(f().bench().state().pinned.has_value()); // the prompt
        f().trigger(ActionId::ZoomFit);
        QVERIFY(page.chart()->view().end < page.chart()->view().start);
    }

    void undoAndRedoCoverScopeMethodAndZoom() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Timeline));
        auto* chart = f().page<TimelinePage>(Page::Timeline).chart();
        chart->zoomIn();
        chart->zoomIn(); // at once: the same step
        const WorkbenchState zoomed = f().bench().state();
        QVERIFY(zoomed.asked.sessions.timeline.end > zoomed.asked.sessions.timeline.start);
        WorkbenchState next = zoomed;
        next.asked.sessions.distribution.method = TurnMethod::Prompt;
        f().bench().change("Change the method", next);
        Scope scope;
        scope.models = {"claude-made-up-2"};
        f().bench().setScope(scope, "Select a model");
        QVERIFY(f().settle());
        QCOMPARE(f().bench().scoped()->selection.sessions, std::uint64_t{1});
        const WorkbenchState last = f().bench().state();

        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state().scope, Scope{});
        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state(), zoomed);
        QVERIFY(f().settle());
        QCOMPARE(chart->view(), zoomed.asked.sessions.timeline);
        f().trigger(ActionId::Undo);
        QVERIFY(f().bench().state().asked.sessions.timeline.end <
                f().bench().state().asked.sessions.timeline.start);
        QCOMPARE(chart->view().end < chart->view().start, true);
        QVERIFY(!f().window->actions()[ActionId::Undo]->isEnabled());
        for (int i = 0; i < 3; ++i) {
            f().trigger(ActionId::Redo);
        }
        QCOMPARE(f().bench().state(), last);
        QVERIFY(f().settle());
        QCOMPARE(f().bench().scoped()->selection.sessions, std::uint64_t{1});
    }

    void droppingAFolderOpensIt() {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(sessions_.path())});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(f().window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(f().window.get(), &drop);
        QVERIFY(drop.isAccepted());
        QVERIFY(f().settle());
        QCOMPARE(f().bench().corpus()->sessions.size(), std::size_t{3});

        QTemporaryDir more;
        data.setUrls(
            {QUrl::fromLocalFile(made_up::write(more.path(), {9, 4, "gamma", "claude-made-up-1", {}}))});
        QApplication::sendEvent(f().window.get(), &enter);
        QDropEvent add({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::ShiftModifier);
        QApplication::sendEvent(f().window.get(), &add);
        QVERIFY(f().settle());
        QCOMPARE(f().bench().corpus()->sessions.size(), std::size_t{4});
    }

    void textIsNotDropped() {
        QMimeData data;
        data.setText("hello");
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(f().window.get(), &enter);
        QVERIFY(!enter.isAccepted());
    }

    void brokenLinesAreShownAndLeadToTheirPlace() {
        QTemporaryDir folder;
        made_up::writeThree(folder.path());
        made_up::write(folder.path(), {4, 6, "gamma", "claude-made-up-1", "{\"type\":\"user\",\"oops"});
        QVERIFY(f().open(folder.path()));
        QVERIFY(f().workspace().diagnosticsDock().isVisible());
        auto* view = f().workspace().diagnostics().findChild<QTreeView*>();
        view->expandAll();
        QTest::qWait(50); // the dock's layout
        const QModelIndex kind = view->model()->index(0, 0);
        QVERIFY(view->model()->rowCount(kind) == 1);
        const QModelIndex place = view->model()->index(0, 0, kind);
        view->scrollTo(place);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(place).center());
        QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(place).center());
        QTRY_VERIFY(f().workspace().evidenceDock().isVisible());
        QTRY_VERIFY(made_up::textOf(f().workspace().evidence()).contains("oops"));
    }

    void goodFilesOpenWithoutTheDiagnosticsDock() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(!f().workspace().diagnosticsDock().isVisible());
        f().trigger(ActionId::DockDiagnostics);
        QVERIFY(f().workspace().diagnosticsDock().isVisible());
    }

    void nothingFoundGoesBackToTheStartPage() {
        QTemporaryDir empty;
        QVERIFY(f().open(empty.path()));
        QVERIFY(f().window->startPage().isVisible());
        QVERIFY(made_up::textOf(f().window->startPage()).contains(empty.path()));
        QVERIFY(f().open("/nowhere/at/all"));
        QVERIFY(made_up::textOf(f().window->startPage()).contains("/nowhere/at/all"));
        QVERIFY(f().open(sessions_.path())); // and on from there
        QVERIFY(f().workspace().currentPage().isVisible());
    }

    void closingAndOpeningAgainStartsAfresh() {
        QVERIFY(f().open(sessions_.path()));
        f().bench().openTimeline(f().keyOf(1));
        QVERIFY(f().settle());
        QCOMPARE(f().bench().shown<TimelineShown>(Page::Timeline)->session, f().keyOf(1));
        f().trigger(ActionId::CloseFiles);
        QVERIFY(f().window->startPage().isVisible());
        QVERIFY(!f().bench().corpus());
        QCOMPARE(f().bench().state().scope, Scope{});
        QVERIFY(f().open(sessions_.path()));
        QCOMPARE(f().bench().shown<TimelineShown>(Page::Timeline)->session, f().keyOf(3));
        QVERIFY(f().workspace().currentPage().isVisible());
    }

    void aScopeThatHidesEverythingOffersToBeCleared() {
        QVERIFY(f().open(sessions_.path()));
        Scope scope;
        scope.text = "no session is called like this";
        f().bench().setScope(scope, "Search");
        for (const Page page : {Page::Sessions, Page::Distributions, Page::Timeline, Page::Composition}) {
            QVERIFY(f().show(page));
            QVERIFY(f().workspace().page(page).frame()->isEmpty());
        }
        emit f().workspace().page(Page::Composition).frame()->emptyActionRequested();
        QVERIFY(f().settle());
        QCOMPARE(f().bench().state().scope, Scope{});
        QVERIFY(!f().workspace().page(Page::Composition).frame()->isEmpty());
    }
};

QTEST_MAIN(WindowFlowTest)
#include "window_flow_test.moc"
