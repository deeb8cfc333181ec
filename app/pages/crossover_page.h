// The Crossover page: from how many users on quantised kernels lose, for each k, and how sure that is.
#pragma once

#include "app/pages/simulation_page.h"

namespace loadline::app {

class CrossoverPage : public SimulationPage {
    Q_OBJECT

public:
    explicit CrossoverPage(Workbench& workbench);

protected:
    std::vector<std::shared_ptr<const ui::PlotDrawing>> drawingsOf(const SimulationShown& shown,
                                                                   const std::vector<ui::PlotExtents>& held,
                                                                   const Simulated& pinned) const override;
    [[nodiscard]] std::vector<Quantity> quantitiesOf(const SimulationShown& shown) const override;
};

} // namespace loadline::app
