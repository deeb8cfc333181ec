// A histogram's series and axes in Qt Charts, and both histograms as a drawing.
#include "ui/chart/distribution/distribution_plot.h"

#include "ui/chart/distribution/distribution_overlay.h"
#include "ui/chart/drawings.h"
#include "ui/chart/paint_help.h"

#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QGraphicsSceneResizeEvent>
#include <QtCharts/QLegend>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {

namespace {

/// The upper edge of all bars: one outline with gaps, since a series per bar would cost a frame.
template <typename Height>
QList<QPointF> outlineOf(const DistributionGeometry& geometry, Height height) {
    QList<QPointF> points;
    points.reserve(4 * static_cast<qsizetype>(geometry.bars.size()));
    const double gap = geometry.measure == Measure::Cumulative ? 0 : 0.06;
    for (const DistributionBar& bar : geometry.bars) {
        const double inset = gap * std::min(1.0, bar.right - bar.left);
        const double top = height(bar);
        points << QPointF(bar.left + inset, 0) << QPointF(bar.left + inset, top)
               << QPointF(bar.right - inset, top) << QPointF(bar.right - inset, 0);
    }
    return points;
}

QAreaSeries* areaUnder(QLineSeries* line) {
    auto* area = new QAreaSeries(line);
    line->setParent(area);
    area->setPen(Qt::NoPen);
    return area;
}

} // namespace

DistributionPlot::DistributionPlot(TurnQuantity quantity)
    : quantity_(quantity), figure_(std::make_shared<DistributionFigure>()), dimLine_(new QLineSeries),
      solidLine_(new QLineSeries), reference_(new QLineSeries), dim_(areaUnder(dimLine_)),
      solid_(areaUnder(solidLine_)), xAxis_(new QValueAxis), yAxis_(new QValueAxis),
      grid_(new DistributionGrid(this)), overlay_(new DistributionOverlay(this)) {
    legend()->hide();
    setBackgroundVisible(false);
    setMargins({});
    setContentsMargins(0, 0, 0, 0);
    setAnimationOptions(NoAnimation);
    for (QAbstractSeries* series :
         {static_cast<QAbstractSeries*>(dim_), static_cast<QAbstractSeries*>(solid_),
          static_cast<QAbstractSeries*>(reference_)}) {
        addSeries(series);
    }
    addAxis(xAxis_, Qt::AlignBottom);
    addAxis(yAxis_, Qt::AlignLeft);
    for (QValueAxis* axis : {xAxis_, yAxis_}) {
        axis->setVisible(false); // painted by the overlay: Qt Charts would cut labels short
        for (QAbstractSeries* series : this->series()) {
            series->attachAxis(axis);
        }
    }
    grid_->setZValue(-1);
    overlay_->setZValue(100);
    applyColors();
    applyData();
}

const Histogram& DistributionPlot::histogram() const {
    return histogramOf(*figure_, quantity_);
}

void DistributionPlot::setFigure(std::shared_ptr<const DistributionFigure> figure) {
    figure_ = figure ? std::move(figure) : std::make_shared<DistributionFigure>();
    state_ = {};
    applyData();
    layOut();
}

void DistributionPlot::setTheme(const Theme& theme) {
    theme_ = &Theme::of(theme.kind);
    applyColors();
    grid_->update();
    overlay_->update();
}

void DistributionPlot::setState(const DistributionPlotState& state) {
    if (state != state_) {
        state_ = state;
        overlay_->update();
    }
}

void DistributionPlot::applyColors() {
    const QColor color = quantity_ == TurnQuantity::Input ? theme_->newInput : theme_->output;
    solid_->setBrush(color);
    dim_->setBrush(tinted(color, theme_->plotGround, 0.3));
    reference_->setPen(QPen(theme_->reference, 1.4, Qt::CustomDashLine, Qt::FlatCap, Qt::MiterJoin));
    QPen pen = reference_->pen();
    pen.setDashPattern({4, 2.5});
    reference_->setPen(pen);
}

void DistributionPlot::applyData() {
    const TokenDistribution* published = figure_->options.reference ? &publishedReference() : nullptr;
    const BucketFrequencies* reference = !published                         ? nullptr
                                         : quantity_ == TurnQuantity::Input ? &published->input
                                                                            : &published->output;
    geometry_ = distributionGeometry(*figure_, quantity_, reference);
    xAxis_->setRange(geometry_.xMin, geometry_.xMax);
    yAxis_->setRange(0, geometry_.yMax);
    solidLine_->replace(outlineOf(geometry_, [](const auto& bar) { return std::min(bar.hit, bar.exact); }));
    dimLine_->replace(geometry_.brushed ? outlineOf(geometry_, [](const auto& bar) { return bar.exact; })
                                        : QList<QPointF>());
    reference_->replace(QList<QPointF>(geometry_.referenceOutline.begin(), geometry_.referenceOutline.end()));
}

void DistributionPlot::resizeEvent(QGraphicsSceneResizeEvent* event) {
    QChart::resizeEvent(event);
    layOut();
}

void DistributionPlot::layOut() {
    grid_->layOutChanged();
    overlay_->layOutChanged();
    const DistributionRows rows = rowsOf(*this, size());
    const QRectF area(rows.left, rows.top(), std::max(1.0, size().width() - rows.left - rows.right),
                      std::max(1.0, size().height() - rows.top() - rows.ticks - rows.caption));
    setPlotArea(area);
    layout()->activate(); // an export paints before any event is delivered
    grid_->update();
    overlay_->update();
}

double DistributionPlot::pixelX(double x) const {
    const QRectF area = plotArea();
    return area.left() + (x - geometry_.xMin) / (geometry_.xMax - geometry_.xMin) * area.width();
}

double DistributionPlot::pixelY(double y) const {
    const QRectF area = plotArea();
    return area.bottom() - y / geometry_.yMax * area.height();
}

double DistributionPlot::axisX(double pixel) const {
    const QRectF area = plotArea();
    return geometry_.xMin + (pixel - area.left()) / area.width() * (geometry_.xMax - geometry_.xMin);
}

QRectF DistributionPlot::columnRect(int bin) const {
    const DistributionBar& bar = geometry_.bars[static_cast<std::size_t>(bin)];
    return {QPointF(pixelX(bar.left), plotArea().top()), QPointF(pixelX(bar.right), plotArea().bottom())};
}

namespace {

class DistributionDrawing : public Drawing {
public:
    explicit DistributionDrawing(std::shared_ptr<const DistributionFigure> figure)
        : figure_(std::move(figure)) {}

    [[nodiscard]] QString title() const override { return QStringLiteral("Distributions"); }

    [[nodiscard]] QString sentence() const override { return QString::fromStdString(figure_->sentence); }

    [[nodiscard]] Table table() const override { return tableOf(*figure_); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const std::array<QRectF, 2> places = placesOf(area.size());
        QGraphicsScene scene(QRectF(QPointF(0, 0), area.size()));
        for (const TurnQuantity quantity : {TurnQuantity::Input, TurnQuantity::Output}) {
            auto* plot = new DistributionPlot(quantity);
            scene.addItem(plot);
            plot->setTheme(theme);
            plot->setFigure(figure_);
            const QRectF& place = places[quantity == TurnQuantity::Input ? 0 : 1];
            plot->setGeometry(place);
        }
        const Painting quiet(painter);
        scene.render(&painter, area, scene.sceneRect(), Qt::IgnoreAspectRatio);
    }

private:
    static std::array<QRectF, 2> placesOf(QSizeF size) {
        const double gap = 4 * spacing;
        if (distributionsSideBySide(size)) {
            const double width = (size.width() - gap) / 2;
            return {QRectF(0, 0, width, size.height()), QRectF(width + gap, 0, width, size.height())};
        }
        const double height = (size.height() - gap / 2) / 2;
        return {QRectF(0, 0, size.width(), height), QRectF(0, height + gap / 2, size.width(), height)};
    }

    std::shared_ptr<const DistributionFigure> figure_;
};

} // namespace

std::unique_ptr<Drawing> drawingOf(std::shared_ptr<const DistributionFigure> figure) {
    return std::make_unique<DistributionDrawing>(std::move(figure));
}

} // namespace loadline::ui
