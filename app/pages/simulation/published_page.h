// The published study's tables beside ours, and what is known about the differences.
#pragma once

#include "app/pages/simulation/simulation_page.h"

namespace loadline::ui {
class NotesArea;
} // namespace loadline::ui

namespace loadline::app {

class PublishedPage : public SimulationPage {
    Q_OBJECT

public:
    explicit PublishedPage(Workbench& workbench);

    [[nodiscard]] ui::NotesArea* notes() const { return notes_; }

protected:
    void follow(const SimulationShown& shown) override;

private:
    QWidget* makeBits();

    ui::NotesArea* notes_ = nullptr;
};

} // namespace loadline::app
