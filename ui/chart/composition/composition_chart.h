// The Composition page's chart: a bar per session, day, model or project, with its rates.
#pragma once

#include "core/cache/composition/composition_order.h"
#include "ui/chart/composition/composition_days.h"
#include "ui/chart/composition/composition_rows.h"
#include "ui/chart/drawings.h"
#include "ui/theme/theme.h"

#include <QAbstractScrollArea>
#include <QStringList>

#include <memory>
#include <optional>

namespace loadline::ui {

/// All rows, scrolling; days run from left to right. A click chooses a row, Ctrl adds or takes one, Shift
/// extends, Esc lets go; Enter or a double click activates one. Up and down (left and right) walk the rows,
/// Space chooses; hovering tells the exact numbers. A click on a column's head asks for another order.
class CompositionChart : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit CompositionChart(QWidget* parent = nullptr);

    /// Null shows nothing.
    void setComposition(std::shared_ptr<const Composition> composition);
    void setView(const CompositionView& view);
    void setTheme(ThemeKind kind);
    /// Keys of the rows that are marked as chosen; others than before come into view, where none of them is.
    void setChosen(const QStringList& keys);
    /// Whether the heads of columns can be clicked.
    void setSortable(bool sortable);

    [[nodiscard]] int currentRow() const { return current_; } ///< -1: none
    void setCurrentRow(int row);
    /// The row's place in the viewport; empty for a row that is not there.
    [[nodiscard]] QRectF rowRect(int row) const;
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void rowActivated(const QString& key);        ///< CompositionRow::key
    void rowsChosen(const QStringList& keys);     ///< by hand; in the rows' order
    void orderChosen(loadline::CompositionOrder); ///< the head of a column was clicked
    /// The row under the cursor or the keyboard in exact words; "" when it leaves.
    void rowHovered(const QString& text);

protected:
    bool viewportEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    [[nodiscard]] bool byDay() const;
    [[nodiscard]] int rowCount() const;
    [[nodiscard]] int rowAt(const QPointF& viewportPoint) const;
    [[nodiscard]] int scrolled() const; ///< pixels
    [[nodiscard]] QRectF content() const;
    [[nodiscard]] double rowsTop() const; ///< where the rows scroll under
    void tell(int row);
    [[nodiscard]] QString keyAt(int row) const;
    void choose(int row, Qt::KeyboardModifiers keys);
    [[nodiscard]] std::optional<CompositionOrder> headAt(const QPointF& viewportPoint) const;
    void updateScrollBars();
    void scrollTo(int row);
    void revealChosen();
    void paintRows(QPainter& painter, const Theme& theme) const;
    void paintHighlights(QPainter& painter, const Theme& theme) const;

    std::shared_ptr<const Composition> composition_;
    CompositionView view_;
    ThemeKind theme_ = ThemeKind::Light;
    RowsLayout rows_;
    DaysLayout days_;
    QStringList chosen_;  ///< keys
    bool reveal_ = false; ///< once there is a place for them
    bool sortable_ = false;
    int anchor_ = -1; ///< where Shift extends from
    int current_ = -1;
    int hovered_ = -1;
    bool ring_ = false; ///< the keyboard walks: the current row is ringed and told
    QPointF cursor_;
    int told_ = -1;
};

} // namespace loadline::ui
