// The strip that shows a whole session and the part of it that is in view.
#include "ui/chart/timeline/timeline_overview.h"

#include "ui/chart/timeline/timeline_paint.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace loadline::ui {

namespace {

constexpr double edgeReach = 5; ///< pixels

/// The main agent's context, and how many sub-agents live.
void paintWhole(QPainter& painter, const TimelineScene& scene, const TimelineGeometry& x, double height,
                const Theme& theme) {
    const auto width = static_cast<std::uint32_t>(std::max(1.0, x.width));
    const auto everything = x.extent * (1 + 1e-9);
    const bool main =
        std::any_of(scene.timeline->calls.begin(), scene.timeline->calls.end(), [&](const CallSpan& call) {
            return scene.timeline->lanes[call.lane].kind == LaneKind::Main;
        });
    const double agentsHeight = main ? (scene.mostAgents > 0 ? 10 : 1) : height - 4;
    for (std::size_t i = 0; i + 1 < scene.agentsAt.size(); ++i) {
        const double share = static_cast<double>(scene.agents[i]) / static_cast<double>(scene.mostAgents);
        const double x0 = x.toPixel(scene.agentsAt[i]), x1 = x.toPixel(scene.agentsAt[i + 1]);
        painter.fillRect(
            QRectF(x0, height - 1 - agentsHeight * share, std::max(x1 - x0, 0.5), agentsHeight * share),
            faded(theme.model, 0.6));
    }
    for (std::uint32_t lane = 0; lane < scene.lanes.size(); ++lane) {
        const TimelineLane& source = scene.timeline->lanes[lane];
        if (source.tools || source.kind != LaneKind::Main || scene.lanes[lane].largestContext == 0) {
            continue;
        }
        const double scale =
            (height - agentsHeight - 6) / static_cast<double>(scene.lanes[lane].largestContext);
        const std::vector<TimelineColumn> columns =
            columnsOf(*scene.timeline, scene.index, lane, 0, everything, width);
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const double tall = std::max(1.0, static_cast<double>(columns[i].maxContext) * scale);
            const bool close = i + 1 < columns.size() && columns[i + 1].column - columns[i].column <= 3;
            const double wide = close ? columns[i + 1].column - columns[i].column : 1;
            painter.fillRect(QRectF(x.left + columns[i].column, height - agentsHeight - 2 - tall, wide, tall),
                             theme.cacheRead);
        }
    }
    for (const auto& [kind, color] :
         {std::pair(MarkKind::ApiError, theme.error), std::pair(MarkKind::Compaction, theme.compaction)}) {
        for (std::size_t i = 0; i < scene.timeline->marks.size(); ++i) {
            if (scene.timeline->marks[i].kind == kind) { // compactions last: no error hides one
                painter.fillRect(QRectF(x.toPixel(scene.index.marks[i]), 1, 1.5, height - agentsHeight - 3),
                                 color);
            }
        }
    }
}

} // namespace

TimelineOverview::TimelineOverview(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
    setAccessibleName(tr("Overview of the session"));
    setAccessibleDescription(tr("Shows which part of the session the timeline shows"));
}

void TimelineOverview::setScene(std::shared_ptr<const TimelineScene> scene) {
    scene_ = std::move(scene);
    picture_ = {};
    update();
}

void TimelineOverview::setTheme(ThemeKind kind) {
    theme_ = kind;
    picture_ = {};
    update();
}

void TimelineOverview::setShown(const TimelineGeometry& shown) {
    if (shown.left != shown_.left || shown.width != shown_.width) {
        picture_ = {};
    }
    shown_ = shown;
    update();
}

TimelineGeometry TimelineOverview::whole() const {
    return shown_.fitted();
}

TimelineOverview::Part TimelineOverview::partAt(double x) const {
    const double left = pixelOf(shown_.start), right = pixelOf(shown_.end);
    if (std::abs(x - left) <= edgeReach || std::abs(x - right) <= edgeReach) {
        return std::abs(x - left) < std::abs(x - right) ? Part::Left : Part::Right;
    }
    return x > left && x < right ? Part::Inside : Part::None;
}

void TimelineOverview::drawPicture() {
    picture_ = QPixmap(size() * devicePixelRatioF());
    picture_.setDevicePixelRatio(devicePixelRatioF());
    const Theme& theme = Theme::of(theme_);
    picture_.fill(theme.window);
    QPainter painter(&picture_);
    painter.fillRect(QRectF(shown_.left - 4, 0, shown_.width + 8, height()), theme.plotGround);
    if (scene_) {
        paintWhole(painter, *scene_, whole(), height(), theme);
    }
}

void TimelineOverview::paintEvent(QPaintEvent* /*event*/) {
    if (picture_.deviceIndependentSize().toSize() != size() ||
        picture_.devicePixelRatioF() != devicePixelRatioF()) {
        drawPicture();
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, picture_);
    if (!scene_) {
        return;
    }
    const Theme& theme = Theme::of(theme_);
    const double left = pixelOf(shown_.start), right = std::max(pixelOf(shown_.end), left + 2);
    const QColor veil = faded(theme.window, 0.62);
    painter.fillRect(QRectF(shown_.left - 4, 0, left - shown_.left + 4, height()), veil);
    painter.fillRect(QRectF(right, 0, shown_.left + shown_.width + 4 - right, height()), veil);
    painter.setPen(QPen(theme.accent, 1));
    painter.drawRect(QRectF(left, 0.5, right - left, height() - 1));
    for (const double x : {left, right}) {
        painter.fillRect(QRectF(x - 2, height() / 2.0 - 8, 4, 16), theme.accent);
    }
}

void TimelineOverview::move(const TimelineGeometry& to) {
    if (to.start != shown_.start || to.end != shown_.end) {
        emit moved(to.start, to.end);
    }
}

void TimelineOverview::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !scene_) {
        return;
    }
    held_ = true;
    drawing_ = false;
    pressed_ = shown_;
    pressedX_ = event->position().x();
    dragged_ = partAt(pressedX_);
    if (dragged_ == Part::Inside && shown_.showsAll()) {
        dragged_ = Part::None;
    }
}

void TimelineOverview::mouseMoveEvent(QMouseEvent* event) {
    const double x = event->position().x();
    if (!held_) {
        const Part part = partAt(x);
        setCursor(part == Part::Left || part == Part::Right    ? Qt::SizeHorCursor
                  : part == Part::Inside && !shown_.showsAll() ? Qt::OpenHandCursor
                                                               : Qt::CrossCursor);
        return;
    }
    const TimelineGeometry all = whole();
    const double units = std::clamp(all.toUnits(x), 0.0, all.extent);
    const double shift = (x - pressedX_) / all.pixelsPerUnit();
    switch (dragged_) {
    case Part::Left:
        move(shown_.showing(std::min(units, pressed_.end - pressed_.smallestSpan), pressed_.end));
        break;
    case Part::Right:
        move(shown_.showing(pressed_.start, std::max(units, pressed_.start + pressed_.smallestSpan)));
        break;
    case Part::Inside:
        move(shown_.showing(pressed_.start + shift, pressed_.end + shift));
        break;
    case Part::None:
        drawing_ = drawing_ || std::abs(x - pressedX_) >= QApplication::startDragDistance();
        if (drawing_) {
            const double from = std::clamp(all.toUnits(pressedX_), 0.0, all.extent);
            move(shown_.showing(std::min(from, units), std::max(from, units)));
        }
        break;
    }
}

void TimelineOverview::mouseReleaseEvent(QMouseEvent* event) {
    if (held_ && dragged_ == Part::None && !drawing_ && !shown_.showsAll()) {
        const double middle = whole().toUnits(event->position().x()), half = shown_.span() / 2;
        move(shown_.showing(middle - half, middle + half));
    }
    held_ = false;
}

void TimelineOverview::mouseDoubleClickEvent(QMouseEvent* /*event*/) {
    move(shown_.fitted());
}

} // namespace loadline::ui
