// What the drawings of the Cache page share.
#include "ui/chart/cache/cache_paint.h"

#include "ui/chart/paint_help.h"
#include "ui/theme/format.h"

#include <algorithm>

namespace loadline::ui {

QString titleOf(CacheChart chart) {
    static constexpr std::array titles = {"Tiers",
                                          "Misses by capacity",
                                          "Hits by time to live",
                                          "Sessions that share a cache",
                                          "Requests, one by one",
                                          "Prefill and decode GPUs"};
    return QString::fromUtf8(titles.at(static_cast<std::size_t>(chart)));
}

std::unique_ptr<PlotDrawing> drawingOf(CacheChart chart, std::shared_ptr<const CacheFigure> figure,
                                       const CacheSettings& settings,
                                       std::shared_ptr<const NamedRequests> requests,
                                       const PrefixBreak* chosen) {
    switch (chart) {
    case CacheChart::Tiers:
        return tiersDrawing(std::move(figure), settings);
    case CacheChart::Capacity:
        return capacityDrawing(std::move(figure), settings);
    case CacheChart::Ttl:
        return ttlDrawing(std::move(figure), settings);
    case CacheChart::Shared:
        return sharedDrawing(std::move(figure), settings);
    case CacheChart::Requests:
        return requestsDrawing(std::move(figure), settings, std::move(requests), chosen);
    default:
        return splitDrawing(std::move(figure), settings);
    }
}

QString CacheDrawing::hitText(double share) const {
    return QString::fromStdString(leastCell(share, figure_->caches.leastHits));
}

QString CacheDrawing::kindOf(const QString& cache) const {
    return figure_->ofSessions() ? cache + QStringLiteral(", estimated") : cache;
}

double CacheDrawing::capacityGB(std::size_t tier, double blocks) const {
    constexpr double bytesPerGB = 1e9;
    const double before = tier == 0 ? 0 : blocksUpTo(tier - 1);
    return std::max(0.0, blocks - before) * static_cast<double>(figure_->caches.blockTokens) *
           layoutIn(layoutOf(settings_), settings_.tiers[tier]).bytesPerToken() *
           static_cast<double>(replicaCountOf(settings_)) / bytesPerGB;
}

QStringList CacheDrawing::wordsOfTier(std::size_t tier) const {
    const CacheTier& which = settings_.tiers[tier];
    return {QString::fromStdString(which.name) + QStringLiteral(": ") +
                bytesText(static_cast<std::uint64_t>(which.capacityGB * 1e9)),
            QStringLiteral("with what is faster ") +
                QString::fromStdString(wordsOfCapacity(blocksUpTo(tier), *figure_, settings_))};
}

void paintKind(QPainter& painter, const QRectF& area, double left, const QString& kind, const Theme& theme) {
    const QFont font = fontOf(0.82);
    const QRectF place(left, area.top(), area.right() - left, heightOf(font));
    if (place.width() > 5 * spacing) {
        const bool fits = widthOf(font, kind) <= place.width();
        drawText(painter, place, Qt::AlignRight | Qt::AlignTop, font, theme.textMuted,
                 fits ? kind : kind.section(u',', 0, 0)); // the rest stands in the sentence
    }
}

void paintGrip(QPainter& painter, const XyAxes& axes, double x, const QColor& color, const Theme& theme) {
    painter.setPen(QPen(color, 1.4));
    painter.drawLine(QPointF(x, axes.plot().top()), QPointF(x, axes.plot().bottom()));
    painter.setBrush(theme.plotGround);
    painter.drawEllipse(QPointF(x, axes.plot().top()), 4.5, 4.5);
}

} // namespace loadline::ui
