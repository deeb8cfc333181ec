// Parts that the drawings of the Kernels page share.
#include "ui/chart/kernels/kernel_paint.h"

#include "core/cost/figure/kernel_figure_tables.h"
#include "core/cost/kernel/kernel_ink.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_place.h"
#include "core/cost/profile/unsteady.h"
#include "ui/chart/paint_help.h"
#include "ui/plot/plot_marks.h"
#include "ui/theme/format.h"

#include <QPolygonF>

#include <algorithm>
#include <array>

namespace loadline::ui {
namespace {

constexpr double markRadius = 3.6;
constexpr double kernelMarkReach = 9;

QPolygonF around(const QPointF& at, std::initializer_list<QPointF> corners) {
    QPolygonF shape;
    for (const QPointF& corner : corners) {
        shape << at + corner * markRadius;
    }
    return shape;
}

bool isPick(const MarkedPoint& marked, const KernelPick& pick) {
    return marked.curve->profile == pick.profile && marked.curve->kernel == pick.kernel &&
           marked.point->rowsM == pick.rowsM;
}

const Profile& profileOf(const KernelFigure& figure, int index) {
    return index == 0 ? *figure.inputs.profile : *figure.inputs.compared;
}

QString labelText(const KernelFigure& figure, int profile) {
    return QString::fromStdString(profileLabelIn(figure, profile));
}

} // namespace

QString usText(double us) {
    return secondsText(us * 1e-6).replace(u' ', QChar(QChar::Nbsp));
}

QString aboveCeilingText(bool byArithmetic) {
    return byArithmetic
               ? QStringLiteral(
                     "above 100\u202F%: more arithmetic a second than the ceiling's rate of arithmetic")
               : QStringLiteral(
                     "above 100\u202F%: its weights came from a cache, faster than the memory's rate");
}

QString whatText(const KernelFigure& figure) {
    return QStringLiteral("%1, k = %2")
        .arg(QString::fromStdString(textOf(figure.inputs.shape)))
        .arg(figure.inputs.kBits);
}

QString cutText(const KernelFigure& figure) {
    return (isUnvalidated(*figure.inputs.profile) ? QStringLiteral(", modelled, unvalidated") : QString()) +
           (cutOf(*figure.inputs.profile).empty() ? QString() : QStringLiteral(", not complete"));
}

QString crossingLabel(const KernelFigure& figure, const KernelCrossing& crossing) {
    const KernelNaming naming = namingOf(figure, 0);
    const QString text =
        QStringLiteral("M = %1 rows: %2").arg(exactText(crossing.rowsM), nameText(crossing.to, naming));
    return crossing.pointsEnd
               ? text + QStringLiteral(" (%1 not timed beyond)").arg(nameText(crossing.from, naming))
               : text;
}

QString titleOf(KernelChart chart) {
    static constexpr std::array titles = {"Time over rows M", "Share of the ceiling",
                                          "Attention over context"};
    return QString::fromUtf8(titles.at(static_cast<std::size_t>(chart)));
}

Qt::PenStyle styleOf(PointOrigin origin, bool elsewhere) {
    if (origin == PointOrigin::Modelled) {
        return Qt::DotLine;
    }
    return origin == PointOrigin::Published || elsewhere ? Qt::DashLine : Qt::SolidLine;
}

QColor colourOf(Kernel kernel, const Theme& theme) {
    return colourOf(inkOf(kernel), theme);
}

QString nameText(Kernel kernel, const KernelNaming& naming) {
    return QString::fromStdString(nameOf(kernel, naming));
}

QColor colourOf(const KernelCurve& curve, const Theme& theme) {
    QColor color = colourOf(curve.kernel, theme);
    if (!specOf(curve.kernel).serves) {
        color = tinted(color, theme.plotGround, 0.6);
    }
    return curve.profile == 0 ? color : tinted(color, theme.plotGround, 0.5);
}

void paintMark(QPainter& painter, const QPointF& at, Kernel kernel, const QColor& color, bool filled,
               bool picked, const Theme& theme) {
    if (picked) {
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, 7.5, 7.5);
    }
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(filled ? color : theme.plotGround);
    const KernelSpec& spec = specOf(kernel);
    if (spec.variant) {
        painter.drawPolygon(around(at, {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}}));
        return;
    }
    switch (spec.family) {
    case KernelFamily::Scalar:
        painter.drawEllipse(at, markRadius, markRadius);
        break;
    case KernelFamily::Mma:
        painter.drawPolygon(around(at, {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}}));
        break;
    case KernelFamily::Fp16:
    case KernelFamily::Library:
    case KernelFamily::Beside:
        painter.drawPolygon(around(at, {{0, -1.2}, {1.1, 0.9}, {-1.1, 0.9}}));
        break;
    case KernelFamily::Dequantise:
        painter.drawPolygon(around(at, {{0, 1.2}, {1.1, -0.9}, {-1.1, -0.9}}));
        break;
    }
}

void paintFlag(QPainter& painter, const QPointF& at, const Theme& theme) {
    painter.setPen(QPen(theme.warning, 1.6));
    painter.drawLine(at + QPointF(4, -4), at + QPointF(8, -8));
}

void paintInterrupted(QPainter& painter, const QPointF& at, const Theme& theme) {
    constexpr double reach = 6;
    painter.setPen(QPen(theme.warning, 1.6));
    painter.drawLine(at + QPointF(-reach, -reach), at + QPointF(reach, reach));
    painter.drawLine(at + QPointF(-reach, reach), at + QPointF(reach, -reach));
}

QString interruptedText(const KernelFigure& figure) {
    int all = 0;
    int interrupted = 0;
    for (const KernelCurve& curve : figure.curves) {
        for (const KernelMark& mark : curve.marks) {
            ++all;
            interrupted += isInterrupted(profileOf(figure, curve.profile).points[mark.point]) ? 1 : 0;
        }
    }
    return interrupted == 0 ? QString()
                            : QStringLiteral("crossed out: interrupted, %1 of %2").arg(interrupted).arg(all);
}

QString warmMarksText(const KernelFigure& figure) {
    int all = 0;
    int warm = 0;
    for (const KernelCurve& curve : figure.curves) {
        for (const KernelMark& mark : curve.marks) {
            ++all;
            warm += isWarm(profileOf(figure, curve.profile).points[mark.point]) ? 1 : 0;
        }
    }
    return warm == 0 ? QString() : QStringLiteral("ticked: warm, from a cache, %1 of %2").arg(warm).arg(all);
}

std::vector<LegendEntry> originEntries(bool here, bool elsewhere, bool modelled, const Theme& theme) {
    std::vector<LegendEntry> entries;
    if (here) {
        entries.push_back({theme.text, false, Qt::SolidLine, QStringLiteral("measured here")});
    }
    if (elsewhere) {
        entries.push_back({theme.text, false, Qt::DashLine, QStringLiteral("measured elsewhere")});
    }
    if (modelled) {
        entries.push_back({theme.text, false, Qt::DotLine, QStringLiteral("modelled")});
    }
    return entries;
}

QStringList flagWords(const std::vector<std::string>& flags) {
    const QStringList words = listFromUtf8(flags);
    return words.isEmpty() ? words : QStringList(words.join(QStringLiteral(", ")));
}

void paintMarkLegend(QPainter& painter, const QRectF& area, const std::vector<MarkEntry>& marks,
                     const std::vector<LegendEntry>& lines, const Theme& theme) {
    const QFont font = fontOf(0.82);
    double x = area.left();
    const double y = area.top() + kernelLegendHeight / 2;
    for (const MarkEntry& mark : marks) {
        const double width = widthOf(font, mark.text);
        if (x + 16 + width > area.right() && x > area.left()) {
            break; // the table names all
        }
        paintMark(painter, {x + 5, y}, mark.shape, mark.color, true, false, theme);
        drawText(painter, QRectF(x + 14, y - kernelLegendHeight / 2, width + 2, kernelLegendHeight),
                 leftMiddle, font, theme.text, mark.text);
        x += 14 + width + 1.5 * spacing;
    }
    paintLegend(painter,
                QRectF(area.left(), area.top() + kernelLegendHeight, area.width(), kernelLegendHeight), lines,
                theme);
}

void paintKernelLegend(QPainter& painter, const QRectF& area, const KernelFigure& figure,
                       const Theme& theme) {
    std::vector<MarkEntry> marks;
    for (const KernelCurve& curve : figure.curves) {
        if (curve.profile == 0) {
            marks.push_back(
                {curve.kernel, colourOf(curve, theme), nameText(curve.kernel, namingOf(figure, 0))});
        }
    }
    bool published = false;
    bool here = false;
    bool modelled = false;
    for (const KernelCurve& curve : figure.curves) {
        const bool elsewhere = !profileOf(figure, curve.profile).source.empty();
        for (const KernelSample& sample : curve.line) {
            const Qt::PenStyle style = styleOf(sample.time.origin, elsewhere);
            published = published || style == Qt::DashLine;
            here = here || style == Qt::SolidLine;
            modelled = modelled || style == Qt::DotLine;
        }
    }
    std::vector<LegendEntry> entries = originEntries(here, published, modelled, theme);
    if (const QString text = interruptedText(figure); !text.isEmpty()) {
        entries.push_back({theme.warning, false, Qt::NoPen, text});
    }
    if (const QString text = warmMarksText(figure); !text.isEmpty()) {
        entries.push_back({theme.warning, false, Qt::NoPen, text});
    }
    if (figure.inputs.compared) {
        entries.push_back({tinted(theme.text, theme.plotGround, 0.5), false, Qt::NoPen,
                           QStringLiteral("paler: ") + labelText(figure, 1)});
    }
    paintMarkLegend(painter, area, marks, entries, theme);
}

std::vector<MarkedPoint> marksOf(KernelChart chart, const KernelFigure& figure) {
    std::vector<MarkedPoint> marks;
    for (const KernelCurve& curve : figure.curves) {
        const Profile& profile = profileOf(figure, curve.profile);
        for (const KernelMark& mark : curve.marks) {
            if (chart == KernelChart::Times || mark.boundUs > 0) {
                marks.push_back({&curve, &mark, &profile.points[mark.point], !profile.source.empty()});
            }
        }
    }
    return marks;
}

std::optional<KernelPick> pickOf(KernelChart chart, const KernelFigure& figure, int item) {
    const std::vector<MarkedPoint> marks =
        chart == KernelChart::Attention ? std::vector<MarkedPoint>() : marksOf(chart, figure);
    if (item < 0 || item >= static_cast<int>(marks.size())) {
        return std::nullopt;
    }
    const MarkedPoint& marked = marks[static_cast<std::size_t>(item)];
    return KernelPick{marked.curve->profile, marked.curve->kernel, marked.point->rowsM};
}

void KernelsDrawing::setMarks(std::vector<MarkedPoint> marks, const std::optional<KernelPick>& picked) {
    marks_ = std::move(marks);
    for (std::size_t i = 0; picked && i < marks_.size(); ++i) {
        if (isPick(marks_[i], *picked)) {
            picked_ = static_cast<int>(i);
        }
    }
}

std::vector<QPointF> KernelsDrawing::items(const QRectF& area) const {
    const XyAxes axes = axesOf(area);
    std::vector<QPointF> places;
    for (const MarkedPoint& marked : marks_) {
        places.emplace_back(axes.x(marked.mark->rowsM), axes.y(valueOf(marked)));
    }
    return places;
}

bool KernelsDrawing::elsewhere(int profile) const {
    return !profileOf(*figure_, profile).source.empty();
}

void KernelsDrawing::paintMarks(QPainter& painter, const XyAxes& axes, const Theme& theme) const {
    for (int i = 0; i < static_cast<int>(marks_.size()); ++i) {
        const MarkedPoint& marked = marks_[static_cast<std::size_t>(i)];
        const QPointF at(axes.x(marked.mark->rowsM), axes.y(valueOf(marked)));
        const bool interrupted = isInterrupted(*marked.point);
        const bool here = marked.point->origin == PointOrigin::Measured && !marked.elsewhere;
        paintMark(painter, at, marked.curve->kernel, colourOf(*marked.curve, theme), here && !interrupted,
                  i == picked_, theme);
        if (interrupted) {
            paintInterrupted(painter, at, theme);
        } else if (isFlagged(*marked.point) || isWarm(*marked.point)) {
            paintFlag(painter, at, theme);
        }
    }
}

const MarkedPoint* KernelsDrawing::markAt(const QPointF& at, const QRectF& area) const {
    const int item = nearestOf(items(area), at, kernelMarkReach);
    return item < 0 ? nullptr : &marks_[static_cast<std::size_t>(item)];
}

QStringList KernelsDrawing::wordsOf(const MarkedPoint& marked) const {
    const KernelMark& mark = *marked.mark;
    QStringList lines{
        nameText(marked.curve->kernel, namingOf(*figure_, marked.curve->profile)) +
            (marked.point->rowsM > 0 ? QStringLiteral(", M = ") + exactText(marked.point->rowsM)
                                     : QStringLiteral(", whatever M is")),
        mark.low < mark.high
            ? QStringLiteral("%1 (%2 to %3)").arg(usText(mark.us), usText(mark.low), usText(mark.high))
            : QStringLiteral("%1, no error bar").arg(usText(mark.us))};
    if (mark.boundUs > 0) {
        lines << QStringLiteral("%1 of the ceiling: %2 by %3")
                     .arg(shareText(mark.fraction), usText(mark.boundUs),
                          mark.byArithmetic ? QStringLiteral("arithmetic") : QStringLiteral("memory"));
        if (mark.fraction > 1) {
            lines << aboveCeilingText(mark.byArithmetic);
        }
    }
    if (mark.partsUs > 0) {
        lines << QStringLiteral("both in one go: %1 of %2 apart")
                     .arg(shareText(mark.us / mark.partsUs), usText(mark.partsUs));
    }
    lines << flagWords(marked.point->flags);
    lines << QString::fromUtf8(originWords(profileOf(*figure_, marked.curve->profile), *marked.point)) +
                 (figure_->inputs.compared ? QStringLiteral(": ") + labelText(*figure_, marked.curve->profile)
                                           : QString());
    return lines;
}

} // namespace loadline::ui
