// Commands about kernel times, from any page.
#include "app/pages/kernels_page.h"
#include "app/window/main_window.h"

namespace loadline::app {

using C = ActionId;

void MainWindow::connectKernelCommands() {
    const auto onPage = [this](ActionId command, void (KernelsPage::*what)()) {
        connect(actions_[command], &QAction::triggered, this, [this, what] {
            showSimulation(Page::Kernels);
            (static_cast<KernelsPage&>(workspace_->page(Page::Kernels)).*what)();
        });
    };
    onPage(C::MeasureKernels, &KernelsPage::measureOrCancel);
    onPage(C::OpenProfile, &KernelsPage::askToOpen);
    onPage(C::SaveProfile, &KernelsPage::askToSave);
    onPage(C::UseProfile, &KernelsPage::useForSimulation);
    for (const ActionId command : {C::SaveProfile, C::UseProfile}) {
        actions_[command]->setEnabled(false); // until the page has something
    }
}

} // namespace loadline::app
