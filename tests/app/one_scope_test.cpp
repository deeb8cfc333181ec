// One scope, one meaning: page, tree, totals and strip speak of the same calls, and of what is open.
#include "app/asked/asked.h"
#include "app/asked/figures.h"
#include "app/pages/sessions/overview_page.h"
#include "app/pages/sessions/timeline_page.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/timeline/timeline_chart.h"
#include "ui/model/session_tree_model.h"
#include "ui/panel/evidence/evidence_panel.h"
#include "ui/panel/palette/command_palette.h"
#include "ui/panel/part/figure_tiles.h"
#include "ui/panel/scope/selection_strip.h"
#include "ui/panel/sessions/prompt_turn_list.h"
#include "ui/panel/sessions/session_heading.h"
#include "ui/panel/sessions/session_panel.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

class OneScopeTest : public QObject {
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

    void treePageAndStripSpeakOfTheSameCalls() {
        QVERIFY(f().open(sessions_.path()));
        const auto calls = [&] { return f().window->selectionStrip().figures().at(0).exact; };
        QTRY_COMPARE(f().window->selectionStrip().what(), QStringLiteral("all 3 sessions"));
        QCOMPARE(calls(), QStringLiteral("36"));
        Scope scope;
        scope.turnOutput = TokenRange{200, 400}; // call 10 and later: sessions 2 and 3
        f().bench().setScope(scope, "Select bins");
        QVERIFY(f().settle());
        const std::uint64_t hit = f().bench().scoped()->selection.callsHit;
        QCOMPARE(hit, std::uint64_t{3 + 9});
        QTRY_COMPARE(calls(), QString::number(hit));
        const auto& tiles = f().page<OverviewPage>(Page::Sessions).tiles()->tiles();
        QCOMPARE(tiles[0].value, QStringLiteral("2"));
        QCOMPARE(tiles[1].value, QString::number(hit));
        QVERIFY(made_up::textOf(f().workspace().sessions()).contains(QStringLiteral("2 of 3 sessions")));
        f().trigger(ActionId::ClearScope);
        QTRY_COMPARE(calls(), QStringLiteral("36"));
    }

    void binsOfAnotherMethodGoAwayWithAWord() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Distributions));
        Scope scope;
        scope.models = {"claude-made-up-1"};
        scope.turnOutput = TokenRange{200, 400};
        f().bench().setScope(scope, "Select bins");
        QSignalSpy said(&f().bench(), &Workbench::said);
        Asked other = f().bench().state().asked;
        other.sessions.distribution.measure = Measure::Count;
        f().bench().setAsked(other, "Change the measure");
        QCOMPARE(f().bench().state().scope, scope); // means the same as before
        QCOMPARE(said.count(), 0);
        other.sessions.distribution.method = TurnMethod::Prompt;
        f().bench().setAsked(other, "Change the method");
        QVERIFY(!f().bench().state().scope.turnOutput);
        QCOMPARE(f().bench().state().scope.models, scope.models);
        QCOMPARE(said.count(), 1);
        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state().scope, scope);
        QCOMPARE(f().bench().state().asked.sessions.distribution.method, TurnMethod::ApiCall);
    }

    void theTimelineNamesItsSessionAndSwitches() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Timeline));
        auto& page = f().page<TimelinePage>(Page::Timeline);
        ui::SessionHeading& heading = *page.heading();
        const auto marked = [&] {
            const auto* model = f().workspace().sessions().findChild<QTreeView*>()->model();
            QStringList names;
            for (int project = 0; project < model->rowCount(); ++project) {
                for (int row = 0; row < model->rowCount(model->index(project, 0)); ++row) {
                    const QModelIndex index = model->index(row, 0, model->index(project, 0));
                    if (index.data(ui::MarksRole).toInt() & ui::ShownMark) {
                        names << index.data().toString();
                    }
                }
            }
            return names.join('|');
        };
        QVERIFY(heading.name()->accessibleName().contains("session 3"));
        QVERIFY(heading.name()->accessibleDescription().contains("2026-01-12"));
        QVERIFY2(marked().contains("session 3"), qPrintable(marked()));
        QVERIFY(!heading.previous()->isEnabled());
        QTest::mouseClick(heading.next(), Qt::LeftButton);
        QVERIFY(f().settle());
        QVERIFY(heading.name()->accessibleName().contains("session 2"));
        QVERIFY2(marked().contains("session 2"), qPrintable(marked()));
        QTRY_VERIFY(f().window->selectionStrip().what().contains("session 2"));
        QCOMPARE(f().window->selectionStrip().figures().at(0).exact, QStringLiteral("12"));
        const QRect place = heading.name()->geometry();

        QTest::mouseClick(heading.name(), Qt::LeftButton);
        auto* search = page.switcher()->findChild<QLineEdit*>();
        QVERIFY(search->isVisible());
        search->setText("01-10"); // the day of session 1
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(f().settle());
        QCOMPARE(f().bench().shown<TimelineShown>(Page::Timeline)->session, f().keyOf(1));
        QVERIFY(!heading.next()->isEnabled());
        QCOMPARE(heading.name()->geometry(), place);
        QVERIFY(f().show(Page::Sessions));
        QCOMPARE(marked(), QString());
    }

    void theStripFollowsTheZoom() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Timeline));
        const auto calls = [&] { return f().window->selectionStrip().figures().at(0).exact.toInt(); };
        QTRY_COMPARE(f().window->selectionStrip().figures().size(), std::size_t{9});
        QTRY_COMPARE(calls(), 18);
        auto* chart = f().page<TimelinePage>(Page::Timeline).chart();
        chart->zoomIn();
        chart->zoomIn();
        chart->zoomIn();
        QTRY_VERIFY(calls() > 0 && calls() < 18);
        QVERIFY(f().window->selectionStrip().what().contains(" to "));
        const auto& page = f().page<TimelinePage>(Page::Timeline);
        QVERIFY2(made_up::textOf(page).contains(" holds "), qPrintable(made_up::textOf(page)));
        const auto callsListed = [&] {
            std::uint64_t sum = 0;
            const ui::PromptTurnModel& turns = page.turns()->turnModel();
            for (int row = 0; row < turns.rowCount(); ++row) {
                sum += turns.turn(row)->totals.calls + turns.turn(row)->subAgents.calls;
            }
            return static_cast<int>(sum);
        };
        QTRY_COMPARE(callsListed(), calls());
        QVERIFY(made_up::textOf(page).contains("Prompt turns in view that used most"));
        chart->fit();
        QTRY_COMPARE(calls(), 18);
        QTRY_COMPARE(callsListed(), 18);
        QVERIFY(!made_up::textOf(page).contains(" holds "));
        QVERIFY(made_up::textOf(page).contains("Prompt turns that used most"));
    }

    void tilesSpeakOfTheSelectedRows() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Sessions));
        const auto tile = [&](std::size_t i) {
            return f().page<OverviewPage>(Page::Sessions).tiles()->tiles().at(i).value;
        };
        QTRY_COMPARE(tile(1), QString("36"));
        QVERIFY(!f().window->actions()[ActionId::ClearScope]->isEnabled());
        f().bench().setRows({.group = CompositionGroup::Session, .keys = {f().keyOf(1)}});
        QTRY_COMPARE(tile(0), QString("1"));
        const QString calls = f().window->selectionStrip().figures().at(0).value;
        QCOMPARE(tile(1), calls);
        QVERIFY2(calls != "36", qPrintable(calls));
        f().trigger(ActionId::ClearScope);
        QVERIFY(!f().bench().state().rows);
        QTRY_COMPARE(tile(1), QString("36"));
        f().trigger(ActionId::Undo);
        QTRY_COMPARE(tile(1), calls);
    }

    void noRecordOfAnotherSessionStays() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Timeline));
        f().bench().openTimeline(f().keyOf(3));
        QVERIFY(f().settle());
        const auto& panel = f().workspace().evidence();
        const auto pinFirst = [&](int session) {
            f().bench().pin(PinnedItem{f().keyOf(session), {ui::TimelineItem::Kind::Call, 0}});
        };
        pinFirst(3);
        QTRY_VERIFY(made_up::textOf(panel).contains(made_up::idOf(3)));
        f().bench().openTimeline(f().keyOf(2));
        QTRY_VERIFY(made_up::textOf(panel).contains("belongs to another session"));
        QVERIFY(!f().bench().state().pinned);
        pinFirst(2);
        QTRY_VERIFY(made_up::textOf(panel).contains(made_up::idOf(2)));
        QVERIFY(f().show(Page::Distributions));
        QVERIFY2(made_up::textOf(panel).contains(made_up::idOf(2)), "it is in scope");
        Scope scope;
        scope.sessions = {f().keyOf(1)};
        f().bench().setScope(scope, "Select");
        QTRY_VERIFY(made_up::textOf(panel).contains("belongs to another session"));
    }

    void whatIsPinnedBeforeItsSessionIsThereIsShown() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Timeline));
        f().bench().openTimeline(f().keyOf(1));
        QVERIFY(f().settle());
        f().bench().openTimeline(f().keyOf(2));
        f().bench().pin(PinnedItem{f().keyOf(2), {ui::TimelineItem::Kind::Call, 0}});
        QTRY_VERIFY(made_up::textOf(f().workspace().evidence()).contains(made_up::idOf(2)));
    }

    void noRecordOfWhatIsClosedStays() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(Page::Timeline));
        f().bench().pin(PinnedItem{f().keyOf(3), {ui::TimelineItem::Kind::Call, 0}});
        const auto& panel = f().workspace().evidence();
        QTRY_VERIFY(made_up::textOf(panel).contains(made_up::idOf(3)));
        QTemporaryDir other;
        made_up::write(other.path(), {9, 4, "gamma", "claude-made-up-1", {}});
        QVERIFY(f().open(other.path()));
        QVERIFY(!panel.findChild<QPlainTextEdit*>()->isVisible());
        QVERIFY(made_up::textOf(panel).contains("no longer open"));
    }
};

QTEST_MAIN(OneScopeTest)
#include "one_scope_test.moc"
