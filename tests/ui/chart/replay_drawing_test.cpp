// A replayed log: its own server's throughput and latencies beside the simulated ones.
#include "tests/ui/chart/painted_words.h"
#include "tests/ui/simulation_fixtures.h"
#include "ui/chart/export_drawing.h"

#include <QTest>

using namespace loadline;
using namespace loadline::ui;
using namespace loadline::ui::made_up;

namespace {

SimulatorFigure replayedFigure() {
    SimulatorFigure figure = figureOf();
    Workload workload = *workloadOfTrace(std::vector<TraceRequest>{{0, 100, 10, 0}}, "made", "Made", "a log");
    workload.recorded =
        RecordedServer{.latencyS = {.n = 1, .mean = 20, .p50 = 20, .p90 = 25, .p99 = 26}, .tokensPerS = 51.2};
    figure.inputs.workload = std::make_shared<const Workload>(std::move(workload));
    figure.inputs.arrivals.kind = ArrivalKind::Trace;
    figure.overUsers = {};
    figure.present.e2eS = {.n = 1, .mean = 13, .p50 = 13, .p90 = 14, .p99 = 15};
    return figure;
}

} // namespace

class ReplayDrawingTest : public QObject {
    Q_OBJECT

private slots:

    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void theLogStandsBesideTheSimulatedServers() {
        const auto drawing = drawn(latencyReport, shared(replayedFigure()));
        const QStringList words = fixtures::paintedWords(
            {400, 300}, [&](QPainter& painter) { drawing->paint(painter, QRectF(0, 0, 400, 300), Theme()); });
        for (const char* word : {"log", "k = 4", "51.2", "20 s", "13 s", "latency, p90", "not known"}) {
            QVERIFY2(words.contains(QString(word)), qPrintable(words.join('|')));
        }
        QCOMPARE(drawing->table().rows.size(), 2U);
        QVERIFY(drawing->readOut({300, 70}, QRectF(0, 0, 400, 300)).contains("log: 20 s"));
    }

    void anySizeCanBePainted() {
        const auto drawing = drawn(latencyReport, shared(replayedFigure()));
        for (const QSize size : {QSize(1, 1), QSize(20, 400), QSize(400, 20)}) {
            painted(*drawing, size, ThemeKind::Dark);
        }
    }
};

QTEST_MAIN(ReplayDrawingTest)
#include "replay_drawing_test.moc"
