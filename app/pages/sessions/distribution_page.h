// The Distributions page: tokens per turn, with method, bins, measure and the published reference.
#pragma once

#include "app/pages/frame/page_view.h"

class QCheckBox;
class QLabel;

namespace loadline::ui {
class DistributionChart;
class Segments;
} // namespace loadline::ui

namespace loadline::app {

class DistributionPage : public PageView {
    Q_OBJECT

public:
    explicit DistributionPage(Workbench& workbench);

    void setTheme(ui::ThemeKind kind) override;
    [[nodiscard]] ChartRequest request() const override;

    [[nodiscard]] ui::DistributionChart* chart() const { return chart_; }

private:
    void buildControls();
    void showState(const WorkbenchState& state);
    void show(const std::shared_ptr<const DistributionShown>& shown);
    void chooseBins(const QList<int>& tableRows);
    void markBins(const Scope& scope);

    std::shared_ptr<const DistributionFigure> figure_;
    ui::DistributionChart* chart_ = nullptr;
    ui::Segments* method_ = nullptr;
    ui::Segments* bins_ = nullptr;
    ui::Segments* measure_ = nullptr;
    QCheckBox* reference_ = nullptr;
    QLabel* methodChange_ = nullptr;
};

} // namespace loadline::app
