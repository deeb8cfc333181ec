// The Timeline page: one session over time, and the list of its prompt turns.
#pragma once

#include "app/pages/frame/page_view.h"

class QLabel;
class QSplitter;

namespace loadline::ui {
class CommandPalette;
class PromptTurnList;
class Segments;
class SessionHeading;
class TimelineChart;
} // namespace loadline::ui

namespace loadline::app {

class TimelinePage : public PageView {
    Q_OBJECT

public:
    explicit TimelinePage(Workbench& workbench);

    void setTheme(ui::ThemeKind kind) override;
    [[nodiscard]] ChartRequest request() const override;
    void zoomIn() override;
    void zoomOut() override;
    void fit() override;

    [[nodiscard]] ui::TimelineChart* chart() const { return chart_; }

    [[nodiscard]] ui::SessionHeading* heading() const { return heading_; }

    [[nodiscard]] ui::CommandPalette* switcher() const { return switcher_; }

    [[nodiscard]] ui::PromptTurnList* turns() const { return turns_; }

    [[nodiscard]] QList<int> parts() const override; ///< heights of chart and list
    void setParts(const QList<int>& split) override;

private:
    void buildControls();
    void connectChart();
    void zoomTo(const QString& what, const ui::TimelineView& view, Merge merge = Merge::Never);
    void showState(const WorkbenchState& state);
    void show(const std::shared_ptr<const TimelineShown>& shown);
    void showSelected(const WorkbenchState& state);
    void listTurns(const std::shared_ptr<const SelectionShown>& selected);
    void titleTurns();
    void chooseTurns(const std::vector<TimeMs>& starts);
    void chooseCalls(const QList<int>& tableRows);
    [[nodiscard]] QList<int> rowsOfCalls(const ChosenRows& rows) const;
    void jumpTo(const SessionPromptTurn& listed);
    void step(int by);
    void showHeading();
    void chooseSession();

    std::shared_ptr<const TimelineShown> shown_;
    ui::TimelineChart* chart_ = nullptr;
    ui::PromptTurnList* turns_ = nullptr;
    QLabel* turnsTitle_ = nullptr;
    bool turnsNarrow_ = false;
    std::shared_ptr<const std::vector<SessionPromptTurn>> turnsListed_; ///< null: all
    QSplitter* split_ = nullptr;
    ui::SessionHeading* heading_ = nullptr;
    ui::CommandPalette* switcher_ = nullptr;
    ui::Segments* axis_ = nullptr;
    std::optional<ChosenRows> rowsMarked_; ///< in the table twin
};

} // namespace loadline::app
