// Weights against memory: why there are no curves.
#include "core/text/number_format.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"

#include <algorithm>
#include <vector>

namespace loadline::ui {
namespace {

struct WeightsBar {
    QString name;
    std::string key;
    double bytes = 0;
    bool chosen = false;
};

class MemoryDrawing : public PlotDrawing {
public:
    MemoryDrawing(QString title, QString sentence, const MemoryFit& fit, bool inShort)
        : title_(std::move(title)), sentence_(std::move(sentence)), fit_(fit), inShort_(inShort) {}

    [[nodiscard]] QString title() const override { return title_; }

    [[nodiscard]] QString sentence() const override { return sentence_; }

    [[nodiscard]] Table table() const override {
        Table table;
        table.columns = {"weights", "needed_bytes", "available_bytes", "fits"};
        for (const WeightsBar& bar : bars()) {
            table.rows.push_back({bar.key, bar.bytes, fit_.roomBytes(), fitCell(fits(bar))});
        }
        return table;
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        const std::vector<WeightsBar> all = bars();
        const QFont font = fontOf(0.9);
        const double line = heightOf(font);
        const double head = widthOf(font, QStringLiteral("k = 5 ")) + spacing;
        const double tail = widthOf(fontOf(0.9, true), QStringLiteral("999 GiB, does not fit")) + spacing;
        const double wanted = 1.6 * line * static_cast<double>(all.size() + 1);
        if (inShort_ || area.height() < wanted || area.width() < 2 * (head + tail)) {
            paintNothing(painter, area, theme, doesNotFitText(fit_));
            return;
        }
        double most = fit_.memoryBytes;
        for (const WeightsBar& bar : all) {
            most = std::max(most, bar.bytes);
        }
        const double row = std::min(3 * line, area.height() / static_cast<double>(all.size() + 1));
        const double full = area.width() - head - tail;
        const double limit = area.left() + head + full * fit_.roomBytes() / most;
        std::vector<QRectF> places;
        for (const WeightsBar& bar : all) {
            const double top = area.top() + row * static_cast<double>(places.size() + 1);
            places.emplace_back(area.left() + head, top + row / 2 - line / 2, full * bar.bytes / most, line);
            paintWeights(painter, places.back(), head, bar, theme);
        }
        painter.setPen(QPen(theme.text, 1.6));
        painter.drawLine(QPointF(limit, area.top() + row - line / 2),
                         QPointF(limit, places.back().bottom() + line / 2));
        for (std::size_t i = 0; i < all.size(); ++i) {
            paintWords(painter, places[i], tail, all[i], theme);
        }
        drawText(
            painter, QRectF(area.left() + head, area.top(), area.width() - head, row - line / 2), leftMiddle,
            font, theme.text,
            QStringLiteral("weights; the line: %1%2, %3")
                .arg(fit_.share > 0 ? QString::fromStdString(formatShare(fit_.share)) + " of " : QString(),
                     QString::fromStdString(fit_.device),
                     QString::fromStdString(formatGib(fit_.roomBytes()))));
    }

private:
    [[nodiscard]] std::vector<WeightsBar> bars() const {
        std::vector<WeightsBar> bars;
        for (int k = minKBits; k <= maxKBits; ++k) {
            bars.push_back({QStringLiteral("k = %1").arg(k), "k=" + std::to_string(k),
                            fit_.weightsAt.at(static_cast<std::size_t>(k - minKBits)), k == fit_.kBits});
        }
        bars.push_back({QStringLiteral("fp16"), "fp16", fit_.weightFp16Bytes, false});
        return bars;
    }

    [[nodiscard]] bool fits(const WeightsBar& bar) const { return bar.bytes < fit_.roomBytes(); }

    void paintWeights(QPainter& painter, const QRectF& place, double head, const WeightsBar& bar,
                      const Theme& theme) const {
        drawText(painter, QRectF(place.left() - head, place.top(), head - spacing / 2.0, place.height()),
                 rightMiddle, fontOf(0.9, bar.chosen), theme.text, bar.name);
        if (fits(bar)) {
            painter.fillRect(place, theme.mma);
        } else {
            painter.fillRect(place, tinted(theme.warning, theme.plotGround, 0.25));
            hatch(painter, place, theme.warning);
        }
    }

    /// Behind its bar, over the line of the memory.
    void paintWords(QPainter& painter, const QRectF& bar, double tail, const WeightsBar& weights,
                    const Theme& theme) const {
        const QFont font = fontOf(0.9, weights.chosen);
        const QString words = QString::fromStdString(formatGib(weights.bytes)) +
                              (fits(weights) ? QString() : QStringLiteral(", does not fit"));
        const QRectF place(bar.right() + 4, bar.top(), tail, bar.height());
        painter.fillRect(QRectF(place.topLeft(), QSizeF(widthOf(font, words), place.height())), theme.panel);
        drawText(painter, place, leftMiddle, font, theme.text, words);
    }

    QString title_, sentence_;
    MemoryFit fit_;
    bool inShort_;
};

} // namespace

std::unique_ptr<PlotDrawing> memoryDrawing(const QString& title, const std::string& sentence,
                                           const MemoryFit& fit, bool inShort) {
    return std::make_unique<MemoryDrawing>(title, QString::fromStdString(sentence), fit, inShort);
}

QString doesNotFitText(const MemoryFit& fit) {
    return QStringLiteral("does not fit into %1").arg(QString::fromStdString(formatGib(fit.roomBytes())));
}

QString fp16Text(const MemoryFit& fit) {
    return fit.fp16Fits().value_or(true) ? QStringLiteral("fp16") : QStringLiteral("fp16: does not fit");
}

Qt::PenStyle fp16Line(const MemoryFit& fit) {
    return fit.fp16Fits().value_or(true) ? Qt::SolidLine : Qt::DotLine;
}

} // namespace loadline::ui
