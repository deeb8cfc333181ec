// ComparisonPanel: what differs in words and numbers, and the buttons that end it.
#include "ui/panel/comparison_panel.h"

#include "ui/model/table_model.h"

#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
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
        QCOMPARE(std::get<double>(table.rows[0][1]), 1.235); // four digits
        QVERIFY(std::abs(std::get<double>(table.rows[2][1]) - 0.2346) < 1e-9);
        QVERIFY(std::holds_alternative<std::monostate>(table.rows[2][2]));
        QCOMPARE(table.columns[2], std::string("k = 4 at"));
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
