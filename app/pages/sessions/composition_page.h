// The Composition page: what prompts are made of, by session, day, model or project.
#pragma once

#include "app/pages/frame/page_view.h"

namespace loadline::ui {
class CompositionChart;
class Segments;
} // namespace loadline::ui

namespace loadline::app {

class CompositionPage : public PageView {
    Q_OBJECT

public:
    explicit CompositionPage(Workbench& workbench);

    void setTheme(ui::ThemeKind kind) override;
    [[nodiscard]] ChartRequest request() const override;

    [[nodiscard]] ui::CompositionChart* chart() const { return chart_; }

private:
    void buildControls();
    void showState(const WorkbenchState& state);
    void showRows();
    void sortBy(CompositionOrder order);
    void show(const std::shared_ptr<const CompositionShown>& shown);

    std::shared_ptr<const CompositionShown> shown_;
    ui::CompositionChart* chart_ = nullptr;
    ui::Segments* group_ = nullptr;
    ui::Segments* unit_ = nullptr;
    ui::Segments* weight_ = nullptr;
};

} // namespace loadline::app
