// One latency of every request: predicted over recorded, around the line where both are the same.
#include "ui/chart/paint_help.h"
#include "ui/chart/self_check/self_check_charts.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/chart/simulation/simulator_charts.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadline::ui {
namespace {

constexpr double msPerS = 1000;
constexpr double reach = 12; ///< of the cursor
constexpr double wide = 30;  ///< the largest over the smallest from which on axes are logarithmic

QString wordOf(LatencyKind kind) {
    const auto name = nameOf(kind);
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

class ScatterDrawing : public PlotDrawing {
public:
    ScatterDrawing(LatencyKind kind, std::shared_ptr<const ReplayFigure> figure)
        : kind_(kind), unit_(kind == LatencyKind::Tpot ? msPerS : 1), figure_(std::move(figure)) {
        for (const ReplayDot& dot : figure_->dots) {
            if (kind_ == LatencyKind::Tpot && dot.output < 2) {
                continue; // it has none
            }
            dots_.push_back(&dot);
            for (const Latencies* latencies : {&dot.predicted, &dot.recorded}) {
                const double value = secondsOf(*latencies, kind_) * unit_;
                most_ = std::max(most_, value);
                least_ = std::min(least_, value);
            }
        }
    }

    [[nodiscard]] QString title() const override { return wordOf(kind_) + QStringLiteral(" by request"); }

    [[nodiscard]] QString sentence() const override { return QString::fromStdString(figure_->sentence); }

    [[nodiscard]] Table table() const override { return requestsTable(*figure_); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (dots_.empty()) {
            paintNothing(painter, area, theme, QStringLiteral("no request has one"));
            return;
        }
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        paintBounds(painter, axes, theme);
        const double start =
            axes.plot().left() + widthOf(fontOf(0.82), QStringLiteral("predicted, ms")) + 2 * spacing;
        paintLegend(painter, QRectF(start, area.top(), area.right() - start, 2 * spacing),
                    {{theme.model, false, Qt::NoPen, QStringLiteral("request")},
                     {theme.warning, false, Qt::NoPen, QStringLiteral("preempted (diamond)")}},
                    theme);
        for (const bool preempted : {false, true}) {
            QColor fill = preempted ? theme.warning : theme.model;
            fill.setAlphaF(0.6F);
            painter.setPen(Qt::NoPen);
            painter.setBrush(fill);
            for (const ReplayDot* dot : dots_) {
                if ((dot->preemptions > 0) != preempted) {
                    continue;
                }
                const QPointF at = placeOf(axes, *dot);
                preempted ? painter.drawPolygon(diamond(at)) : painter.drawEllipse(at, 2.6, 2.6);
            }
        }
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (dots_.empty()) {
            return {};
        }
        const XyAxes axes = axesOf(area);
        const ReplayDot* nearest = nullptr;
        double least = reach;
        for (const ReplayDot* dot : dots_) {
            const QPointF away = placeOf(axes, *dot) - at;
            const double distance = std::hypot(away.x(), away.y());
            if (distance < least) {
                least = distance;
                nearest = dot;
            }
        }
        return nearest == nullptr ? QStringList() : wordsOf(*nearest);
    }

private:
    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        const QString unit = kind_ == LatencyKind::Tpot ? QStringLiteral("ms") : QStringLiteral("s");
        XyAxis axis;
        axis.log = least_ > 0 && most_ / least_ > wide;
        axis.low = axis.log ? least_ / 1.2 : 0;
        axis.high = axis.log ? most_ * 1.2 : niceAbove(most_ * 1.02);
        XyAxis across = axis;
        across.title = QStringLiteral("recorded, ") + unit;
        axis.title = QStringLiteral("predicted, ") + unit;
        return {across, axis, area};
    }

    [[nodiscard]] QPointF placeOf(const XyAxes& axes, const ReplayDot& dot) const {
        return {axes.x(secondsOf(dot.recorded, kind_) * unit_),
                axes.y(secondsOf(dot.predicted, kind_) * unit_)};
    }

    static QPolygonF diamond(const QPointF& at) {
        constexpr double half = 3.6;
        return {
            {at + QPointF(0, -half), at + QPointF(half, 0), at + QPointF(0, half), at + QPointF(-half, 0)}};
    }

    /// The line of equality, and where a mean's bound would lie.
    void paintBounds(QPainter& painter, const XyAxes& axes, const Theme& theme) const {
        const double bound = boundOf(kind_);
        const double low = axes.valueAtX(axes.plot().left());
        const double high = axes.valueAtX(axes.plot().right());
        constexpr int pieces = 64;
        QPolygonF upper;
        QPolygonF lower;
        for (int i = 0; i <= pieces; ++i) {
            const double x =
                axes.valueAtX(axes.plot().left() + axes.plot().width() * i / static_cast<double>(pieces));
            upper << QPointF(axes.x(x), axes.y(x * (1 + bound)));
            lower.prepend(QPointF(axes.x(x), axes.y(x * (1 - bound))));
        }
        QColor band = theme.good;
        band.setAlphaF(0.14F);
        painter.setPen(Qt::NoPen);
        painter.setBrush(band);
        painter.drawPolygon(upper + lower);
        painter.setPen(QPen(theme.textMuted, 1, Qt::DashLine));
        painter.drawLine(QPointF(axes.x(low), axes.y(low)), QPointF(axes.x(high), axes.y(high)));
    }

    [[nodiscard]] QStringList wordsOf(const ReplayDot& dot) const {
        const double predicted = secondsOf(dot.predicted, kind_);
        const double recorded = secondsOf(dot.recorded, kind_);
        QStringList words{
            QString::fromStdString(dot.id),
            QStringLiteral("%1 %2, recorded %3")
                    .arg(wordOf(kind_), latencyText(predicted), latencyText(recorded)) +
                (recorded > 0 ? QStringLiteral(" (%1)").arg(errorText(predicted / recorded - 1)) : QString()),
            QStringLiteral("%1 tokens in, %2 out, arrived after %3")
                .arg(exactText(dot.input), exactText(dot.output), latencyText(dot.arrivalS))};
        if (dot.preemptions > 0) {
            words << QStringLiteral("preempted %1 times in the simulation").arg(dot.preemptions);
        }
        return words;
    }

    LatencyKind kind_;
    double unit_; ///< per second
    std::shared_ptr<const ReplayFigure> figure_;
    std::vector<const ReplayDot*> dots_;
    double most_ = 0;
    double least_ = std::numeric_limits<double>::infinity();
};

} // namespace

QString latencyText(double seconds) {
    return seconds < 1 ? QStringLiteral("%1 ms").arg(seconds * msPerS, 0, 'f', 1)
                       : QStringLiteral("%1 s").arg(seconds, 0, 'f', 2);
}

QString errorText(double error) {
    return QString::fromStdString(formatError(error));
}

QString titleOf(SelfCheckChart chart) {
    switch (chart) {
    case SelfCheckChart::Ttft:
        return QStringLiteral("Time to first token");
    case SelfCheckChart::Tpot:
        return QStringLiteral("Time per output token");
    case SelfCheckChart::E2e:
        return QStringLiteral("End to end");
    case SelfCheckChart::Errors:
        break;
    }
    return QStringLiteral("Errors, ours and the peer's");
}

std::unique_ptr<PlotDrawing> scatterDrawing(LatencyKind kind, std::shared_ptr<const ReplayFigure> figure) {
    return std::make_unique<ScatterDrawing>(kind, std::move(figure));
}

std::unique_ptr<PlotDrawing> drawingOf(SelfCheckChart chart, std::shared_ptr<const ReplayFigure> figure) {
    switch (chart) {
    case SelfCheckChart::Ttft:
        return scatterDrawing(LatencyKind::Ttft, std::move(figure));
    case SelfCheckChart::Tpot:
        return scatterDrawing(LatencyKind::Tpot, std::move(figure));
    case SelfCheckChart::E2e:
        return scatterDrawing(LatencyKind::E2e, std::move(figure));
    case SelfCheckChart::Errors:
        break;
    }
    return errorsDrawing(std::move(figure));
}

} // namespace loadline::ui
