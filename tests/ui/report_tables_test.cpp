// The tables of a report in tabs: their names, their order of rows.
#include "ui/table/report_tables.h"

#include "core/ask/report.h"

#include <QHeaderView>
#include <QTableView>
#include <QTest>

#include <memory>
#include <string>
#include <vector>

using namespace loadline;
using namespace loadline::ui;

namespace {

/// One table of this title whose column has these numbers.
std::shared_ptr<const ask::Report> reportWith(const std::string& title, std::vector<double> numbers) {
    auto report = std::make_shared<ask::Report>();
    const std::vector<double>& rows = report->keep(std::move(numbers));
    report->add("numbers", title, rows.size(), {ask::columnOf(rows, "n", "N", [](double n) { return n; })});
    return report;
}

QString cellIn(const ReportTables& tables, int row) {
    const QAbstractItemModel& model = *tables.table(0)->model();
    return model.data(model.index(row, 0)).toString();
}

} // namespace

class ReportTablesTest : public QObject {
    Q_OBJECT

private slots:

    void anotherTableHasItsOwnOrder() {
        ReportTables tables;
        tables.setReport(reportWith("First", {2, 1, 3}));
        tables.table(0)->sortByColumn(0, Qt::AscendingOrder);
        QCOMPARE(cellIn(tables, 0), QString("1"));
        tables.setReport(reportWith("First", {5, 4}));
        QCOMPARE(cellIn(tables, 0), QString("4")); // the same table keeps it
        tables.setReport(reportWith("Second", {7, 6}));
        QCOMPARE(cellIn(tables, 0), QString("7"));
        QCOMPARE(tables.table(0)->horizontalHeader()->sortIndicatorSection(), -1);
    }

    void anAmpersandInATitleIsShown() {
        ReportTables tables;
        tables.setReport(reportWith("Time & cost", {1}));
        QCOMPARE(tables.tabText(0), QString("Time && cost")); // else it would underline a letter
        QCOMPARE(tables.table(0)->accessibleName(), QString("Time & cost"));
    }
};

QTEST_MAIN(ReportTablesTest)
#include "report_tables_test.moc"
