// The Cache page: what is reused, what it takes to keep it, what it frees; of the sessions or of a trace.
#pragma once

#include "app/cache/cache_shown.h"
#include "app/pages/frame/page_view.h"
#include "core/cache/figure/cache_settings.h"
#include "ui/chart/frame/chart_grid.h"

#include <QTimer>

#include <memory>
#include <string>
#include <utility>

namespace loadline::ui {
class BreakList;
class FieldForm;
class FigureTiles;
class ProgressStrip;
class Segments;
class SideFold;
} // namespace loadline::ui

class QAction;
class QComboBox;
class QLabel;
class QSplitter;
class QToolButton;

namespace loadline::app {

class CachePage : public PageView {
    Q_OBJECT

public:
    explicit CachePage(Workbench& workbench);

    void setTheme(ui::ThemeKind kind) override;
    [[nodiscard]] ChartRequest request() const override;
    [[nodiscard]] std::vector<ChartRequest> requests() const override;

    [[nodiscard]] bool dimsStale() const override { return !frame_->isEmpty(); }

    [[nodiscard]] ui::ChartGrid* grid() const { return grid_; }

    [[nodiscard]] ui::FieldForm* panel() const { return panel_; }

    /// Whose requests are shown one by one.
    [[nodiscard]] QComboBox* requestsOf() const { return requestsOf_; }

    [[nodiscard]] ui::BreakList* breaks() const { return breaks_; }

    [[nodiscard]] ui::FigureTiles* tiles() const { return tiles_; }

    [[nodiscard]] ui::ProgressStrip* progress() const { return progress_; }

    [[nodiscard]] QToolButton* simulateButton() const { return simulate_; }

    /// Shows a prefix break in its session's timeline.
    void openBreak(const PrefixBreak& one);

    [[nodiscard]] QList<int> parts() const override; ///< the fold of the panel, then charts and list
    void setParts(const QList<int>& parts) override;

private:
    [[nodiscard]] CacheSettings settings() const; ///< as chosen, for what is shown
    void buildControls();
    void buildParts();
    void showState(const WorkbenchState& state);
    void show(const std::shared_ptr<const CacheShown>& shown);
    void showEmpty();
    void mendEmpty();
    void followProgress();
    void unfollow();
    void followBreaks();
    [[nodiscard]] const PrefixBreak* breakAt(int mark) const;
    void redraw();
    void showForm();
    void showTiles(const CacheSettings& settings);
    void showChosen();
    void fillRequests();
    void chooseRequests(int row);
    void chooseSubAgents(bool count);
    [[nodiscard]] bool isAskedFor(const CacheShown& shown) const;
    void chooseSettings(const CacheSettings& settings, const QString& what, bool finished);
    void takeDrag(const ui::PlotChange& change, bool finished);
    void askForTrace();
    void simulate();
    [[nodiscard]] QString whyNotSimulated() const;
    [[nodiscard]] QString simulatedWords(const CacheSettings& settings, bool otherShapes) const;
    void offerToSimulate();

    ui::ChartGrid* grid_ = nullptr;
    ui::FieldForm* panel_ = nullptr;
    QWidget* requestsBox_ = nullptr; ///< hidden where there is only one to choose
    QComboBox* requestsOf_ = nullptr;
    ui::SideFold* side_ = nullptr;
    ui::FigureTiles* tiles_ = nullptr;
    ui::BreakList* breaks_ = nullptr;
    QLabel* breaksTitle_ = nullptr;
    QWidget* lower_ = nullptr;
    QSplitter* split_ = nullptr;
    ui::Segments* source_ = nullptr;
    QToolButton* simulate_ = nullptr;
    ui::ProgressStrip* progress_ = nullptr;
    std::shared_ptr<const PageProgress> following_;
    QTimer progressTimer_;
    LatestJob finding_{1}; ///< a break's place in its timeline
    std::shared_ptr<const CacheShown> shown_;
    std::shared_ptr<const NamedRequests> requests_;
    const PrefixBreak* break_ = nullptr; ///< the chosen one, of shown_
    QAction* toTimeline_ = nullptr;
    std::pair<std::string, std::string> requestsKey_; ///< session and chain of requests_
    CacheSettings began_;                             ///< when a drag began
    QList<int> sizes_; ///< of charts and list, as the hand has them; empty: as they come
};

} // namespace loadline::app
