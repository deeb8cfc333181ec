// What each request of a session asked for: cached, new and answered tokens as bars, prefix breaks as marks.
#include "ui/chart/cache/cache_paint.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr double markHeight = 7;

double promptTokensOf(const RequestParts& request) {
    return static_cast<double>(request.cached + request.newInput + request.output);
}

class RequestsDrawing : public CacheDrawing {
public:
    RequestsDrawing(CacheShown figure, const CacheSettings& settings,
                    std::shared_ptr<const NamedRequests> requests, const PrefixBreak* chosen)
        : CacheDrawing(std::move(figure), settings), requests_(std::move(requests)) {
        for (std::size_t i = 0; i < all().size(); ++i) {
            most_ = std::max(most_, promptTokensOf(all()[i]));
            if (all()[i].lost != nullptr) {
                picked_ = all()[i].lost == chosen ? static_cast<int>(breaks_.size()) : picked_;
                breaks_.push_back(i);
            }
        }
    }

    [[nodiscard]] QString title() const override { return titleOf(CacheChart::Requests); }

    [[nodiscard]] QString sentence() const override {
        return QString::fromStdString(requestsSentence(figure(), requests_->name, all()));
    }

    [[nodiscard]] Table table() const override { return requestsTable(figure(), all()); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (all().empty()) {
            paintNothing(painter, area, theme, QStringLiteral("no request is in scope"));
            return;
        }
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        painter.setRenderHint(QPainter::Antialiasing, false);
        paintBars(painter, axes, theme);
        painter.setRenderHint(QPainter::Antialiasing);
        paintBreaks(painter, axes, theme);
        const double left = axes.plot().left() + widthOf(fontOf(0.82), yTitle()) + spacing;
        std::vector<LegendEntry> entries = {{theme.cacheRead, false, Qt::NoPen, QStringLiteral("cached")},
                                            {theme.newInput, false, Qt::NoPen, QStringLiteral("new")},
                                            {theme.output, false, Qt::NoPen, QStringLiteral("output")}};
        if (!breaks_.empty()) {
            entries.push_back({theme.warning, false, Qt::NoPen, QStringLiteral("prefix break")});
        }
        paintLegend(painter, QRectF(left, area.top(), area.right() - left, 2 * spacing), entries, theme);
        paintKind(painter, area, left + legendWidth(entries),
                  figure().ofProvider()   ? QStringLiteral("provider's cache")
                  : figure().ofSessions() ? QStringLiteral("estimated: prompts grow")
                                          : QStringLiteral("unlimited cache"),
                  theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (all().empty() || !axesOf(area).plot().contains(at)) {
            return {};
        }
        const double place = axesOf(area).valueAtX(at.x());
        const int mark = itemAt(at, area);
        const auto index = mark >= 0 ? breaks_[static_cast<std::size_t>(mark)]
                                     : std::min(static_cast<std::size_t>(place), all().size() - 1);
        const RequestParts& one = all()[index];
        QStringList lines{QStringLiteral("request %1, after %2")
                              .arg(exactText(static_cast<std::int64_t>(index + 1)), secondsText(one.startS)),
                          QStringLiteral("%1 cached, %2 new, %3 output")
                              .arg(exactText(one.cached), exactText(one.newInput), exactText(one.output))};
        if (one.lost != nullptr) {
            const bool compaction = one.lost->cause() == BreakCause::Compaction;
            lines << (compaction ? QStringLiteral("%1 tokens of a new prompt: %2")
                                 : QStringLiteral("%1 tokens paid again: %2"))
                         .arg(exactText(compaction ? one.lost->compacted : one.lost->paidAgain),
                              QString::fromStdString(std::string(describe(one.lost->cause()))))
                  << lineText(one.lost->reasons.front().evidence, 120);
        }
        return lines;
    }

    /// The marks of the breaks.
    [[nodiscard]] std::vector<QPointF> items(const QRectF& area) const override {
        const XyAxes axes = axesOf(area);
        std::vector<QPointF> places;
        for (const std::size_t request : breaks_) {
            places.emplace_back(axes.x(static_cast<double>(request) + 0.5),
                                axes.plot().top() + markHeight / 2);
        }
        return places;
    }

    [[nodiscard]] int pickedItem() const override { return picked_; }

    [[nodiscard]] bool itemsLead() const override { return true; }

private:
    static QString yTitle() { return QStringLiteral("tokens"); }

    [[nodiscard]] const std::vector<RequestParts>& all() const { return requests_->requests; }

    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        return {{QStringLiteral("requests"), 0, static_cast<double>(std::max<std::size_t>(all().size(), 1))},
                {yTitle(), 0, niceAbove(std::max(most_, 1.0))},
                area};
    }

    /// Where several share a column of pixels, the longest of them.
    void paintBars(QPainter& painter, const XyAxes& axes, const Theme& theme) const {
        std::size_t longest = 0;
        for (std::size_t i = 0; i < all().size(); ++i) {
            const double left = std::floor(axes.x(static_cast<double>(i)));
            const double right = std::floor(axes.x(static_cast<double>(i + 1)));
            longest = promptTokensOf(all()[i]) > promptTokensOf(all()[longest]) ? i : longest;
            if (right > left) {
                const double gap = right - left > 4 ? 1 : 0;
                paintBar(painter, axes, all()[longest], left, right - left - gap, theme);
                longest = std::min(i + 1, all().size() - 1);
            }
        }
    }

    static void paintBar(QPainter& painter, const XyAxes& axes, const RequestParts& one, double left,
                         double width, const Theme& theme) {
        double below = 0;
        for (const auto& [tokens, color] :
             {std::pair(one.cached, theme.cacheRead), std::pair(one.newInput, theme.newInput),
              std::pair(one.output, theme.output)}) {
            const double above = below + static_cast<double>(tokens);
            painter.fillRect(QRectF(QPointF(left, axes.y(above)), QPointF(left + width, axes.y(below))),
                             color);
            below = above;
        }
    }

    void paintBreaks(QPainter& painter, const XyAxes& axes, const Theme& theme) const {
        for (int i = 0; i < static_cast<int>(breaks_.size()); ++i) {
            const double x = axes.x(static_cast<double>(breaks_[static_cast<std::size_t>(i)]) + 0.5);
            const double y = axes.plot().top();
            if (i == picked_) {
                painter.setPen(QPen(theme.accent, 2));
                painter.drawLine(QPointF(x, y), QPointF(x, axes.plot().bottom()));
            }
            painter.setPen(i == picked_ ? QPen(theme.accent, 2) : QPen(Qt::NoPen));
            painter.setBrush(theme.warning);
            painter.drawPolygon(QPolygonF{QPointF(x - 5, y), QPointF(x + 5, y), QPointF(x, y + markHeight)});
        }
    }

    std::shared_ptr<const NamedRequests> requests_;
    double most_ = 0;
    std::vector<std::size_t> breaks_; ///< requests that are prefix breaks
    int picked_ = -1;                 ///< of them
};

} // namespace

std::unique_ptr<PlotDrawing> requestsDrawing(CacheShown figure, const CacheSettings& settings,
                                             std::shared_ptr<const NamedRequests> requests,
                                             const PrefixBreak* chosen) {
    return std::make_unique<RequestsDrawing>(std::move(figure), settings, std::move(requests), chosen);
}

} // namespace loadline::ui
