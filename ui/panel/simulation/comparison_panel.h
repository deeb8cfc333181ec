// The present setting beside the pinned one: what was chosen differently, and the difference in numbers.
#pragma once

#include "core/simulate/answer/comparison.h"

#include <QWidget>

class QLabel;
class QTableView;
class QToolButton;

namespace loadline::ui {

class TableModel;

class ComparisonPanel : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonPanel(QWidget* parent = nullptr);

    /// Shows the choices that differ.
    void setDifferences(const std::vector<ChoiceDifference>& differences);
    /// Shows the quantities of the present and of the pinned figure; without the latter it is still being
    /// computed. `stage` is that of the present figure. Long times are in seconds.
    void setQuantities(const std::vector<Quantity>& now, const std::optional<std::vector<Quantity>>& pinned,
                       FigureStage stage = FigureStage::Refined);

    [[nodiscard]] QLabel* words() const { return words_; }

    [[nodiscard]] TableModel* numbers() const { return numbers_; }

    [[nodiscard]] QToolButton* unpinButton() const { return unpin_; }

    /// Both settings change places.
    [[nodiscard]] QToolButton* swapButton() const { return swap_; }

signals:
    void unpinRequested();
    void swapRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    QLabel* words_ = nullptr;
    QTableView* view_ = nullptr;
    TableModel* numbers_ = nullptr;
    QToolButton* swap_ = nullptr;
    QToolButton* unpin_ = nullptr;
};

} // namespace loadline::ui
