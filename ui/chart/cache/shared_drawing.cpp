// The heat map over sessions that share an engine's cache and its capacity: where the cliff is.
#include "ui/chart/cache/cache_paint.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline::ui {
namespace {

constexpr int capacityRows = 32;

QColor hitColour(double hit, const Theme& theme) {
    return tinted(theme.cacheWrite, theme.plotGround, std::clamp(0.04 + 0.96 * hit, 0.0, 1.0));
}

class SharedDrawing : public CacheDrawing {
public:
    using CacheDrawing::CacheDrawing;

    [[nodiscard]] QString title() const override { return titleOf(CacheChart::Shared); }

    [[nodiscard]] QString sentence() const override {
        return QString::fromStdString(sharedSentence(figure(), settings()));
    }

    [[nodiscard]] Table table() const override { return sharedTable(figure(), settings()); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (curves().empty()) {
            paintNothing(painter, area, theme,
                         figure().caches.conversations
                             ? QStringLiteral("no session has %1 requests").arg(leastSharedRequests)
                             : QStringLiteral("all share one cache: sessions are not told apart"));
            return;
        }
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        painter.setRenderHint(QPainter::Antialiasing, false);
        for (std::size_t i = 0; i < curves().size(); ++i) {
            for (int row = 0; row < capacityRows; ++row) {
                const QRectF cell = cellOf(axes, i, row);
                painter.fillRect(
                    cell, hitColour(curves()[i].contiguous.hit(blocksAt(axes, cell.center().y())), theme));
            }
        }
        painter.setRenderHint(QPainter::Antialiasing);
        paintTiers(painter, axes, theme);
        const double left = axes.plot().left() + widthOf(fontOf(0.82), yTitle()) + 2 * spacing;
        const double scale = paintHits(painter, QRectF(left, area.top(), area.right() - left, 16), theme);
        paintKind(painter, area, left + scale, kindOf(QStringLiteral("engine's cache")), theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (curves().empty()) {
            return {};
        }
        const XyAxes axes = axesOf(area);
        for (std::size_t i = 0; i < curves().size(); ++i) {
            const QRectF column = cellOf(axes, i, 0).united(cellOf(axes, i, capacityRows - 1));
            if (!column.contains(at)) {
                continue;
            }
            const std::uint64_t blocks = blocksAt(axes, at.y());
            return {
                QStringLiteral("%1 sessions: %2 of the blocks hit")
                    .arg(exactText(static_cast<std::int64_t>(curves()[i].sessions)),
                         hitText(curves()[i].contiguous.hit(blocks))),
                QString::fromStdString(wordsOfCapacity(static_cast<double>(blocks), figure(), settings())),
                QStringLiteral("%1 for each alone").arg(hitText(curves()[i].contiguousAlone.hit(blocks)))};
        }
        return {};
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        if (curves().empty()) {
            return std::nullopt;
        }
        const XyAxes axes = axesOf(area);
        constexpr double reach = 6;
        for (std::size_t i = 0; i < settings().tiers.size(); ++i) {
            if (isShown(axes, i) && axes.plot().contains(from) &&
                std::abs(axes.y(blocksUpTo(i)) - from.y()) < reach) {
                PlotChange change;
                change.tier = PlotChange::Tier{i, from == to ? settings().tiers[i].capacityGB
                                                             : capacityGB(i, axes.valueAtY(to.y()))};
                return change;
            }
        }
        return std::nullopt;
    }

private:
    static QString yTitle() { return QStringLiteral("capacity, blocks"); }

    [[nodiscard]] const std::vector<SharedCurve>& curves() const { return figure().caches.shared; }

    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        const auto most = static_cast<double>(curves().back().contiguous.hits.size());
        const auto sessions = static_cast<double>(std::max<std::size_t>(curves().back().sessions, 1));
        const double before = // the last column reaches as far to the right as to the left
            curves().size() > 1 ? static_cast<double>(curves()[curves().size() - 2].sessions) : sessions / 2;
        XyAxis columns{QStringLiteral("sessions that share a cache"), 1 / std::sqrt(2.0),
                       sessions * std::sqrt(sessions / before), true};
        for (const SharedCurve& curve : curves()) {
            columns.ticks.push_back(static_cast<double>(curve.sessions));
        }
        return {std::move(columns),
                {yTitle(), std::max(1.0, most / 1e4), niceAbove(std::max(most, 10.0)), true},
                area};
    }

    static std::uint64_t blocksAt(const XyAxes& axes, double y) {
        return static_cast<std::uint64_t>(std::max(1.0, axes.valueAtY(y)));
    }

    /// From half way to the neighbour before to half way to the one after.
    [[nodiscard]] QRectF cellOf(const XyAxes& axes, std::size_t i, int row) const {
        const auto place = [&](std::size_t at) { return axes.x(static_cast<double>(curves()[at].sessions)); };
        const QRectF plot = axes.plot();
        const double left = i == 0 ? plot.left() : (place(i - 1) + place(i)) / 2;
        const double right = i + 1 == curves().size() ? plot.right() : (place(i) + place(i + 1)) / 2;
        const double top = plot.bottom() - (row + 1) * plot.height() / capacityRows;
        const double bottom = plot.bottom() - row * plot.height() / capacityRows;
        return {QPointF(std::floor(left), std::floor(top)), QPointF(std::floor(right), std::floor(bottom))};
    }

    [[nodiscard]] bool isShown(const XyAxes& axes, std::size_t tier) const {
        const double blocks = blocksUpTo(tier);
        return isListed(settings().tiers, tier) && blocks >= axes.valueAtY(axes.plot().bottom()) &&
               blocks <= axes.valueAtY(axes.plot().top());
    }

    void paintTiers(QPainter& painter, const XyAxes& axes, const Theme& theme) const {
        const QFont font = fontOf(0.82);
        for (std::size_t i = 0; i < settings().tiers.size(); ++i) {
            if (!isShown(axes, i)) {
                continue;
            }
            const double y = axes.y(blocksUpTo(i));
            painter.setPen(QPen(theme.accent, 1.6));
            painter.drawLine(QPointF(axes.plot().left(), y), QPointF(axes.plot().right(), y));
            painter.setBrush(theme.plotGround);
            painter.drawEllipse(QPointF(axes.plot().right(), y), 4.5, 4.5);
            const QString name = QString::fromStdString(settings().tiers[i].name);
            const double width = widthOf(font, name) + spacing;
            const double above = y - heightOf(font) - 2;
            const QRectF place(axes.plot().left() + 4, above < axes.plot().top() ? y + 2 : above, width,
                               heightOf(font));
            painter.fillRect(place, faded(theme.plotGround, 0.8));
            drawText(painter, place.adjusted(spacing / 2.0, 0, 0, 0), leftMiddle, font, theme.text, name);
        }
    }

    /// Which colour is which share; returns the room it took.
    double paintHits(QPainter& painter, const QRectF& place, const Theme& theme) const {
        return paintColours(
            painter, place, figure().caches.leastHits ? QStringLiteral("at least 0") : QStringLiteral("0"),
            QStringLiteral("100\u202F% hit"), [&](double share) { return hitColour(share, theme); }, theme);
    }
};

} // namespace

std::unique_ptr<PlotDrawing> sharedDrawing(CacheShown figure, const CacheSettings& settings) {
    return std::make_unique<SharedDrawing>(std::move(figure), settings);
}

} // namespace loadline::ui
