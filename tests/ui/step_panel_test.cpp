// StepPanel, the strip and the step: scrubbing goes everywhere, says everything, and stays within the
// recording.
#include "ui/panel/simulation/step_panel.h"

#include "core/simulate/plot/simulation_plots.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/run/cost_tables.h"
#include "ui/chart/simulation/batch_drawing.h"
#include "ui/model/table_model.h"
#include "ui/plot/report_drawing.h"

#include <QHeaderView>
#include <QImage>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <vector>

using namespace loadline;
using namespace loadline::ui;

namespace {

/// A few steps of the published workload in a cache that is too small for all.
std::shared_ptr<const BatchRecording> recordingOf(Policy policy, std::int64_t steps = 400,
                                                  std::int64_t users = 12) {
    SimulationRequest request;
    request.policy.policy = policy;
    request.arrivals.users = users;
    if (policy == Policy::VllmV1) {
        request.policy.kvBlocks = 12'000;
    }
    SimulationSources sources;
    sources.workload = std::make_shared<const Workload>(referenceWorkload());
    sources.hardware = &hardwareTable().front();
    sources.shapes = studyShapes();
    sources.rule = *findDispatchPreset("code");
    request.modelMissing = true;
    auto recording = recordBatch(inputsOf(request, sources), steps);
    if (!recording) {
        qFatal("%s", recording.error().sentence().c_str());
    }
    return std::make_shared<const BatchRecording>(std::move(*recording));
}

QImage painted(const Drawing& drawing, QSize size) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::light().panel);
    QPainter painter(&image);
    drawing.paint(painter, QRectF(QPointF(0, 0), QSizeF(size)), Theme::light());
    return image;
}

} // namespace

class StepPanelTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

    void everyPolicyIsRecordedAndDrawn_data() {
        QTest::addColumn<int>("policy");
        QTest::newRow("vLLM V1") << int(Policy::VllmV1);
        QTest::newRow("single prefill") << int(Policy::SinglePrefill);
        QTest::newRow("MLX") << int(Policy::Mlx);
    }

    void everyPolicyIsRecordedAndDrawn() {
        QFETCH(int, policy);
        const auto recording = recordingOf(static_cast<Policy>(policy));
        QVERIFY(recording->steps() > 100);
        for (const std::int64_t step : {std::int64_t{0}, recording->steps() / 2, recording->steps() - 1}) {
            const auto strip = drawingOf(BatchView{recording, step});
            QVERIFY(strip->sentence().startsWith("Step "));
            QCOMPARE(strip->table().rows.size(), static_cast<std::size_t>(recording->steps()));
            const auto one = drawingOf(batchStepReport(recording, step));
            QVERIFY(!one->table().rows.empty());
            QVERIFY(painted(*strip, {800, 400}) != painted(*one, {800, 400}));
            for (const QSize size : {QSize(1, 1), QSize(60, 20), QSize(2500, 1200)}) {
                painted(*strip, size);
                painted(*one, size);
            }
        }
    }

    void draggingInTheStripScrubs() {
        const auto recording = recordingOf(Policy::VllmV1);
        const auto strip = drawingOf(BatchView{recording, 200});
        const QRectF area(0, 0, 900, 500);
        std::int64_t last = -1;
        for (int x = 150; x < 890; x += 20) {
            const auto change = strip->change({300, 100}, QPointF(x, 100), area);
            QVERIFY(change && change->step && change->fields.empty());
            QVERIFY(*change->step >= last && *change->step < recording->steps());
            last = *change->step;
        }
        QVERIFY(last > recording->steps() * 9 / 10);
        QVERIFY(!strip->change({5, 5}, {5, 5}, area)); // names at the left
        QVERIFY(!strip->readOut({300, 100}, area).isEmpty());
        const auto near = strip->change({500, 480}, {500, 480}, area); // below: one of the neighbours
        QVERIFY(near && near->step && std::abs(*near->step - 200) <= 60);
    }

    void scrubbingStaysWithin() {
        const auto recording = recordingOf(Policy::VllmV1);
        StepPanel panel;
        QVERIFY(!panel.isEnabled());
        panel.setRecording(recording);
        QVERIFY(panel.isEnabled());
        QSignalSpy changed(&panel, &StepPanel::stepChanged);
        panel.moveTo(-5);
        QCOMPARE(changed.count(), 0);
        panel.moveTo(1'000'000);
        QCOMPARE(panel.step(), recording->steps() - 1);
        QCOMPARE(changed.count(), 1);
        panel.slider()->setValue(17);
        QCOMPARE(panel.step(), std::int64_t{17});
        const BatchStep step = batchStepOf(*recording, 17);
        QCOMPARE(panel.requests()->table().rows.size(), step.rows.size());
        QVERIFY(panel.kernels()->rowCount() > 0);
        panel.setRecording(recordingOf(Policy::VllmV1, 10)); // a shorter one
        QVERIFY(panel.step() < 10);
        panel.setRecording(nullptr);
        QCOMPARE(panel.requests()->rowCount(), 0);
        QVERIFY(!panel.isEnabled());
    }

    /// Nothing that was scrubbed to is cut by the column beside it, or by the other table.
    void columnsAreAsWideAsWhatTheyHold() {
        const auto recording = recordingOf(Policy::VllmV1);
        StepPanel panel;
        panel.resize(900, 240);
        panel.show();
        panel.setRecording(recording);
        const auto views = panel.findChildren<QTableView*>();
        QCOMPARE(views.size(), 2);
        std::vector<int> before;
        for (const std::int64_t step : {std::int64_t{0}, std::int64_t{40}, recording->steps() - 1}) {
            panel.moveTo(step);
            std::vector<int> widths;
            for (const QTableView* view : views) {
                const QFontMetrics metrics(view->font());
                for (int column = 0; column + 1 < view->model()->columnCount(); ++column) {
                    widths.push_back(view->columnWidth(column));
                    for (int row = 0; row < view->model()->rowCount() && !view->isColumnHidden(column);
                         ++row) {
                        const QString text = view->model()->index(row, column).data().toString();
                        QVERIFY2(view->columnWidth(column) > metrics.horizontalAdvance(text),
                                 qPrintable(text));
                    }
                }
            }
            for (std::size_t i = 0; i < before.size(); ++i) {
                QVERIFY(widths[i] >= before[i] || widths[i] == 0);
            }
            before = widths;
        }
        const QTableView& requests = *(views[0]->model() == panel.requests() ? views[0] : views[1]);
        const int beforeNote = requests.columnViewportPosition(panel.requests()->columnCount() - 1);
        QVERIFY2(beforeNote < requests.viewport()->width(), "cut by the kernels");
    }

    void whereThereIsRoomForOneTableTheOtherIsAClickAway() {
        StepPanel panel;
        panel.setRecording(recordingOf(Policy::VllmV1));
        const auto shown = [&] {
            QStringList names;
            for (const auto* view : panel.findChildren<QTableView*>()) {
                if (view->isVisible()) {
                    names << view->accessibleName();
                }
            }
            return names;
        };
        panel.resize(1400, 300);
        panel.show();
        QCOMPARE(shown().size(), 2);
        QVERIFY(!panel.otherTable()->isVisible());
        panel.resize(510, 300);
        QTRY_COMPARE(shown(), QStringList("Requests of this step"));
        QVERIFY(panel.otherTable()->isVisible());
        QTest::mouseClick(panel.otherTable(), Qt::LeftButton);
        QCOMPARE(shown(), QStringList("Kernels of this step"));
        QCOMPARE(panel.otherTable()->text(), QString("Requests"));
        for (const auto* view : panel.findChildren<QTableView*>()) {
            QVERIFY(!view->isVisible() ||
                    view->horizontalHeader()->length() <= view->viewport()->width()); // nothing is cut
        }
        panel.moveTo(20);
        QCOMPARE(shown(), QStringList("Kernels of this step")); // while one scrubs
        panel.resize(1400, 300);
        QTRY_COMPARE(shown().size(), 2);
    }

    void preemptionsAreFound() {
        const auto recording = recordingOf(Policy::VllmV1, 20'000, 200);
        std::int64_t wanted = -1;
        for (std::int64_t i = 1; i < recording->steps() && wanted < 0; ++i) {
            wanted = recording->strip.preempted[static_cast<std::size_t>(i)] > 0 ? i : -1;
        }
        QVERIFY2(wanted > 0, "the cache is large enough for all");
        StepPanel panel;
        panel.setRecording(recording);
        QTest::mouseClick(panel.nextPreemption(), Qt::LeftButton);
        QCOMPARE(panel.step(), wanted);
        bool found = false;
        const Table table = requestsTable(*recording, batchStepOf(*recording, wanted));
        for (const auto& row : table.rows) {
            found = found || row[1] == Cell(std::string("preempted"));
        }
        QVERIFY(found);
    }

    void anEmptyRecordingDoesNoHarm() {
        const auto empty = std::make_shared<const BatchRecording>();
        painted(*drawingOf(BatchView{empty, 3}), {300, 200});
        painted(*drawingOf(batchStepReport(empty, 3)), {300, 200});
        QVERIFY(!drawingOf(BatchView{empty, 0})->change({200, 50}, {200, 50}, QRectF(0, 0, 300, 200)));
        StepPanel panel;
        panel.setRecording(empty);
        QVERIFY(!panel.isEnabled());
    }
};

QTEST_MAIN(StepPanelTest)

#include "step_panel_test.moc"
