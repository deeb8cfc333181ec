// The strip that shows a whole session and the part of it that is in view.
#pragma once

#include "ui/chart/timeline/timeline_geometry.h"
#include "ui/chart/timeline/timeline_scene.h"
#include "ui/theme/theme.h"

#include <QPixmap>
#include <QWidget>

#include <memory>

namespace loadline::ui {

/// Dragging the window moves it, dragging its edges resizes it, dragging elsewhere draws a new one; a click
/// beside it centres it there, a double click shows everything.
class TimelineOverview : public QWidget {
    Q_OBJECT

public:
    enum class Part { None, Left, Right, Inside };

    explicit TimelineOverview(QWidget* parent = nullptr);

    void setScene(std::shared_ptr<const TimelineScene> scene);
    void setTheme(ThemeKind kind);
    /// The chart's present part; its `left` and `width` align the strip with the plot above.
    void setShown(const TimelineGeometry& shown);

    /// Which part of the window lies under `x`. The edges win over the inside.
    [[nodiscard]] Part partAt(double x) const;
    [[nodiscard]] double pixelOf(double units) const { return whole().toPixel(units); }

signals:
    void moved(double start, double end); ///< axis units, inside the extent

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    [[nodiscard]] TimelineGeometry whole() const;
    void drawPicture();
    void move(const TimelineGeometry& to);

    std::shared_ptr<const TimelineScene> scene_;
    ThemeKind theme_ = ThemeKind::Light;
    TimelineGeometry shown_;
    QPixmap picture_;
    TimelineGeometry pressed_; ///< what was shown when the button went down
    double pressedX_ = 0;
    Part dragged_ = Part::None;
    bool held_ = false, drawing_ = false;
};

} // namespace loadline::ui
