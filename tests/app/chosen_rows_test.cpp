// Rows that are chosen: summed in the strip, told by the headline, undone, and let go of with a word.
#include "app/asked/asked.h"
#include "app/pages/sessions/composition_page.h"
#include "app/pages/sessions/distribution_page.h"
#include "app/pages/sessions/overview_page.h"
#include "app/pages/sessions/timeline_page.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/composition/composition_chart.h"
#include "ui/chart/timeline/timeline_chart.h"
#include "ui/panel/scope/selection_strip.h"
#include "ui/panel/sessions/prompt_turn_list.h"

#include <QApplication>
#include <QImage>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

class ChosenRowsTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir sessions_;
    std::unique_ptr<WindowFixture> fixture_;

    [[nodiscard]] WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] const ui::SelectionStrip& strip() const { return f().window->selectionStrip(); }

    [[nodiscard]] QString calls() const {
        return strip().figures().empty() ? QString() : strip().figures()[0].exact;
    }

    [[nodiscard]] QString headline(Page page) const {
        for (auto* label : f().workspace().page(page).frame()->findChildren<QLabel*>()) {
            if (label->property("role") == QLatin1String("sentence")) {
                return label->accessibleDescription().isEmpty() ? label->text()
                                                                : label->accessibleDescription();
            }
        }
        return {};
    }

    [[nodiscard]] ChosenRows sessions(std::initializer_list<int> numbers) const {
        ChosenRows rows{.group = CompositionGroup::Session};
        for (const int number : numbers) {
            rows.keys.push_back(f().keyOf(number));
        }
        return rows;
    }

    /// As a hand would, whatever keys a test before has left pressed.
    static void select(PageView& page, std::initializer_list<int> rows) {
        page.frame()->setTableShown(true);
        QTableView* view = page.frame()->tableView();
        QItemSelection all;
        for (const int row : rows) {
            all.select(view->model()->index(row, 0),
                       view->model()->index(row, view->model()->columnCount() - 1));
        }
        view->selectionModel()->select(all, QItemSelectionModel::ClearAndSelect);
    }

private slots:

    void initTestCase() { made_up::writeThree(sessions_.path()); }

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<WindowFixture>();
        QVERIFY(f().open(sessions_.path()));
        QTRY_COMPARE(calls(), QStringLiteral("36"));
    }

    void cleanup() { fixture_.reset(); }

    void barsAreSummedAndUndone() {
        const QString before = headline(Page::Sessions);
        ui::CompositionChart* chart = nullptr;
        for (auto* each : f().page<OverviewPage>(Page::Sessions).findChildren<ui::CompositionChart*>()) {
            chart = each->accessibleName().startsWith("Sessions") ? each : chart;
        }
        QVERIFY(chart);
        const auto click = [&](int row, Qt::KeyboardModifiers keys) {
            QTest::mouseClick(chart->viewport(), Qt::LeftButton, keys,
                              chart->rowRect(row).center().toPoint());
        };
        chart->setCurrentRow(0);
        click(0, {}); // session 3 used most
        QTRY_COMPARE(calls(), QStringLiteral("18"));
        click(1, Qt::ControlModifier);
        QTRY_COMPARE(calls(), QStringLiteral("30"));
        QCOMPARE(f().bench().state().rows, std::optional(sessions({3, 2})));
        QCOMPARE(f().bench().state().scope, Scope{});
        QCOMPARE(strip().what(), QStringLiteral("2 of 3 sessions"));
        QCOMPARE(strip().figures()[1].exact, QStringLiteral("300")); // input: 10 a call
        QVERIFY2(headline(Page::Sessions).startsWith("The 2 selected sessions hold 30 API calls"),
                 qPrintable(headline(Page::Sessions)));
        f().trigger(ActionId::Undo);
        QTRY_COMPARE(calls(), QStringLiteral("18"));
        f().trigger(ActionId::Undo);
        QTRY_COMPARE(calls(), QStringLiteral("36"));
        QCOMPARE(headline(Page::Sessions), before);
    }

    void daysAndModelsAreSummedAsTheirRowsAre() {
        f().bench().setRows({CompositionGroup::Model, {}, {"claude-made-up-2"}});
        QTRY_COMPARE(calls(), QStringLiteral("18"));
        QCOMPARE(strip().figures().size(), std::size_t{9}); // all calls of its sessions: times of all kinds
        f().bench().setRows({CompositionGroup::Day, {}, {"2026-01-10", "2026-01-11"}});
        QTRY_COMPARE(strip().what(), QStringLiteral("2 of 3 days"));
        QCOMPARE(calls(), QStringLiteral("18")); // 6 and 12
        QCOMPARE(strip().figures().size(), std::size_t{9});
        QVERIFY(f().show(Page::Distributions)); // shows no such rows: the strip is the scope's
        QTRY_COMPARE(calls(), QStringLiteral("36"));
        QVERIFY(f().show(Page::Sessions));
        QTRY_COMPARE(calls(), QStringLiteral("18"));
    }

    void theTableTwinSelectsTheSameRows() {
        QVERIFY(f().show(Page::Composition));
        auto& page = f().page<CompositionPage>(Page::Composition);
        page.frame()->setTableShown(true);
        const auto select = [&](int row) { // whatever keys a test before has left pressed
            QTableView* view = page.frame()->tableView();
            view->selectionModel()->select(view->model()->index(row, 0),
                                           QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        };
        select(2);
        QTRY_COMPARE(calls(), QStringLiteral("6"));
        QCOMPARE(f().bench().state().rows, std::optional(sessions({1})));
        select(3); // the sum of all is no row
        QVERIFY(!f().bench().state().rows);
        QTRY_COMPARE(calls(), QStringLiteral("36"));
        f().bench().setRows(sessions({2}));
        QTRY_COMPARE(calls(), QStringLiteral("12"));
        const QModelIndexList rows = page.frame()->tableView()->selectionModel()->selectedRows();
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0].row(), 1);
    }

    void aDragOverRowsIsOneStepOfUndo() {
        QVERIFY(f().show(Page::Composition));
        auto& page = f().page<CompositionPage>(Page::Composition);
        page.frame()->setTableShown(true);
        QTableView* view = page.frame()->tableView();
        const auto at = [&](int row) { return view->visualRect(view->model()->index(row, 0)).center(); };
        const int before = f().bench().undoStack().index();
        QTest::mousePress(view->viewport(), Qt::LeftButton, {}, at(0));
        for (int row = 0; row < 3; ++row) {
            QMouseEvent move(QEvent::MouseMove, at(row), view->viewport()->mapToGlobal(at(row)), Qt::NoButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(view->viewport(), &move);
        }
        QCOMPARE(view->selectionModel()->selectedIndexes().size(), 3);
        QTest::mouseRelease(view->viewport(), Qt::LeftButton, {}, at(2));
        QTRY_VERIFY(f().bench().state().rows);
        QCOMPARE(f().bench().state().rows->keys.size(), std::size_t{3});
        QCOMPARE(f().bench().undoStack().index(), before + 1);
    }

    void promptTurnsAreSummed() {
        QVERIFY(f().show(Page::Timeline));
        QTRY_COMPARE(calls(), QStringLiteral("18"));
        auto& page = f().page<TimelinePage>(Page::Timeline);
        const Asked before = f().bench().state().asked;
        const QImage unmarked = page.chart()->grab().toImage();
        page.turns()->selectRow(0);
        QTRY_COMPARE(calls(), QStringLiteral("2"));
        QVERIFY2(page.chart()->grab().toImage() != unmarked, "the turn is marked in the chart");
        QCOMPARE(f().bench().state().asked, before); // a click jumps nowhere
        QVERIFY2(headline(Page::Timeline).startsWith("The selected prompt turn holds 2 API calls"),
                 qPrintable(headline(Page::Timeline)));
        QVERIFY(strip().what().startsWith("1 of 9 prompt turns"));
        QSignalSpy said(&f().bench(), &Workbench::said);
        f().bench().openTimeline(f().keyOf(2));
        QVERIFY(f().settle());
        QVERIFY(!f().bench().state().rows);
        QCOMPARE(said.count(), 1);
        QTRY_COMPARE(calls(), QStringLiteral("12"));
        f().trigger(ActionId::Undo);
        QTRY_COMPARE(calls(), QStringLiteral("2"));
        QCOMPARE(page.turns()->selectionModel()->selectedRows().size(), 1);
    }

    void aLaneIsSelectedByItsName() {
        QVERIFY(f().show(Page::Timeline));
        auto* chart = f().page<TimelinePage>(Page::Timeline).chart();
        emit chart->lanesSelected({"main"});
        QCOMPARE(f().bench().state().scope.agents, std::vector<std::string>{"main"});
        QVERIFY(f().settle());
        QTRY_COMPARE(calls(), QStringLiteral("18"));
        f().trigger(ActionId::Undo);
        QVERIFY(f().bench().state().scope.agents.empty());
    }

    void callsOfTheTimelinesTableAreSummed() {
        QVERIFY(f().show(Page::Timeline)); // session 3: 18 calls
        QTRY_COMPARE(calls(), QStringLiteral("18"));
        auto& page = f().page<TimelinePage>(Page::Timeline);
        const Table table = f().tableOf(Page::Timeline);
        std::vector<int> ofCalls;
        int other = -1;
        for (int row = 0; row < static_cast<int>(table.rows.size()); ++row) {
            if (std::get<std::string>(table.rows[static_cast<std::size_t>(row)][0]) == "call") {
                ofCalls.push_back(row);
            } else {
                other = row;
            }
        }
        QCOMPARE(ofCalls.size(), std::size_t{18});
        QVERIFY(other >= 0);
        select(page, {ofCalls[0], ofCalls[2], other});
        QTRY_COMPARE(calls(), QStringLiteral("2"));
        QVERIFY2(strip().what().startsWith("2 of 18 API calls"), qPrintable(strip().what()));
        QVERIFY(headline(Page::Timeline).startsWith("Selected are 2 API calls"));
        QCOMPARE(page.frame()->tableView()->selectionModel()->selectedRows().size(), 3); // as selected
        const std::optional<ChosenRows> rows = f().bench().state().rows;
        QVERIFY(rows && rows->calls);
        QCOMPARE(chosenRowsFrom(wordsOf(*rows)), rows);
        f().trigger(ActionId::Undo);
        QTRY_COMPARE(calls(), QStringLiteral("18"));
        QVERIFY(page.frame()->tableView()->selectionModel()->selectedRows().isEmpty());
        f().trigger(ActionId::Redo);
        QTRY_COMPARE(calls(), QStringLiteral("2"));
        QCOMPARE(page.frame()->tableView()->selectionModel()->selectedRows().size(), 2);
    }

    void binsOfTheDistributionsTableAreBrushed() {
        QVERIFY(f().show(Page::Distributions));
        auto& page = f().page<DistributionPage>(Page::Distributions);
        select(page, {0}); // the smallest inputs
        QTRY_VERIFY(f().bench().state().scope.turnInput.has_value());
        QVERIFY(!f().bench().state().scope.turnOutput);
        const Table table = f().tableOf(Page::Distributions);
        QCOMPARE(f().bench().state().scope.turnInput->low, Tokens{std::get<std::int64_t>(table.rows[0][1])});
        QVERIFY(f().settle());
        QCOMPARE(page.frame()->tableView()->selectionModel()->selectedRows().size(), 1);
        f().trigger(ActionId::Undo);
        QVERIFY(!f().bench().state().scope.turnInput);
        QTRY_VERIFY(page.frame()->tableView()->selectionModel()->selectedRows().isEmpty());
    }

    void rowsOfAnotherCutGoAwayWithAWord() {
        QVERIFY(f().show(Page::Composition));
        f().bench().setRows(sessions({1}));
        QTRY_COMPARE(calls(), QStringLiteral("6"));
        QSignalSpy said(&f().bench(), &Workbench::said);
        Asked other = f().bench().state().asked;
        other.sessions.composition.perRequest = true;
        f().bench().setAsked(other, "Change the weight");
        QVERIFY(f().bench().state().rows.has_value());
        other.sessions.group = CompositionGroup::Model;
        f().bench().setAsked(other, "Change the grouping");
        QVERIFY(!f().bench().state().rows);
        QCOMPARE(said.count(), 1);
        QTRY_COMPARE(calls(), QStringLiteral("36"));
        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state().rows, std::optional(sessions({1})));
    }

    void rowsThatLeaveTheScopeGoAwayWithAWord() {
        f().bench().setRows({CompositionGroup::Model, {}, {"claude-made-up-2"}});
        QTRY_COMPARE(calls(), QStringLiteral("18"));
        QSignalSpy said(&f().bench(), &Workbench::said);
        Scope scope;
        scope.models = {"claude-made-up-1"};
        f().bench().setScope(scope, "Change the filter");
        QTRY_VERIFY(!f().bench().state().rows);
        QCOMPARE(said.count(), 1);
        QTRY_COMPARE(calls(), QStringLiteral("18")); // of sessions 1 and 2
        f().trigger(ActionId::Undo);
        QVERIFY(f().bench().state().rows.has_value());
        QTRY_COMPARE(strip().what(), QStringLiteral("\u201cmade-up-2\u201d"));
    }

    void headsOfColumnsSortTheRows() {
        QVERIFY(f().show(Page::Composition));
        auto* chart = f().page<CompositionPage>(Page::Composition).chart();
        const auto first = [&] {
            return std::get<std::string>(f().tableOf(Page::Composition).rows.front()[0]);
        };
        QCOMPARE(first(), f().keyOf(3));
        emit chart->orderChosen(CompositionOrder::AllTokens);
        QVERIFY(f().settle());
        QCOMPARE(first(), f().keyOf(3));
        emit chart->orderChosen(CompositionOrder::AllTokens);
        QVERIFY(f().settle());
        QTRY_COMPARE(first(), f().keyOf(1)); // least first
        const auto request = f().page<CompositionPage>(Page::Composition).request();
        QVERIFY(
            QString::fromStdString(commandFor(request, {}, "a.png")).contains("--sort-by tokens --reversed"));
        emit chart->orderChosen(CompositionOrder::AllTokens);
        QCOMPARE(f().bench().state().asked.sessions.composition.order, CompositionOrder::Usual);
        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state().asked.sessions.composition.order, CompositionOrder::AllTokens);
    }
};

QTEST_MAIN(ChosenRowsTest)
#include "chosen_rows_test.moc"
