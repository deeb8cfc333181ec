// Golden documents of sessions, turns, schedule, replay, log and bench.
#include "tests/app/goldens/golden_cases.h"

class GoldensSessionsTest : public QObject {
    Q_OBJECT

private slots:
    void asBefore_data() { golden::Goldens::addRows("sessions"); }

    void asBefore() {
        QFETCH(QString, arguments);
        goldens_.check(QTest::currentDataTag(), arguments);
    }

private:
    golden::Goldens goldens_;
};

QTEST_GUILESS_MAIN(GoldensSessionsTest)
#include "goldens_sessions_test.moc"
