// DiagnosticsModel and DiagnosticsPanel: kinds, counts, filters, places.
#include "ui/panel/evidence/diagnostics_panel.h"

#include "tests/made_up_corpus.h"
#include "ui/model/diagnostics_model.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace loadline;
using namespace loadline::ui;

namespace {

std::shared_ptr<const Corpus> oddCorpus() {
    auto corpus = std::make_shared<Corpus>();
    const auto add = [&](const std::string& path, std::vector<Diagnostic> odd) {
        auto file = std::make_shared<SessionFile>();
        file->path = path;
        file->diagnostics = std::move(odd);
        FileInCorpus in;
        in.file = std::move(file);
        corpus->files.push_back(std::move(in));
    };
    add("/logs/a.jsonl", {{DiagnosticKind::BadLine, 7, 1, "unclosed string"},
                          {DiagnosticKind::GluedObjects, 9, 4, "", {12, 30, 31}}});
    add("/logs/b.jsonl", {{DiagnosticKind::BadLine, 2, 3, "no value"}});
    corpus->diagnostics.push_back({"/gone", {DiagnosticKind::CannotOpen, 0, 1, "no permission"}});
    return corpus;
}

QStringList firstColumn(const QAbstractItemModel& model, const QModelIndex& parent = {}) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        texts << model.index(row, 0, parent).data().toString();
    }
    return texts;
}

} // namespace

class DiagnosticsPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

    void modelKeepsItsContract() {
        DiagnosticsModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setCorpus(oddCorpus());
        for (int column = 0; column < model.columnCount(); ++column) {
            model.sort(column, Qt::DescendingOrder);
        }
        model.setFilter("b.jsonl", false);
        model.setCorpus(nullptr);
    }

    void kindsHoldTheirPlaces() {
        DiagnosticsModel model;
        model.setCorpus(oddCorpus());
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.oddities(), 9U);
        QCOMPARE(model.losses(), 5U);
        const QModelIndex bad = model.index(1, 0);
        QCOMPARE(model.index(1, DiagnosticsModel::Times).data(SortRole).toInt(), 4);
        QVERIFY(bad.data(MarksRole).toBool());
        QVERIFY(!model.index(2, 0).data(MarksRole).toBool()); // glued objects: nothing is lost
        QCOMPARE(firstColumn(model, bad), (QStringList{"unclosed string", "no value"}));
        QCOMPARE(model.index(1, DiagnosticsModel::File, bad).data().toString(), QString("/logs/b.jsonl"));
        QCOMPARE(model.index(0, DiagnosticsModel::Line, model.index(0, 0)).data().toString(),
                 QString("whole file"));
    }

    /// "Nothing is lost" is said only where it is true.
    void saysWhatBecameOfTheData() {
        const std::vector<std::pair<DiagnosticKind, QString>> effects{
            {DiagnosticKind::GluedObjects, "mended: nothing is lost"},
            {DiagnosticKind::ByteOrderMark, "mended: nothing is lost"},
            {DiagnosticKind::MissingField, "noted: read as it stands"},
            {DiagnosticKind::UnknownType, "noted: read as it stands"},
            {DiagnosticKind::OtherLog, "left aside: not read, in no total"},
            {DiagnosticKind::NotSessionLog, "left aside: not read, in no total"},
            {DiagnosticKind::LinkLeadsOut, "left aside: not read, in no total"},
            {DiagnosticKind::BadLine, "loses data: what could not be read is left out"}};
        for (const auto& [kind, words] : effects) {
            auto corpus = std::make_shared<Corpus>();
            corpus->diagnostics.push_back({"/a", {kind, 0, 1, ""}});
            DiagnosticsModel model;
            model.setCorpus(corpus);
            QCOMPARE(model.index(0, DiagnosticsModel::File).data().toString(), words);
            QCOMPARE(model.index(0, 0).data(MarksRole).toBool(), leavesOut(kind));
        }
    }

    void filtersAndSorts() {
        DiagnosticsModel model;
        model.setCorpus(oddCorpus());
        model.setFilter("B.JSONL", false);
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.shown(), 3U);
        model.setFilter({}, true);
        QCOMPARE(model.rowCount(), 2);
        model.setFilter("nothing like it", false);
        QCOMPARE(model.rowCount(), 0);
        model.setFilter({}, false);
        model.sort(DiagnosticsModel::Times, Qt::DescendingOrder);
        QCOMPARE(model.index(2, DiagnosticsModel::Times).data(SortRole).toInt(), 1);
        model.sort(DiagnosticsModel::Line, Qt::AscendingOrder);
        for (int row = 0; row < model.rowCount(); ++row) {
            if (model.rowCount(model.index(row, 0)) == 2) {
                QCOMPARE(firstColumn(model, model.index(row, 0)),
                         (QStringList{"no value", "unclosed string"}));
            }
        }
    }

    void enterAndDoubleClickOpenThePlace() {
        DiagnosticsPanel panel;
        panel.resize(800, 300);
        panel.setCorpus(oddCorpus());
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QCOMPARE(panel.oddities(), 9U);
        auto* view = panel.findChild<QTreeView*>();
        QSignalSpy spy(&panel, &DiagnosticsPanel::placeActivated);
        const QModelIndex place = view->model()->index(0, 0, view->model()->index(1, 0));
        QVERIFY(view->isExpanded(place.parent()));
        view->setCurrentIndex(place);
        QTest::keyClick(view, Qt::Key_Return);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.front().at(0).toString(), QString("/logs/a.jsonl"));
        QCOMPARE(spy.front().at(1).toULongLong(), 7ULL);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(place).center());
        QTest::mouseDClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(place).center());
        QCOMPARE(spy.count(), 2);
    }

    /// What stands as one row is reached line by line.
    void everyLineOpens() {
        DiagnosticsPanel panel;
        panel.resize(800, 300);
        panel.setCorpus(oddCorpus());
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* view = panel.findChild<QTreeView*>();
        QSignalSpy spy(&panel, &DiagnosticsPanel::placeActivated);
        const QAbstractItemModel& model = *view->model();
        const QModelIndex glued = model.index(0, 0, model.index(2, 0));
        QCOMPARE(model.rowCount(glued), 3);
        QCOMPARE(model.rowCount(model.index(0, 0, model.index(1, 0))), 0); // one line: nothing below it
        QVERIFY(!view->isExpanded(glued));
        view->setCurrentIndex(glued);
        for (const auto key : {Qt::Key_Return, Qt::Key_Right, Qt::Key_Down, Qt::Key_Return, Qt::Key_Down,
                               Qt::Key_Return, Qt::Key_Down, Qt::Key_Return}) {
            QTest::keyClick(view, key);
        }
        QList<qulonglong> lines;
        for (const QList<QVariant>& call : spy) {
            QCOMPARE(call.at(0).toString(), QString("/logs/a.jsonl"));
            lines << call.at(1).toULongLong();
        }
        QCOMPARE(lines, (QList<qulonglong>{9, 12, 30, 31}));
        QCOMPARE(model.index(1, DiagnosticsModel::Line, glued).data().toString(), QString("30"));
    }

    void filteringKeepsClosedKindsClosed() {
        DiagnosticsPanel panel;
        panel.setCorpus(oddCorpus());
        auto* view = panel.findChild<QTreeView*>();
        view->collapse(view->model()->index(1, 0));
        QTest::keyClicks(panel.findChild<QLineEdit*>(), "jsonl");
        QCOMPARE(view->model()->rowCount(), 2);
        QVERIFY(!view->isExpanded(view->model()->index(0, 0)));
        QVERIFY(view->isExpanded(view->model()->index(1, 0)));
    }

    void saysWhenNothingIsOdd() {
        DiagnosticsPanel panel;
        panel.show();
        panel.setCorpus(std::make_shared<const Corpus>());
        bool said = false;
        for (const QLabel* label : panel.findChildren<QLabel*>()) {
            said = said || (label->isVisible() && label->text().startsWith("Nothing was odd"));
        }
        QVERIFY(said);
    }

    void realLinesBecomeRows() {
        DiagnosticsPanel panel;
        panel.setCorpus(test::smallCorpus());
        QCOMPARE(panel.oddities(), 1U);
    }
};

QTEST_MAIN(DiagnosticsPanelTest)
#include "diagnostics_panel_test.moc"
