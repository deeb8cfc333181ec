// The What pays page: what a faster kernel would buy, and kernel times that can be dragged.
#pragma once

#include "app/pages/simulation_page.h"

class QPushButton;

namespace loadline::app {

class WhatPaysPage : public SimulationPage {
    Q_OBJECT

public:
    explicit WhatPaysPage(Workbench& workbench);

protected:
    std::vector<std::shared_ptr<const ui::PlotDrawing>> drawingsOf(const SimulationShown& shown,
                                                                   const std::vector<ui::PlotExtents>& held,
                                                                   const Simulated& pinned) const override;
    [[nodiscard]] QString sentence() const override;

private:
    QPushButton* reset_ = nullptr;
};

} // namespace loadline::app
