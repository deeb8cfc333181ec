// A server's log over time: throughput, queue, cache, requests, and what happened, over one axis.
#include "core/ask/picked.h"
#include "core/serverlog/verdict/rate_plot.h"
#include "core/text/number_format.h"
#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/serverlog/log_lanes.h"
#include "ui/chart/serverlog/log_words.h"
#include "ui/chart/xy_axes.h"
#include "ui/plot/report_drawing.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {
namespace {

using BoxKind = LogBox::Kind;

class LogTimeDrawing : public PlotDrawing {
public:
    LogTimeDrawing(std::shared_ptr<const LogScene> scene, const LogView& view)
        : scene_(std::move(scene)), view_(view), chosen_(scene_->markAt(view.chosen)) {}

    [[nodiscard]] QString title() const override { return titleOf(LogChart::Time); }

    [[nodiscard]] QString sentence() const override { return timeSentence(*scene_); }

    [[nodiscard]] Table table() const override { return timeTable(*scene_, view_.stretch); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        const LogLayout layout = layoutOf(*scene_, view_.stretch, area);
        if (scene_->marks().empty() || layout.boxes.empty()) {
            paintNothing(painter, area, theme, QStringLiteral("the log tells nothing that has a time"));
            return;
        }
        paintGround(painter, layout, area, theme);
        paintEngines(painter, *scene_, layout, theme);
        for (const LogBox& box : layout.boxes) {
            paintBox(painter, box, layout.axis, theme);
        }
        paintChosen(painter, layout, theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (scene_->marks().empty()) {
            return {};
        }
        const LogLayout layout = layoutOf(*scene_, view_.stretch, area);
        if (!layout.plots.contains(at)) {
            return {};
        }
        if (const int item = itemIn(layout, at, {BoxKind::Bars, BoxKind::Events, BoxKind::Lane}); item >= 0) {
            const LogMark& mark = scene_->marks()[static_cast<std::size_t>(item)];
            if (mark.kind == LogMark::Kind::Request || mark.kind == LogMark::Kind::Event) {
                return wordsOf(*scene_, mark);
            }
        }
        return wordsAt(*scene_, layout.axis.at(at.x()), layout.axis.perPixel());
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        const LogLayout layout = layoutOf(*scene_, view_.stretch, area);
        const bool all = view_.stretch.end <= view_.stretch.begin;
        if (all || !layout.plots.contains(from)) {
            return std::nullopt;
        }
        return moved(layout, from.x() - to.x());
    }

    [[nodiscard]] std::optional<PlotChange> wheeled(const QPointF& at, double steps, bool aside,
                                                    const QRectF& area) const override {
        constexpr double zoomOfStep = 1.25, panOfStep = 0.1;
        const LogLayout layout = layoutOf(*scene_, view_.stretch, area);
        if (scene_->marks().empty() || !layout.plots.contains(at)) {
            return std::nullopt;
        }
        const LogAxis& axis = layout.axis;
        if (aside) {
            return moved(layout, -steps * panOfStep * axis.width);
        }
        const double here = axis.at(at.x());
        const double factor = std::pow(zoomOfStep, -steps);
        PlotChange change;
        change.stretch =
            stretchOf(*scene_, here - (here - axis.begin) * factor, here + (axis.end - here) * factor);
        return change;
    }

    [[nodiscard]] std::vector<QPointF> items(const QRectF& area) const override {
        const LogLayout layout = layoutOf(*scene_, view_.stretch, area);
        std::vector<QPointF> places;
        places.reserve(scene_->marks().size());
        for (const LogMark& mark : scene_->marks()) {
            places.emplace_back(layout.axis.x(mark.place), layout.plots.center().y());
        }
        return places;
    }

    [[nodiscard]] int itemAt(const QPointF& at, const QRectF& area) const override {
        return itemIn(layoutOf(*scene_, view_.stretch, area), at,
                      {BoxKind::Bars, BoxKind::Events, BoxKind::Lane});
    }

    [[nodiscard]] int pickedItem() const override { return chosen_; }

    [[nodiscard]] LogLine lineOf(int item) const {
        return scene_->marks().at(static_cast<std::size_t>(item)).where;
    }

private:
    static PlotChange changeTo(const PlotChange::Stretch& stretch) {
        PlotChange change;
        change.stretch = stretch;
        return change;
    }

    [[nodiscard]] PlotChange moved(const LogLayout& layout, double pixels) const {
        const double by = pixels * layout.axis.perPixel();
        return changeTo(stretchOf(*scene_, layout.axis.begin + by, layout.axis.end + by));
    }

    void paintGround(QPainter& painter, const LogLayout& layout, const QRectF& area,
                     const Theme& theme) const {
        const QFont font = fontOf(0.82);
        for (const LogBox& box : layout.boxes) {
            painter.fillRect(box.plot, theme.plotGround);
        }
        double free = layout.axis.left;
        for (const LogTick& tick : ticksOf(*scene_, layout.axis)) {
            const double x = layout.axis.x(tick.place);
            painter.setPen(QPen(theme.grid, 1));
            painter.drawLine(QPointF(x, layout.plots.top()), QPointF(x, layout.plots.bottom()));
            const double width = widthOf(font, tick.text);
            const double left = std::clamp(x - width / 2, area.left(), area.right() - width);
            drawText(painter, QRectF(left, layout.axisLine.top(), width + 1, layout.axisLine.height()),
                     leftMiddle, font, theme.textMuted, tick.text);
            free = left + width + 2 * spacing;
        }
        const QString title = axisTitle(*scene_);
        if (area.right() - free > widthOf(font, title)) {
            drawText(painter, layout.axisLine, rightMiddle, font, theme.textMuted, title);
        }
    }

    void paintBox(QPainter& painter, const LogBox& box, const LogAxis& axis, const Theme& theme) const {
        if (box.kind == BoxKind::Lane || box.kind == BoxKind::Concurrency) {
            const XyAxis scale{{}, 0, box.most, false, box.lane != nullptr && box.lane->shares};
            const double line = heightOf(fontOf(0.82));
            painter.setPen(QPen(theme.grid, 1));
            painter.drawLine(box.plot.topLeft(), box.plot.topRight());
            drawText(
                painter,
                QRectF(box.plot.left() - 10 * spacing, box.plot.top() - line / 2, 10 * spacing - 4, line),
                rightMiddle, fontOf(0.82), theme.textMuted, tickText(scale, box.most));
        }
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(box.plot.bottomLeft(), box.plot.bottomRight());
        switch (box.kind) {
        case BoxKind::Lane:
            return paintLane(painter, box, axis, theme);
        case BoxKind::Concurrency:
            return paintConcurrency(painter, *scene_, box, axis, theme);
        case BoxKind::Bars:
            return paintBars(painter, *scene_, box, axis, theme);
        case BoxKind::Events:
            return paintEvents(painter, *scene_, box, axis, theme);
        }
    }

    void paintChosen(QPainter& painter, const LogLayout& layout, const Theme& theme) const {
        if (chosen_ < 0) {
            return;
        }
        const LogMark& mark = scene_->marks()[static_cast<std::size_t>(chosen_)];
        const double x = layout.axis.x(mark.place);
        if (x >= layout.axis.left && x <= layout.axis.right()) {
            painter.setPen(QPen(theme.accent, 1.4));
            painter.setBrush(theme.accent);
            painter.drawLine(QPointF(x, layout.plots.top()), QPointF(x, layout.plots.bottom()));
            painter.drawPolygon(QPolygonF{QPointF(x - 4, layout.plots.top()),
                                          QPointF(x + 4, layout.plots.top()),
                                          QPointF(x, layout.plots.top() + 6)});
        }
        for (const LogBox& box : layout.boxes) {
            if (box.kind == BoxKind::Bars && mark.kind == LogMark::Kind::Request) {
                paintChosenBar(painter, layout.axis, box, theme);
            }
        }
    }

    void paintChosenBar(QPainter& painter, const LogAxis& axis, const LogBox& box, const Theme& theme) const {
        const auto& rows = scene_->bars();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto bar = std::ranges::find(rows[i], static_cast<std::uint32_t>(chosen_), &LogBar::mark);
            if (bar != rows[i].end() && bar->end >= axis.begin && bar->begin <= axis.end) {
                painter.setBrush(Qt::NoBrush);
                painter.setPen(QPen(theme.accent, 2));
                painter.drawRect(rectOf(*bar, axis, rowOf(box, i, rows.size())).adjusted(-1, -1, 1, 1));
            }
        }
    }

    [[nodiscard]] int itemIn(const LogLayout& layout, const QPointF& at,
                             std::initializer_list<BoxKind> kinds) const {
        for (const LogBox& box : layout.boxes) {
            if (std::ranges::find(kinds, box.kind) == kinds.end() ||
                !box.plot.adjusted(0, -3, 0, 3).contains(at)) {
                continue;
            }
            const int item = box.kind == BoxKind::Bars     ? barAt(box, layout.axis, at)
                             : box.kind == BoxKind::Events ? eventAt(layout.axis, at.x())
                                                           : sampleAt(box, layout.axis, at);
            if (item >= 0) {
                return item;
            }
        }
        return -1;
    }

    [[nodiscard]] int barAt(const LogBox& box, const LogAxis& axis, const QPointF& at) const {
        constexpr double reach = 2;
        const auto& rows = scene_->bars();
        const double height = std::min(box.plot.height() / static_cast<double>(rows.size()),
                                       rowOf(box, 1, rows.size()).top() - box.plot.top());
        const auto row = static_cast<std::size_t>(std::max(0.0, (at.y() - box.plot.top()) / height));
        if (row >= rows.size()) {
            return -1;
        }
        const double slack = reach * axis.perPixel();
        const auto bar = std::ranges::lower_bound(rows[row], axis.at(at.x()) - slack, {}, &LogBar::end);
        return bar != rows[row].end() && bar->begin <= axis.at(at.x()) + slack ? static_cast<int>(bar->mark)
                                                                               : -1;
    }

    [[nodiscard]] int eventAt(const LogAxis& axis, double x) const {
        constexpr double reach = 6;
        const auto placeOf = [this](std::uint32_t mark) { return scene_->marks()[mark].place; };
        const auto& events = scene_->events();
        int best = -1;
        double least = reach;
        for (auto i = std::ranges::lower_bound(events, axis.at(x - reach), {}, placeOf);
             i != events.end() && placeOf(*i) <= axis.at(x + reach); ++i) {
            if (const double away = std::abs(axis.x(placeOf(*i)) - x); away < least) {
                least = away;
                best = static_cast<int>(*i);
            }
        }
        return best;
    }

    /// The sample whose curve passes there.
    [[nodiscard]] int sampleAt(const LogBox& box, const LogAxis& axis, const QPointF& at) const {
        constexpr double reach = 6;
        for (const LogSeries& series : box.lane->series) {
            const auto i = sampleOf(series, axis.at(at.x()), reach * axis.perPixel());
            if (i && std::abs(box.y(series.values[*i]) - at.y()) < reach) {
                return static_cast<int>(series.times->marks[*i]);
            }
        }
        return -1;
    }

    std::shared_ptr<const LogScene> scene_;
    LogView view_;
    int chosen_ = -1;
};

} // namespace

QString titleOf(LogChart chart) {
    return chart == LogChart::Time ? QStringLiteral("The log over time")
                                   : QStringLiteral("Decoding rate by context");
}

std::unique_ptr<PlotDrawing> logTimeDrawing(std::shared_ptr<const LogScene> scene, const LogView& view) {
    return std::make_unique<LogTimeDrawing>(std::move(scene), view);
}

std::unique_ptr<PlotDrawing> logRateDrawing(std::shared_ptr<const LogFigure> figure, const LogLine& chosen) {
    ask::Report report;
    addRatePlot(report, *figure);
    report.keeps.push_back(std::move(figure));
    return drawingOf(std::move(report), ask::pickedFields(),
                     ask::Question::of(ask::Picked{chosen.line == 0 ? std::string() : textOfLine(chosen)}));
}

LogLine lineOf(const PlotDrawing& drawing, int item) {
    if (const auto* time = dynamic_cast<const LogTimeDrawing*>(&drawing)) {
        return time->lineOf(item);
    }
    const auto* rates = dynamic_cast<const ReportDrawing*>(&drawing);
    const auto pick = rates != nullptr ? rates->hand().pickOf(static_cast<std::size_t>(item)) : std::nullopt;
    return pick ? lineOfText(ask::plainText(pick->value)) : LogLine{};
}

} // namespace loadline::ui
