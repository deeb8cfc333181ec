// Golden documents of the numbers of every simulated chart.
#include "tests/app/goldens/golden_cases.h"

class GoldensExportSimulatedTest : public QObject {
    Q_OBJECT

private slots:
    void asBefore_data() { golden::Goldens::addRows("export_simulated"); }

    void asBefore() {
        QFETCH(QString, arguments);
        goldens_.check(QTest::currentDataTag(), arguments);
    }

private:
    golden::Goldens goldens_;
};

QTEST_GUILESS_MAIN(GoldensExportSimulatedTest)
#include "goldens_export_simulated_test.moc"
