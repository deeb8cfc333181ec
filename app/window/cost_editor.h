// The dialogs that edit kernels by M and shapes: simulated while they are edited, one step of undo.
#pragma once

#include "app/workbench/workbench.h"

#include <QObject>
#include <QPointer>

class QDialog;

namespace loadline::ui {
class RuleDialog;
class ShapesDialog;
} // namespace loadline::ui

namespace loadline::app {

/// While a dialog is open the window behind it shows what is edited; cancelled, everything is as before.
class CostEditor : public QObject {
    Q_OBJECT

public:
    /// `window`: what the dialogs belong to; they keep its other input away.
    CostEditor(Workbench& workbench, QWidget& window);

    void editRule();
    void editShapes();
    /// Cancels the open dialog.
    void cancel();

signals:
    void failed(const loadline::Error& error);

private:
    void open(QDialog& dialog, const QString& what);
    void preview();
    void finish(bool accepted, const QString& what);
    void loadShapes();
    void saveShapesAs();
    void nameKernels();
    void showOutcome(const Simulated& shown);
    [[nodiscard]] SimulationRequest edited(bool keep);

    Workbench& workbench_;
    QWidget& window_;
    SimulationRequest before_;
    QPointer<ui::RuleDialog> rule_;
    QPointer<ui::ShapesDialog> shapes_;
};

} // namespace loadline::app
