// The table of imported kernels: what it tells of many points costs nothing at each repaint.
#include "ui/model/kernel_import_model.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

class KernelImportModelTest : public QObject {
    Q_OBJECT

    static ImportedKernel manyPoints(int count) {
        ImportedKernel kernel;
        kernel.fileName = "mine";
        kernel.kernel = Kernel::Mma;
        kernel.fits = {Kernel::Mma, Kernel::Scalar};
        for (int m = 1; m <= count; ++m) {
            ProfilePoint point;
            point.kernel = Kernel::Mma;
            point.size = {2048, 5120};
            point.kBits = 4;
            point.rowsM = m;
            point.timeUs = 1;
            kernel.points.push_back(point);
        }
        return kernel;
    }

private slots:

    void aRowTellsWhatThePointsReach() {
        KernelImportModel model({{}, {manyPoints(300)}});
        const QAbstractItemModelTester tester(&model);
        const auto text = [&](int column) {
            return model.data(model.index(0, column), Qt::DisplayRole).toString();
        };
        QCOMPARE(text(KernelImportModel::KBitsColumn), QStringLiteral("4"));
        QCOMPARE(text(KernelImportModel::ShapesColumn), QStringLiteral("2048 x 5120"));
        QCOMPARE(text(KernelImportModel::RowsColumn), QStringLiteral("1 to 300"));
        QVERIFY(model.setData(model.index(0, KernelImportModel::StandsForColumn), 1, Qt::EditRole));
        QCOMPARE(text(KernelImportModel::KBitsColumn), QStringLiteral("4"));
    }

    void aRepaintCopiesNoPoints() {
        KernelImportModel model({{}, {manyPoints(20'000)}});
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < 2000; ++i) {
            for (int column = 0; column < KernelImportModel::ColumnCount; ++column) {
                (void)model.data(model.index(0, column), Qt::DisplayRole);
            }
        }
        QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed()))); // minutes with copies
    }
};

QTEST_MAIN(KernelImportModelTest)
#include "kernel_import_model_test.moc"
