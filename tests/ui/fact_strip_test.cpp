// FactStrip: what warns comes first, so that it is the rest that is cut.
#include "ui/panel/simulation/fact_strip.h"

#include <QRegularExpression>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

class FactStripTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

    void whatWarnsComesFirst() {
        FactStrip strip;
        strip.resize(300, 40);
        const std::string lengthy = "quiet, and rather long: " + std::string(200, 'x');
        strip.setFacts({{"a", lengthy, "", false},
                        {"b", "times are modelled", "", true},
                        {"c", "quiet too", "", false},
                        {"d", "outputs are lower bounds", "", true}});
        QVERIFY(strip.accessibleDescription().startsWith("times are modelled"));
        QVERIFY(strip.accessibleDescription().indexOf("lower bounds") <
                strip.accessibleDescription().indexOf("quiet"));
        QVERIFY(strip.accessibleDescription().indexOf("and rather long") <
                strip.accessibleDescription().indexOf("quiet too"));
        QVERIFY(!strip.isWhole());
    }
};

QTEST_MAIN(FactStripTest)

#include "fact_strip_test.moc"
