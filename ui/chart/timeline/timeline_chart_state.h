// State of the timeline chart; only its own two source files include it.
#pragma once

#include "ui/chart/timeline/timeline_chart.h"
#include "ui/chart/timeline/timeline_overview.h"
#include "ui/chart/timeline/timeline_painter.h"

#include <QPixmap>
#include <QScrollBar>
#include <QStringList>

namespace loadline::ui {

enum class TimelineDrag { None, Pressed, Pan, Range, Gutter };

struct TimelineChart::State {
    std::shared_ptr<const Timeline> timeline;
    std::shared_ptr<const Corpus> corpus;
    std::shared_ptr<const TimelineScene> scene; ///< null while there is nothing to draw
    TimelineView view;
    ThemeKind theme = ThemeKind::Light;
    LaneFolds folds;
    double scroll = 0;
    TimelineFrame frame;
    TimelineHand hand;
    QStringList lanes;                    ///< names of those selected
    std::optional<TimeRange> highlighted; ///< from outside; the user's own range wins
    std::vector<TimeRange> marked;

    QPixmap picture; ///< all but the hand; null when it must be painted anew
    TimelineOverview* overview = nullptr;
    QScrollBar* scrollBar = nullptr;

    TimelineDrag drag = TimelineDrag::None;
    QPointF pressed;
    TimelineGeometry pressedAt; ///< what was shown when the button went down
    double pressedScroll = 0;
    bool rangeByHand = false;
    bool showFocus = false; ///< came by the keyboard: a frame says where the keys go
};

} // namespace loadline::ui
