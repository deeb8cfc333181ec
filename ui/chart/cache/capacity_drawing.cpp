// The miss-ratio curve of an engine's cache, with the tiers of a node as marks that can be dragged.
#include "ui/chart/cache/cache_paint.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr double grip = 8; ///< pixels to either side of a mark

class CapacityDrawing : public CacheDrawing {
public:
    using CacheDrawing::CacheDrawing;

    [[nodiscard]] QString title() const override { return titleOf(CacheChart::Capacity); }

    [[nodiscard]] QString sentence() const override {
        return QString::fromStdString(capacitySentence(figure(), settings()));
    }

    [[nodiscard]] Table table() const override { return capacityTable(figure(), settings()); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (!hasBlocks()) {
            paintNothing(painter, area, theme, QStringLiteral("the trace tells no blocks"));
            return;
        }
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        const CacheSharing sharing = sharingOf(figure(), settings());
        if (sharing.alone != nullptr) {
            paintMisses(painter, axes, *sharing.alone, QPen(theme.textMuted, 1.2, Qt::DashLine));
        }
        paintMisses(painter, axes, capacityCurveOf(figure(), settings()), QPen(theme.newInput, 2));
        paintTiers(painter, axes, theme);
        const double left = axes.plot().left() + widthOf(fontOf(0.82), yTitle()) + spacing;
        const std::vector<LegendEntry> entries = legendOf(theme);
        const double middle = std::min(left + legendWidth(entries), area.right());
        paintLegend(painter, QRectF(left, area.top(), middle - left, 2 * spacing), entries, theme);
        paintKind(painter, area, middle, kindOf(QStringLiteral("engine's cache")), theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (!hasBlocks() || !axesOf(area).plot().adjusted(-grip, -grip, grip, 0).contains(at)) {
            return {};
        }
        const XyAxes axes = axesOf(area);
        if (const auto tier = tierAt(axes, at); tier && at.y() < axes.plot().top() + 2 * grip) {
            return wordsOfTier(*tier);
        }
        const double blocks = axes.valueAtX(at.x());
        const auto whole = static_cast<std::uint64_t>(blocks);
        const CapacityCurves& engine = figure().caches.engine;
        const CacheSharing sharing = sharingOf(figure(), settings());
        const QString routing = QString::fromStdString(routingWords(sharing));
        const QString who = QString::fromStdString(wordsOf(sharing)) +
                            (routing.isEmpty() ? routing : QStringLiteral(", ") + routing);
        const QString where = sharing.alone != nullptr ? QStringLiteral("each alone: ")
                              : sharing.traces > 1     ? QStringLiteral("each trace alone: ")
                              : sharing.takesTurns()   ? QStringLiteral("all in one cache: ")
                                                       : QString();
        return {QString::fromStdString(wordsOfCapacity(blocks, figure(), settings())),
                QStringLiteral("%1: %2 of their blocks hit").arg(who, hitText(sharing.shared->hit(whole))),
                QStringLiteral("%1%2 of the tokens hit as leading runs")
                    .arg(where, hitText(engine.contiguousTokens.hit(whole))),
                QStringLiteral("%1blocks front to back %2, back to front %3")
                    .arg(where, hitText(engine.fwd.hit(whole)), hitText(engine.rev.hit(whole)))};
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        if (!hasBlocks()) {
            return std::nullopt;
        }
        const XyAxes axes = axesOf(area);
        const auto tier = tierAt(axes, from);
        if (!tier) {
            return std::nullopt;
        }
        PlotChange change;
        change.tier = PlotChange::Tier{*tier, from == to ? settings().tiers[*tier].capacityGB
                                                         : capacityGB(*tier, axes.valueAtX(to.x()))};
        return change;
    }

    [[nodiscard]] std::vector<QPointF> marks(const QRectF& area) const override {
        const XyAxes axes = axesOf(area);
        std::vector<QPointF> places;
        for (const std::size_t tier : shownTiers(axes)) {
            places.emplace_back(axes.x(blocksUpTo(tier)), axes.plot().top());
        }
        return places;
    }

    /// A twentieth of its capacity.
    [[nodiscard]] std::optional<PlotChange> stepped(std::size_t mark, int way) const override {
        constexpr double step = 1.05;
        const std::vector<std::size_t> shown = shownTiers(axesOf(QRectF(0, 0, 400, 300)));
        if (mark >= shown.size()) {
            return std::nullopt;
        }
        const double capacity = settings().tiers[shown[mark]].capacityGB;
        PlotChange change;
        change.tier = PlotChange::Tier{shown[mark], way > 0 ? capacity * step : capacity / step};
        return change;
    }

private:
    [[nodiscard]] std::vector<std::size_t> shownTiers(const XyAxes& axes) const {
        std::vector<std::size_t> shown;
        for (std::size_t i = 0; hasBlocks() && i < settings().tiers.size(); ++i) {
            if (isShown(axes, i)) {
                shown.push_back(i);
            }
        }
        return shown;
    }

    [[nodiscard]] QString yTitle() const {
        return figure().caches.leastHits ? QStringLiteral("misses, at most") : QStringLiteral("misses");
    }

    [[nodiscard]] std::vector<LegendEntry> legendOf(const Theme& theme) const {
        const CacheSharing sharing = sharingOf(figure(), settings());
        if (sharing.isReplay()) {
            const std::string words = sharing.takesTurns() ? routingWords(sharing) : wordsOf(sharing);
            return {{theme.newInput, false, Qt::SolidLine, QString::fromStdString(words)}};
        }
        if (sharing.alone == nullptr) {
            const LruCount count = settings().count;
            return {{theme.newInput, false, Qt::SolidLine,
                     count == LruCount::Contiguous ? QStringLiteral("of leading runs")
                     : count == LruCount::Fwd      ? QStringLiteral("front to back")
                                                   : QStringLiteral("back to front")}};
        }
        return {{theme.newInput, false, Qt::SolidLine,
                 QStringLiteral("%1 share it").arg(exactText(static_cast<std::int64_t>(sharing.sessions)))},
                {theme.textMuted, false, Qt::DashLine, QStringLiteral("each alone")}};
    }

    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        constexpr double farthest = 1e4; // times what the curve needs: farther ones tell nothing
        const CacheSharing sharing = sharingOf(figure(), settings());
        const double end = std::max({static_cast<double>(figure().caches.engine.fwd.hits.size()),
                                     static_cast<double>(sharing.shared->hits.size()), 10.0});
        double most = end;
        for (std::size_t i = 0; i < settings().tiers.size(); ++i) {
            const double blocks = blocksUpTo(i);
            most = blocks < farthest * end ? std::max(most, blocks * 1.1) : most;
        }
        return {
            {(replicaCountOf(settings()) > 1 ? QStringLiteral("capacity of a replica, blocks of %1 tokens")
                                             : QStringLiteral("capacity, blocks of %1 tokens"))
                 .arg(figure().caches.blockTokens),
             1, niceAbove(most), true},
            {yTitle(), 0, 1, false, true},
            area};
    }

    static void paintMisses(QPainter& painter, const XyAxes& axes, const CapacityCurve& curve,
                            const QPen& pen) {
        QPolygonF line;
        for (const std::uint64_t blocks : capacitiesOf(curve)) {
            line << QPointF(axes.x(static_cast<double>(blocks)), axes.y(1 - curve.hit(blocks)));
        }
        if (!line.isEmpty()) {
            line << QPointF(axes.plot().right(), line.back().y());
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(pen);
        painter.drawPolyline(line);
    }

    void paintTiers(QPainter& painter, const XyAxes& axes, const Theme& theme) const {
        const QFont font = fontOf(0.82);
        std::vector<double> lines;
        for (const std::size_t tier : shownTiers(axes)) {
            lines.push_back(axes.x(blocksUpTo(tier)));
            paintGrip(painter, axes, lines.back(), theme.accent, theme);
        }
        std::vector<QRectF> taken;
        for (std::size_t i = 0; const std::size_t tier : shownTiers(axes)) {
            const QString name = QString::fromStdString(settings().tiers[tier].name);
            const QSizeF size(widthOf(font, name) + 4, heightOf(font));
            const QRectF place = placeOfName(axes.plot(), lines, i++, size, taken);
            if (place.isNull()) {
                continue; // the cursor names it
            }
            painter.fillRect(place, theme.plotGround); // where a line of another tier passes
            drawText(painter, place, leftMiddle, font, theme.text, name);
            taken.push_back(place);
        }
    }

    /// Beside its line, before it if possible; further down where other names are.
    static QRectF placeOfName(const QRectF& plot, const std::vector<double>& lines, std::size_t which,
                              const QSizeF& size, const std::vector<QRectF>& taken) {
        const double x = lines[which];
        const auto isFree = [&](const QRectF& place) {
            return place.left() >= plot.left() && place.right() <= plot.right() &&
                   std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(place); });
        };
        const auto crosses = [&](const QRectF& place) {
            return std::ranges::any_of(
                lines, [&](double line) { return line > place.left() && line < place.right(); });
        };
        QRectF best;
        for (double y = plot.top() + 4; y + size.height() <= plot.bottom(); y += size.height()) {
            for (const double left : {x - size.width() - 4, x + 6}) {
                const QRectF place(QPointF(left, y), size);
                if (isFree(place) && !crosses(place)) {
                    return place;
                }
                best = best.isNull() && isFree(place) ? place : best;
            }
        }
        return best;
    }

    /// Those of no capacity, and those far beyond, have no mark.
    [[nodiscard]] bool isShown(const XyAxes& axes, std::size_t tier) const {
        const double blocks = blocksUpTo(tier);
        return isListed(settings().tiers, tier) && blocks >= 1 &&
               blocks <= axes.valueAtX(axes.plot().right()) * (1 + 1e-9);
    }

    [[nodiscard]] std::optional<std::size_t> tierAt(const XyAxes& axes, const QPointF& at) const {
        std::optional<std::size_t> best;
        double reach = grip;
        for (std::size_t i = 0; i < settings().tiers.size(); ++i) {
            const double distance = std::abs(axes.x(blocksUpTo(i)) - at.x());
            if (isShown(axes, i) && distance < reach &&
                axes.plot().adjusted(-grip, -grip, grip, 0).contains(at)) {
                reach = distance;
                best = i;
            }
        }
        return best;
    }
};

} // namespace

std::unique_ptr<PlotDrawing> capacityDrawing(CacheShown figure, const CacheSettings& settings) {
    return std::make_unique<CapacityDrawing>(std::move(figure), settings);
}

} // namespace loadline::ui
