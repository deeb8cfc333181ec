// FactStrip: facts in a line, and the number of those that have no room.
#include "ui/panel/simulation/fact_strip.h"

#include <QRegularExpression>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

class FactStripTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

    /// Facts without room are counted, not cut in a word.
    void theOthersAreCounted() {
        FactStrip strip;
        strip.resize(300, 40);
        std::vector<CountedFact> facts;
        for (int i = 0; i < 9; ++i) {
            facts.push_back({"key", "fact number " + std::to_string(i), "", false});
        }
        strip.setFacts(facts);
        QVERIFY(strip.shownCount() > 0 && strip.shownCount() < facts.size());
        QVERIFY(strip.isWhole());
        QCOMPARE(strip.facts().front().words, std::string("fact number 0"));
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
