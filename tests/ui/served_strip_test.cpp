// ServedStrip: both formats in a few lines, said to who cannot see them, and copied.
#include "ui/panel/simulation/served_strip.h"

#include <QClipboard>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QRegularExpression>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

namespace {

ServedTable servedTable() {
    ServedTable table;
    table.formats = {"k = 4", "fp16"};
    for (const char* name :
         {"tokens/s", "turns/s", "TTFT p50", "TTFT p99", "TPOT p50", "TPOT p99", "E2E mean", "KV tokens"}) {
        table.rows.push_back(
            {name, "help", {{"48.8 s", "\u00b112 %", "43 to 55 s"}, {"79.8 s", "", ""}}, "1.31"});
    }
    return table;
}

} // namespace

class ServedStripTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

    void takesFewLines() {
        ServedStrip strip;
        strip.setTable(servedTable());
        strip.resize(512, 80);
        strip.show(); // then it follows its size
        QVERIFY(strip.lines() <= 5);
        strip.resize(820, 80);
        QVERIFY(strip.lines() <= 4);
        const int before = strip.sizeHint().height();
        ServedTable longer = servedTable();
        longer.rows[0].cells[0].value = "1 min 39 s";
        strip.setTable(longer);
        QCOMPARE(strip.sizeHint().height(), before); // no answer moves what stands below
    }

    void isHiddenWithoutATable() {
        ServedStrip strip;
        QVERIFY(strip.isHidden());
        strip.setTable(servedTable());
        QVERIFY(!strip.isHidden());
        strip.setTable({});
        QVERIFY(strip.isHidden());
        strip.reserve();
        QVERIFY(!strip.isHidden());
        strip.setTable({});
        QVERIFY(strip.isHidden());
    }

    void saysAndCopiesEveryFigure() {
        ServedStrip strip;
        strip.setTable(servedTable());
        for (const ServedRow& row : servedTable().rows) {
            QVERIFY(strip.accessibleDescription().contains(QString::fromStdString(row.name)));
        }
        QVERIFY(strip.accessibleDescription().contains("k = 4 48.8 s (43 to 55 s); fp16 79.8 s; ratio 1.31"));
        QVERIFY(!strip.accessibleName().isEmpty());
        QTest::keyClick(&strip, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString::fromStdString(tabbedTextOf(servedTable())));
    }

    void everySizeCanBePainted() {
        ServedStrip strip;
        strip.setTable(servedTable());
        for (const QSize size : {QSize(1, 1), QSize(60, 200), QSize(300, 20), QSize(2000, 100)}) {
            strip.resize(size);
            strip.grab();
        }
    }
};

QTEST_MAIN(ServedStripTest)

#include "served_strip_test.moc"
