// Times of kernels as they are drawn: an outlier's bar ends at the edge of the axis.
#include "ui/chart/kernels/kernel_drawings.h"

#include <QTest>

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
};

QTEST_MAIN(KernelDrawingsTest)
#include "kernel_drawings_test.moc"
