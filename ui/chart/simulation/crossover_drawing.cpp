// From how many users on quantised kernels lose: curves of every k, and the interval of each crossing.
#include "core/simulate/study/crossing_words.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/crossover_lanes.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr std::array styles = {Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine};

class CrossoverDrawing : public PlotDrawing {
public:
    CrossoverDrawing(CrossoverCurves curves, PlotExtents held, CrossoverCurves pinned)
        : now_(std::move(curves)), pinned_(std::move(pinned)), held_(std::move(held)) {}

    [[nodiscard]] QString title() const override { return QStringLiteral("Crossover"); }

    [[nodiscard]] QString sentence() const override {
        QString text;
        for (const Crossover& crossover : now_.crossovers) {
            if (crossover.kBits == now_.kBits) {
                text = QString::fromStdString(crossover.sentence);
            }
        }
        for (const Crossover& crossover : now_.otherCrossovers) {
            if (crossover.kBits == now_.kBits && !crossover.isMisfit()) {
                Crossover other = crossover;
                other.memory = {}; // of which the first one speaks
                const bool alone = fp16ShortfallOf(crossover.memory).empty();
                text += QStringLiteral(" %1: %2").arg(
                    scopeText(crossover.scope),
                    QString::fromStdString(alone ? crossover.sentence : sentenceOf(other)));
            }
        }
        return now_.remarks.isEmpty() ? text : text + QLatin1Char(' ') + now_.remarks;
    }

    [[nodiscard]] Table table() const override {
        return pinned_.sweep ? joined(crossoverTable(now_), crossoverTable(pinned_)) : crossoverTable(now_);
    }

    [[nodiscard]] PlotExtents extents() const override {
        double most = 1.2;
        double least = 1;
        for (const SweepPoint& point : now_.sweep->points) {
            if (isTooLarge(*now_.sweep, point.kBits)) {
                continue;
            }
            const Banded measure = point.measure();
            most = std::max({most, measure.value, measure.high});
            least = measure.value > 0 ? std::min(least, measure.value) : least;
        }
        for (const auto curve : {chosenCurve(now_.otherSweep, now_.kBits), pinnedCurve()}) {
            for (const SweepPoint& point : curve) {
                most = std::max(most, point.measure().value);
            }
        }
        return atLeast({niceAbove(most), 1 / least}, held_);
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (now_.sweep->users.size() < 2) {
            paintNothing(painter, area, theme, QStringLiteral("over users in closed loop only"));
            return;
        }
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        painter.setPen(QPen(theme.cublas, 1.6,
                            fp16Line(now_.sweep->memory.empty() ? MemoryFit{} : now_.sweep->memory.front())));
        painter.drawLine(QPointF(axes.plot().left(), axes.y(1)), QPointF(axes.plot().right(), axes.y(1)));
        paintCurves(painter, axes, area, theme);
        paintMarker(painter, axes, static_cast<double>(now_.users), theme, isPreview());
        const QRectF rows = rowsOf(area);
        double top = rows.top();
        for (const CrossoverLane& lane : lanesOf(now_)) {
            const QRectF row(rows.left(), top, rows.width(), laneHeight(area));
            paintLane(painter, axes, row, lane, now_, theme);
            paintPinnedLane(painter, axes, row, lane, pinned_, theme);
            top = row.bottom();
        }
        if (!now_.otherWhyNot.isEmpty()) {
            drawText(painter, QRectF(axes.plot().left(), top, axes.plot().width(), laneHeight(area)),
                     leftMiddle, fontOf(0.82), theme.textMuted, now_.otherWhyNot);
        }
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        return now_.sweep->users.size() < 2 ? std::nullopt : usersAt(axesOf(area), from, to);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (now_.sweep->users.size() < 2) {
            return {};
        }
        const QRectF rows = rowsOf(area);
        const std::vector<CrossoverLane> all = lanesOf(now_);
        if (rows.contains(at) && !all.empty()) {
            const auto row = static_cast<std::size_t>((at.y() - rows.top()) / laneHeight(area));
            return row < all.size() ? wordsOfLane(*all[row].crossover) : QStringList();
        }
        const SweepPoint* point = nearest(now_.sweep->curve(0, 0), axesOf(area), at.x());
        QStringList lines{point->users == 1 ? QStringLiteral("1 user")
                                            : QStringLiteral("%1 users").arg(exactText(point->users))};
        const auto u = static_cast<std::size_t>(point - now_.sweep->curve(0, 0).data());
        for (std::size_t k = 0; k < now_.sweep->kBits.size(); ++k) {
            if (isTooLarge(*now_.sweep, now_.sweep->kBits[k])) {
                continue;
            }
            const QStringList words = measureWords(now_.sweep->at(k, 0, u), point->isPreview);
            const QString name = QStringLiteral("k = %1: ").arg(now_.sweep->kBits[k]);
            lines << name + words.front();
            if (now_.sweep->kBits[k] == now_.kBits) { // the others' would fill the window
                lines += words.mid(1);
            }
        }
        if (point->isPreview) {
            lines << previewWords();
        }
        return lines;
    }

    [[nodiscard]] std::vector<QPointF> marks(const QRectF& area) const override {
        const XyAxes axes = axesOf(area);
        return now_.sweep->users.size() < 2
                   ? std::vector<QPointF>()
                   : std::vector{QPointF(axes.x(static_cast<double>(now_.users)), axes.plot().top())};
    }

    [[nodiscard]] std::optional<PlotChange> stepped(std::size_t /*mark*/, int way) const override {
        return usersStepped(static_cast<double>(now_.users), way);
    }

private:
    /// Some of it.
    [[nodiscard]] bool isPreview() const {
        return std::ranges::any_of(now_.sweep->points, &SweepPoint::isPreview);
    }

    static bool isTooLarge(const SweepResult& sweep, int kBits) {
        return std::ranges::any_of(
            sweep.memory, [kBits](const MemoryFit& fit) { return fit.kBits == kBits && fit.isTooLarge(); });
    }

    static std::span<const SweepPoint> chosenCurve(const std::shared_ptr<const SweepResult>& sweep,
                                                   int kBits) {
        for (std::size_t k = 0; sweep && !sweep->points.empty() && k < sweep->kBits.size(); ++k) {
            if (sweep->kBits[k] == kBits && !isTooLarge(*sweep, kBits)) {
                return sweep->curve(k, 0);
            }
        }
        return {};
    }

    [[nodiscard]] std::span<const SweepPoint> pinnedCurve() const {
        return chosenCurve(pinned_.sweep, pinned_.kBits);
    }

    /// With the line that says why the other scope has none.
    [[nodiscard]] std::size_t laneCount() const {
        return lanesOf(now_).size() + (now_.otherWhyNot.isEmpty() ? 0 : 1);
    }

    [[nodiscard]] QRectF rowsOf(const QRectF& area) const {
        const double wanted = (now_.otherCrossovers.empty() ? 26.0 : 17.0) * static_cast<double>(laneCount());
        const double height = std::min(0.45 * area.height(), wanted);
        return {area.left(), area.bottom() - height, area.width(), height};
    }

    [[nodiscard]] double laneHeight(const QRectF& area) const {
        return rowsOf(area).height() / static_cast<double>(std::max<std::size_t>(1, laneCount()));
    }

    /// The lanes' names stand left of the plot, those of the curves right of it.
    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        const auto axesIn = [&](const QRectF& place) {
            return XyAxes{usersAxis(now_.sweep->curve(0, 0)), ratioAxis(yTitle(), extents()), place};
        };
        const double right = widthOf(fontOf(0.82, true), QStringLiteral("k = 5")) + 1.5 * spacing;
        const QRectF all = area.adjusted(0, 0, -right, -rowsOf(area).height() - spacing);
        const double margin = axesIn(all).plot().left() - area.left();
        return axesIn(all.adjusted(std::max(0.0, laneNameWidth(now_) - margin), 0, 0, 0));
    }

    [[nodiscard]] QString yTitle() const { return measureTitle(now_.sweep->points); }

    /// The time of the same batches as turns per second would be: 1 / time, on the axis of turns.
    static Banded batchesMeasure(const SweepPoint& point) {
        const double time = point.timeVsFp16.value;
        return {time > 0 ? 1 / time : 0, 0, 0};
    }

    void paintCurves(QPainter& painter, const XyAxes& axes, const QRectF& area, const Theme& theme) const {
        const PointValue ratio = [](const SweepPoint& p) { return p.measure(); };
        std::vector<LegendEntry> entries;
        std::vector<LegendEntry> kEntries; // last: where there is no room, their names at the ends tell
        std::vector<double> ends;
        std::vector<int> named;
        for (std::size_t k = 0; k < now_.sweep->kBits.size(); ++k) {
            if (isTooLarge(*now_.sweep, now_.sweep->kBits[k])) {
                continue;
            }
            const bool chosen = now_.sweep->kBits[k] == now_.kBits;
            const QColor color = colourOfK(now_.sweep->kBits[k], theme);
            const Qt::PenStyle style = styles[k % styles.size()];
            const std::vector<SweepPoint> curve = now_.sweep->ownCurve(k, 0);
            paintRatioCurve(painter, axes, curve, color, ModelledInk::Pale, style, chosen);
            if (chosen && curve.front().against) {
                paintCurve(painter, axes, curve, batchesMeasure, faded(color, 0.5), Qt::DotLine, false);
                entries.push_back({faded(color, 0.5), false, Qt::DotLine,
                                   QStringLiteral("k = %1 on the same batches").arg(now_.kBits)});
            }
            if (chosen) {
                paintPoints(painter, axes, curve, ratio, color, false, theme);
            }
            kEntries.push_back({color, false, style, QStringLiteral("k = %1").arg(now_.sweep->kBits[k])});
            named.push_back(now_.sweep->kBits[k]);
            ends.push_back(axes.y(curve.back().measure().value));
        }
        nameEnds(painter, axes, named, ends, theme);
        if (const auto other = chosenCurve(now_.otherSweep, now_.kBits);
            !other.empty() && measureTitle(other) == yTitle()) {
            paintRatioCurve(painter, axes, other, otherScopeColour(theme), ModelledInk::Pale);
            entries.push_back({otherScopeColour(theme), false, Qt::SolidLine,
                               QStringLiteral("k = %1, %2")
                                   .arg(now_.kBits)
                                   .arg(scopeText(now_.otherCrossovers.front().scope).toLower())});
        }
        if (!pinnedCurve().empty()) {
            paintCurve(painter, axes, pinnedCurve(), ratio, pinnedColour(theme), Qt::DashLine, false);
            entries.push_back({pinnedColour(theme), false, Qt::DashLine, pinned_.name});
        }
        if (!now_.sweep->memory.empty() && fp16Line(now_.sweep->memory.front()) != Qt::SolidLine) {
            entries.push_back({theme.cublas, false, Qt::DotLine, fp16Text(now_.sweep->memory.front())});
        }
        if (isPreview()) {
            entries.push_back(previewEntry(theme.text));
        }
        if (anyMostlyModelled(now_.sweep->points)) {
            entries.push_back(modelledEntry(theme.text, ModelledInk::Pale));
        }
        entries.insert(entries.end(), kEntries.begin(), kEntries.end());
        const double legend = axes.plot().left() + widthOf(fontOf(0.82), yTitle()) + 2.0 * spacing;
        paintLegend(painter, QRectF(legend, area.top(), area.right() - legend, 16), entries, theme);
    }

    /// Right of the plot, at the curves' ends.
    void nameEnds(QPainter& painter, const XyAxes& axes, const std::vector<int>& kBits,
                  const std::vector<double>& ends, const Theme& theme) const {
        const QFont font = fontOf(0.82);
        const double height = heightOf(font);
        const std::vector<double> middles =
            spreadMiddles(ends, height, axes.plot().top() - height / 2, axes.plot().bottom() + height / 2);
        for (std::size_t i = 0; i < kBits.size(); ++i) {
            drawText(painter,
                     QRectF(axes.plot().right() + spacing, middles[i] - height / 2,
                            widthOf(font, QStringLiteral("k = 5")) + 2, height),
                     leftMiddle, kBits[i] == now_.kBits ? fontOf(0.82, true) : font,
                     colourOfK(kBits[i], theme), QStringLiteral("k = %1").arg(kBits[i]));
        }
    }

    CrossoverCurves now_;
    CrossoverCurves pinned_;
    PlotExtents held_;
};

} // namespace

std::unique_ptr<PlotDrawing> drawingOf(CrossoverCurves curves, const PlotExtents& held,
                                       const CrossoverCurves& pinned) {
    const std::vector<MemoryFit>& memory = curves.sweep->memory;
    if (!memory.empty() && std::ranges::all_of(memory, &MemoryFit::isTooLarge)) {
        const auto chosen = std::ranges::find(memory, curves.kBits, &MemoryFit::kBits);
        const MemoryFit& fit = chosen == memory.end() ? memory.front() : *chosen;
        return memoryDrawing(QStringLiteral("Crossover"), sentenceOf(fit), fit);
    }
    return std::make_unique<CrossoverDrawing>(std::move(curves), held, pinned);
}

} // namespace loadline::ui
