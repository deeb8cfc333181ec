// Rates at which a server decoded a stream, by its context, below what the memory's bandwidth allows.
#include "core/serverlog/light/rate_known.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/serverlog/log_rate_words.h"
#include "ui/chart/serverlog/log_words.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/chart/xy_axes.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_set>
#include <vector>

namespace loadline::ui {
namespace {

constexpr double leastContext = 1024;
constexpr int curvePoints = 96;
constexpr double untoldShade = 0.45;
constexpr double laneShare = 0.2; ///< of the width, for rates of which the context is not told

class LogRateDrawing : public LogDrawing {
public:
    LogRateDrawing(std::shared_ptr<const LogFigure> figure, const LogLine& chosen)
        : figure_(std::move(figure)) {
        const auto found = std::ranges::find(rates(), chosen, &ObservedRate::where);
        chosen_ = found == rates().end() || chosen.line == 0 ? -1 : static_cast<int>(found - rates().begin());
        for (const ObservedRate& rate : rates()) {
            const RateKnown known = knownOf(rate);
            most_ = std::max(most_, shownRate(rate));
            anyUntold_ = anyUntold_ || known == RateKnown::Untold;
            streams_ = std::max(streams_, rate.streams);
            context_ = tellsContext(rate) ? std::max(context_, rate.contextHigh * 1.1) : context_;
            untoldBefore_.push_back(untold_);
            untold_ += tellsContext(rate) ? 0 : 1;
        }
        if (light()) {
            most_ = std::max(most_, light()->ceiling(0));
        }
    }

    [[nodiscard]] QString title() const override { return titleOf(LogChart::Rate); }

    [[nodiscard]] QString sentence() const override { return rateSentence(*figure_); }

    [[nodiscard]] Table table() const override { return rateTable(*figure_); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (rates().empty() && !light()) {
            paintNothing(painter, area, theme,
                         QStringLiteral("no rate is told: choose a model and a device"));
            return;
        }
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        paintLane(painter, laneOf(area, axes.plot()), theme);
        std::vector<LegendEntry> entries;
        if (light()) {
            entries = paintLight(painter, axes, theme);
        } else {
            drawText(painter, axes.plot().adjusted(0, 0, -spacing, -4), Qt::AlignRight | Qt::AlignBottom,
                     fontOf(0.9), theme.textMuted,
                     QStringLiteral("for the ceiling choose a model and a device"));
        }
        paintRates(painter, area, theme);
        if (!rates().empty()) {
            entries.push_back({theme.output, false, Qt::NoPen, QStringLiteral("observed"), true});
        }
        if (anyUntold_) {
            entries.push_back({faded(theme.output, untoldShade), false, Qt::NoPen,
                               QStringLiteral("over the streams at both ends"), true});
        }
        const double left = axes.plot().left() + widthOf(fontOf(0.82), yTitle()) + spacing;
        paintLegend(painter, QRectF(left, area.top(), area.right() - left, heightOf(fontOf(0.82))), entries,
                    theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        const QRectF plot = axesOf(area).plot();
        const bool within = plot.contains(at);
        if ((rates().empty() && !light()) || !(within || laneOf(area, plot).contains(at))) {
            return {};
        }
        if (const int item = itemAt(at, area); item >= 0) {
            return wordsOf(*figure_, rates()[static_cast<std::size_t>(item)]);
        }
        if (!within || inOrder()) {
            return {laneTitle(),
                    QStringLiteral("%1 of %2 rates, in the order of the log")
                        .arg(exactText(static_cast<std::int64_t>(untold_)), exactText(std::ssize(rates())))};
        }
        const double context = axesOf(area).valueAtX(at.x());
        QStringList lines{contextText(context, context)};
        if (light()) {
            const double ceiling = light()->ceiling(context);
            const EfficiencyBand& band = light()->band();
            lines << QStringLiteral("ceiling: %1 tokens/s").arg(realText(ceiling));
            if (band.high > 0) {
                lines << QStringLiteral("expected: %1 tokens/s")
                             .arg(rangeText(ceiling * band.low, ceiling * band.high, realText));
            }
        }
        return lines;
    }

    [[nodiscard]] std::vector<QPointF> items(const QRectF& area) const override {
        const XyAxes axes = axesOf(area);
        const QRectF lane = laneOf(area, axes.plot());
        std::vector<QPointF> places;
        for (std::size_t i = 0; i < rates().size(); ++i) {
            places.push_back(placeOf(axes, lane, i));
        }
        return places;
    }

    [[nodiscard]] int pickedItem() const override { return chosen_; }

    [[nodiscard]] LogLine lineOf(int item) const override {
        return rates().at(static_cast<std::size_t>(item)).where;
    }

private:
    static QString yTitle() { return QStringLiteral("tokens/s of a stream"); }

    static QString laneTitle() { return QStringLiteral("context not told"); }

    [[nodiscard]] const std::vector<ObservedRate>& rates() const { return figure_->verdict.rates; }

    [[nodiscard]] const SpeedOfLight* light() const {
        const auto& light = figure_->verdict.light;
        return light ? &*light : nullptr;
    }

    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        const double context = std::max({context_, figure_->mostContext, leastContext});
        constexpr double nearlyAll = 0.999; // "100 %" would stand beyond the edge
        const XyAxis order{QStringLiteral("of the rates in the log; their context is not told"), 0, nearlyAll,
                           false, true};
        const XyAxis byContext{QStringLiteral("context, tokens"), 0, context};
        return {inOrder() ? order : byContext,
                {yTitle(), 0, niceAbove(std::max(most_, 1.0))},
                area.adjusted(0, 0, -laneWidth(area), 0)};
    }

    /// True if no rate has a context and there is no ceiling; x is then the order of observation.
    [[nodiscard]] bool inOrder() const { return untold_ > 0 && untold_ == rates().size() && !light(); }

    [[nodiscard]] double laneWidth(const QRectF& area) const {
        return untold_ == 0 || inOrder() ? 0 : laneShare * area.width();
    }

    /// Beside the plot, as high; empty where every rate tells its context.
    [[nodiscard]] QRectF laneOf(const QRectF& area, const QRectF& plot) const {
        return untold_ == 0 || inOrder() ? QRectF()
                                         : QRectF(QPointF(area.right() - laneWidth(area), plot.top()),
                                                  QPointF(area.right() - spacing, plot.bottom()));
    }

    static void paintLane(QPainter& painter, const QRectF& lane, const Theme& theme) {
        if (lane.isEmpty()) {
            return;
        }
        painter.fillRect(lane, theme.plotGround);
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(lane.bottomLeft(), lane.bottomRight());
        const double line = heightOf(fontOf(0.82));
        const QRectF below(lane.left(), lane.bottom() + 2 + line, lane.width(), line);
        drawText(painter, below, Qt::AlignRight | Qt::AlignTop, fontOf(0.82), theme.textMuted, laneTitle());
    }

    /// By its context; in the lane where it is not told, by its order among those.
    [[nodiscard]] QPointF placeOf(const XyAxes& axes, const QRectF& lane, std::size_t i) const {
        const ObservedRate& rate = rates()[i];
        const double share = (static_cast<double>(untoldBefore_[i]) + 0.5) /
                             static_cast<double>(std::max<std::size_t>(untold_, 1));
        const double x = inOrder()            ? axes.x(share)
                         : tellsContext(rate) ? axes.x(middleOf(rate))
                                              : lane.left() + share * lane.width();
        return {x, axes.y(shownRate(rate))};
    }

    template <typename Value>
    static QPolygonF curve(const XyAxes& axes, const Value& valueAt) {
        QPolygonF line;
        for (int i = 0; i <= curvePoints; ++i) {
            const double x = axes.plot().left() + axes.plot().width() * i / curvePoints;
            line << QPointF(x, axes.y(valueAt(axes.valueAtX(x))));
        }
        return line;
    }

    /// The ceiling of one stream, dashed of as many as were seen together; what to expect is modelled: paler.
    [[nodiscard]] std::vector<LegendEntry> paintLight(QPainter& painter, const XyAxes& axes,
                                                      const Theme& theme) const {
        std::vector<LegendEntry> entries;
        const EfficiencyBand& band = light()->band();
        if (band.high > 0) {
            QPolygonF area =
                curve(axes, [&](double context) { return light()->ceiling(context) * band.high; });
            QPolygonF low = curve(axes, [&](double context) { return light()->ceiling(context) * band.low; });
            std::ranges::reverse(low);
            area << low;
            // The band of one published rate is a line.
            painter.setPen(band.high > band.low ? QPen(Qt::NoPen) : QPen(faded(theme.good, 0.6), 2));
            painter.setBrush(faded(theme.good, 0.22));
            painter.drawPolygon(area);
            entries.push_back({faded(theme.good, 0.35), false, Qt::NoPen, QStringLiteral("expected")});
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.text, 1.8));
        painter.drawPolyline(curve(axes, [&](double context) { return light()->ceiling(context); }));
        entries.insert(entries.begin(), {theme.text, false, Qt::SolidLine, QStringLiteral("ceiling")});
        if (streams_ > 1) {
            painter.setPen(QPen(theme.text, 1.4, Qt::DashLine));
            painter.drawPolyline(
                curve(axes, [&](double context) { return light()->ceiling(context, streams_); }));
            entries.push_back(
                {theme.text, false, Qt::DashLine, QStringLiteral("of %1 streams").arg(realText(streams_))});
        }
        return entries;
    }

    /// Each place once, however many rates fall there.
    void paintRates(QPainter& painter, const QRectF& area, const Theme& theme) const {
        const XyAxes axes = axesOf(area);
        const std::vector<QPointF> places = items(area);
        std::unordered_set<std::int64_t> taken;
        std::vector<std::size_t> shown;
        for (std::size_t i = 0; i < rates().size(); ++i) {
            const QPointF at = places[i];
            const auto cell = (static_cast<std::int64_t>(at.x()) << 20) + static_cast<std::int64_t>(at.y());
            if (taken.insert(cell).second) {
                shown.push_back(i);
            }
        }
        painter.setPen(QPen(faded(theme.output, untoldShade), 1));
        for (const std::size_t i : shown) { // below all points
            paintRange(painter, axes, rates()[i], places[i].x());
        }
        for (const std::size_t i : shown) {
            paintRate(painter, axes, rates()[i], places[i], theme);
        }
        if (chosen_ >= 0) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.accent, 2));
            painter.drawEllipse(places[static_cast<std::size_t>(chosen_)], 7, 7);
        }
    }

    /// Paints a bar over what a rate lies between, as far as the axis goes: it follows the points.
    static void paintRange(QPainter& painter, const XyAxes& axes, const ObservedRate& rate, double x) {
        if (knownOf(rate) == RateKnown::Between) {
            const double top = axes.plot().top();
            const double high = isTold(rate.highest) ? std::max(axes.y(rate.highest), top) : top;
            painter.drawLine(QPointF(x, axes.y(rate.lowest)), QPointF(x, high));
        }
    }

    /// Hollow where others may have shared the step, pale where how many is not told; an arrow up where it is
    /// a lower bound; a bar over the contexts that it may be of.
    static void paintRate(QPainter& painter, const XyAxes& axes, const ObservedRate& rate, const QPointF& at,
                          const Theme& theme) {
        constexpr double radius = 3.2, arrow = 9, whisker = 3;
        const RateKnown known = knownOf(rate);
        const QColor colour = known == RateKnown::Untold ? faded(theme.output, untoldShade) : theme.output;
        painter.setPen(QPen(colour, 1.4));
        if (tellsContext(rate) && axes.x(rate.contextHigh) - axes.x(rate.contextLow) > 2 * radius) {
            for (const double context : {rate.contextLow, rate.contextHigh}) {
                const double x = axes.x(context);
                painter.drawLine(QPointF(x, at.y() - whisker), QPointF(x, at.y() + whisker));
            }
            painter.drawLine(QPointF(axes.x(rate.contextLow), at.y()),
                             QPointF(axes.x(rate.contextHigh), at.y()));
        }
        if (known == RateKnown::AtLeast) {
            painter.drawLine(at, at - QPointF(0, arrow));
            painter.drawLine(at - QPointF(0, arrow), at - QPointF(whisker, arrow - whisker));
            painter.drawLine(at - QPointF(0, arrow), at - QPointF(-whisker, arrow - whisker));
        }
        painter.setBrush(rate.streamsTold && known != RateKnown::Untold ? theme.output : theme.plotGround);
        painter.drawEllipse(at, radius, radius);
    }

    std::shared_ptr<const LogFigure> figure_;
    int chosen_ = -1;
    double most_ = 0, context_ = 0, streams_ = 1;
    bool anyUntold_ = false;
    std::size_t untold_ = 0;                ///< rates of which the context is not told
    std::vector<std::size_t> untoldBefore_; ///< of each rate
};

} // namespace

QString titleOf(LogChart chart) {
    return chart == LogChart::Time ? QStringLiteral("The log over time")
                                   : QStringLiteral("Decoding rate by context");
}

std::unique_ptr<LogDrawing> logRateDrawing(std::shared_ptr<const LogFigure> figure, const LogLine& chosen) {
    return std::make_unique<LogRateDrawing>(std::move(figure), chosen);
}

} // namespace loadline::ui
