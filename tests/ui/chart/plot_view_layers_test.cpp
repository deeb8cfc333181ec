// The answer's layer of a view: painted anew where a clock or a screen asks for it, let go with its drawing;
// and Esc, which ends a drag.
#include "ui/chart/plot_view.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>
#include <memory>

using namespace loadline;
using namespace loadline::ui;

namespace {

/// Counts how often its answer is painted, whoever paints it. All of it can be dragged along x.
class CountedDrawing : public PlotDrawing {
public:
    explicit CountedDrawing(int& painted) : painted_(&painted) {}

    [[nodiscard]] QString title() const override { return QStringLiteral("Counted"); }

    [[nodiscard]] QString sentence() const override { return QStringLiteral("Paintings are counted."); }

    [[nodiscard]] Table table() const override { return {}; }

    void paint(QPainter& /*painter*/, const QRectF& /*area*/, const Theme& /*theme*/) const override {
        ++*painted_;
    }

    [[nodiscard]] bool hasAnswerOf(const PlotDrawing& /*other*/) const override { return true; }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& /*from*/, const QPointF& to,
                                                   const QRectF& /*area*/) const override {
        PlotChange change;
        change.stretch = PlotChange::Stretch{to.x(), to.x() + 1};
        change.fields = {{"users", -1, to.x()}};
        return change;
    }

private:
    int* painted_;
};

/// A view on a screen of so many pixels a logical one.
class FineView : public PlotView {
public:
    double pixels = 1;

protected:
    [[nodiscard]] int metric(PaintDeviceMetric which) const override {
        return which == PdmDevicePixelRatio ? static_cast<int>(pixels)
               : which == PdmDevicePixelRatioScaled
                   ? static_cast<int>(pixels * PlotView::devicePixelRatioFScale())
                   : PlotView::metric(which);
    }
};

} // namespace

class PlotViewLayersTest : public QObject {
    Q_OBJECT

private slots:

    void anotherClockPaintsTheAnswerAnew() {
        int painted = 0;
        PlotView view;
        view.resize(200, 100);
        view.setDrawing(std::make_shared<const CountedDrawing>(painted));
        const Zone before = shownZone();
        view.grab();
        view.grab();
        QCOMPARE(painted, 1);
        setShownZone(before == Zone::Utc ? Zone::Local : Zone::Utc);
        view.grab();
        QCOMPARE(painted, 2);
        setShownZone(before);
    }

    void aScreenOfMorePixelsPaintsTheAnswerAnew() {
        int painted = 0;
        FineView view;
        view.resize(200, 100);
        view.setDrawing(std::make_shared<const CountedDrawing>(painted));
        QImage onto(400, 200, QImage::Format_ARGB32_Premultiplied);
        view.render(&onto);
        view.render(&onto);
        QCOMPARE(painted, 1);
        view.pixels = 2;
        view.render(&onto);
        QCOMPARE(painted, 2);
        view.render(&onto);
        QCOMPARE(painted, 2);
    }

    void aDrawingIsLetGoWhenAnotherIsShown() {
        int painted = 0;
        PlotView view;
        view.resize(200, 100);
        auto first = std::make_shared<const CountedDrawing>(painted);
        const std::weak_ptr<const CountedDrawing> watched = first;
        view.setDrawing(std::move(first));
        view.grab();
        view.setDrawing(std::make_shared<const CountedDrawing>(painted)); // with the same answer
        view.grab();
        QCOMPARE(painted, 1);
        QVERIFY(watched.expired());
        auto last = std::make_shared<const CountedDrawing>(painted);
        const std::weak_ptr<const CountedDrawing> watchedLast = last;
        view.setDrawing(std::move(last));
        view.grab();
        view.setDrawing(nullptr);
        QVERIFY(watchedLast.expired());
    }

    void escCancelsADrag() {
        int painted = 0;
        PlotView view;
        view.resize(200, 100);
        view.setDrawing(std::make_shared<const CountedDrawing>(painted));
        QSignalSpy changed(&view, &PlotView::changed), cancelled(&view, &PlotView::dragCancelled);
        QTest::mousePress(&view, Qt::LeftButton, {}, QPoint(50, 50));
        QTest::mouseMove(&view, QPoint(80, 50));
        QVERIFY(view.isDragged());
        const qsizetype count = changed.count();
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.isDragged());
        QCOMPARE(cancelled.count(), 1);
        QTest::mouseMove(&view, QPoint(120, 50));
        QTest::mouseRelease(&view, Qt::LeftButton, {}, QPoint(120, 50));
        QCOMPARE(changed.count(), count);
    }
};

QTEST_MAIN(PlotViewLayersTest)
#include "plot_view_layers_test.moc"
