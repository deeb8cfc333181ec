// What a server's log is in a few figures.
#include "app/pages/serverlog/log_tiles.h"

#include "core/serverlog/server_log.h"

#include <QTest>

using namespace loadline;
using namespace loadline::app;

class LogTilesTest : public QObject {
    Q_OBJECT

private slots:

    void requestsAreCountedAsOnesThatGenerate() {
        ServerLog log;
        log.requestsFrom = RequestsFrom::Log;
        log.requests.resize(5);
        log.requests[1].generates = false;
        QCOMPARE(tilesOf(log).back().value, QString("4"));
        log.moreRequests = 300;
        QCOMPARE(tilesOf(log).back().value, QString("304"));
        QCOMPARE(tilesOf(log).back().label, QString("requests; figures from the first 4"));
    }
};

QTEST_MAIN(LogTilesTest)
#include "log_tiles_test.moc"
