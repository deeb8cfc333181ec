// Golden documents of simulate and sweep.
#include "tests/app/goldens/golden_cases.h"

class GoldensSimulateTest : public QObject {
    Q_OBJECT

private slots:
    void asBefore_data() { golden::Goldens::addRows("simulate"); }

    void asBefore() {
        QFETCH(QString, arguments);
        goldens_.check(QTest::currentDataTag(), arguments);
    }

private:
    golden::Goldens goldens_;
};

QTEST_GUILESS_MAIN(GoldensSimulateTest)
#include "goldens_simulate_test.moc"
