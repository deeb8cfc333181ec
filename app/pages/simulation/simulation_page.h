// The base of pages that simulate: charts with their answer, the form beside, mended failures.
#pragma once

#include "app/pages/frame/page_view.h"
#include "app/pages/simulation/memory_remedies.h"
#include "ui/chart/frame/chart_grid.h"
#include "ui/form/field_form.h"
#include "ui/panel/simulation/comparison_panel.h"

#include <memory>
#include <vector>

namespace loadline::ui {
class FactStrip;
class FlowRow;
class ProgressStrip;
class ServedStrip;
class SideFold;
} // namespace loadline::ui

class QAction;
class QLabel;
class QVBoxLayout;

namespace loadline::app {

/// A page of charts of its study alone is this as it is.
class SimulationPage : public PageView {
    Q_OBJECT

public:
    void setTheme(ui::ThemeKind kind) override;
    [[nodiscard]] ChartRequest request() const override;
    [[nodiscard]] std::vector<ChartRequest> requests() const override;

    [[nodiscard]] bool dimsStale() const override { return !handDown_; }

    [[nodiscard]] ui::FieldForm* panel() const { return panel_; }

    [[nodiscard]] ui::ChartGrid* grid() const { return grid_; }

    [[nodiscard]] ui::ProgressStrip* progress() const { return progress_; }

    [[nodiscard]] ui::ComparisonPanel* comparison() const { return comparison_; }

    /// The strip of the answer's counted facts.
    [[nodiscard]] ui::FactStrip* facts() const { return facts_; }

    [[nodiscard]] ui::ServedStrip* served() const { return served_; }

    /// Shown where the weights do not fit.
    [[nodiscard]] MemoryRemedies* remedies() const { return remedies_; }

    [[nodiscard]] QList<int> parts() const override; ///< whether the parameters are folded
    void setParts(const QList<int>& fold) override;

    /// A button for a command of the window that speaks of simulations.
    void addCommand(QAction* command);
    void addControl(QWidget* control); ///< over the charts, before the commands

    SimulationPage(Workbench& workbench, Page page);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; ///< of the frame

    /// A drag in a chart that changes no request, but what the page shows; true: it was one.
    virtual bool take(const ui::PlotChange& /*change*/) { return false; }

    /// The headline whichever chart is chosen; empty: the chosen chart's. A setting's leaves out the facts of
    /// the strips below.
    [[nodiscard]] virtual QString sentence() const;

    /// The page's own choices for its charts.
    [[nodiscard]] virtual Asked asked() const { return workbench().state().asked; }

    /// Shows the page's other parts of an answer; not called for a failed one.
    virtual void follow(const SimulationShown& /*shown*/) {}

    /// Draws the last answer once more.
    void redraw();
    void addBelow(QWidget* widget); ///< under the charts
    void hidePanel();

    /// `change` in a chart as the request it asks for; `began`: the request when the drag began.
    [[nodiscard]] virtual SimulationRequest applied(const ui::PlotChange& change,
                                                    const SimulationRequest& began) const;

private:
    [[nodiscard]] QStringList titles() const;
    [[nodiscard]] const Study& study() const { return *specOf(page_).study; }

    [[nodiscard]] std::vector<Quantity> quantitiesOf(const SimulationShown& shown) const;
    void buildControls();
    void nameCommands();
    void showState(const WorkbenchState& state);
    void showDifferences();
    void followHand(const WorkbenchState& state);
    void plot(bool byHand);
    void hideWhatCannotVary();
    void show(const Simulated& shown);
    void showDrawing();
    void showPinned();
    void swapPinned();
    void followRefining();
    void resume();
    void showComputing();
    void showFailure(const SimulationShown& shown);
    void showChoices();
    void choose(const SimulationRequest& request, const QString& what, bool finished);
    void letGo() override;
    [[nodiscard]] bool hasAnswer() const { return shown_ && !shown_->error; }
    void askForFile(const ask::Field& field);
    void mend();
    void followRemedies();
    void say(const SimulationShown& shown);

    Page page_;
    ChartSpecs charts_;
    ui::ChartGrid* grid_ = nullptr;
    ui::FieldForm* panel_ = nullptr;
    ui::ComparisonPanel* comparison_ = nullptr;
    ui::FactStrip* facts_ = nullptr;
    ui::ServedStrip* served_ = nullptr;
    MemoryRemedies* remedies_ = nullptr;
    QVBoxLayout* left_ = nullptr;
    ui::SideFold* side_ = nullptr; ///< the panel's place
    bool hasPanel_ = true;         ///< else nothing is offered that it would choose
    ui::FlowRow* commands_ = nullptr;
    QWidget* stage_ = nullptr; ///< how far the figures are
    QLabel* note_ = nullptr;
    ui::ProgressStrip* progress_ = nullptr;
    Simulated shown_;
    std::shared_ptr<const SourceFacts> known_; ///< of the workload and the shapes
    SimulationRequest began_;
    bool handDown_ = false;
    bool isAhead_ = false; ///< charts show what was set before its answer is there
};

} // namespace loadline::app
