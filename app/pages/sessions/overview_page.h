// The Sessions page: what the scope used, by day, by model, and which sessions used most.
#pragma once

#include "app/pages/frame/page_view.h"

namespace loadline::ui {
class ChartTitle;
class CompositionChart;
class FigureTiles;
} // namespace loadline::ui

namespace loadline::app {

class OverviewPage : public PageView {
    Q_OBJECT

public:
    explicit OverviewPage(Workbench& workbench);

    void setTheme(ui::ThemeKind kind) override;
    [[nodiscard]] ChartRequest request() const override;
    [[nodiscard]] std::vector<ChartRequest> requests() const override;

    /// In the order of its sections.
    [[nodiscard]] static std::vector<ChartRequest> chartsOf(const ChartRequest& base);

    [[nodiscard]] ui::FigureTiles* tiles() const { return tiles_; }

private:
    struct Section {
        CompositionGroup group{};
        ui::ChartTitle* title = nullptr;
        ui::CompositionChart* chart = nullptr;
    };

    QWidget* section(const QString& title, ui::CompositionChart* chart, CompositionGroup group);
    bool eventFilter(QObject* watched, QEvent* event) override;
    void choose(CompositionGroup group);
    void showDrawing();
    void showRows();
    [[nodiscard]] const std::shared_ptr<const Composition>& figureOf(CompositionGroup group) const;
    [[nodiscard]] static ChartRequest requestOfGroup(ChartRequest request, CompositionGroup group);
    void show(const std::shared_ptr<const OverviewShown>& shown);
    void showTiles();
    void showSelected(const std::shared_ptr<const SelectionShown>& selected);

    std::shared_ptr<const OverviewShown> shown_;
    std::shared_ptr<const SelectionShown> selected_; ///< rows; null: the scope is spoken of
    ui::ThemeKind theme_ = ui::ThemeKind::Light;
    CompositionGroup chosen_ = CompositionGroup::Session; ///< what export and the table mean
    std::vector<Section> sections_;
    ui::FigureTiles* tiles_ = nullptr;
    ui::CompositionChart* days_ = nullptr;
    ui::CompositionChart* models_ = nullptr;
    ui::CompositionChart* sessions_ = nullptr;
};

} // namespace loadline::app
