// The strip of simulated steps: lanes painted column by column, as the timeline is.
#include "ui/chart/simulation/batch_drawing.h"

#include "core/text/number_format.h"
#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/xy_axes.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace loadline::ui {

namespace {

/// The value of a step; below 0: there is none.
using StepValue = std::function<double(std::size_t step)>;

struct LaneStyle {
    QString name;
    QColor color;
    double most = 1;  ///< at the top of the lane
    bool log = false; ///< from 1 on
};

/// The largest of all; at least `least`.
double largestOf(const StepValue& value, std::size_t steps, double least) {
    double most = least;
    for (std::size_t i = 0; i < steps; ++i) {
        most = std::max(most, value(i));
    }
    return most;
}

/// The height of a value in its lane, 0 to 1.
double shareOf(double value, const LaneStyle& style) {
    if (!(value > 0) || !(style.most > 0)) {
        return 0;
    }
    const double share = style.log ? std::log2(1 + value) / std::log2(1 + style.most) : value / style.most;
    return std::clamp(share, 0.0, 1.0);
}

/// Filled from the ground up to the largest value of each pixel column, darker up to the smallest.
void paintLane(QPainter& painter, const QRectF& lane, std::size_t steps, const StepValue& value,
               const LaneStyle& style, const Theme& theme) {
    if (steps == 0 || lane.width() < 1) {
        return;
    }
    const QColor soft = tinted(style.color, theme.plotGround, 0.45);
    const auto columns =
        static_cast<std::size_t>(std::min<double>(std::floor(lane.width()), static_cast<double>(steps)));
    const double width = lane.width() / static_cast<double>(columns);
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t from = column * steps / columns;
        const std::size_t to = std::max(from + 1, (column + 1) * steps / columns);
        double least = value(from);
        double most = least;
        for (std::size_t i = from + 1; i < to; ++i) {
            const double v = value(i);
            least = std::min(least, v);
            most = std::max(most, v);
        }
        const double x = lane.left() + static_cast<double>(column) * width;
        const double high = shareOf(most, style) * lane.height();
        const double low = shareOf(least, style) * lane.height();
        painter.fillRect(QRectF(x, lane.bottom() - high, width, high - low), soft);
        painter.fillRect(QRectF(x, lane.bottom() - low, width, low), style.color);
    }
}

QFont laneFont() {
    return fontOf(0.82);
}

/// Left of the lanes, for their names; right of them, for their scales.
double headOf() {
    return widthOf(laneFont(), QStringLiteral("KV blocks, log")) + 1.5 * spacing;
}

double tailOf() {
    return widthOf(laneFont(), QStringLiteral("10.5 k")) + spacing;
}

/// Ground line and top line, the name before them, the values at both behind.
void paintLaneFrame(QPainter& painter, const QRectF& lane, const LaneStyle& style, const Theme& theme) {
    painter.setPen(QPen(theme.grid, 1));
    painter.drawLine(lane.bottomLeft(), lane.bottomRight());
    painter.drawLine(lane.topLeft(), lane.topRight());
    const QFont font = laneFont();
    const double line = heightOf(font);
    drawText(painter, QRectF(lane.left() - headOf(), lane.top(), headOf() - spacing, lane.height()),
             rightMiddle, font, theme.text, style.log ? style.name + QStringLiteral(", log") : style.name);
    const QRectF tail(lane.right() + spacing / 2.0, lane.top() - 3, tailOf(), lane.height() + 3);
    const bool both = lane.height() >= 1.8 * line;
    drawText(painter, QRectF(tail.topLeft(), QSizeF(tail.width(), both ? line : tail.height())), leftMiddle,
             font, theme.textMuted, countText(style.most));
    if (both) {
        drawText(painter, tail, Qt::AlignLeft | Qt::AlignBottom, font, theme.textMuted, QStringLiteral("0"));
    }
}

/// Under a strip: "step" before it, a text at each place along it, held within.
void paintStepAxis(QPainter& painter, const QRectF& strip,
                   const std::vector<std::pair<double, QString>>& ticks, const Theme& theme) {
    const QFont font = laneFont();
    const double line = heightOf(font);
    drawText(painter, QRectF(strip.left() - headOf(), strip.bottom() + 1, headOf() - spacing, line),
             rightMiddle, font, theme.textMuted, QStringLiteral("step"));
    for (const auto& [x, text] : ticks) {
        const double width = widthOf(font, text) + 2;
        const double left =
            std::clamp(x - width / 2, strip.left(), std::max(strip.left(), strip.right() + tailOf() - width));
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(x, strip.bottom()), QPointF(x, strip.bottom() + 3));
        drawText(painter, QRectF(left, strip.bottom() + 1, width, line), leftMiddle, font, theme.textMuted,
                 text);
    }
}

constexpr std::int64_t nearSteps = 60; // steps on either side in the neighbourhood

struct StripLane {
    LaneStyle style;
    StepValue value;
};

class StripDrawing : public PlotDrawing {
public:
    explicit StripDrawing(BatchView view) : recording_(std::move(view.recording)) {
        step_ = std::clamp<std::int64_t>(view.step, 0, std::max<std::int64_t>(0, recording_->steps() - 1));
    }

    [[nodiscard]] QString title() const override { return QStringLiteral("Batch view"); }

    [[nodiscard]] QString sentence() const override {
        if (recording_->steps() == 0) {
            return QStringLiteral("No step was simulated.");
        }
        return QString::fromStdString(batchStepSentence(*recording_, batchStepOf(*recording_, step_)));
    }

    [[nodiscard]] Table table() const override { return tableOf(*recording_); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (recording_->steps() == 0) {
            paintNothing(painter, area, theme, QStringLiteral("no step"));
            return;
        }
        painter.setRenderHint(QPainter::Antialiasing, false);
        const std::vector<StripLane> lanes = lanesOf(theme);
        const QRectF strip = stripOf(area);
        const double height = strip.height() / static_cast<double>(lanes.size());
        const auto steps = static_cast<std::size_t>(recording_->steps());
        painter.fillRect(strip, theme.plotGround);
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            const QRectF lane(strip.left(), strip.top() + static_cast<double>(i) * height + 3, strip.width(),
                              height - 3);
            paintLane(painter, lane, steps, lanes[i].value, lanes[i].style, theme);
            paintLaneFrame(painter, lane, lanes[i].style, theme);
        }
        paintStepAxis(painter, strip, stripTicks(strip), theme);
        const double x = xOf(strip, step_);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.accent, 1.4));
        painter.drawLine(QPointF(x, strip.top()), QPointF(x, strip.bottom()));
        painter.setBrush(theme.accent);
        painter.drawEllipse(QPointF(x, strip.top()), 4.5, 4.5);
        paintNear(painter, nearOf(area), theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        const std::optional<std::int64_t> step = stepAt(at, area);
        if (!step) {
            return {};
        }
        const auto i = static_cast<std::size_t>(*step);
        const BatchStrip& s = recording_->strip;
        QStringList lines{
            QStringLiteral("step %1").arg(exactText(*step)),
            QStringLiteral("at %1").arg(secondsText(s.startS[i])),
            QStringLiteral("M = %1 rows: %2 decode, %3 prefill tokens")
                .arg(exactText(s.rowsM[i]), exactText(s.decodes[i]), exactText(s.prefillTokens[i])),
            QStringLiteral("%1 run, %2 wait").arg(exactText(s.running[i]), exactText(s.waiting[i]))};
        if (s.usedBlocks[i] >= 0) {
            lines << QStringLiteral("%1 KV blocks in use").arg(exactText(s.usedBlocks[i]));
        }
        if (s.preempted[i] > 0) {
            lines << QStringLiteral("%1 preempted").arg(s.preempted[i]);
        }
        return lines;
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        if (!stepAt(from, area)) {
            return std::nullopt;
        }
        // Below, the neighbourhood moves with the step: there a press chooses, a drag moves on the strip.
        const bool below = nearOf(area).contains(from);
        PlotChange change;
        change.step = below ? stepAt(from == to ? from : QPointF(to.x(), from.y()), area).value_or(step_)
                            : stepOf(stripOf(area), to.x());
        return change;
    }

private:
    /// In the colours that a server's log has for the same.
    [[nodiscard]] std::vector<StripLane> lanesOf(const Theme& theme) const {
        const BatchStrip& s = recording_->strip;
        const auto whole = [](const std::vector<std::int32_t>& values) -> StepValue {
            return [&values](std::size_t i) { return static_cast<double>(values[i]); };
        };
        std::vector<StripLane> lanes = {
            {{QStringLiteral("rows M"), theme.textMuted, 1, true}, whole(s.rowsM)},
            {{QStringLiteral("running"), theme.model, 1, false}, whole(s.running)},
            {{QStringLiteral("waiting"), theme.human, 1, false}, whole(s.waiting)}};
        if (!s.usedBlocks.empty() && s.usedBlocks.front() >= 0) {
            const std::int64_t all = recording_->totalBlocks;
            lanes.push_back({{all > 0 ? QStringLiteral("free blocks") : QStringLiteral("KV blocks"),
                              theme.cacheWrite, 1, false},
                             [&s, all](std::size_t i) {
                                 return static_cast<double>(all > 0 ? all - s.usedBlocks[i]
                                                                    : s.usedBlocks[i]);
                             }});
        }
        lanes.push_back({{QStringLiteral("preempted"), theme.error, 1, false}, whole(s.preempted)});
        for (StripLane& lane : lanes) {
            lane.style.most = largestOf(lane.value, s.startS.size(), 1);
        }
        return lanes;
    }

    static QRectF nearOf(const QRectF& area) {
        const double height = std::min(0.26 * area.height(), 14.0 * spacing);
        return {area.left() + headOf(), area.bottom() - height - heightOf(laneFont()),
                std::max(1.0, area.width() - headOf() - tailOf()), height};
    }

    /// Above the neighbourhood, its legend and the axis of steps.
    static QRectF stripOf(const QRectF& area) {
        const QRectF near = nearOf(area);
        return {near.left(), area.top() + 5, near.width(),
                std::max(1.0, near.top() - area.top() - 5 - 2 * spacing - heightOf(laneFont()))};
    }

    [[nodiscard]] std::vector<std::pair<double, QString>> stripTicks(const QRectF& strip) const {
        std::vector<std::pair<double, QString>> ticks;
        const double steps = static_cast<double>(recording_->steps());
        const int most = std::max(2, static_cast<int>(strip.width() / (12 * spacing)));
        for (const double tick : ticksOf({{}, 0, std::max(1.0, steps - 1), false, false}, most)) {
            if (tick == std::floor(tick)) {
                const auto step = static_cast<std::int64_t>(tick);
                ticks.emplace_back(xOf(strip, step), exactText(step));
            }
        }
        return ticks;
    }

    [[nodiscard]] double xOf(const QRectF& strip, std::int64_t step) const {
        return strip.left() + strip.width() * (static_cast<double>(step) + 0.5) /
                                  static_cast<double>(std::max<std::int64_t>(1, recording_->steps()));
    }

    [[nodiscard]] std::int64_t stepOf(const QRectF& strip, double x) const {
        const double share = (x - strip.left()) / strip.width();
        const auto steps = static_cast<double>(recording_->steps());
        return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(share * steps)), 0,
                                        std::max<std::int64_t>(0, recording_->steps() - 1));
    }

    /// First step of the neighbourhood; it may lie before the first of all.
    [[nodiscard]] std::int64_t nearBegin() const { return step_ - nearSteps; }

    [[nodiscard]] std::optional<std::int64_t> stepAt(const QPointF& at, const QRectF& area) const {
        if (recording_->steps() == 0) {
            return std::nullopt;
        }
        const QRectF near = nearOf(area);
        if (near.contains(at)) {
            const double share = (at.x() - near.left()) / near.width();
            const std::int64_t step =
                nearBegin() +
                static_cast<std::int64_t>(std::floor(share * static_cast<double>(2 * nearSteps + 1)));
            return step >= 0 && step < recording_->steps() ? std::optional(step) : std::nullopt;
        }
        const QRectF strip = stripOf(area);
        return strip.adjusted(-4, -6, 4, 0).contains(at) ? std::optional(stepOf(strip, at.x()))
                                                         : std::nullopt;
    }

    /// M of the steps around: decodes below, prefill tokens above, preemptions marked.
    void paintNear(QPainter& painter, const QRectF& near, const Theme& theme) const {
        const BatchStrip& s = recording_->strip;
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.fillRect(near, theme.plotGround);
        LaneStyle style{QStringLiteral("rows M"), theme.output, 1, true};
        const std::int64_t begin = std::max<std::int64_t>(0, nearBegin());
        const std::int64_t end = std::min(recording_->steps(), nearBegin() + 2 * nearSteps + 1);
        for (std::int64_t i = begin; i < end; ++i) {
            style.most = std::max(style.most, static_cast<double>(s.rowsM[static_cast<std::size_t>(i)]));
        }
        const double width = near.width() / static_cast<double>(2 * nearSteps + 1);
        for (std::int64_t step = begin; step < end; ++step) {
            const auto i = static_cast<std::size_t>(step);
            const double left = near.left() + static_cast<double>(step - nearBegin()) * width;
            const double all = shareOf(s.rowsM[i], style) * near.height();
            const double part = s.rowsM[i] > 0 ? all * s.decodes[i] / s.rowsM[i] : 0;
            const QRectF column(left, near.bottom() - all, std::max(1.0, width - 1), all);
            painter.fillRect(column, theme.uncachedInput);
            painter.fillRect(QRectF(column.left(), near.bottom() - part, column.width(), part), theme.output);
            if (s.preempted[i] > 0) {
                painter.fillRect(QRectF(column.left(), near.top(), column.width(), 4), theme.error);
            }
            if (step == step_) {
                painter.setPen(QPen(theme.accent, 1.4));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(QRectF(left - 1, near.top(), width + 1, near.height()));
            }
        }
        paintLaneFrame(painter, near, style, theme);
        paintStepAxis(painter, near,
                      {{near.left(), QStringLiteral("%1%2").arg(QChar(0x2212)).arg(nearSteps)},
                       {near.center().x(), exactText(step_)},
                       {near.right(), QStringLiteral("+%1").arg(nearSteps)}},
                      theme);
        paintLegend(painter, QRectF(near.left(), near.top() - 2 * spacing, near.width(), 2 * spacing),
                    {{theme.output, false, Qt::NoPen, QStringLiteral("decode")},
                     {theme.uncachedInput, false, Qt::NoPen, QStringLiteral("prefill tokens")},
                     {theme.error, false, Qt::NoPen, QStringLiteral("somebody preempted")}},
                    theme);
    }

    std::shared_ptr<const BatchRecording> recording_;
    std::int64_t step_ = 0;
};

} // namespace

std::unique_ptr<PlotDrawing> drawingOf(const BatchView& view) {
    return std::make_unique<StripDrawing>(view);
}

} // namespace loadline::ui
