// Several charts side by side under short titles; one of them is chosen, one can be shown alone.
#pragma once

#include "ui/chart/plot_view.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

class QGridLayout;

namespace loadline::ui {

class ChartTitle;

class ChartGrid : public QWidget {
    Q_OBJECT

public:
    explicit ChartGrid(const QStringList& titles, QWidget* parent = nullptr);

    [[nodiscard]] int count() const { return static_cast<int>(tiles_.size()); }

    [[nodiscard]] PlotView* view(int index) const { return tiles_[static_cast<std::size_t>(index)].view; }

    [[nodiscard]] int chosen() const { return chosen_; } ///< what export means

    void choose(int index);
    /// The first chart is as wide as the grid; its height to that of the rows below is as `first` to `rest`.
    void setLead(int first, int rest);
    /// Charts that have nothing to show; the first of the others is chosen where one of these was.
    void setHidden(const std::vector<int>& indices);

    [[nodiscard]] bool isShown(int index) const;
    /// The chart shown alone; -1: all of them.
    void showAlone(int index);

    [[nodiscard]] int alone() const { return alone_; }

    void setTheme(ThemeKind kind);

signals:
    void chosenChanged(int index);
    void changed(int index, const loadline::ui::PlotChange& change, bool finished);
    void dragBegan();
    void dragCancelled();
    void hovered(const QString& words);
    /// By the button at the chosen chart's title.
    void menuRequested(const QPoint& global);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Tile {
        QWidget* whole = nullptr;
        ChartTitle* title = nullptr;
        PlotView* view = nullptr;
        bool hidden = false;
    };

    void arrange();
    void showChosen();

    std::vector<Tile> tiles_;
    QGridLayout* grid_ = nullptr;
    int columns_ = 0;
    std::optional<std::pair<int, int>> lead_; ///< stretches of the first row and of the others
    int chosen_ = 0;
    int alone_ = -1;
};

} // namespace loadline::ui
