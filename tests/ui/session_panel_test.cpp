// SessionTreeModel and SessionPanel: cells, sorting, choosing, and what survives a new tree.
#include "ui/panel/sessions/session_panel.h"

#include "tests/made_up_corpus.h"
#include "ui/model/session_cells.h"
#include "ui/model/session_tree_model.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

using namespace loadline;
using namespace loadline::ui;

namespace {

std::shared_ptr<const SessionTree> treeOf(const Scope& scope = {}) {
    return std::make_shared<const SessionTree>(sessionTreeOf(test::smallCorpus(), scope));
}

QModelIndex rowNamed(const QAbstractItemModel& model, const QString& name) {
    const auto found =
        model.match(model.index(0, 0), Qt::DisplayRole, name, 1, Qt::MatchExactly | Qt::MatchRecursive);
    return found.isEmpty() ? QModelIndex() : found.front();
}

QModelIndex cell(const QModelIndex& row, SessionColumn column) {
    return row.siblingAtColumn(static_cast<int>(column));
}

/// In seven projects at most.
std::shared_ptr<const SessionTree> manyTree(int sessions) {
    std::vector<test::MadeUpFile> files;
    for (int i = 0; i < sessions; ++i) {
        const std::string id = fmt::format("p{}xyz{:04}", i % 7, i);
        files.push_back({"/logs/" + id + ".jsonl",
                         test::call(id, id, "2026-01-20T10:00:00.000Z", "m", 1 + i, 10, 100, 5)});
    }
    return std::make_shared<const SessionTree>(sessionTreeOf(test::corpusOfFiles(files), {}));
}

std::shared_ptr<const SessionTree> bigTree() {
    return manyTree(300);
}

} // namespace

class SessionPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

    void modelKeepsItsContract() {
        SessionTreeModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTree(treeOf());
        for (int column = 0; column < model.columnCount(); ++column) {
            model.sort(column, column % 2 ? Qt::AscendingOrder : Qt::DescendingOrder);
        }
        model.setTree(bigTree());
        model.setTree(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }

    void cellsTellShortAndExact() {
        SessionTreeModel model;
        model.setTree(treeOf());
        const QModelIndex row = rowNamed(model, "Measure everything");
        QVERIFY(row.isValid());
        QCOMPARE(cell(row, SessionColumn::AllTokens).data().toString(), QString("71.1 k"));
        QCOMPARE(cell(row, SessionColumn::AllTokens).data(ExactRole).toString(), QString("71140"));
        QCOMPARE(cell(row, SessionColumn::Start).data().toString(), QString("2026-01-22 09:00"));
        QCOMPARE(cell(row, SessionColumn::Calls).data(SortRole).toInt(), 2);
        QCOMPARE(cell(row, SessionColumn::Output).data().toString(), QString("730"));
        QVERIFY(cell(row, SessionColumn::Input).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        QVERIFY(cell(row, SessionColumn::CacheRead).data(Qt::ToolTipRole).toString().startsWith("70"));
        const QModelIndex login = rowNamed(model, "Fix the login");
        QCOMPARE(cell(login, SessionColumn::Output).data().toString(), QString("≥ 55"));
        QCOMPARE(cell(login, SessionColumn::Model).data().toString(), QString("opus-4-5  +1"));
        QCOMPARE(login.data(MarksRole).toInt(), int(DiagnosticsMark));
        QVERIFY(login.data(Qt::ToolTipRole).toString().contains("alpha-1.jsonl"));
        const auto bar = cell(row, SessionColumn::AllTokens).data(BarRole).value<StackedBar>();
        QVERIFY(qAbs(bar.cacheRead + bar.cacheWrite + bar.input + bar.output - 1.0) < 1e-9);
        QVERIFY(!cell(row, SessionColumn::Start).data(BarRole).isValid());
    }

    void outputSaysItsQuality() {
        UsageTotals totals;
        QCOMPARE(outputText(totals, false), QString("–"));
        totals.add({.output = 12'345}, OutputQuality::Final, 0, unpriced);
        QCOMPARE(outputText(totals, false), QString("12.3 k"));
        totals.add({.output = 1}, OutputQuality::LowerBound, 0, unpriced);
        QVERIFY(outputText(totals, false).startsWith("≥ "));
        UsageTotals start;
        start.add({.output = 3}, OutputQuality::StartOnly, 0, unpriced);
        QCOMPARE(outputText(start, true), QString("? 3"));
        QVERIFY(explanationOf(SessionColumn::Output).contains("lower bound"));
    }

    void modelNamesAreShort() {
        QCOMPARE(shortModelName("claude-opus-4-5-20251101"), QString("opus-4-5"));
        QCOMPARE(shortModelName("gpt-5-codex"), QString("gpt-5-codex"));
    }

    void mostTokensStandFirst() {
        SessionPanel panel;
        panel.setTree(treeOf());
        auto* view = panel.findChild<QTreeView*>();
        QCOMPARE(view->model()->index(0, 0).data().toString(), QString("beta_"));
        QVERIFY(view->isExpanded(view->model()->index(0, 0)));
        QCOMPARE(view->model()->index(0, 0, view->model()->index(0, 0)).data().toString(),
                 QString("Measure everything"));
    }

    void headerClickSortsMostFirst() {
        SessionPanel panel;
        panel.resize(1200, 400);
        panel.setTree(treeOf());
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* view = panel.findChild<QTreeView*>();
        QHeaderView* header = view->header();
        const int section = static_cast<int>(SessionColumn::Calls);
        const QPoint place(header->sectionViewportPosition(section) + 10, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(header->sortIndicatorSection(), section);
        QCOMPARE(header->sortIndicatorOrder(), Qt::DescendingOrder);
        QCOMPARE(view->model()->index(0, section).data().toString(), QString("3"));
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(view->model()->index(0, section).data().toString(), QString("2"));
    }

    void choosingEmitsKeysAndSettingDoesNot() {
        SessionPanel panel;
        panel.setTree(treeOf());
        const QSignalSpy spy(&panel, &SessionPanel::sessionsSelected);
        auto* view = panel.findChild<QTreeView*>();
        panel.setSelected({"claude:alpha-1"});
        QCOMPARE(spy.count(), 0);
        QCOMPARE(view->selectionModel()->selectedRows().size(), 1);
        QCOMPARE(view->selectionModel()->selectedRows().front().data().toString(), QString("Fix the login"));
        view->setCurrentIndex(rowNamed(*view->model(), "beta_")); // a project stands for its sessions
        QCOMPARE(spy.last().at(0).toStringList(), (QStringList{"claude:beta_-1", "claude:beta_-2"}));
        view->setCurrentIndex(rowNamed(*view->model(), "sub-agent")); // an agent for its session
        QCOMPARE(panel.selected(), QStringList{"claude:beta_-2"});
        QTest::keyClick(view, Qt::Key_Escape);
        QCOMPARE(spy.last().at(0).toStringList(), QStringList());
    }

    void aChoiceOutsideTheListIsKept() {
        SessionPanel panel;
        panel.setTree(treeOf());
        panel.setSelected({"claude:alpha-1", "claude:beta_-1"});
        const QSignalSpy spy(&panel, &SessionPanel::sessionsSelected);
        Scope scope;
        scope.text = "docs";
        panel.setTree(treeOf(scope));
        panel.setTree(treeOf());
        QCOMPARE(spy.count(), 0);
        QCOMPARE(panel.findChild<QTreeView*>()->selectionModel()->selectedRows().size(), 2);
    }

    void aNewTreeKeepsExpansionCurrentRowAndScrolling() {
        SessionPanel panel;
        panel.resize(400, 300);
        panel.setTree(bigTree());
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* view = panel.findChild<QTreeView*>();
        QVERIFY(!view->isExpanded(view->model()->index(0, 0))); // many sessions: closed at first
        view->expand(view->model()->index(2, 0));
        const QString opened = view->model()->index(2, 0).data(KeyRole).toString();
        const QModelIndex current = view->model()->index(30, 0, view->model()->index(2, 0));
        view->setCurrentIndex(current);
        const QString key = current.data(KeyRole).toString();
        view->scrollTo(current, QAbstractItemView::PositionAtTop);
        const int scrolled = view->verticalScrollBar()->value();
        QVERIFY(scrolled > 0);
        panel.setTree(bigTree());
        QCOMPARE(view->currentIndex().data(KeyRole).toString(), key);
        QCOMPARE(view->verticalScrollBar()->value(), scrolled);
        int open = 0;
        for (int row = 0; row < view->model()->rowCount(); ++row) {
            if (view->isExpanded(view->model()->index(row, 0))) {
                ++open;
                QCOMPARE(view->model()->index(row, 0).data(KeyRole).toString(), opened);
            }
        }
        QCOMPARE(open, 1);
    }

    /// While folders are read, each partial result brings more projects.
    void whatIsReadLaterOpensAsWhatCameFirst() {
        SessionPanel panel;
        panel.resize(400, 300);
        panel.setReading(true);
        panel.setTree(manyTree(3));
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* view = panel.findChild<QTreeView*>();
        const auto open = [&] {
            int count = 0;
            for (int row = 0; row < view->model()->rowCount(); ++row) {
                count += view->isExpanded(view->model()->index(row, 0)) ? 1 : 0;
            }
            return count;
        };
        QCOMPARE(open(), 3);
        panel.setTree(manyTree(21));
        QCOMPARE(view->model()->rowCount(), 7);
        QCOMPARE(open(), 7);
        QCOMPARE(view->verticalScrollBar()->value(), 0); // what used most stands first, and is seen
        panel.setTree(manyTree(300));
        QCOMPARE(open(), 0);
        view->expand(view->model()->index(2, 0));
        panel.setTree(manyTree(301));
        QCOMPARE(open(), 1);
    }

    void anAgentStandsForItsSession() {
        SessionPanel panel;
        panel.resize(400, 600);
        panel.setTree(treeOf());
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* view = panel.findChild<QTreeView*>();
        view->expandAll();
        QModelIndex agent;
        for (QModelIndex row = view->model()->index(0, 0); row.isValid(); row = view->indexBelow(row)) {
            agent = row.parent().parent().isValid() ? row : agent;
        }
        QVERIFY(agent.isValid());
        const QSignalSpy spy(&panel, &SessionPanel::sessionsSelected);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(agent).center());
        QCOMPARE(spy.count(), 1);
        QTRY_COMPARE(view->selectionModel()->selectedRows(), QModelIndexList{agent.parent()});
        QCOMPARE(spy.count(), 1);
    }

    void typingTellsTheTextAndTheSummaryCounts() {
        SessionPanel panel;
        Scope scope;
        scope.text = "docs";
        panel.setTree(treeOf(scope));
        const QSignalSpy spy(&panel, &SessionPanel::textChanged);
        auto* search = panel.findChild<QLineEdit*>();
        QTest::keyClicks(search, "do");
        QCOMPARE(spy.count(), 2);
        QCOMPARE(spy.last().at(0).toString(), QString("do"));
        panel.setText("docs");
        QCOMPARE(spy.count(), 2);
        QCOMPARE(search->text(), QString("docs"));
        bool said = false;
        for (const QLabel* label : panel.findChildren<QLabel*>()) {
            said = said || label->text().startsWith("1 of 3 sessions");
        }
        QVERIFY(said);
    }

    void enterOpensTheTimeline() {
        SessionPanel panel;
        panel.setTree(treeOf());
        const QSignalSpy spy(&panel, &SessionPanel::timelineRequested);
        auto* view = panel.findChild<QTreeView*>();
        view->setCurrentIndex(rowNamed(*view->model(), "Write the docs"));
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.front().at(0).toString(), QString("claude:beta_-1"));
    }

    void columnsAndSortingComeBack() {
        SessionPanel panel;
        panel.setTree(treeOf());
        auto* header = panel.findChild<QTreeView*>()->header();
        header->setSectionHidden(static_cast<int>(SessionColumn::Model), true);
        panel.findChild<QTreeView*>()->sortByColumn(static_cast<int>(SessionColumn::Output),
                                                    Qt::AscendingOrder);
        header->moveSection(header->visualIndex(static_cast<int>(SessionColumn::Output)), 1);
        header->resizeSection(static_cast<int>(SessionColumn::Calls), 123);
        const QString state = panel.saveState();
        SessionPanel other;
        other.setTree(treeOf());
        QVERIFY(other.restoreState(state));
        auto* view = other.findChild<QTreeView*>();
        QVERIFY(view->header()->isSectionHidden(static_cast<int>(SessionColumn::Model)));
        QCOMPARE(view->model()->index(0, 0).data().toString(), QString("alpha"));
        QCOMPARE(view->header()->logicalIndex(1), static_cast<int>(SessionColumn::Output));
        QCOMPARE(view->header()->sectionSize(static_cast<int>(SessionColumn::Calls)), 123);
        QCOMPARE(other.saveState(), state);
        for (const QString& bad :
             {QString("nonsense"), QString(), QString(state).replace("123", "1999999999"),
              QString(state).replace("123", "-1"), QString(state).replace("calls", "session"),
              state + "; session 300", QString(state).replace(" up", " sideways")}) {
            QVERIFY2(!other.restoreState(bad), qPrintable(bad));
        }
        QCOMPARE(other.saveState(), state);
        QVERIFY(other.restoreState(QString(state).remove("; cost 84"))); // as an older version has it
        QCOMPARE(other.saveState().count("; "), state.count("; "));
        QVERIFY(other.saveState().contains("; cost 84"));
    }

    void asManyColumnsAreShownAsFit() {
        SessionPanel panel;
        panel.setTree(treeOf());
        panel.resize(304, 400);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* view = panel.findChild<QTreeView*>();
        const auto shown = [&] {
            int columns = 0;
            for (int i = 0; i < view->header()->count(); ++i) {
                columns += view->header()->isSectionHidden(i) ? 0 : 1;
            }
            return columns;
        };
        const int calls = static_cast<int>(SessionColumn::Calls);
        const int name = static_cast<int>(SessionColumn::Name);
        QCOMPARE(shown(), 2); // name and tokens
        QVERIFY(!view->horizontalScrollBar()->isVisible());
        int before = 0;
        for (const int width : {304, 500, 700, 1400}) {
            panel.resize(width, 400);
            QCoreApplication::sendPostedEvents();
            QVERIFY(shown() >= before && !view->horizontalScrollBar()->isVisible());
            QCOMPARE(view->header()->length(), view->viewport()->width()); // the name has what is left
            before = shown();
        }
        QCOMPARE(before, view->header()->count());
        panel.resize(304, 400);
        QCoreApplication::sendPostedEvents();
        QVERIFY(!panel.saveState().contains("hidden")); // nobody hid them
        view->header()->setSectionHidden(calls, false); // as the menu does
        QVERIFY(panel.saveState().contains("calls 64 kept"));
        panel.resize(310, 400);
        QCoreApplication::sendPostedEvents();
        QVERIFY(!view->header()->isSectionHidden(calls));
        view->header()->resizeSection(name, 260);
        panel.resize(320, 400);
        QCoreApplication::sendPostedEvents();
        QCOMPARE(view->header()->sectionSize(name), 260);
        SessionPanel other;
        QVERIFY(other.restoreState(panel.saveState()));
        QCOMPARE(other.saveState(), panel.saveState());
    }

    void copiesTheChosenRows() {
        SessionPanel panel;
        panel.setTree(treeOf());
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        panel.setSelected({"claude:beta_-1"});
        auto* view = panel.findChild<QTreeView*>();
        view->setFocus();
        QTest::keySequence(view, QKeySequence::Copy);
        const QStringList lines = QApplication::clipboard()->text().split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].startsWith("Session\tTokens\t"));
        QVERIFY(lines[1].startsWith("Write the docs\t555\t\t2026-01-21T09:00:00.000Z\t"));
    }

    void everythingHasAName() {
        SessionPanel panel;
        panel.setTree(treeOf());
        for (const QWidget* widget : {static_cast<QWidget*>(panel.findChild<QLineEdit*>()),
                                      static_cast<QWidget*>(panel.findChild<QTreeView*>())}) {
            QVERIFY(!widget->accessibleName().isEmpty());
        }
    }
};

QTEST_MAIN(SessionPanelTest)
#include "session_panel_test.moc"
