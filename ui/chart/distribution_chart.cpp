// Two histogram plots, side by side or one above the other.
#include "ui/chart/distribution_chart.h"

#include <QBoxLayout>
#include <QKeyEvent>

namespace loadline::ui {

DistributionChart::DistributionChart(QWidget* parent)
    : QWidget(parent), layout_(new QBoxLayout(QBoxLayout::LeftToRight, this)) {}

DistributionChart::~DistributionChart() = default;

void DistributionChart::setFigure(std::shared_ptr<const DistributionFigure> /*figure*/) {}

void DistributionChart::setTheme(ThemeKind /*kind*/) {}

void DistributionChart::setBrush(std::optional<TokenRange> /*input*/, std::optional<TokenRange> /*output*/) {}

std::optional<TokenRange> DistributionChart::inputBrush() const {
    return {};
}

std::optional<TokenRange> DistributionChart::outputBrush() const {
    return {};
}

QSize DistributionChart::sizeHint() const {
    return {900, 420};
}

void DistributionChart::announce() {
    emit binsBrushed(inputBrush(), outputBrush());
}

void DistributionChart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
}

void DistributionChart::keyPressEvent(QKeyEvent* event) {
    QWidget::keyPressEvent(event);
}

} // namespace loadline::ui
