// The table of tiers: what each holds, serves and costs, and what is computed again.
#include "ui/chart/cache/cache_paint.h"
#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <vector>

namespace loadline::ui {
namespace {

constexpr std::size_t tierColumns = 7;
constexpr std::size_t hitsColumn = 3;
constexpr double headScale = 0.91; // of the heads' font, to that of the lines

/// A line of the table: its texts by column, and the share of its bar.
struct TierLine {
    std::array<QString, tierColumns> texts;
    double hit = 0;
    QStringList words; ///< read out over it
};

class TiersDrawing : public CacheDrawing {
public:
    TiersDrawing(std::shared_ptr<const CacheFigure> figure, const CacheSettings& settings)
        : CacheDrawing(std::move(figure), settings),
          fit_(replicaFitOf(settings, meanContextOf(this->figure()))), lines_(linesOf()) {}

    [[nodiscard]] QString title() const override { return titleOf(CacheChart::Tiers); }

    [[nodiscard]] QString sentence() const override {
        return QString::fromStdString(cacheSentence(figure(), settings()));
    }

    [[nodiscard]] Table table() const override { return tiersTable(figure(), settings()); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (!figure().tellsReuse()) {
            paintNothing(painter, area, theme, QStringLiteral("the trace tells no reuse"));
            return;
        }
        if (!fit_.fits()) {
            paintNothing(painter, area, theme,
                         QString::fromStdString(doesNotFitSentence(settings().model, fit_)));
            return;
        }
        const std::array<QString, tierColumns> heads = headsOf();
        const TierColumns columns = columnsOf(area, lines_);
        const QFont font = fontOf(columns.scale);
        const QFont headFont = fontOf(columns.scale * headScale);
        for (std::size_t place = 0; place < columns.shown.size(); ++place) {
            drawText(painter, cellOf(area, columns.edges, 0, place), place == 0 ? leftMiddle : rightMiddle,
                     headFont, theme.textMuted, heads[columns.shown[place]]);
        }
        const double under = area.top() + rowHeight(area);
        painter.setPen(QPen(theme.border, 1));
        painter.drawLine(QPointF(area.left(), under), QPointF(area.right(), under));
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            const bool again = i + 1 == lines_.size();
            for (std::size_t place = 0; place < columns.shown.size(); ++place) {
                const std::size_t c = columns.shown[place];
                const QRectF cell = cellOf(area, columns.edges, i + 1, place);
                if (c == hitsColumn) {
                    paintBar(painter, cell, lines_[i].hit, again ? theme.newInput : theme.cacheRead, theme);
                }
                drawText(painter, cell, place == 0 ? leftMiddle : rightMiddle, font,
                         again ? theme.textMuted : theme.text, lines_[i].texts[c]);
            }
        }
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (!figure().tellsReuse() || !fit_.fits() || !area.contains(at)) {
            return {};
        }
        const int row = static_cast<int>((at.y() - area.top()) / rowHeight(area)) - 1;
        return row >= 0 && row < static_cast<int>(lines_.size()) ? lines_[static_cast<std::size_t>(row)].words
                                                                 : QStringList();
    }

private:
    [[nodiscard]] double rowHeight(const QRectF& area) const {
        const auto rows = static_cast<double>(lines_.size() + 1);
        return std::clamp(area.height() / rows, heightOf(fontOf(0.9)), 3.0 * spacing);
    }

    static std::array<QString, tierColumns> headsOf() {
        return {QStringLiteral("tier"),
                QStringLiteral("capacity"),
                QStringLiteral("sessions"),
                QStringLiteral("block hits"),
                QStringLiteral("first token"),
                QStringLiteral("loading pays"),
                QStringLiteral("GPU s per M cached")};
    }

    [[nodiscard]] std::vector<TierLine> linesOf() const {
        std::vector<TierLine> lines;
        const std::vector<TierRow> rows = tierRowsOf(figure(), settings());
        const bool blocks = figure().caches.blockTokens > 0;
        const QString dash(QChar(0x2013));
        const std::vector<TierRow> most = mostTierRowsOf(figure(), settings());
        const auto ends = [&](double TierHits::*share, std::size_t row) {
            return endsOf(rows, most, share, row, figure().caches.leastHits);
        };
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!isListed(settings().tiers, i)) {
                continue;
            }
            const TierRow& row = rows[i];
            TierLine line;
            line.texts = {QString::fromStdString(settings().tiers[i].name),
                          bytesText(static_cast<std::uint64_t>(settings().tiers[i].capacityGB * 1e9)),
                          row.sessions > 0 ? exactText(static_cast<std::int64_t>(row.sessions)) : dash,
                          blocks ? QString::fromStdString(cellOfEnds(ends(&TierHits::hit, i))) : dash,
                          QString::fromStdString(cellOfTimes(
                              row.time.ttftS, most.empty() ? std::nullopt : std::optional(most[i].time.ttftS),
                              ends(&TierHits::hitTokensUpToHere, i))),
                          QString::fromStdString(wordsOfBreakEven(row.paysFromTokens)),
                          row.cost.perMillionCached ? realText(*row.cost.perMillionCached, 3) : dash};
            line.hit = blocks ? row.hits.hit : 0;
            line.words = {
                line.texts[0],
                QStringLiteral("%1 of the blocks are found here, %2 here or in a faster tier")
                    .arg(line.texts[hitsColumn],
                         QString::fromStdString(cellOfEnds(ends(&TierHits::hitUpToHere, i)))),
                QStringLiteral("%1 sessions of the upper tenth fit, with the faster tiers")
                    .arg(line.texts[2]),
                QStringLiteral("the mean prompt's first token after %1, with what hits here or in a "
                               "faster tier; all computed again: %2")
                    .arg(line.texts[4], secondsText(row.time.recomputeS))};
            lines.push_back(std::move(line));
        }
        if (!rows.empty()) {
            const double again = blocks ? 1 - rows.back().hits.hitUpToHere : 0;
            TierLine line;
            line.texts[0] = QStringLiteral("computed again");
            line.texts[hitsColumn] =
                blocks ? QString::fromStdString(cellOfAgain(ends(&TierHits::hitUpToHere, rows.size() - 1)))
                       : dash;
            line.texts[4] = secondsText(rows.back().time.recomputeS);
            line.hit = again;
            line.words = {line.texts[0],
                          QStringLiteral("%1 of the blocks are in no tier").arg(line.texts[hitsColumn])};
            lines.push_back(std::move(line));
        }
        return lines;
    }

    /// Columns that fit whole, and where they stand.
    struct TierColumns {
        std::vector<std::size_t> shown;
        double scale = 0.9;        ///< of the font
        std::vector<double> edges; ///< left ones of `shown`, and the right one of the last
    };

    static std::array<double, tierColumns> widthsOf(const std::vector<TierLine>& lines, double scale) {
        std::array<double, tierColumns> widths = {};
        for (std::size_t c = 0; c < tierColumns; ++c) {
            widths[c] = widthOf(fontOf(scale * headScale), headsOf()[c]);
            for (const TierLine& line : lines) {
                widths[c] = std::max(widths[c], widthOf(fontOf(scale), line.texts[c]));
            }
            widths[c] += 1.5 * spacing;
        }
        return widths;
    }

    /// Returns columns as wide as their texts, in a smaller font if there is little room; the bars take the
    /// rest of the width. If the smallest font is too wide, the least needed columns are left out whole: the
    /// chart's data table has them.
    static TierColumns columnsOf(const QRectF& area, const std::vector<TierLine>& lines) {
        TierColumns columns;
        for (std::size_t c = 0; c < tierColumns; ++c) {
            columns.shown.push_back(c);
        }
        std::vector<std::size_t> leastNeeded = {2, 6, 5}; // the last one goes first
        std::array<double, tierColumns> widths = {};
        double left = 0;
        while (true) {
            for (const double scale : {0.9, 0.82, 0.75}) {
                columns.scale = scale;
                widths = widthsOf(lines, scale);
                left = area.width();
                for (const std::size_t c : columns.shown) {
                    left -= widths[c];
                }
                if (left >= 0) {
                    break;
                }
            }
            if (left >= 0 || leastNeeded.empty()) {
                break;
            }
            std::erase(columns.shown, leastNeeded.back());
            leastNeeded.pop_back();
        }
        widths[hitsColumn] += std::max(left, 0.0);
        const double shrink = left < 0 ? area.width() / (area.width() - left) : 1;
        columns.edges = {area.left()};
        for (const std::size_t c : columns.shown) {
            columns.edges.push_back(columns.edges.back() + widths[c] * shrink);
        }
        return columns;
    }

    [[nodiscard]] QRectF cellOf(const QRectF& area, const std::vector<double>& edges, std::size_t row,
                                std::size_t column) const {
        const double height = rowHeight(area);
        const double gap = column == 0 ? 0 : spacing / 2.0;
        return {edges[column] + gap, area.top() + static_cast<double>(row) * height,
                edges[column + 1] - edges[column] - gap, height};
    }

    /// Behind the share that stands at the right of its cell.
    static void paintBar(QPainter& painter, const QRectF& cell, double share, const QColor& color,
                         const Theme& theme) {
        const double words = widthOf(fontOf(0.9), QStringLiteral("100.0\u202F%")) + spacing;
        const QRectF whole(cell.left() + spacing, cell.top() + cell.height() * 0.28,
                           cell.width() - words - spacing, cell.height() * 0.44);
        if (whole.width() < 2 * spacing) {
            return;
        }
        painter.fillRect(whole, faded(theme.border, 0.5));
        painter.fillRect(
            QRectF(whole.left(), whole.top(), whole.width() * std::clamp(share, 0.0, 1.0), whole.height()),
            color);
    }

    ReplicaFit fit_;
    std::vector<TierLine> lines_;
};

} // namespace

std::unique_ptr<PlotDrawing> tiersDrawing(CacheShown figure, const CacheSettings& settings) {
    return std::make_unique<TiersDrawing>(std::move(figure), settings);
}

} // namespace loadline::ui
