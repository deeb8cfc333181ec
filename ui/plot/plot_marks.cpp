// The answer layer, mark by mark.
#include "ui/plot/plot_marks.h"

#include "ui/chart/paint_help.h"
#include "ui/plot/plot_cells.h"
#include "ui/plot/plot_rules.h"
#include "ui/plot/plot_shapes.h"

#include <QPaintEngine>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace loadline::ui {
namespace {

using ask::Basis;
using ask::Ink;
using ask::Kind;

constexpr double dotRadius = 2.6, diamondRadius = 3.6;
constexpr double dotShare = 0.6;

/// Draws some points of a line. Qt strokes a long line that overlaps itself as one outline, in time that
/// grows with the square of its length: 1 000 jagged points took fifty times as long as their segments. So
/// pixels get segments, whose square ends cover the joints, and dashed ones short pieces; SVG and PDF the
/// whole.
void paintStroke(QPainter& painter, std::span<const QPointF> points, QPen pen) {
    constexpr std::size_t dashedPiece = 8;
    const auto draw = [&](std::span<const QPointF> some) {
        painter.setPen(pen);
        painter.drawPolyline(some.data(), static_cast<int>(some.size()));
    };
    if (painter.paintEngine()->type() != QPaintEngine::Raster) {
        draw(points);
    } else if (pen.style() == Qt::SolidLine) {
        pen.setCapStyle(Qt::SquareCap);
        QList<QLineF> segments;
        for (std::size_t i = 1; i < points.size(); ++i) {
            segments << QLineF(points[i - 1], points[i]);
        }
        painter.setPen(pen);
        painter.drawLines(segments);
    } else {
        double drawn = 0; // in widths of the pen, as dashes are counted
        for (std::size_t i = 0; i + 1 < points.size(); i += dashedPiece) {
            const std::span piece = points.subspan(i, std::min(dashedPiece + 1, points.size() - i));
            pen.setDashOffset(drawn);
            draw(piece);
            for (std::size_t j = 1; j < piece.size(); ++j) {
                drawn += QLineF(piece[j - 1], piece[j]).length() / pen.widthF();
            }
        }
    }
}

void paintLines(QPainter& painter, const SceneMark& mark, const PlotAxes& axes, const Theme& theme) {
    const bool isBackground = mark.mark->background;
    painter.setBrush(Qt::NoBrush);
    for (const PlotLine& line : linesOf(mark, axes, pixelOf(painter))) {
        const QColor color = colourOf(mark, line.series, theme);
        const std::span<const QPointF> points(line.points.constData(),
                                              static_cast<std::size_t>(line.points.size()));
        if (points.size() == 1) {
            painter.setPen(QPen(color, 3, Qt::SolidLine, Qt::RoundCap));
            painter.drawPoint(points.front());
            continue;
        }
        const auto styleAt = [&](std::size_t i) { // of the segment that begins there
            return isBackground || mark.mark->dashed ? Qt::DashLine
                                                     : lineOf(std::max(line.basis[i], line.basis[i + 1]));
        };
        for (std::size_t begin = 0, end = 0; begin + 1 < points.size(); begin = end) {
            for (end = begin + 1; end + 1 < points.size() && styleAt(end) == styleAt(begin);) {
                ++end;
            }
            paintStroke(painter, points.subspan(begin, end - begin + 1),
                        QPen(color, isBackground ? 1.2 : 2, styleAt(begin), Qt::FlatCap, Qt::RoundJoin));
        }
    }
}

void paintAreas(QPainter& painter, const SceneMark& mark, const PlotAxes& axes, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    for (const PlotArea& area : areasOf(mark, axes, pixelOf(painter))) {
        const QColor soft = faded(colourOf(mark, area.series, theme), areaShare);
        painter.setBrush(soft);
        painter.drawPolygon(area.outline);
    }
}

void paintBoxes(QPainter& painter, const SceneMark& mark, const PlotAxes& axes, const Theme& theme) {
    constexpr double leastWithGap = 3;
    for (PlotBox box : boxesOf(mark, axes, pixelOf(painter))) {
        const QColor color = colourOf(mark, mark.seriesAt(box.row), theme);
        if (mark.mark->kind == Kind::Bars && box.rect.width() > leastWithGap) {
            box.rect.setWidth(box.rect.width() - 1);
        }
        if (mark.mark->background) {
            painter.fillRect(box.rect, faded(color, paleShare));
        } else {
            paintBox(painter, box.rect, color, mark.mark->dashed ? Basis::Published : mark.basisAt(box.row),
                     theme);
        }
    }
}

void paintDots(QPainter& painter, const SceneMark& mark, const PlotAxes& axes, const Theme& theme) {
    const bool isDiamond = mark.mark->ink == Ink::Warning || mark.mark->ink == Ink::Error;
    for (const PlotDot& dot : dotsOf(mark, axes, pixelOf(painter))) {
        const QColor color = colourOf(mark, mark.seriesAt(dot.row), theme);
        const QPointF at = dot.at;
        if (!mark.y2.empty() && !std::isnan(mark.y2[dot.row])) {
            painter.setPen(QPen(color, 1.2));
            painter.drawLine(at, QPointF(at.x(), axes.y(mark.y2[dot.row], mark.mark->onRight)));
        }
        const bool hollow = isHollow(mark.basisAt(dot.row));
        const QColor fill = hollow ? theme.plotGround : faded(color, dotShare);
        painter.setPen(hollow ? QPen(color, 1.2) : QPen(Qt::NoPen));
        painter.setBrush(fill);
        if (mark.basisAt(dot.row) == Basis::AtLeast) { // it may lie higher
            constexpr double arrow = 9, wing = 3;
            const QPointF tip = at - QPointF(0, arrow);
            painter.setPen(QPen(color, 1.2));
            painter.drawPolyline(QPolygonF({at, tip, tip + QPointF(-wing, wing)}));
            painter.drawLine(tip, tip + QPointF(wing, wing));
            painter.setPen(Qt::NoPen);
        }
        if (isDiamond) {
            painter.drawPolygon(QPolygonF({at + QPointF(0, -diamondRadius), at + QPointF(diamondRadius, 0),
                                           at + QPointF(0, diamondRadius), at + QPointF(-diamondRadius, 0)}));
        } else {
            painter.drawEllipse(at, dotRadius, dotRadius);
        }
    }
}

void paintRanges(QPainter& painter, const SceneMark& mark, const PlotAxes& axes, const Theme& theme) {
    for (const PlotLine& range : rangesOf(mark, axes, pixelOf(painter))) {
        painter.setPen(QPen(colourOf(mark, range.series, theme), 1.2));
        painter.drawLine(range.points.front(), range.points.back());
    }
}

void paintFlags(QPainter& painter, const SceneMark& mark, const PlotAxes& axes, const Theme& theme) {
    constexpr double half = 4, high = 7;
    for (const PlotDot& dot : dotsOf(mark, axes, pixelOf(painter))) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colourOf(mark, mark.seriesAt(dot.row), theme));
        painter.drawPolygon(
            QPolygonF({dot.at, dot.at + QPointF(half, -high), dot.at + QPointF(-half, -high)}));
    }
}

/// A name where it covers none before it.
void paintLabels(QPainter& painter, const SceneMark& mark, const PlotAxes& axes, const Theme& theme) {
    const QFont font = fontOf(0.82);
    std::vector<QRectF> taken;
    for (const PlotDot& dot : dotsOf(mark, axes, pixelOf(painter))) {
        const QString text = mark.labels.empty() ? QString() : QString::fromStdString(mark.labels[dot.row]);
        const double above = axes.scene().y.hasNames() ? heightOf(font) / 2 : heightOf(font) + 2;
        const QRectF place(dot.at.x() + 4, dot.at.y() - above, widthOf(font, text) + 2, heightOf(font));
        const bool isFree =
            std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(place); });
        if (!text.isEmpty() && isFree && axes.plot().contains(place)) {
            drawText(painter, place, leftMiddle, font, theme.text, text);
            taken.push_back(place);
        }
    }
}

/// True if it covers what lies below it.
bool isBox(const SceneMark& mark) {
    return mark.mark->kind == Kind::Bars || mark.mark->kind == Kind::Spans || mark.mark->kind == Kind::Cells;
}

void paintMark(QPainter& painter, const SceneMark& mark, const PlotAxes& axes, const Theme& theme) {
    switch (mark.mark->kind) {
    case Kind::Line:
    case Kind::Step:
        return paintLines(painter, mark, axes, theme);
    case Kind::Area:
        return paintAreas(painter, mark, axes, theme);
    case Kind::Points:
        return paintDots(painter, mark, axes, theme);
    case Kind::Bars:
    case Kind::Spans:
        return paintBoxes(painter, mark, axes, theme);
    case Kind::Cells:
        return paintCells(painter, mark, axes, theme);
    case Kind::Flags:
        paintFlags(painter, mark, axes, theme);
        [[fallthrough]];
    case Kind::Labels:
        return paintLabels(painter, mark, axes, theme);
    case Kind::Ranges:
        return paintRanges(painter, mark, axes, theme);
    }
}

} // namespace

double pixelOf(const QPainter& painter) {
    constexpr double finest = 4;
    return 1 / std::clamp(std::abs(painter.deviceTransform().m11()), 1.0, finest);
}

QColor colourOf(const SceneMark& mark, std::size_t series, const Theme& theme) {
    constexpr double comparedShare = 0.5; // of the ground: clearly behind, still of its colour
    const std::vector<Ink>& inks = mark.mark->inks;
    const QColor color =
        mark.mark->ink == Ink::Graded
            ? tinted(theme.text, tinted(theme.cacheRead, theme.cacheWrite, 0.15), mark.mark->grade)
            : colourOf(series < inks.size() ? inks[series] : mark.mark->ink, theme, series);
    return mark.mark->pale ? tinted(color, theme.plotGround, comparedShare) : color;
}

QColor colourOf(Ink ink, const Theme& theme, std::size_t series) {
    const std::array inSeries = {theme.cacheWrite, theme.uncachedInput, theme.scalarGemv, theme.mma,
                                 theme.cacheRead,  theme.output,        theme.tools,      theme.model};
    switch (ink) {
    case Ink::Series:
        return inSeries[series % inSeries.size()];
    case Ink::Accent:
        return theme.accent;
    case Ink::Text:
        return theme.text;
    case Ink::Muted:
        return theme.textMuted;
    case Ink::CacheRead:
        return theme.cacheRead;
    case Ink::CacheWrite:
        return theme.cacheWrite;
    case Ink::Uncached:
        return theme.uncachedInput;
    case Ink::Output:
        return theme.output;
    case Ink::Fp16:
        return theme.cublas;
    case Ink::Scalar:
        return theme.scalarGemv;
    case Ink::Kernel:
        return theme.mma;
    case Ink::KernelVariant:
        return tinted(theme.mma, theme.text, 0.5);
    case Ink::Dequantise:
        return theme.dequantCublas;
    case Ink::Rest:
        return theme.rest;
    case Ink::Idle:
        return theme.idle;
    case Ink::Good:
        return theme.good;
    case Ink::Warning:
        return theme.warning;
    case Ink::Error:
        return theme.error;
    case Ink::NewInput:
        return theme.newInput;
    case Ink::Model:
        return theme.model;
    case Ink::Reference:
        return theme.reference;
    case Ink::Graded:
        break;
    }
    return theme.text;
}

bool isHollow(Basis basis) {
    return basis > Basis::Measured || basis == Basis::Estimated;
}

Qt::PenStyle lineOf(Basis basis) {
    return basis == Basis::Published ? Qt::DashLine : basis == Basis::Modelled ? Qt::DotLine : Qt::SolidLine;
}

void paintBox(QPainter& painter, const QRectF& rect, const QColor& color, Basis basis, const Theme& theme) {
    const QColor pale = tinted(color, theme.plotGround, paleShare);
    switch (basis) {
    case Basis::Exact:
    case Basis::Measured:
        painter.fillRect(rect, color);
        break;
    case Basis::Estimated:
        painter.fillRect(rect, pale);
        break;
    case Basis::Published:
        painter.fillRect(rect, pale);
        hatch(painter, rect, color, 5, 1.6);
        break;
    case Basis::Modelled:
        painter.fillRect(rect, pale);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, 1, Qt::DotLine));
        painter.drawRect(rect);
        break;
    case Basis::AtLeast:
        painter.fillRect(rect, pale);
        painter.setPen(QPen(color, 1.4));
        painter.drawPolyline(
            QPolygonF({rect.topLeft(), rect.bottomLeft(), rect.bottomRight(), rect.topRight()}));
        break;
    }
}

void paintMarks(QPainter& painter, const PlotAxes& axes, const Theme& theme) {
    const auto paint = [&](bool background, bool boxes) {
        for (const SceneMark& mark : axes.scene().marks) {
            if (mark.mark->background == background && isBox(mark) == boxes) {
                paintMark(painter, mark, axes, theme);
            }
        }
    };
    paint(true, true);
    paint(true, false);
    paintStillBands(painter, axes, theme);
    paint(false, true);
    paintStillLines(painter, axes, theme);
    paint(false, false);
    paintStillNames(painter, axes, theme);
}

} // namespace loadline::ui
