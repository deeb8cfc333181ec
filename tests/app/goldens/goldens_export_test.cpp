// Golden documents of the numbers of every chart.
#include "tests/app/goldens/golden_cases.h"

class GoldensExportTest : public QObject {
    Q_OBJECT

private slots:
    void asBefore_data() { golden::Goldens::addRows("export"); }

    void asBefore() {
        QFETCH(QString, arguments);
        goldens_.check(QTest::currentDataTag(), arguments);
    }

private:
    golden::Goldens goldens_;
};

QTEST_GUILESS_MAIN(GoldensExportTest)
#include "goldens_export_test.moc"
