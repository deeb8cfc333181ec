// PointPanel: every number that is known of a point is said, and nothing that is not.
#include "ui/panel/kernels/point_panel.h"

#include <QRegularExpression>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

namespace {

PointShown shownPoint() {
    PointShown shown;
    shown.point.kernel = Kernel::Scalar;
    shown.point.size = {.k = 2048, .n = 5120};
    shown.point.rowsM = 2;
    shown.point.kBits = 4;
    shown.point.timeUs = 12.5;
    shown.point.samples = 9;
    shown.profile = "A card";
    return shown;
}

} // namespace

class PointPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

    void saysNothingOfWhatIsNotKnown() {
        PointPanel panel;
        panel.setPoint(shownPoint());
        QVERIFY(panel.text().contains("12.5"));
        QVERIFY(panel.text().contains("M = 2"));
        for (const char* word :
             {"again", "by itself", "middle half", "shortest", "ceiling", "drift", "apart"}) {
            QVERIFY2(!panel.text().contains(word), qPrintable(panel.text()));
        }
        QVERIFY(panel.text().contains("the device does not tell"));
    }

    void saysWhatAPairIsOfItsParts() {
        PointShown shown = shownPoint();
        shown.point.kernel = Kernel::DequantCublas;
        shown.point.timeUs = 45;
        shown.partsUs = 50;
        PointPanel panel;
        panel.setPoint(shown);
        QVERIFY2(panel.text().contains(QRegularExpression("90\\.0.%.*of what both take apart: 50")),
                 qPrintable(panel.text()));
    }

    void saysWhatTheProtocolFound() {
        PointShown shown = shownPoint();
        shown.point.isolatedUs = 14.75;
        shown.point.driftedUs = 10.25;
        shown.point.repeatUs = 12.75;
        shown.point.flags = {"drift", "implausible", "unheard-of"};
        PointPanel panel;
        panel.setPoint(shown);
        const QString text = panel.text();
        QVERIFY2(text.contains(QRegularExpression("by itself, caches cold: 14\\.[78]")), qPrintable(text));
        QVERIFY2(text.contains(QRegularExpression("while the device drifted: 10\\.[23]")), qPrintable(text));
        QVERIFY2(text.contains(QRegularExpression("timed again later: 12\\.[78]")), qPrintable(text));
        QVERIFY(text.contains("the anchor point moved"));
        QVERIFY(text.contains("implausible"));
        QVERIFY(text.contains("unheard-of"));
        panel.setPoint(std::nullopt);
        QVERIFY(!panel.text().contains("14.7"));
    }
};

QTEST_MAIN(PointPanelTest)
#include "point_panel_test.moc"
