// Several charts side by side.
#include "ui/chart/frame/chart_grid.h"

#include "ui/chart/frame/chart_title.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr int narrow = 560;
constexpr int wide = 1100;
constexpr int leadHeight = 24 * spacing; ///< at least

} // namespace

ChartGrid::ChartGrid(const QStringList& titles, QWidget* parent)
    : QWidget(parent), grid_(new QGridLayout(this)) {
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setSpacing(spacing);
    for (const QString& title : titles) {
        const int index = count();
        auto* view = new PlotView;
        Tile tile{new QWidget(this), new ChartTitle(title, view), view, false};
        auto* column = new QVBoxLayout(tile.whole);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        tile.view->setAccessibleName(title);
        column->addWidget(tile.title);
        column->addWidget(tile.view, 1);
        connect(tile.view, &PlotView::pressed, this, [this, index] { choose(index); });
        connect(tile.title, &ChartTitle::menuRequested, this, [this, index](const QPoint& global) {
            choose(index);
            emit menuRequested(global);
        });
        connect(tile.view, &PlotView::activated, this,
                [this, index] { showAlone(alone_ == index ? -1 : index); });
        connect(tile.view, &PlotView::changed, this,
                [this, index](const PlotChange& change, bool done) { emit changed(index, change, done); });
        connect(tile.view, &PlotView::dragBegan, this, &ChartGrid::dragBegan);
        connect(tile.view, &PlotView::dragCancelled, this, &ChartGrid::dragCancelled);
        connect(tile.view, &PlotView::hovered, this, &ChartGrid::hovered);
        tiles_.push_back(tile);
    }
    showChosen();
    arrange();
}

/// One alone needs no mark.
void ChartGrid::showChosen() {
    for (int i = 0; i < count(); ++i) {
        tiles_[static_cast<std::size_t>(i)].title->setChosen(count() > 1 && i == chosen_);
    }
}

void ChartGrid::choose(int index) {
    if (index == chosen_) {
        return;
    }
    chosen_ = index;
    showChosen();
    emit chosenChanged(index);
}

void ChartGrid::setLead(int first, int rest) {
    lead_ = std::pair(first, rest);
    tiles_.front().view->setMinimumHeight(leadHeight);
    columns_ = 0;
    arrange();
}

void ChartGrid::setHidden(const std::vector<int>& indices) {
    bool changes = false;
    for (int i = 0; i < count(); ++i) {
        bool& hidden = tiles_[static_cast<std::size_t>(i)].hidden;
        const bool hides = std::ranges::find(indices, i) != indices.end();
        changes = changes || hidden != hides;
        hidden = hides;
    }
    if (!changes) {
        return;
    }
    if (alone_ >= 0 && tiles_[static_cast<std::size_t>(alone_)].hidden) {
        alone_ = -1;
    }
    columns_ = 0;
    arrange();
    if (const auto first = std::ranges::find(tiles_, false, &Tile::hidden);
        tiles_[static_cast<std::size_t>(chosen_)].hidden && first != tiles_.end()) {
        choose(static_cast<int>(first - tiles_.begin()));
    }
}

bool ChartGrid::isShown(int index) const {
    return alone_ < 0 ? !tiles_[static_cast<std::size_t>(index)].hidden : alone_ == index;
}

void ChartGrid::showAlone(int index) {
    alone_ = index;
    if (index >= 0) {
        choose(index);
    }
    columns_ = 0;
    arrange();
}

void ChartGrid::setTheme(ThemeKind kind) {
    for (const Tile& tile : tiles_) {
        tile.view->setTheme(kind);
    }
}

void ChartGrid::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

void ChartGrid::arrange() {
    const auto visible = static_cast<int>(std::ranges::count(tiles_, false, &Tile::hidden));
    const int shownCount = alone_ >= 0 ? 1 : std::max(visible, 1);
    const bool leads = lead_ && alone_ < 0 && shownCount > 1;
    const int columns = std::min(leads ? shownCount - 1 : shownCount, width() < narrow ? 1
                                                                      : width() < wide ? 2
                                                                                       : 3);
    if (columns == columns_) {
        return;
    }
    columns_ = columns;
    int place = 0;
    for (int i = 0; i < count(); ++i) {
        const Tile& tile = tiles_[static_cast<std::size_t>(i)];
        grid_->removeWidget(tile.whole);
        const bool shown = isShown(i);
        tile.whole->setVisible(shown);
        if (shown) {
            // One that would leave a gap at the end is as wide as the grid, and comes first.
            const bool gap = columns == 2 && shownCount % 2 == 1;
            const int span = place > 0 ? 1 : leads ? columns : gap ? 2 : 1;
            grid_->addWidget(tile.whole, place / columns, place % columns, 1, span);
            place += span;
        }
    }
    for (int i = 0; i < 6; ++i) {
        grid_->setColumnStretch(i, i < columns ? 1 : 0);
        const int share = !leads ? 1 : i == 0 ? lead_->first : lead_->second;
        grid_->setRowStretch(i, i * columns < place ? share : 0);
    }
}

} // namespace loadline::ui
