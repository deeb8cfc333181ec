// The live timeline of one session: zoom, pan, walk, hover, pin and range over a painted picture.
#pragma once

#include "ui/chart/drawings.h"
#include "ui/chart/timeline/timeline_frame.h"
#include "ui/chart/timeline/timeline_item.h"

#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace loadline::ui {

/// Wheel zooms at the cursor, shift-wheel and drag pan, double click fits, ctrl- or shift-drag selects a
/// range, hover tells, click pins; on an agent's name a click selects its lane, a double click folds it.
/// Keys: arrows walk from item to item, Enter pins, L selects the lane, W S + - zoom, A D pan, 0 and Home
/// fit, Page Up and Down scroll lanes, Esc drops range, pin and lanes. Signals come from the user's hand
/// only, never from a setter.
class TimelineChart : public QWidget {
    Q_OBJECT

public:
    explicit TimelineChart(QWidget* parent = nullptr);
    ~TimelineChart() override;

    /// Shows another session from its whole extent (the axis mode stays); null shows an empty ground. The
    /// same session computed anew (another scope or brush) keeps view, pin and scroll position.
    void setTimeline(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Corpus> corpus);
    [[nodiscard]] std::shared_ptr<const Timeline> timeline() const;

    /// Clamped to the extent.
    void setView(const TimelineView& view);
    /// Another axis for the stretch that is shown.
    void setAxis(TimelineAxis axis);
    /// `end < start` while everything is shown.
    [[nodiscard]] TimelineView view() const;

    void setTheme(ThemeKind kind);

    /// The item whose evidence is shown elsewhere: outlined, and moved into view when it is outside.
    void setPinned(std::optional<TimelineItem> item);
    [[nodiscard]] std::optional<TimelineItem> pinned() const;
    /// The item under the keyboard or else under the mouse.
    [[nodiscard]] std::optional<TimelineItem> current() const;

    /// Agents' lanes, by name, marked as selected.
    void setSelectedLanes(const QStringList& names);

    /// A range drawn as selected, for example the scope's dates.
    void setHighlightedRange(std::optional<TimeRange> range);

    /// Stretches with a ground of their own, for example the prompt turns that are selected.
    void setMarkedStretches(std::vector<TimeRange> stretches);

    /// Returns the places of all parts now, in the widget's pixels; null without a timeline. For tests and
    /// overlays.
    [[nodiscard]] const TimelineFrame* frame() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

public slots:
    void zoomIn();
    void zoomOut();
    void fit();

signals:
    /// For zoom history: after every change by hand. A drag sends many; merge those that follow quickly.
    void viewChanged(const loadline::ui::TimelineView& view);
    void itemHovered(const std::optional<loadline::ui::TimelineItem>& item);
    void itemPinned(const std::optional<loadline::ui::TimelineItem>& item); ///< nothing: let go
    void rangeSelected(loadline::TimeMs from, loadline::TimeMs to);
    void rangeCleared();
    /// The agents' lanes that are to be selected: a click on a name, with Ctrl beside the others.
    void lanesSelected(const QStringList& names);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct State;

    void layOut();                                 ///< after a change of size, view, folds or scroll position
    void placeParts();                             ///< scroll bar and overview
    void moveTo(const TimelineGeometry& geometry); ///< by hand: tells others
    void zoomBy(double factor, double x);
    void scrollTo(double scroll);
    void hover(QPointF point);
    void walk(WalkStep step);
    void setRange(double from, double to);
    /// Returns the times of the range that the user drags.
    [[nodiscard]] TimeRange timesOfRange() const;
    /// On the axis; null where it touches nothing of the session.
    [[nodiscard]] std::optional<std::pair<double, double>> unitsOf(const TimeRange& range) const;
    void placeStretches();
    void clearRange();
    void pin(std::optional<TimelineItem> item);
    void reveal(TimelineItem item);
    void foldAt(double y);
    /// Names of the agent whose row is there; null elsewhere.
    [[nodiscard]] const TimelineLane* agentAt(double y) const;
    void selectLane(const TimelineLane& lane, bool beside);
    bool steppedBack(); ///< Esc: false when there was nothing to drop

    std::unique_ptr<State> state_;
};

} // namespace loadline::ui
