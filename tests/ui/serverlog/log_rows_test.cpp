// Rows of requests in a log's time line.
#include "tests/ui/serverlog/made_up_log.h"
#include "ui/chart/serverlog/log_scene.h"

#include <QTest>

using namespace loadline;
using namespace loadline::ui;

class LogRowsTest : public QObject {
    Q_OBJECT

private slots:

    void slotsThatBeginARequestWhenTheyEndOneKeepTheirRow() {
        ServerLog log = made_up::logOf(0, 0);
        constexpr int slotCount = 4;
        constexpr std::size_t requests = 120;
        for (std::size_t i = 0; i < requests; ++i) {
            LogRequest request = made_up::requestOf(0);
            const std::size_t slot = i % slotCount;
            request.arrivalS = 40.0 * static_cast<double>(i / slotCount) + static_cast<double>(slot);
            request.firstTokenS = request.arrivalS + 2;
            request.endS = request.arrivalS + 40; // the next one of the slot begins at that instant
            log.requests.push_back(request);
        }
        log.lengthS = 40.0 * requests / slotCount + slotCount;
        const auto scene = sceneOf(made_up::logFigure(log));
        QCOMPARE(scene->bars().size(), std::size_t{slotCount});
    }
};

QTEST_MAIN(LogRowsTest)
#include "log_rows_test.moc"
