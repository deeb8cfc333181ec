// Hand and keys over a histogram plot.
#include "ui/chart/distribution/distribution_plot_view.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <limits>

namespace loadline::ui {

DistributionPlotView::DistributionPlotView(TurnQuantity quantity, QWidget* parent)
    : QChartView(new DistributionPlot(quantity), parent), plot_(static_cast<DistributionPlot*>(chart())) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setRenderHint(QPainter::Antialiasing);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    setMinimumSize(220, 150);
    setAccessibleName(quantity == TurnQuantity::Input ? tr("Histogram of input per turn")
                                                      : tr("Histogram of output per turn"));
    setTheme(ThemeKind::Light);
}

void DistributionPlotView::setFigure(const std::shared_ptr<const DistributionFigure>& figure) {
    plot_->setFigure(figure);
    setAccessibleDescription(describeHistogram(*plot_->figure(), plot_->quantity()));
    press_.reset();
    dragged_.reset();
    dragging_ = false;
    hoverBin_ = -1;
    const int bins = static_cast<int>(plot_->histogram().bins.size());
    keyBin_ = std::min(keyBin_, bins - 1);
    anchor_ = std::min(anchor_, bins - 1);
    show();
}

void DistributionPlotView::setTheme(ThemeKind kind) {
    plot_->setTheme(Theme::of(kind));
    setBackgroundBrush(Theme::of(kind).plotGround);
}

void DistributionPlotView::setBrush(std::optional<TokenRange> brush) {
    brush_ = brush;
    show();
}

std::optional<std::pair<int, int>> DistributionPlotView::brushedBins() const {
    if (dragged_) {
        return std::minmax(dragged_->first, dragged_->second);
    }
    return brush_ ? binsInRange(plot_->histogram(), *brush_) : std::nullopt;
}

void DistributionPlotView::show() {
    DistributionPlotState state;
    state.brush = brushedBins();
    state.focusBin = ring_ ? keyBin_ : -1;
    state.readOutBin = hoverBin_ >= 0 ? hoverBin_ : state.focusBin;
    plot_->setState(state);
    tell(state.readOutBin);
}

void DistributionPlotView::tell(int bin) {
    const QString text = bin < 0 ? QString() : describeBin(plot_->histogram(), plot_->quantity(), bin);
    if (text != told_) {
        told_ = text;
        emit hovered(text);
    }
}

QPoint DistributionPlotView::viewportPoint(int bin) const {
    return mapFromScene(plot_->mapToScene(plot_->columnRect(bin).center()));
}

int DistributionPlotView::binAt(const QPointF& viewportPoint, bool nearest) const {
    const DistributionGeometry& geometry = plot_->geometryNumbers();
    if (geometry.bars.empty()) {
        return -1;
    }
    const QPointF point = plot_->mapFromScene(mapToScene(viewportPoint.toPoint()));
    const double x = plot_->axisX(point.x());
    if (nearest) {
        const double inside = std::clamp(x, geometry.bars.front().left, geometry.bars.back().right - 1e-9);
        return barAt(geometry, inside);
    }
    const bool level = point.y() >= plot_->plotArea().top() && point.y() <= plot_->size().height();
    return level ? barAt(geometry, x) : -1;
}

/// Bins that hold no turn would leave nothing in scope: they are told, not selected.
void DistributionPlotView::select(int first, int last) {
    const auto [low, high] = std::minmax(first, last);
    const std::vector<Bin>& bins = plot_->histogram().bins;
    if (std::none_of(bins.begin() + low, bins.begin() + high + 1,
                     [](const Bin& bin) { return bin.count > 0; })) {
        show();
        return;
    }
    brush_ = rangeOfBins(plot_->histogram(), first, last);
    show();
    emit brushed();
}

void DistributionPlotView::clearBrush() {
    if (brush_) {
        brush_.reset();
        show();
        emit brushed();
    }
}

void DistributionPlotView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    ring_ = false;
    press_ = event->position();
    dragging_ = false;
    show();
}

void DistributionPlotView::mouseMoveEvent(QMouseEvent* event) {
    if (press_ && (event->buttons() & Qt::LeftButton)) {
        dragging_ =
            dragging_ || (event->position() - *press_).manhattanLength() >= QApplication::startDragDistance();
        const int from = binAt(*press_, true);
        if (dragging_ && from >= 0) {
            dragged_ = std::pair(from, binAt(event->position(), true));
        }
    }
    hoverBin_ = binAt(event->position(), dragging_);
    show();
}

void DistributionPlotView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !press_) {
        return;
    }
    press_.reset();
    if (dragging_) {
        dragging_ = false;
        if (const auto bins = std::exchange(dragged_, {})) {
            select(bins->first, bins->second);
        }
        return;
    }
    const int bin = binAt(event->position(), false);
    const auto before = brushedBins();
    const bool extend = event->modifiers() & (Qt::ControlModifier | Qt::ShiftModifier);
    if (bin < 0 || (!extend && before == std::pair(bin, bin))) {
        clearBrush(); // beside the bars, or a second click
    } else if (extend && before) {
        select(std::min(before->first, bin), std::max(before->second, bin));
    } else {
        select(bin, bin);
    }
    keyBin_ = bin;
    anchor_ = bin;
}

void DistributionPlotView::mouseDoubleClickEvent(QMouseEvent* event) {
    mousePressEvent(event);
}

void DistributionPlotView::leaveEvent(QEvent* event) {
    QChartView::leaveEvent(event);
    hoverBin_ = -1;
    show();
}

void DistributionPlotView::wheelEvent(QWheelEvent* event) {
    event->ignore(); // the page may scroll
}

void DistributionPlotView::walkTo(int bin, bool extend) {
    ring_ = true;
    hoverBin_ = -1;
    const int last = static_cast<int>(plot_->histogram().bins.size()) - 1;
    keyBin_ = std::clamp(bin, 0, last);
    if (!extend) {
        anchor_ = keyBin_;
        show();
        return;
    }
    anchor_ = anchor_ < 0 ? keyBin_ : anchor_;
    select(anchor_, keyBin_);
}

void DistributionPlotView::keyPressEvent(QKeyEvent* event) {
    const bool extend = event->modifiers() & Qt::ShiftModifier;
    const bool empty = plot_->histogram().bins.empty();
    if (empty || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))) {
        event->ignore();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left:
        return walkTo(keyBin_ - 1, extend);
    case Qt::Key_Right:
        return walkTo(keyBin_ + 1, extend);
    case Qt::Key_Home:
        return walkTo(0, extend);
    case Qt::Key_End:
        return walkTo(std::numeric_limits<int>::max(), extend);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (keyBin_ >= 0) {
            ring_ = true;
            return select(keyBin_, keyBin_);
        }
        break;
    default:
        break;
    }
    event->ignore(); // Esc belongs to the chart: it clears both plots
}

void DistributionPlotView::focusInEvent(QFocusEvent* event) {
    QChartView::focusInEvent(event);
    const bool byKey = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    if (byKey && !plot_->histogram().bins.empty()) {
        const auto bins = brushedBins();
        keyBin_ = keyBin_ >= 0 ? keyBin_ : bins ? bins->first : 0;
        anchor_ = keyBin_;
        ring_ = true;
        show();
    }
}

void DistributionPlotView::focusOutEvent(QFocusEvent* event) {
    QChartView::focusOutEvent(event);
    ring_ = false;
    show();
}

bool DistributionPlotView::focusNextPrevChild(bool next) {
    // A graphics view would first offer the focus to its items: they take none.
    return QAbstractScrollArea::focusNextPrevChild(next); // NOLINT(bugprone-parent-virtual-call)
}

} // namespace loadline::ui
