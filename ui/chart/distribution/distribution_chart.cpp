// Two histogram plots and their common brush.
#include "ui/chart/distribution/distribution_chart.h"

#include "ui/chart/distribution/distribution_plot_view.h"
#include "ui/theme/plain_text.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QPaintEvent>
#include <QPainter>

namespace loadline::ui {

DistributionChart::DistributionChart(QWidget* parent)
    : QWidget(parent), input_(new DistributionPlotView(TurnQuantity::Input, this)),
      output_(new DistributionPlotView(TurnQuantity::Output, this)),
      layout_(new QBoxLayout(QBoxLayout::LeftToRight, this)) {
    layout_->setContentsMargins(3 * spacing / 2, spacing, 3 * spacing / 2, spacing);
    layout_->setSpacing(3 * spacing);
    for (DistributionPlotView* view : {input_, output_}) {
        layout_->addWidget(view, 1);
        connect(view, &DistributionPlotView::brushed, this, &DistributionChart::announce);
        connect(view, &DistributionPlotView::hovered, this, &DistributionChart::binHovered);
    }
    setTheme(ThemeKind::Light);
    setAccessibleName(tr("Distributions of input and output per turn"));
    setFocusProxy(input_);
}

DistributionChart::~DistributionChart() {
    for (DistributionPlotView* view : {input_, output_}) {
        disconnect(view, nullptr, this, nullptr); // they lose the focus after this is no chart any more
    }
}

void DistributionChart::setFigure(const std::shared_ptr<const DistributionFigure>& figure) {
    setAccessibleDescription(figure ? lineText(figure->sentence) : QString());
    input_->setFigure(figure);
    output_->setFigure(figure);
}

void DistributionChart::setTheme(ThemeKind kind) {
    ground_ = Theme::of(kind).plotGround;
    input_->setTheme(kind);
    output_->setTheme(kind);
    update();
}

void DistributionChart::paintEvent(QPaintEvent* event) {
    QPainter(this).fillRect(event->rect(), ground_); // a palette would not outlive a new style sheet
}

void DistributionChart::setBrush(std::optional<TokenRange> input, std::optional<TokenRange> output) {
    input_->setBrush(input);
    output_->setBrush(output);
}

std::optional<TokenRange> DistributionChart::inputBrush() const {
    return input_->brush();
}

std::optional<TokenRange> DistributionChart::outputBrush() const {
    return output_->brush();
}

QSize DistributionChart::sizeHint() const {
    return {960, 420};
}

void DistributionChart::announce() {
    emit binsBrushed(inputBrush(), outputBrush());
}

void DistributionChart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    layout_->setDirection(distributionsSideBySide(size()) ? QBoxLayout::LeftToRight
                                                          : QBoxLayout::TopToBottom);
}

void DistributionChart::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && (inputBrush() || outputBrush())) {
        setBrush({}, {});
        announce();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace loadline::ui
