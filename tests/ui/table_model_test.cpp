// TableModel: cells, alignment, sorting as a permutation, copying.
#include "ui/model/table_model.h"

#include <QAbstractItemModelTester>
#include <QItemSelectionModel>
#include <QRegularExpression>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

namespace {

Table sample() {
    return {{"name", "input_tokens", "share"},
            {{std::string("b"), std::int64_t{1'234'567}, 0.25},
             {std::string("a\tx"), std::monostate{}, 1.5},
             {std::string("=c"), std::int64_t{7}, -2.0}}};
}

QStringList column(const QAbstractItemModel& model, int c, int role = Qt::DisplayRole) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row) {
        texts << model.index(row, c).data(role).toString();
    }
    return texts;
}

} // namespace

class TableModelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

    void keepsTheModelContract() {
        TableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(sample());
        model.sort(1, Qt::DescendingOrder);
        model.setTable(Table{});
        QCOMPARE(model.rowCount(), 0);
        model.setTable(std::shared_ptr<const Table>());
        QCOMPARE(model.columnCount(), 0);
    }

    void showsExactGroupedNumbersRightAligned() {
        TableModel model;
        model.setTable(sample());
        const QString space = QString::fromUtf8("\u202F");
        QCOMPARE(model.index(0, 1).data().toString(), "1" + space + "234" + space + "567");
        QCOMPARE(model.index(0, 1).data(ExactRole).toString(), QString("1234567"));
        QVERIFY(model.index(0, 1).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
        QVERIFY(model.index(0, 0).data(Qt::TextAlignmentRole).toInt() & Qt::AlignLeft);
        QCOMPARE(model.index(0, 1).data(SortRole).toLongLong(), 1'234'567LL);
        QCOMPARE(model.index(2, 0).data(ExactRole).toString(), QString("=c"));
        QCOMPARE(model.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QString("input tokens"));
        TableModel times;
        times.setTable({{"rows_m", "in_kv_before", "time_us"}, {{1.5, 0.25, 1086083.4}}});
        QCOMPARE(times.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QString("rows M"));
        QCOMPARE(times.headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QString("in KV before"));
        QCOMPARE(times.index(0, 2).data().toString(), "1" + space + "086" + space + "083"); // no 1.08608e+06
        times.setTable({{"time_us"}, {{92681.44}, {-1234.5}, {999.25}, {1e-7}}});
        QCOMPARE(column(times, 0),
                 (QStringList{"92" + space + "681", "-1" + space + "234", "999.2", "1e-07"}));
        QVERIFY(!model.index(1, 1).data(Qt::ToolTipRole).isValid());
    }

    void sortsWithEmptyCellsLastAndKeepsSelections() {
        TableModel model;
        model.setTable(sample());
        const QPersistentModelIndex b = model.index(0, 0);
        model.sort(1);
        QCOMPARE(column(model, 0), (QStringList{"=c", "b", "a\\tx"}));
        QCOMPARE(b.row(), 1);
        QCOMPARE(model.tableRow(1), 0);
        model.sort(1, Qt::DescendingOrder);
        QCOMPARE(column(model, 0), (QStringList{"b", "=c", "a\\tx"}));
        model.sort(2);
        QCOMPARE(column(model, 0), (QStringList{"=c", "b", "a\\tx"}));
        model.setTable(sample()); // a sorting stays in force
        QCOMPARE(column(model, 0), (QStringList{"=c", "b", "a\\tx"}));
        model.sort(-1);
        QCOMPARE(column(model, 0), (QStringList{"b", "a\\tx", "=c"}));
        QCOMPARE(b.isValid(), false); // the new table has new rows
    }

    void copiesTheSelectionAsTabSeparatedLines() {
        TableModel model;
        model.setTable(sample());
        const QModelIndexList cells{model.index(1, 0), model.index(0, 0), model.index(0, 1)};
        QCOMPARE(tsvOf(model, cells), QString("name\tinput_tokens\nb\t1234567\na x\t\n"));
        QCOMPARE(tsvOf(model, cells, false), QString("b\t1234567\na x\t\n"));
        QCOMPARE(tsvOf(model, {}), QString());
    }

    void sortsManyRowsInOrder_data() {
        QTest::addColumn<int>("sortColumn");
        QTest::newRow("numbers") << 0;
        QTest::newRow("texts") << 1;
    }

    void sortsManyRowsInOrder() {
        Table table{{"n", "t"}, {}};
        for (std::int64_t i = 0; i < 100'000; ++i) {
            table.rows.push_back({i * 7919 % 100'003, std::to_string(i * 104729 % 100'003)});
        }
        TableModel model;
        model.setTable(std::move(table));
        QFETCH(int, sortColumn);
        model.sort(sortColumn);
        for (int row = 1; row < model.rowCount(); ++row) {
            const QVariant before = model.index(row - 1, sortColumn).data(SortRole);
            const QVariant here = model.index(row, sortColumn).data(SortRole);
            QVERIFY(sortColumn == 0 ? before.toLongLong() < here.toLongLong()
                                    : before.toString() < here.toString());
        }
    }
};

QTEST_MAIN(TableModelTest)
#include "table_model_test.moc"
