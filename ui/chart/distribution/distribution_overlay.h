// Everything of a histogram plot that is not a series: texts, hatching, marks, brush and read-out.
#pragma once

#include "ui/chart/distribution/distribution_plot.h"

#include <QGraphicsItem>

namespace loadline::ui {

/// Heights of the plot's text rows for a given width.
struct DistributionRows {
    double title = 0, key = 0, flags = 0, ticks = 0, caption = 0;
    double left = 0, right = 0;

    [[nodiscard]] double top() const { return title + key + flags; }
};

DistributionRows rowsOf(const DistributionPlot& plot, QSizeF size);

/// A layer as large as its plot.
class DistributionLayer : public QGraphicsItem {
public:
    explicit DistributionLayer(DistributionPlot* plot) : QGraphicsItem(plot), plot_(plot) {}

    [[nodiscard]] QRectF boundingRect() const override { return {QPointF(0, 0), plot_->size()}; }
    void layOutChanged() { prepareGeometryChange(); }

protected:
    DistributionPlot* plot_;
};

/// Grid lines below the series: Qt Charts' own come only with the labels that are painted here instead.
class DistributionGrid : public DistributionLayer {
public:
    using DistributionLayer::DistributionLayer;

    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
};

class DistributionOverlay : public DistributionLayer {
public:
    explicit DistributionOverlay(DistributionPlot* plot);

    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintTexts(QPainter& painter) const;
    void paintKey(QPainter& painter, double top) const;
    void paintTicks(QPainter& painter) const;
    void paintHatching(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintBrush(QPainter& painter) const;
    void paintReadOut(QPainter& painter) const;
};

} // namespace loadline::ui
