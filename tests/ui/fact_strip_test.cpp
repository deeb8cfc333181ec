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
        strip.resize(600, 40);
        QVERIFY(strip.shownCount() < strip.facts().size());
        QVERIFY(!strip.hidesWarning());
    }

    void aWarningThatIsOnlyCountedColoursTheCount() {
        FactStrip strip;
        strip.resize(300, 40);
        const auto painted = [&](bool secondWarns) {
            strip.setFacts({{"a", "times are modelled", "", true},
                            {"b", "outputs are lower bounds: " + std::string(200, 'x'), "", secondWarns}});
            return strip.grab().toImage();
        };
        const QImage quiet = painted(false);
        QCOMPARE(strip.shownCount(), std::size_t{1});
        QVERIFY(!strip.hidesWarning());
        QVERIFY(painted(true) != quiet);
        QVERIFY(strip.hidesWarning());
    }

    /// Facts without room are counted, not cut in a word.
    void theOthersAreCounted() {
        FactStrip strip;
        strip.resize(300, 40);
        std::vector<CountedFact> facts;
        for (int i = 0; i < 9; ++i) {
            facts.push_back({"key", "fact number " + std::to_string(i), "", i == 5});
        }
        strip.setFacts(facts);
        QVERIFY(strip.shownCount() > 0 && strip.shownCount() < facts.size());
        QVERIFY(strip.isWhole());
        QCOMPARE(strip.facts().front().words, std::string("fact number 5"));
        const std::size_t narrow = strip.shownCount();
        strip.resize(500, 40);
        QVERIFY(strip.shownCount() >= narrow);
        strip.setFacts(
            {{"a",
              "a fact of " + std::string(60, 'x') + " " + std::string(60, 'y') + " " + std::string(60, 'z'),
              "", false}}); // one that is longer than the strip is cut
        strip.resize(200, 40);
        QVERIFY(!strip.isWhole());
    }
};

QTEST_MAIN(FactStripTest)

#include "fact_strip_test.moc"
