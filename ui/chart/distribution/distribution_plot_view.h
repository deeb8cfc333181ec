// One histogram plot in the window: hover, click, drag and keys over its bins.
#pragma once

#include "ui/chart/distribution/distribution_plot.h"

#include <QtCharts/QChartView>

namespace loadline::ui {

/// Selects bins and tells of them; what a selection means is its owner's business.
class DistributionPlotView : public QChartView {
    Q_OBJECT
public:
    explicit DistributionPlotView(TurnQuantity quantity, QWidget* parent = nullptr);

    void setFigure(const std::shared_ptr<const DistributionFigure>& figure);
    void setTheme(ThemeKind kind);
    /// Shows a brush; announces nothing.
    void setBrush(std::optional<TokenRange> brush);
    [[nodiscard]] std::optional<TokenRange> brush() const { return brush_; }
    [[nodiscard]] const DistributionPlot& plot() const { return *plot_; }
    /// The middle of a bin's column in the viewport.
    [[nodiscard]] QPoint viewportPoint(int bin) const;

signals:
    void brushed();                    ///< by hand; see brush()
    void hovered(const QString& text); ///< "" when nothing is told any more

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    [[nodiscard]] int binAt(const QPointF& viewportPoint, bool nearest) const;
    [[nodiscard]] std::optional<std::pair<int, int>> brushedBins() const;
    void select(int first, int last);
    void clearBrush();
    void walkTo(int bin, bool extend);
    void show();
    void tell(int bin);

    DistributionPlot* plot_;
    std::optional<TokenRange> brush_;
    std::optional<std::pair<int, int>> dragged_; ///< bins from the press to the cursor
    std::optional<QPointF> press_;
    bool dragging_ = false;
    bool ring_ = false; ///< the keyboard walks: its bin is ringed and told
    int hoverBin_ = -1;
    int keyBin_ = -1;
    int anchor_ = -1; ///< where a range that is being extended began
    QString told_;
};

} // namespace loadline::ui
