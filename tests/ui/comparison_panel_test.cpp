// ComparisonPanel: what differs in words and numbers, and the buttons that end it.
#include "ui/panel/simulation/comparison_panel.h"

#include "ui/model/table_model.h"

#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace loadline;
using namespace loadline::ui;

class ComparisonPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

    void saysWhatDiffers() {
        ComparisonPanel panel;
        panel.setDifferences({});
        QVERIFY(panel.words()->text().contains("nothing differs"));
        panel.setDifferences({{"chunk", "512", "none"}});
        QVERIFY(panel.words()->text().contains("chunk 512 instead of none"));
    }

    void showsTheNumbersAsSoonAsTheyAreThere() {
        ComparisonPanel panel;
        panel.show();
        const std::vector<Quantity> now = {{"time_vs_fp16", 1.23456789}, {"crossing_k4_users", std::nullopt}};
        panel.setQuantities(now, std::nullopt);
        QCOMPARE(panel.numbers()->columnCount(), 3);
        QVERIFY(std::holds_alternative<std::monostate>(panel.numbers()->table().rows[1][1]));
        panel.setQuantities(now, std::vector<Quantity>{{"time_vs_fp16", 1.0}, {"crossing_k4_users", 12.0}});
        const Table& table = panel.numbers()->table();
        QCOMPARE(panel.numbers()->index(0, 1).data().toString(), QString("1.235")); // copied as it is
        QCOMPARE(panel.numbers()->index(2, 1).data().toString(), QString("0.235")); // as the two it is of
        QVERIFY(std::holds_alternative<std::monostate>(table.rows[2][2]));
        QCOMPARE(table.columns[2], std::string("cross at users, k = 4"));
    }

    void aPreviewIsNamedAndNotSubtracted() {
        ComparisonPanel panel;
        const std::vector<Quantity> pinned = {{"output_tokens_per_s", 8.942}};
        panel.setQuantities({{"output_tokens_per_s", 8.293}}, pinned, FigureStage::Preview);
        QCOMPARE(panel.numbers()->index(0, 0).data().toString(), QString("preview"));
        QVERIFY(std::holds_alternative<std::monostate>(panel.numbers()->table().rows[2][1]));
        panel.setQuantities({{"output_tokens_per_s", 12.03}}, pinned);
        QCOMPARE(panel.numbers()->index(0, 0).data().toString(), QString("now"));
        QVERIFY(std::holds_alternative<double>(panel.numbers()->table().rows[2][1]));
    }

    void aColumnIsWrittenInOneWay() {
        ComparisonPanel panel;
        panel.setQuantities(
            {{"output_tokens_per_s", 118'055.3}, {"crossing_k4_users", 17.0}},
            std::vector<Quantity>{{"output_tokens_per_s", 117'581.2}, {"crossing_k4_users", 19.0}});
        const auto shown = [&](int row, int column) {
            return panel.numbers()->index(row, column).data().toString();
        };
        QCOMPARE(shown(0, 1), QString::fromUtf8("118\u202f055"));
        QCOMPARE(shown(2, 1), QString("474"));
        QCOMPARE(shown(2, 2), QString("-2"));
        QVERIFY(panel.numbers()->index(2, 1).data(Qt::ToolTipRole).toString().startsWith("474.1"));
    }

    void longTimesAreInSeconds() {
        ComparisonPanel panel;
        panel.setQuantities({{"ttft_p50_ms", 194'067.0}, {"tpot_p50_ms", 70.0}},
                            std::vector<Quantity>{{"ttft_p50_ms", 9'067.0}, {"tpot_p50_ms", 80.0}});
        const Table& table = panel.numbers()->table();
        QCOMPARE(table.columns[1], std::string("TTFT p50 s"));
        QCOMPARE(table.columns[2], std::string("TPOT p50 ms"));
        QCOMPARE(std::get<double>(table.rows[0][1]), 194.067);
        QCOMPARE(std::get<double>(table.rows[2][1]), 185.0);
    }

    /// As wide as the charts of a window that is 1280 wide.
    void everyNumberIsSeenWithoutScrolling() {
        ComparisonPanel panel;
        panel.resize(910, 160);
        panel.show();
        std::vector<Quantity> now = {{"time_vs_fp16", 1.314},           {"ttft_p50_ms", 1234.5},
                                     {"ttft_p99_ms", 23456.7},          {"tpot_p50_ms", 0.07742},
                                     {"output_tokens_per_s", 123456.7}, {"decode_only_share", 0.6496},
                                     {"crossing_k4_users", 16.06},      {"crossing_k2_users", 16.15},
                                     {"crossing_k3_users", 16.12},      {"crossing_k5_users", 16.01}};
        panel.setQuantities(now, now);
        const auto* view = panel.findChild<QTableView*>();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        QVERIFY2(view->horizontalHeader()->length() <= view->viewport()->width(),
                 qPrintable(QString::number(view->horizontalHeader()->length())));
        const Table& table = panel.numbers()->table();
        QCOMPARE(table.columns[6], std::string("only decode %"));
        QVERIFY(std::abs(std::get<double>(table.rows[0][6]) - 64.96) < 1e-9);
        QCOMPARE(table.columns[7], std::string("cross at users, k = 2")); // by k
        QCOMPARE(table.columns[10], std::string("k = 5"));
    }

    void buttonsAsk() {
        ComparisonPanel panel;
        QSignalSpy unpin(&panel, &ComparisonPanel::unpinRequested);
        QSignalSpy swap(&panel, &ComparisonPanel::swapRequested);
        QTest::mouseClick(panel.unpinButton(), Qt::LeftButton);
        QTest::mouseClick(panel.swapButton(), Qt::LeftButton);
        QCOMPARE(unpin.count(), 1);
        QCOMPARE(swap.count(), 1);
        QVERIFY(!panel.unpinButton()->accessibleName().isEmpty());
    }
};

QTEST_MAIN(ComparisonPanelTest)

#include "comparison_panel_test.moc"
