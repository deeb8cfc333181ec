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

/// Grid lines below the series: Qt Charts' own come only with the labels that are painted here instead.
class DistributionGrid : public QGraphicsItem {
public:
    explicit DistributionGrid(DistributionPlot* plot);

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
    void layOutChanged() { prepareGeometryChange(); }

private:
    DistributionPlot* plot_;
};

class DistributionOverlay : public QGraphicsItem {
public:
    explicit DistributionOverlay(DistributionPlot* plot);

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;
    void layOutChanged() { prepareGeometryChange(); }

private:
    void paintTexts(QPainter& painter) const;
    void paintKey(QPainter& painter, double top) const;
    void paintTicks(QPainter& painter) const;
    void paintHatching(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintBrush(QPainter& painter) const;
    void paintReadOut(QPainter& painter) const;

    DistributionPlot* plot_;
};

} // namespace loadline::ui
