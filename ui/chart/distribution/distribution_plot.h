// One histogram as a Qt Charts item, with direct labels, hatching, brush and read-out painted over it.
#pragma once

#include "ui/chart/distribution/distribution_geometry.h"
#include "ui/theme/theme.h"

#include <QtCharts/QAreaSeries>
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QValueAxis>

#include <memory>
#include <optional>

namespace loadline::ui {

class DistributionGrid;
class DistributionOverlay;

/// State of the user's interaction with a plot; exports have none of it.
struct DistributionPlotState {
    std::optional<std::pair<int, int>> brush; ///< bins, first <= last
    int readOutBin = -1;                      ///< whose numbers are told
    int focusBin = -1;                        ///< where the keyboard is
    bool operator==(const DistributionPlotState&) const = default;
};

/// Lives in a QGraphicsScene (a QChartView's or an export's) and lays itself out to its size.
class DistributionPlot : public QChart {
public:
    explicit DistributionPlot(TurnQuantity quantity);

    void setFigure(std::shared_ptr<const DistributionFigure> figure);
    void setTheme(const Theme& theme);
    void setState(const DistributionPlotState& state);

    [[nodiscard]] TurnQuantity quantity() const { return quantity_; }
    [[nodiscard]] const std::shared_ptr<const DistributionFigure>& figure() const { return figure_; }
    [[nodiscard]] const Histogram& histogram() const;
    [[nodiscard]] const DistributionGeometry& geometryNumbers() const { return geometry_; }
    [[nodiscard]] const DistributionPlotState& state() const { return state_; }
    [[nodiscard]] const Theme& theme() const { return *theme_; }

    /// Between axis units and this item's coordinates.
    [[nodiscard]] double pixelX(double x) const;
    [[nodiscard]] double pixelY(double y) const;
    [[nodiscard]] double axisX(double pixel) const;
    /// The column of a bin, over the plot's whole height.
    [[nodiscard]] QRectF columnRect(int bin) const;

    /// Series as drawn: for tests.
    [[nodiscard]] QList<QPointF> solidPoints() const { return solidLine_->points(); }
    [[nodiscard]] QList<QPointF> dimPoints() const { return dimLine_->points(); }
    [[nodiscard]] QList<QPointF> referencePoints() const { return reference_->points(); }

protected:
    void resizeEvent(QGraphicsSceneResizeEvent* event) override;

private:
    friend class DistributionOverlay;

    void applyColors();
    void applyData();
    void layOut();

    TurnQuantity quantity_;
    std::shared_ptr<const DistributionFigure> figure_;
    DistributionGeometry geometry_;
    DistributionPlotState state_;
    const Theme* theme_ = &Theme::light();
    QLineSeries* dimLine_;
    QLineSeries* solidLine_;
    QLineSeries* reference_;
    QAreaSeries* dim_;
    QAreaSeries* solid_;
    QValueAxis* xAxis_;
    QValueAxis* yAxis_;
    DistributionGrid* grid_;
    DistributionOverlay* overlay_;
};

} // namespace loadline::ui
