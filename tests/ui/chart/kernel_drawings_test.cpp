// Times of kernels as they are drawn: an outlier's bar ends at the edge of the axis.
#include "ui/chart/kernels/kernel_drawings.h"

#include "ui/chart/kernels/crossing_labels.h"
#include "ui/chart/kernels/kernel_paint.h"

#include <QTest>

#include <cmath>

using namespace loadline;
using namespace loadline::ui;

class KernelDrawingsTest : public QObject {
    Q_OBJECT

private:
    static PlotExtents extentsWith(double p75Us) {
        Profile profile;
        profile.name = "made up";
        for (const std::int64_t rowsM : {1, 8, 64}) {
            ProfilePoint point;
            point.kernel = Kernel::Mma;
            point.size = {2048, 5120};
            point.rowsM = rowsM;
            point.timeUs = 60 + 0.1 * static_cast<double>(rowsM);
            point.p25Us = 0.98 * point.timeUs;
            point.p75Us = rowsM == 8 ? p75Us : 1.02 * point.timeUs;
            profile.points.push_back(point);
        }
        KernelFigureInputs inputs;
        inputs.profile = std::make_shared<const Profile>(std::move(profile));
        inputs.shape = {{2048, 5120}, 1};
        const auto figure = std::make_shared<const KernelFigure>(kernelFigure(inputs));
        return drawingOf(KernelChart::Times, figure)->extents();
    }

private slots:
    void anAxisFollowsTheDataNotAnOutliersBar() {
        const PlotExtents steady = extentsWith(62);
        const PlotExtents skewed = extentsWith(2509);
        QVERIFY(skewed.at(2) <= 200); // microseconds, of 60.8
        QCOMPARE(skewed.at(1), steady.at(1));
        QCOMPARE(skewed.at(0), steady.at(0));
    }

    void interruptedPointsAreCountedInTheLegend() {
        Profile profile;
        profile.name = "made up";
        for (const std::int64_t rowsM : {1, 8}) {
            ProfilePoint point;
            point.kernel = Kernel::Mma;
            point.size = {2048, 5120};
            point.rowsM = rowsM;
            point.kBits = 4;
            point.timeUs = 60;
            profile.points.push_back(point);
        }
        const auto figureOf = [&] {
            KernelFigureInputs inputs;
            inputs.profile = std::make_shared<const Profile>(profile);
            inputs.shape = {{2048, 5120}, 1};
            return kernelFigure(inputs);
        };
        QVERIFY(interruptedText(figureOf()).isEmpty());
        profile.points[1].flags = {"interrupted", "noisy"};
        QCOMPARE(interruptedText(figureOf()), QStringLiteral("crossed out: interrupted, 1 of 2"));
    }

    /// Eleven changes of kernel within a decade of M: no label covers another, the plot or what lies beside
    /// it, and those that have room say which kernel.
    void labelsCoverNothing() {
        KernelFigure figure;
        figure.inputs.profile = std::make_shared<const Profile>();
        figure.inputs.shape = {{2048, 5120}, 1};
        for (const std::int64_t m : {2, 3, 4, 7, 9, 17, 37, 42, 51, 60, 7235}) {
            figure.crossings.push_back({.from = m % 2 == 0 ? Kernel::Mma : Kernel::DequantCublas,
                                        .to = m % 2 == 0 ? Kernel::DequantCublas : Kernel::Mma,
                                        .rowsM = m,
                                        .pointsEnd = m == 42});
        }
        figure.fp16Starts.push_back({.from = Kernel::Mma, .to = Kernel::CublasFp16, .rowsM = 38});
        for (const double width : {300.0, 640.0, 1100.0}) {
            const QRectF plot(60, 80, width, 200);
            const auto xOf = [&](double rowsM) {
                return plot.left() + plot.width() * std::log(rowsM) / std::log(9000.0);
            };
            const std::vector<CrossingLabel> labels = crossingLabelsIn(figure, plot, xOf);
            QCOMPARE(labels.size(), std::size_t{12});
            QVERIFY(labels.front().text.contains(QStringLiteral("38")));
            int named = 0;
            for (const CrossingLabel& label : labels) {
                if (label.text.isEmpty()) {
                    continue;
                }
                named += label.text.size() > 4 ? 1 : 0;
                QVERIFY(!label.place.intersects(plot));
                QVERIFY(label.place.top() >= plot.top() - crossingLabelsHeight());
                QVERIFY(label.place.left() >= plot.left() && label.place.right() <= plot.right());
                for (const CrossingLabel& other : labels) {
                    QVERIFY(&other == &label || other.text.isEmpty() || !other.place.intersects(label.place));
                }
            }
            QVERIFY(named >= 2);
        }
    }

    void aMarkerSaysWhoWasNotTimedBeyond() {
        KernelFigure figure;
        figure.inputs.profile = std::make_shared<const Profile>();
        const KernelCrossing ended{
            .from = Kernel::Mma, .to = Kernel::CublasFp16, .rowsM = 129, .pointsEnd = true};
        QVERIFY(crossingLabel(figure, ended).endsWith(QStringLiteral(" not timed beyond)")));
        QVERIFY(crossingLabel(figure, ended).startsWith(QStringLiteral("M = 129 rows: ")));
    }
};

QTEST_MAIN(KernelDrawingsTest)
#include "kernel_drawings_test.moc"
