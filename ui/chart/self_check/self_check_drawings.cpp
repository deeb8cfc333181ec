// The self-check: one latency of every request, predicted over recorded, and errors beside the peer's.
#include "ui/chart/self_check/self_check_drawings.h"

#include "core/replay/latency_plot.h"
#include "core/replay/peer.h"
#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/xy_axes.h"
#include "ui/plot/report_drawing.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {

namespace {

constexpr double msPerS = 1000;

/// "65.5 s", "32.4 ms"
QString latencyText(double seconds) {
    return seconds < 1 ? QStringLiteral("%1 ms").arg(fixedText(seconds * msPerS, 1))
                       : QStringLiteral("%1 s").arg(fixedText(seconds, 2));
}

/// "+1.3 %"
QString errorText(double error) {
    return QString::fromStdString(formatError(error));
}

constexpr double leastReach = 0.05; ///< of the axis to either side

class ErrorsDrawing : public PlotDrawing {
public:
    explicit ErrorsDrawing(std::shared_ptr<const ReplayFigure> figure) : figure_(std::move(figure)) {
        for (const ReplayQuantile& quantile : figure_->quantiles) {
            reach_ = std::max({reach_, std::abs(quantile.error), std::abs(quantile.peerError.value_or(0))});
        }
        reach_ = niceAbove(reach_ * 1.05);
    }

    [[nodiscard]] QString title() const override { return QStringLiteral("Errors"); }

    [[nodiscard]] QString sentence() const override { return QString::fromStdString(figure_->sentence); }

    [[nodiscard]] Table table() const override { return quantilesTable(*figure_); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (figure_->quantiles.empty()) {
            paintNothing(painter, area, theme, QStringLiteral("nothing to compare"));
            return;
        }
        const Places places = placesIn(area);
        paintScale(painter, places, theme);
        for (std::size_t i = 0; i < figure_->quantiles.size(); ++i) {
            paintRow(painter, places, i, theme);
        }
        paintLegend(painter, QRectF(area.left(), area.top(), area.width(), 2 * spacing),
                    {{theme.model, false, Qt::NoPen, QStringLiteral("ours (filled)")},
                     {theme.reference, false, Qt::NoPen,
                      QStringLiteral("%1's, published (hollow)").arg(QLatin1String(peerName))}},
                    theme);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        const Places places = placesIn(area);
        const double row = (at.y() - places.top) / places.height;
        if (row < 0 || row >= static_cast<double>(figure_->quantiles.size())) {
            return {};
        }
        const ReplayQuantile& quantile = figure_->quantiles[static_cast<std::size_t>(row)];
        QStringList words{nameText(quantile),
                          QStringLiteral("predicted %1, recorded %2 (%3)")
                              .arg(latencyText(quantile.predictedS), latencyText(quantile.recordedS),
                                   errorText(quantile.error))};
        if (quantile.peerError) {
            words << QStringLiteral("%1's error: %2")
                         .arg(QLatin1String(peerName), errorText(*quantile.peerError));
        }
        return words;
    }

private:
    struct Places {
        QRectF area;
        double left = 0; ///< of the scale
        double width = 0;
        double top = 0; ///< of the first row
        double height = 0;
    };

    static QString nameText(const ReplayQuantile& quantile) {
        return QString::fromUtf8(nameOf(quantile.kind)) + QChar(' ') +
               QString::fromStdString(quantile.statistic);
    }

    [[nodiscard]] Places placesIn(const QRectF& area) const {
        const QFont font = fontOf(0.82);
        double names = 0;
        for (const ReplayQuantile& quantile : figure_->quantiles) {
            names = std::max(names, widthOf(fontOf(0.82, true), nameText(quantile)));
        }
        const double line = heightOf(font);
        Places places;
        places.area = area;
        places.left = area.left() + names + 2 * spacing;
        places.width = std::max(40.0, area.right() - places.left - spacing);
        places.top = area.top() + 2 * spacing + spacing / 2.0;
        const double rows = static_cast<double>(std::max<std::size_t>(figure_->quantiles.size(), 1));
        places.height = std::max(1.0, (area.bottom() - line - spacing / 2.0 - places.top) / rows);
        return places;
    }

    [[nodiscard]] double at(const Places& places, double error) const {
        return places.left + places.width * (std::clamp(error, -reach_, reach_) + reach_) / (2 * reach_);
    }

    void paintScale(QPainter& painter, const Places& places, const Theme& theme) const {
        const QFont font = fontOf(0.82);
        const double line = heightOf(font);
        const double bottom = places.top + places.height * static_cast<double>(figure_->quantiles.size());
        painter.fillRect(QRectF(places.left, places.top, places.width, bottom - places.top),
                         theme.plotGround);
        const int most =
            std::max(2, static_cast<int>(places.width / (1.6 * widthOf(font, errorText(-reach_)))));
        for (const double tick : ticksOf({{}, -reach_, reach_, false, true}, most)) {
            const double x = at(places, tick);
            painter.setPen(QPen(std::abs(tick) < 1e-12 ? theme.textMuted : theme.grid, 1));
            painter.drawLine(QPointF(x, places.top), QPointF(x, bottom));
            drawText(painter, QRectF(x - 30, bottom + 2, 60, line), Qt::AlignHCenter | Qt::AlignTop, font,
                     theme.textMuted, errorText(tick));
        }
    }

    void paintRow(QPainter& painter, const Places& places, std::size_t i, const Theme& theme) const {
        const ReplayQuantile& quantile = figure_->quantiles[i];
        const bool mean = quantile.statistic == "mean";
        const QRectF row(places.left, places.top + static_cast<double>(i) * places.height, places.width,
                         places.height);
        if (mean) {
            const QColor band = faded(theme.good, 0.16);
            const double bound = boundOf(quantile.kind);
            painter.fillRect(QRectF(QPointF(at(places, -bound), row.top() + 1),
                                    QPointF(at(places, bound), row.bottom() - 1)),
                             band);
            painter.setPen(QPen(theme.border, 1));
            painter.drawLine(QPointF(places.area.left(), row.top()), row.topRight());
        }
        drawText(
            painter,
            QRectF(places.area.left(), row.top(), places.left - places.area.left() - spacing, row.height()),
            leftMiddle, fontOf(0.82, mean), mean ? theme.text : theme.textMuted, nameText(quantile));
        const double radius = std::min(4.5, row.height() / 2.5);
        const QPointF ours(at(places, quantile.error), row.center().y());
        painter.setPen(QPen(theme.model, 1.5));
        painter.drawLine(QPointF(at(places, 0), ours.y()), ours);
        painter.setBrush(theme.model);
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(ours, radius, radius);
        if (quantile.peerError) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.reference, 1.6));
            painter.drawEllipse(QPointF(at(places, *quantile.peerError), ours.y()), radius, radius);
        }
    }

    std::shared_ptr<const ReplayFigure> figure_;
    double reach_ = leastReach;
};

} // namespace

QString titleOf(SelfCheckChart chart) {
    static constexpr std::array titles = {"Time to first token", "Time per output token", "End to end",
                                          "Errors, ours and LLMServingSim's"};
    return QString::fromUtf8(titles.at(static_cast<std::size_t>(chart)));
}

std::unique_ptr<PlotDrawing> drawingOf(SelfCheckChart chart, std::shared_ptr<const ReplayFigure> figure) {
    if (chart == SelfCheckChart::Errors) {
        return std::make_unique<ErrorsDrawing>(std::move(figure));
    }
    ask::Report report;
    addLatencyPlot(report, *figure, latencyKinds.at(static_cast<std::size_t>(chart)));
    report.keeps.push_back(std::move(figure));
    return drawingOf(std::move(report));
}

} // namespace loadline::ui
