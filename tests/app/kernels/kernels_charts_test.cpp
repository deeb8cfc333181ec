// The Kernels page's charts: points and pairs, comparison, choices that are undone, exported and kept.
#include "tests/app/kernels/kernels_fixture.h"
#include "ui/chart/export_drawing.h"

#include <QComboBox>
#include <QFile>
#include <QSettings>

using namespace loadline;
using namespace loadline::app;

class KernelsChartsTest : public QObject, protected made_up::KernelsFixture {
    Q_OBJECT

private slots:

    void init() { startWindow(); }

    void cleanup() { endWindow(); }

    void aPointIsPickedWithItsSamples() {
        QVERIFY(open());
        QVERIFY(measured());
        ui::PlotView* view = page().grid()->view(0);
        const auto& drawing = view->drawing();
        const QRectF area = QRectF(view->rect()).adjusted(4, 4, -4, -4);
        const std::vector<QPointF> items = drawing->items(area);
        QVERIFY(items.size() > 5);
        QTest::mouseClick(view, Qt::LeftButton, {}, items[3].toPoint());
        QVERIFY(page().pointPanel()->isVisible());
        QVERIFY(page().pointPanel()->point()->samples.size() > 2);
        QVERIFY(page().pointPanel()->text().contains("clock: "));
        QVERIFY(page().pointPanel()->text().contains("of the ceiling"));
        const ProfilePoint first = page().pointPanel()->point()->point;
        QTest::keyClick(view, Qt::Key_Right);
        QVERIFY(!(page().pointPanel()->point()->point == first));
        QTest::keyClick(view, Qt::Key_Escape);
        QVERIFY(!page().pointPanel()->isVisible());
        choose("rtx4090-published");
        QVERIFY(settled());
        QTest::keyClick(page().grid()->view(0), Qt::Key_Right);
        QVERIFY(page().pointPanel()->isVisible());
        QVERIFY(page().pointPanel()->point()->samples.empty()); // only their number is known
        QVERIFY(page().pointPanel()->text().contains("published"));
    }

    void aPairTimedInOneGoIsAPointLikeOthers() {
        QVERIFY(open());
        QVERIFY(measured());
        ui::PlotView* view = page().grid()->view(0);
        const auto& drawing = view->drawing();
        QVERIFY2(drawing->sentence().contains("what both take in one go at M = 128"),
                 qPrintable(drawing->sentence()));
        const QRectF area = QRectF(view->rect()).adjusted(4, 4, -4, -4);
        int pairs = 0;
        for (const QPointF& at : drawing->items(area)) {
            if (!drawing->readOut(at, area).join(' ').contains("both in one go: ")) {
                continue;
            }
            ++pairs;
            QTest::mouseClick(view, Qt::LeftButton, {}, at.toPoint());
            QVERIFY(page().pointPanel()->isVisible());
            QCOMPARE(page().pointPanel()->point()->point.kernel, Kernel::DequantCublas);
            QCOMPARE(page().pointPanel()->point()->point.rowsM, 128);
            QVERIFY(page().pointPanel()->point()->samples.size() > 2);
            QVERIFY(page().pointPanel()->text().contains("of what both take apart"));
        }
        QCOMPARE(pairs, 1);
    }

    void twoProfilesAreCompared() {
        QVERIFY(open());
        QVERIFY(measured());
        const std::size_t alone = rows();
        auto* box = page().findChild<QComboBox*>("compared");
        const int other = box->findData("rtx4090-published");
        QVERIFY(other > 0);
        box->setCurrentIndex(other);
        emit box->activated(other);
        QVERIFY(settled());
        QVERIFY(rows() > alone);
        QVERIFY(page().frame()->drawing()->sentence().contains("Compared with RTX 4090, published"));
        f().trigger(ActionId::Undo);
        QVERIFY(settled());
        QCOMPARE(rows(), alone);
    }

    void shapeAndKAreChosenAndUndone() {
        QVERIFY(open());
        const QString before = page().frame()->drawing()->title();
        KernelsQuestion view = f().bench().state().asked.kernels;
        view.kBits = 2;
        view.shape = "2048x512x8";
        f().bench().setKernels(view, "other");
        QVERIFY(settled());
        const QString after = page().frame()->drawing()->title();
        QVERIFY2(after.contains("2048x512x8, k = 2"), qPrintable(after));
        f().trigger(ActionId::Undo);
        QVERIFY(settled());
        QCOMPARE(page().frame()->drawing()->title(), before);
    }

    void chartsAreExported_data() {
        QTest::addColumn<int>("chart");
        QTest::addColumn<QString>("command");
        QTest::newRow("times") << 0 << "export kernels ";
        QTest::newRow("ceiling") << 1 << "export kernels-ceiling ";
        QTest::newRow("attention") << 2 << "export kernels-attention ";
    }

    void chartsAreExported() {
        QFETCH(int, chart);
        QFETCH(QString, command);
        QVERIFY(open());
        KernelsQuestion view = f().bench().state().asked.kernels;
        view.kBits = 3;
        view.shape = "5120x2048";
        f().bench().setKernels(view, "other");
        QVERIFY(settled());
        page().grid()->choose(chart);
        const QString path = f().folder.filePath("kernels.png");
        f().window->exportTo(path);
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(path); }, patience));
        const QString words = ui::commandInPng(path.toStdString());
        QVERIFY2(words.contains(command) && words.contains("--k 3") && words.contains("--shape 5120x2048"),
                 qPrintable(words));
        const auto drawing = drawingFor(page().request(), nullptr);
        QVERIFY(drawing);
        QVERIFY((*drawing)->table() == page().frame()->drawing()->table());
    }

    void choicesComeBackAndHostileOnesDoNot() {
        QVERIFY(open());
        KernelsQuestion view = f().bench().state().asked.kernels;
        view.kBits = 5;
        view.compared = "rtx4090-published";
        view.shape = "2048x512";
        view.bench.shapes = "llama-3.1-8b";
        view.bench.kBits = {3, 5};
        view.bench.preset = "thorough";
        f().bench().setKernels(view, "all");
        f().restart();
        useProgram();
        QVERIFY(f().bench().state().asked.kernels == view);
        QCOMPARE(f().bench().state().page, Page::Kernels);
        f().window->close();
        {
            QSettings file(f().folder.filePath("settings.ini"), QSettings::IniFormat);
            file.setValue("kernels/k", 77);
            file.setValue("kernels/shown", "");
            file.setValue("kernels/bench-shapes", "no such");
            file.setValue("kernels/bench-preset", "eternal");
            file.setValue("kernels/bench-k", QStringList{"9", "x"});
        }
        const KernelsQuestion read = loadSettings(f().folder.filePath("settings.ini")).asked.kernels;
        const KernelsQuestion usual;
        QCOMPARE(read.kBits, usual.kBits);
        QCOMPARE(read.shown, usual.shown);
        QVERIFY(read.bench == usual.bench);
    }
};

QTEST_MAIN(KernelsChartsTest)

#include "kernels_charts_test.moc"
