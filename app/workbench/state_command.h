// One step of undo: the state before and after a change.
#pragma once

#include "app/workbench/workbench.h"

#include <QUndoCommand>

#include <chrono>

namespace loadline::app {

/// Steps of the same mergeable kind within a second become one, so that a drag is undone at once.
class StateCommand : public QUndoCommand {
public:
    StateCommand(Workbench& workbench, const QString& what, WorkbenchState after, Merge merge);

    void undo() override;
    void redo() override;
    [[nodiscard]] int id() const override;
    bool mergeWith(const QUndoCommand* other) override;

private:
    void show(const WorkbenchState& state);

    Workbench& workbench_;
    WorkbenchState before_, after_;
    Merge merge_;
    std::chrono::steady_clock::time_point at_ = std::chrono::steady_clock::now();
};

} // namespace loadline::app
