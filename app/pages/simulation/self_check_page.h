// The Self-check page: how close the simulated engine comes to a recorded one, by request.
#pragma once

#include "app/pages/frame/page_view.h"
#include "app/simulation/self_check.h"
#include "ui/chart/frame/chart_grid.h"

#include <memory>

namespace loadline::ui {
class SideFold;
} // namespace loadline::ui

class QLabel;
class QToolButton;

namespace loadline::app {

class SelfCheckPage : public PageView {
    Q_OBJECT

public:
    explicit SelfCheckPage(Workbench& workbench);

    void setTheme(ui::ThemeKind kind) override;
    [[nodiscard]] ChartRequest request() const override;
    [[nodiscard]] std::vector<ChartRequest> requests() const override;

    [[nodiscard]] ui::ChartGrid* grid() const { return grid_; }

    [[nodiscard]] QString details() const;

    /// Hidden where there is no run to tell of.
    [[nodiscard]] ui::SideFold* side() const { return side_; }

    [[nodiscard]] QList<int> parts() const override; ///< whether the details are folded
    void setParts(const QList<int>& fold) override;

private:
    void buildControls();
    void askForRun();
    void askForPrompts();
    void choose(const ReplayQuestion& choice, const QString& what);
    void show(const std::shared_ptr<const SelfCheckShown>& shown);
    void showState(const WorkbenchState& state);
    void showDrawing();
    void showSide();

    ui::ChartGrid* grid_ = nullptr;
    ui::SideFold* side_ = nullptr;
    QLabel* run_ = nullptr;
    QLabel* details_ = nullptr;
    QToolButton* prompts_ = nullptr;
    QToolButton* withoutPrompts_ = nullptr;
    std::shared_ptr<const SelfCheckShown> shown_;
};

} // namespace loadline::app
