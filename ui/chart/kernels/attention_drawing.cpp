// Microseconds of attention over tokens: a curve for each batch of decode, and for prefill.
#include "core/cost/figure/attention_figure.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/time_bar.h"
#include "core/text/number_format.h"
#include "ui/chart/kernels/kernel_paint.h"
#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/xy_axes.h"
#include "ui/theme/format.h"

#include <QLineF>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr double cursorReach = 9; // of the cursor

QString text(const std::string& words) {
    return QString::fromStdString(words);
}

class AttentionDrawing : public PlotDrawing {
public:
    AttentionDrawing(AttentionFigure figure, PlotExtents held)
        : figure_(std::move(figure)), held_(std::move(held)) {
        for (const AttentionCurve& curve : figure_.curves) {
            if (curve.phase == AttentionPhase::Decode) {
                mostBatch_ = std::max(mostBatch_, curve.batch);
            }
        }
    }

    [[nodiscard]] QString title() const override {
        return titleOf(KernelChart::Attention) +
               (cutOf(*figure_.profile).empty() ? QString() : QStringLiteral(", not complete"));
    }

    [[nodiscard]] QString sentence() const override { return text(figure_.sentence); }

    [[nodiscard]] Table table() const override { return attentionTable(figure_); }

    /// The most tokens, the inverses of the least tokens and of the shortest time, the longest time.
    [[nodiscard]] PlotExtents extents() const override {
        double most = 16;
        double least = 1e9;
        double low = 1e300;
        double high = 0;
        for (const AttentionCurve& curve : figure_.curves) {
            for (const AttentionMark& mark : curve.marks) {
                most = std::max(most, mark.tokens);
                least = std::min(least, mark.tokens);
                const TimeBar bar = barOnAxis(mark.us, {.low = mark.low, .high = mark.high});
                low = std::min({low, bar.low, mark.boundUs > 0 ? mark.boundUs : bar.low});
                high = std::max(high, bar.high);
            }
        }
        if (!(high > 0)) {
            return atLeast({most, 1, 1, 100}, held_);
        }
        return atLeast({most * 1.25, 1.25 / least, niceAbove(1 / low), niceAbove(std::max(high, 2 * low))},
                       held_);
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (figure_.curves.empty()) {
            paintNothing(painter, area, theme,
                         QStringLiteral("no attention was timed: shapes of a model give some"));
            return;
        }
        paintCurveLegend(painter, area, theme);
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        for (const AttentionCurve& curve : figure_.curves) {
            paintCurve(painter, axes, curve, theme);
        }
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        const XyAxes axes = axesOf(area);
        const AttentionCurve* nearest = nullptr;
        const AttentionMark* best = nullptr;
        double distance = cursorReach;
        for (const AttentionCurve& curve : figure_.curves) {
            for (const AttentionMark& mark : curve.marks) {
                const double d = QLineF(QPointF(axes.x(mark.tokens), axes.y(mark.us)), at).length();
                if (d < distance) {
                    distance = d;
                    nearest = &curve;
                    best = &mark;
                }
            }
        }
        return best == nullptr ? QStringList() : wordsOf(*nearest, *best);
    }

private:
    [[nodiscard]] const Profile& profileOf(const AttentionCurve& curve) const {
        return curve.profile == 0 ? *figure_.profile : *figure_.compared;
    }

    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        const PlotExtents to = extents();
        return {{QStringLiteral("tokens of each sequence (decode: in the cache)"), 1 / to[1], to[0], true},
                timeAxis(QStringLiteral("%1 a call, one layer"), 1 / to[2], to[3]),
                area.adjusted(0, 2 * kernelLegendHeight + 2, 0, 0)};
    }

    /// Decode: nearer to the text's colour with the batch. Of the compared profile: paler.
    [[nodiscard]] QColor colourOf(const AttentionCurve& curve, const Theme& theme) const {
        QColor color = theme.cublas;
        if (curve.phase == AttentionPhase::Decode) {
            const double share = std::log2(curve.batch + 1.0) / std::log2(mostBatch_ + 1.0);
            color = tinted(theme.text, theme.rest, 0.7 * share);
        }
        return curve.profile == 0 ? color : tinted(color, theme.plotGround, 0.5);
    }

    [[nodiscard]] static Kernel shapeOf(AttentionPhase phase) {
        return phase == AttentionPhase::Decode ? Kernel::Mma : Kernel::CublasFp16;
    }

    void paintCurveLegend(QPainter& painter, const QRectF& area, const Theme& theme) const {
        const QFont font = fontOf(0.82);
        double all = 0;
        for (const AttentionCurve& curve : figure_.curves) {
            all += curve.profile == 0 ? widthOf(font, nameIn(curve, true)) + 14 + 1.5 * spacing : 0;
        }
        const bool whole = all <= area.width();
        std::vector<MarkEntry> marks;
        for (const AttentionCurve& curve : figure_.curves) {
            if (curve.profile != 0) {
                break; // paler, and named by the other's
            }
            marks.push_back({shapeOf(curve.phase), colourOf(curve, theme), nameIn(curve, whole)});
        }
        paintMarkLegend(painter, area, marks, styleEntries(theme), theme);
    }

    /// Short: "decode x 8", as narrow tiles have room for.
    [[nodiscard]] QString nameIn(const AttentionCurve& curve, bool whole) const {
        return whole ? text(nameOf(curve, figure_.severalHeads))
                     : text(std::string(keyOf(curve.phase))) +
                           QStringLiteral(" \u00D7\u00A0%1").arg(curve.batch);
    }

    /// Returns the legend entries of line styles and paler colours.
    [[nodiscard]] std::vector<LegendEntry> styleEntries(const Theme& theme) const {
        const auto occurs = [&](Qt::PenStyle style) {
            return std::ranges::any_of(figure_.curves, [&](const AttentionCurve& curve) {
                return styleOf(originOf(curve), !profileOf(curve).source.empty()) == style;
            });
        };
        std::vector<LegendEntry> entries =
            originEntries(occurs(Qt::SolidLine), occurs(Qt::DashLine), occurs(Qt::DotLine), theme);
        if (!figure_.boundSource.empty()) {
            entries.push_back({theme.textMuted, false, Qt::DashDotLine,
                               QStringLiteral("shortest time: ") + text(figure_.boundSource)});
        }
        if (figure_.compared) {
            entries.push_back({tinted(theme.text, theme.plotGround, 0.5), false, Qt::NoPen,
                               QStringLiteral("paler: ") + text(figure_.compared->name)});
        }
        return entries;
    }

    /// The worst of its points.
    [[nodiscard]] PointOrigin originOf(const AttentionCurve& curve) const {
        PointOrigin origin = PointOrigin::Measured;
        for (const AttentionMark& mark : curve.marks) {
            origin = std::max(origin, profileOf(curve).attention[mark.point].origin);
        }
        return origin;
    }

    void paintCurve(QPainter& painter, const XyAxes& axes, const AttentionCurve& curve,
                    const Theme& theme) const {
        const QColor color = colourOf(curve, theme);
        const bool elsewhere = !profileOf(curve).source.empty();
        QPolygonF line;
        QPolygonF bound;
        for (const AttentionMark& mark : curve.marks) {
            line << QPointF(axes.x(mark.tokens), axes.y(mark.us));
            if (mark.boundUs > 0) {
                bound << QPointF(axes.x(mark.tokens), axes.y(mark.boundUs));
            }
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(tinted(color, theme.plotGround, 0.5), 1, Qt::DashDotLine));
        painter.drawPolyline(bound);
        painter.setPen(QPen(color, curve.profile == 0 ? 1.8 : 1.3, styleOf(originOf(curve), elsewhere)));
        painter.drawPolyline(line);
        for (const AttentionMark& mark : curve.marks) {
            const AttentionTiming& timing = profileOf(curve).attention[mark.point];
            const QPointF at(axes.x(mark.tokens), axes.y(mark.us));
            painter.setPen(QPen(color, 1.2));
            painter.drawLine(QPointF(at.x(), axes.y(mark.low)), QPointF(at.x(), axes.y(mark.high)));
            paintMark(painter, at, shapeOf(curve.phase), color,
                      timing.origin == PointOrigin::Measured && !elsewhere, false, theme);
            if (!timing.flags.empty()) {
                paintFlag(painter, at, theme);
            }
        }
    }

    [[nodiscard]] QStringList wordsOf(const AttentionCurve& curve, const AttentionMark& mark) const {
        const AttentionTiming& timing = profileOf(curve).attention[mark.point];
        QStringList lines{
            QStringLiteral("%1 of %2 tokens").arg(text(nameOf(curve, true)), exactText(timing.call.tokens)),
            QStringLiteral("%1 (%2 to %3), %4 GB of context")
                .arg(usText(mark.us), usText(mark.low), usText(mark.high),
                     realText(contextBytes(timing.call) / 1e9, 3))};
        if (mark.boundUs > 0) {
            lines << QStringLiteral("%1 of the ceiling: %2 by %3 (%4)")
                         .arg(shareText(mark.fraction), usText(mark.boundUs),
                              mark.byArithmetic ? QStringLiteral("arithmetic") : QStringLiteral("memory"),
                              text(figure_.boundSource));
        }
        lines << flagWords(timing.flags);
        lines << text(std::string(keyOf(timing.origin)) + ": " + profileOf(curve).device);
        return lines;
    }

    AttentionFigure figure_;
    PlotExtents held_;
    int mostBatch_ = 1;
};

} // namespace

std::unique_ptr<PlotDrawing> attentionDrawing(const KernelFigure& figure, PlotExtents held) {
    return std::make_unique<AttentionDrawing>(attentionFigure(figure.inputs.profile, figure.inputs.compared),
                                              std::move(held));
}

} // namespace loadline::ui
