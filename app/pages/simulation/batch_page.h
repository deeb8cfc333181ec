// The Batch view: scrub through simulated steps.
#pragma once

#include "app/pages/simulation/simulation_page.h"

namespace loadline::ui {
class StepPanel;
}

namespace loadline::app {

class BatchPage : public SimulationPage {
    Q_OBJECT

public:
    explicit BatchPage(Workbench& workbench);

    [[nodiscard]] ChartRequest request() const override;

    [[nodiscard]] ui::StepPanel* steps() const { return steps_; }

protected:
    [[nodiscard]] Asked asked() const override;
    bool take(const ui::PlotChange& change) override;
    void follow(const SimulationShown& shown) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    ui::StepPanel* steps_ = nullptr;
    std::int64_t began_ = 0; ///< the step when a drag began
};

} // namespace loadline::app
