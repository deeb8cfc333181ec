// Paints the lanes below the crossover chart.
#include "ui/chart/simulation/crossover_lanes.h"

#include "core/simulate/study/crossing_words.h"
#include "ui/chart/paint_help.h"
#include "ui/theme/plain_text.h"

#include <algorithm>

namespace loadline::ui {
namespace {

QString rangeText(const char* what, const Crossover& crossover, const CrossoverInterval& range) {
    return QStringLiteral("%1: %2").arg(QString::fromLatin1(what),
                                        QString::fromStdString(wordsOf(crossover, range)));
}

/// Verdict on a mean curve that crosses nowhere.
QString throughoutText(const Crossover& crossover) {
    const bool isSlower = crossover.kind == CrossoverKind::QuantisedSlower;
    const QString verdict = crossover.byTurns
                                ? (isSlower ? QStringLiteral("fewer turns") : QStringLiteral("more turns"))
                                : (isSlower ? QStringLiteral("slower") : QStringLiteral("faster"));
    return crossover.all.shareOtherwise > 0
               ? QStringLiteral("%1 in the mean; %2")
                     .arg(verdict, QString::fromStdString(wordsOf(crossover, crossover.all)))
               : verdict + QStringLiteral(" throughout");
}

} // namespace

std::vector<CrossoverLane> lanesOf(const CrossoverCurves& curves) {
    std::vector<CrossoverLane> lanes;
    for (const Crossover& crossover : curves.crossovers) {
        lanes.push_back({&crossover, false});
        for (const Crossover& other : curves.otherCrossovers) {
            if (other.kBits == crossover.kBits) {
                lanes.push_back({&other, true});
            }
        }
    }
    return lanes;
}

QString scopeText(StepScope scope) {
    return scope == StepScope::WholeStep ? QStringLiteral("Whole steps") : QStringLiteral("GEMMs alone");
}

QStringList wordsOfLane(const Crossover& c) {
    if (c.isMisfit()) {
        return {QString::fromStdString(c.sentence)};
    }
    return {scopeText(c.scope) + QStringLiteral(": ") + QString::fromStdString(c.sentence),
            rangeText("all together", c, c.all), rangeText("chance in the turns", c, c.replicas),
            rangeText("which sessions", c, c.sessions), rangeText("kernel times", c, c.kernels)};
}

double laneNameWidth(const CrossoverCurves& curves) {
    return widthOf(fontOf(0.82, true), curves.otherCrossovers.empty() ? QStringLiteral("k = 5")
                                                                      : QStringLiteral("k = 5, whole step")) +
           spacing;
}

QColor otherScopeColour(const Theme& theme) {
    return theme.model;
}

void paintLane(QPainter& painter, const XyAxes& axes, const QRectF& row, const CrossoverLane& lane,
               const CrossoverCurves& now, const Theme& theme) {
    const Crossover& c = *lane.crossover;
    const QFont font = fontOf(0.82);
    const double y = row.center().y();
    const bool both = !now.otherCrossovers.empty();
    const QString words =
        QStringLiteral("k = %1").arg(c.kBits) +
        (both ? (c.scope == StepScope::WholeStep ? QStringLiteral(", whole step") : QStringLiteral(", GEMMs"))
              : QString());
    drawText(painter, QRectF(row.left(), row.top(), axes.plot().left() - row.left(), row.height()),
             leftMiddle, c.kBits == now.kBits ? fontOf(0.82, true) : font, colourOfK(c.kBits, theme), words);
    const auto line = [&](double from, double to) {
        painter.setPen(QPen(theme.grid, 1));
        painter.drawLine(QPointF(from, y), QPointF(std::max(from, to), y));
    };
    const double end = axes.plot().right();
    double bar = axes.plot().left();                     // where the interval's bar ends
    const auto verdictIs = [&](const QString& verdict) { // the line goes on behind it
        const double width = widthOf(font, verdict) + spacing;
        const double left = bar + spacing + width <= end ? bar : axes.plot().left();
        const QRectF place(left + spacing, row.top(), width, row.height());
        if (place.left() < bar) { // over the bar
            painter.fillRect(place, theme.panel);
        }
        drawText(painter, place, leftMiddle, font, theme.text, verdict);
        line(place.right() + spacing, end);
    };
    if (c.isMisfit()) {
        verdictIs(c.misfit.empty() ? doesNotFitText(c.memory) : lineText(c.misfit));
        return;
    }
    const QColor ink = lane.other ? otherScopeColour(theme) : theme.warning;
    if (!c.crossings.empty()) {
        line(axes.plot().left(), end);
    }
    if (c.all.low || c.all.high || c.all.otherwiseUsers) {
        const double left = c.all.low ? axes.x(*c.all.low) : axes.plot().left();
        const double right = c.all.high ? axes.x(*c.all.high) : axes.plot().right();
        painter.fillRect(QRectF(left, y - 4, std::max(1.5, right - left), 8),
                         tinted(ink, theme.plotGround, 0.4));
        bar = right;
    }
    painter.setPen(QPen(ink, 1.8));
    painter.setBrush(theme.plotGround);
    for (const Crossing& crossing : c.crossings) {
        const QPointF at(axes.x(crossing.users), y);
        if (lane.other) {
            painter.drawRect(QRectF(at - QPointF(3.5, 3.5), QSizeF(7, 7)));
        } else {
            painter.drawEllipse(at, 4, 4);
        }
    }
    if (c.crossings.empty()) {
        verdictIs(throughoutText(c));
    }
}

void paintPinnedLane(QPainter& painter, const XyAxes& axes, const QRectF& row, const CrossoverLane& lane,
                     const CrossoverCurves& pinned, const Theme& theme) {
    for (const Crossover& other : pinned.crossovers) {
        if (other.kBits != lane.crossover->kBits || other.scope != lane.crossover->scope ||
            other.isMisfit() || lane.crossover->isMisfit() || other.byTurns != lane.crossover->byTurns) {
            continue;
        }
        painter.setPen(QPen(pinnedColour(theme), 2));
        for (const Crossing& crossing : other.crossings) {
            const QPointF at(axes.x(crossing.users), row.center().y());
            painter.drawLine(at + QPointF(-4, -4), at + QPointF(4, 4));
            painter.drawLine(at + QPointF(-4, 4), at + QPointF(4, -4));
        }
    }
}

} // namespace loadline::ui
