// The published study's tables beside ours, and what is known about the differences.
#pragma once

#include "app/pages/simulation/simulation_page.h"

class QLabel;

namespace loadline::app {

class PublishedPage : public SimulationPage {
    Q_OBJECT

public:
    explicit PublishedPage(Workbench& workbench);

    [[nodiscard]] QLabel* notes() const { return notes_; }

protected:
    void follow(const SimulationShown& shown) override;

private:
    QWidget* makeBits();

    QLabel* notes_ = nullptr;
};

} // namespace loadline::app
