// The Simulator page: one setting in six charts, always up to date.
#pragma once

#include "app/pages/simulation_page.h"

namespace loadline::app {

class SimulatorPage : public SimulationPage {
    Q_OBJECT

public:
    explicit SimulatorPage(Workbench& workbench);

protected:
    std::vector<std::shared_ptr<const ui::PlotDrawing>> drawingsOf(const SimulationShown& shown,
                                                                   const std::vector<ui::PlotExtents>& held,
                                                                   const Simulated& pinned) const override;
};

} // namespace loadline::app
