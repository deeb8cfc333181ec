// Golden documents of the shared data.
#include "tests/app/goldens/golden_cases.h"

class GoldensSharedTest : public QObject {
    Q_OBJECT

private slots:
    void asBefore_data() { golden::Goldens::addRows("shared"); }

    void asBefore() {
        if (!QFile::exists(QStringLiteral(LOADLINE_SHARED_DATA))) {
            QSKIP("no shared data beside the sources");
        }
        QFETCH(QString, arguments);
        goldens_.check(QTest::currentDataTag(), arguments);
    }

private:
    golden::Goldens goldens_;
};

QTEST_GUILESS_MAIN(GoldensSharedTest)
#include "goldens_shared_test.moc"
