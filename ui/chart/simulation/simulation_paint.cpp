// What the drawings of the simulation pages share.
#include "ui/chart/simulation/simulation_paint.h"

#include "core/simulate/study/format_pair_words.h"
#include "core/text/number_format.h"
#include "ui/chart/paint_help.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QPolygonF>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr double paleness = 0.6;
constexpr double paleWidth = 1.2;
constexpr double previewWidth = 0.8;

/// A curve's points in the plot.
struct Traced {
    QPolygonF line, upper, lower; ///< lower: from the end
    QList<bool> modelled;         ///< by line
    QList<bool> preview;          ///< by line
};

Traced trace(const XyAxes& axes, std::span<const SweepPoint> points, const PointValue& value) {
    Traced traced;
    for (const SweepPoint& point : points) {
        const double x = axes.x(point.load());
        const Banded v = value(point);
        if (!std::isfinite(v.value)) {
            continue;
        }
        traced.line << QPointF(x, axes.y(v.value));
        traced.upper << QPointF(x, axes.y(v.high));
        traced.lower.prepend(QPointF(x, axes.y(v.low)));
        traced.modelled << point.modelled.isMost();
        traced.preview << point.isPreview;
    }
    return traced;
}

void paintBand(QPainter& painter, const Traced& traced, const QColor& color) {
    if (traced.line.size() < 2) {
        return;
    }
    const QColor soft = faded(color, 0.22);
    painter.setPen(Qt::NoPen);
    painter.setBrush(soft);
    painter.drawPolygon(traced.upper + traced.lower);
}

QPen penOf(const QColor& color, Qt::PenStyle style) {
    return {color, 1.8, style, Qt::FlatCap, Qt::RoundJoin};
}

} // namespace

QString nameText(Kernel kernel, const KernelNaming& naming) {
    return QString::fromStdString(nameOf(kernel, naming));
}

QString titleOf(SimulationChart chart) {
    static constexpr std::array titles = {
        "Against fp16",           "Rows M of a step",         "Where the time goes",
        "Steps that only decode", "Throughput and latencies", "Users or rate, and chunk size"};
    return QString::fromUtf8(titles.at(static_cast<std::size_t>(chart)));
}

QColor colourOf(Kernel kernel, const Theme& theme) {
    const KernelSpec& spec = specOf(kernel);
    const QColor color = spec.family == KernelFamily::Fp16     ? theme.cublas
                         : spec.family == KernelFamily::Scalar ? theme.scalarGemv
                         : spec.family == KernelFamily::Mma    ? theme.mma
                                                               : theme.dequantCublas;
    return spec.variant ? tinted(color, theme.text, 0.5) : color;
}

QColor pinnedColour(const Theme& theme) {
    return theme.cacheWrite;
}

QColor restColour(const Theme& theme) {
    return theme.rest;
}

QString restText() {
    return QStringLiteral("attention and host");
}

QColor nameColour(Kernel kernel, const Theme& theme) {
    return tinted(colourOf(kernel, theme), theme.text, 0.6);
}

QString servingText(Kernel kernel, const SimulationInputs& inputs) {
    constexpr std::size_t mostNamed = 24; // characters: the table names all
    const QString name = nameText(kernel, namingOf(inputs));
    const std::string gemms = gemmsOf(inputs.cost.model, kernel);
    if (readsKBits(kernel) || gemms.empty()) {
        return name;
    }
    return name + QStringLiteral(" (%1)").arg(gemms.size() <= mostNamed ? lineText(gemms)
                                                                        : QStringLiteral("what stays fp16"));
}

bool isHatched(Kernel kernel) {
    return specOf(kernel).afterDequantise.has_value();
}

XyAxis usersAxis(std::span<const SweepPoint> points, double most) {
    XyAxis axis{QStringLiteral("users"), 1, 256, true, false};
    if (!points.empty()) {
        const bool atRate = points.front().ratePerS > 0;
        axis.title = atRate ? QStringLiteral("turns a second") : axis.title;
        axis.low = atRate ? points.front().load() : std::max(points.front().load(), 1.0);
        axis.high = std::max({points.back().load(), axis.low * 2, most});
    }
    return axis;
}

XyAxis ratioAxis(const QString& title, const PlotExtents& extents) {
    const double least = 1 / extents[1];
    return spansDecade(least, extents[0]) ? XyAxis{title, niceBelow(least), extents[0], true}
                                          : XyAxis{title, 0, extents[0]};
}

void paintCurve(QPainter& painter, const XyAxes& axes, std::span<const SweepPoint> points,
                const PointValue& value, const QColor& color, Qt::PenStyle style, bool band) {
    const Traced traced = trace(axes, points, value);
    if (band) {
        paintBand(painter, traced, color);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(penOf(color, style));
    painter.drawPolyline(traced.line);
}

void paintRatioCurve(QPainter& painter, const XyAxes& axes, std::span<const SweepPoint> points,
                     const QColor& color, ModelledInk ink, Qt::PenStyle style, bool band) {
    const Traced traced = trace(axes, points, [](const SweepPoint& point) { return point.measure(); });
    if (band) {
        paintBand(painter, traced, color);
    }
    QPen modelled = penOf(color, Qt::DotLine);
    if (ink == ModelledInk::Pale) {
        modelled = penOf(faded(color, paleness), style);
        modelled.setWidthF(paleWidth);
    }
    paintRuns(painter, traced.line, [&](qsizetype i) {
        if (traced.preview[i] || traced.preview[i + 1]) {
            QPen thin = penOf(color, style);
            thin.setWidthF(previewWidth);
            return thin;
        }
        return traced.modelled[i] || traced.modelled[i + 1] ? modelled : penOf(color, style);
    });
}

void paintPoints(QPainter& painter, const XyAxes& axes, std::span<const SweepPoint> points,
                 const PointValue& value, const QColor& color, bool preview, const Theme& theme) {
    painter.setPen(QPen(color, 1.2));
    const Traced traced = trace(axes, points, value);
    for (qsizetype i = 0; i < traced.line.size(); ++i) {
        painter.setBrush(preview || traced.preview[i] ? theme.plotGround : color);
        painter.drawEllipse(traced.line[i], pointRadius, pointRadius);
    }
}

void paintHollow(QPainter& painter, const QPolygonF& points, const QColor& color, const Theme& theme) {
    painter.setPen(QPen(color, 1.2));
    painter.setBrush(theme.plotGround);
    for (const QPointF& at : points) {
        painter.drawEllipse(at, pointRadius, pointRadius);
    }
}

LegendEntry previewEntry(const QColor& color) {
    return {color, false, Qt::NoPen, QStringLiteral("preview"), true};
}

QString previewWords() {
    return QStringLiteral("a preview: refined when the hand rests");
}

bool anyMostlyModelled(std::span<const SweepPoint> points) {
    return std::ranges::any_of(points, [](const SweepPoint& point) { return point.modelled.isMost(); });
}

LegendEntry modelledEntry(const QColor& color, ModelledInk ink) {
    if (ink == ModelledInk::Dotted) {
        return {color, false, Qt::DotLine, QStringLiteral("mostly modelled")};
    }
    const QColor pale = faded(color, paleness);
    return {pale, false, Qt::SolidLine, QStringLiteral("pale: mostly modelled")};
}

QStringList modelledWords(const SweepPoint& point) {
    if (point.modelled.kBit == 0 && point.modelled.fp16 == 0) {
        return {};
    }
    return {QStringLiteral("%1 of the k-bit time and %2 of fp16's are modelled")
                .arg(shareText(point.modelled.kBit), shareText(point.modelled.fp16))};
}

void paintMarker(QPainter& painter, const XyAxes& axes, double users, const Theme& theme, bool hollow) {
    const double x = axes.x(users);
    painter.setPen(QPen(theme.accent, 1.4));
    painter.drawLine(QPointF(x, axes.plot().top()), QPointF(x, axes.plot().bottom()));
    painter.setBrush(hollow ? theme.plotGround : theme.accent);
    painter.drawEllipse(QPointF(x, axes.plot().top()), 4.5, 4.5);
}

const SweepPoint* nearest(std::span<const SweepPoint> points, const XyAxes& axes, double x) {
    const SweepPoint* best = nullptr;
    double distance = 1e300;
    for (const SweepPoint& point : points) {
        const double d = std::abs(axes.x(point.load()) - x);
        if (d < distance) {
            distance = d;
            best = &point;
        }
    }
    return best;
}

QString loadText(const SweepPoint& point) {
    if (point.ratePerS > 0) {
        return QStringLiteral("%1 turns a second").arg(realText(point.ratePerS));
    }
    return point.users == 1 ? QStringLiteral("1 user")
                            : QStringLiteral("%1 users").arg(exactText(point.users));
}

std::optional<PlotChange> usersAt(const XyAxes& axes, const QPointF& from, const QPointF& to) {
    if (!axes.plot().adjusted(-6, -10, 6, 0).contains(from)) {
        return std::nullopt;
    }
    PlotChange change;
    change.users = std::max<std::int64_t>(1, std::llround(axes.valueAtX(to.x())));
    return change;
}

std::optional<PlotChange> usersStepped(double users, int way) {
    PlotChange change;
    change.users = std::max<std::int64_t>(1, std::llround(users) + way);
    return change;
}

QColor colourOfK(int kBits, const Theme& theme) {
    const double share =
        static_cast<double>(std::clamp(kBits, minKBits, maxKBits) - minKBits) / (maxKBits - minKBits);
    return tinted(theme.text, tinted(theme.cacheRead, theme.cacheWrite, 0.15), share);
}

QString measureTitle(std::span<const SweepPoint> points) {
    const auto served =
        std::ranges::find_if(points, [](const SweepPoint& point) { return point.against.has_value(); });
    if (served == points.end()) {
        return QStringLiteral("time / fp16 time");
    }
    return served->ratePerS > 0 ? QStringLiteral("mean latency / fp16's")
                                : QStringLiteral("turns per second / fp16's");
}

QStringList measureWords(const SweepPoint& point, bool preview) {
    QString batches =
        QStringLiteral("%1 of fp16's time").arg(shareOfFp16Text(point.timeVsFp16.value, preview));
    if (!point.against) {
        if (!preview && point.timeVsFp16.high > point.timeVsFp16.low) {
            batches +=
                QStringLiteral(" (%1 to %2)")
                    .arg(shareOfFp16Text(point.timeVsFp16.low), shareOfFp16Text(point.timeVsFp16.high));
        }
        return {batches};
    }
    const PairedRatio& ratio = point.against->turnsPerS;
    const ServedFigures& other = point.against->figures;
    const std::string more = moreTurnsText(ratio, preview);
    QString turns = QStringLiteral("%1 turns per second %2 fp16")
                        .arg(QString::fromStdString(more),
                             more.ends_with("as many") ? QStringLiteral("as") : QStringLiteral("than"));
    if (!preview && ratio.low) {
        turns += QStringLiteral(" (%1 times)")
                     .arg(QString::fromStdString(formatTimes(*ratio.low, *ratio.high, 3)));
    }
    return {turns,
            QStringLiteral("TTFT p50 %1, fp16 %2")
                .arg(secondsText(point.ttftP50S.value), secondsText(other.ttftP50S.value)),
            QStringLiteral("TPOT p99 %1, fp16 %2")
                .arg(secondsText(point.tpotP99S.value), secondsText(other.tpotP99S.value)),
            QStringLiteral("on the same batches ") + batches};
}

void paintKernel(QPainter& painter, const QRectF& rect, Kernel kernel, const Theme& theme) {
    const QColor color = colourOf(kernel, theme);
    if (!isHatched(kernel)) {
        painter.fillRect(rect, color);
        return;
    }
    painter.fillRect(rect, tinted(color, theme.plotGround, 0.45));
    hatch(painter, rect, color, 5, 1.6);
}

QString shareOfFp16Text(double ratio, bool preview) {
    return preview ? QStringLiteral("about ") + QString::number(ratio, 'f', 1)
                   : QString::number(ratio, 'f', 2);
}

} // namespace loadline::ui
