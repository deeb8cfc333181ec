// The What pays page: what a faster kernel would buy, and kernel times that can be dragged.
#pragma once

#include "app/pages/simulation/simulation_page.h"

class QPushButton;

namespace loadline::app {

class WhatPaysPage : public SimulationPage {
    Q_OBJECT

public:
    explicit WhatPaysPage(Workbench& workbench);

protected:
    [[nodiscard]] QString sentence() const override;

private:
    QPushButton* reset_ = nullptr;
};

} // namespace loadline::app
