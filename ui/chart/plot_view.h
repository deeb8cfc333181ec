// A drawing in the window: painted, read out under the cursor, dragged.
#pragma once

#include "core/base/zone.h"
#include "ui/chart/plot_drawing.h"

#include <QPixmap>
#include <QWidget>

#include <cstddef>
#include <memory>
#include <optional>

namespace loadline::ui {

class PlotView : public QWidget {
    Q_OBJECT

public:
    explicit PlotView(QWidget* parent = nullptr);

    void setDrawing(std::shared_ptr<const PlotDrawing> drawing); ///< null: nothing

    [[nodiscard]] const std::shared_ptr<const PlotDrawing>& drawing() const { return drawing_; }

    void setTheme(ThemeKind kind);

    /// In the middle of a drag.
    [[nodiscard]] bool isDragged() const { return from_.has_value(); }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// By the user's hand; counted from where the drag began.
    void changed(const loadline::ui::PlotChange& change, bool finished);
    void dragBegan();
    /// By Esc, instead of a last change: everything is to be as it was when the drag began.
    void dragCancelled();
    void hovered(const QString& words);
    void activated(); ///< double click
    void pressed();   ///< by mouse, or by the keys that come here
    /// An item of the drawing, by click or arrow key; -1: it is let go.
    void itemPicked(int index);
    void itemActivated(int index); ///< by double click or Enter, where items lead somewhere

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// Start of a drag; the chart may move or grow during the drag.
    struct Grip {
        QPointF at;     ///< in the widget
        QPointF global; ///< on the screen
        QRectF area;    ///< of the drawing
    };

    /// The answer layer of a drawing as it was painted.
    struct PaintedAnswer {
        std::shared_ptr<const PlotDrawing> drawing;
        const Theme* theme = nullptr;
        Zone zone = Zone::Utc;
        QPixmap picture;
    };

    [[nodiscard]] QRectF area() const;
    void paintAnswer();
    [[nodiscard]] std::optional<PlotChange> changeAt(const QPointF& global) const;
    [[nodiscard]] int itemAt(const QPointF& at) const;
    void letGo();
    void activate(int item);
    bool walk(int key);
    bool moveMark(int key);
    void readOutAgain();

    std::shared_ptr<const PlotDrawing> drawing_;
    std::shared_ptr<const PlotDrawing> grabbed_; ///< the one a drag began on: axes do not move under the hand
    const Theme* theme_ = nullptr;
    PaintedAnswer painted_;
    std::optional<Grip> from_;
    std::optional<QPointF> hover_;
    std::size_t mark_ = 0; ///< of the drawing's, the one that arrow keys move
};

} // namespace loadline::ui
