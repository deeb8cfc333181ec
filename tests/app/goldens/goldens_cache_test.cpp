// Golden documents of cache.
#include "tests/app/goldens/golden_cases.h"

class GoldensCacheTest : public QObject {
    Q_OBJECT

private slots:
    void asBefore_data() { golden::Goldens::addRows("cache"); }

    void asBefore() {
        QFETCH(QString, arguments);
        goldens_.check(QTest::currentDataTag(), arguments);
    }

private:
    golden::Goldens goldens_;
};

QTEST_GUILESS_MAIN(GoldensCacheTest)
#include "goldens_cache_test.moc"
