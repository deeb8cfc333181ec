// Applying a remembered state; the page and the pinned item stay where the user is.
#include "app/workbench/state_command.h"

#include <utility>

namespace loadline::app {

StateCommand::StateCommand(Workbench& workbench, const QString& what, WorkbenchState after, Merge merge)
    : QUndoCommand(what), workbench_(workbench), before_(workbench.state()), after_(std::move(after)),
      merge_(merge) {}

void StateCommand::undo() {
    show(before_);
}

void StateCommand::redo() {
    show(after_);
}

int StateCommand::id() const {
    const Merge kind = merge_ == Merge::Drag ? Merge::Parameter : merge_;
    return kind == Merge::Never ? -1 : static_cast<int>(kind);
}

bool StateCommand::mergeWith(const QUndoCommand* other) {
    const auto* next = static_cast<const StateCommand*>(other); // same id, so the same class
    const bool dragged = merge_ == Merge::Drag && next->at_ - at_ < std::chrono::seconds(10);
    if (!dragged && next->at_ - at_ > std::chrono::seconds(1)) {
        return false;
    }
    if (id() == static_cast<int>(Merge::Parameter) && text() != next->text()) {
        return false;
    }
    after_ = next->after_;
    merge_ = next->merge_;
    at_ = next->at_;
    return true;
}

void StateCommand::show(const WorkbenchState& state) {
    WorkbenchState next = state;
    next.page = workbench_.state().page;
    next.pinned = workbench_.state().pinned;
    workbench_.apply(std::move(next));
}

} // namespace loadline::app
