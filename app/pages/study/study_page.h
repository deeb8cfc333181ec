// The page of any study: its question as a form, its report as headline, facts, caveats, charts and tables.
#pragma once

#include "app/page/page_spec.h"
#include "app/pages/frame/page_view.h"
#include "app/study/study_runner.h"
#include "ui/chart/frame/chart_grid.h"
#include "ui/form/field_form.h"

#include <optional>

class QLabel;

namespace loadline::ui {
class FactStrip;
class ProgressStrip;
class ReportTables;
class SideFold;
} // namespace loadline::ui

namespace loadline::app {

class StudyPage : public PageView {
    Q_OBJECT

public:
    /// Precondition: a page with a study, which has plots.
    StudyPage(Workbench& workbench, const PageSpec& page);

    void setTheme(ui::ThemeKind kind) override;
    [[nodiscard]] ChartRequest request() const override;
    [[nodiscard]] std::vector<ChartRequest> requests() const override;

    [[nodiscard]] bool dimsStale() const override { return !began_; }

    [[nodiscard]] QList<int> parts() const override; ///< whether the form is folded
    void setParts(const QList<int>& fold) override;

    [[nodiscard]] ui::FieldForm* form() const { return form_; }

    [[nodiscard]] ui::ChartGrid* grid() const { return grid_; }

    [[nodiscard]] ui::FactStrip* facts() const { return facts_; }

    [[nodiscard]] ui::ReportTables* tables() const { return tables_; }

    [[nodiscard]] ui::ProgressStrip* progress() const { return progress_; }

private:
    [[nodiscard]] const ask::Study& study() const { return *spec_.asks; }

    [[nodiscard]] ask::Question question() const { return workbench().state().questions[study()]; }

    void build();
    void connectForm();
    void connectRunner();
    void choose(const ask::Question& question, const QString& what, bool finished);
    void letGo() override;
    void take(const ui::PlotChange& change, bool finished);
    void askForFile(const ask::Field& field);
    void showState();
    void showWhatIsMissing();
    void show(const StudyAnswer& shown);
    void showStage();
    void draw();
    void showDrawing();

    const PageSpec& spec_;
    ui::ChartGrid* grid_ = nullptr;
    ui::FieldForm* form_ = nullptr;
    ui::SideFold* side_ = nullptr;
    ui::FactStrip* facts_ = nullptr;
    ui::ReportTables* tables_ = nullptr;
    ui::ProgressStrip* progress_ = nullptr;
    QLabel* note_ = nullptr;             ///< how far the answer is
    StudyAnswer shown_;                  ///< null: nothing yet
    std::optional<ask::Question> began_; ///< while a hand drags: the question when it began
};

} // namespace loadline::app
