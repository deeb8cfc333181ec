// Lanes below the crossover chart: one for each k and scope, with the interval of its crossing.
#pragma once

#include "ui/chart/simulation/simulation_paint.h"

#include <QStringList>

#include <vector>

namespace loadline::ui {

/// A lane of one k and one scope of steps.
struct CrossoverLane {
    const Crossover* crossover = nullptr;
    bool other = false; ///< of the scope that is not chosen
};

/// Lanes of each k, the chosen scope above the other.
std::vector<CrossoverLane> lanesOf(const CrossoverCurves& curves);

/// "Whole steps"
QString scopeText(StepScope scope);
/// Read-out of a lane: its sentence, and the interval that each source of uncertainty gives.
QStringList wordsOfLane(const Crossover& crossover);
/// Width in pixels of the widest name of a lane, with a gap.
double laneNameWidth(const CrossoverCurves& curves);
/// Ink of the curve and the lanes of the other scope.
QColor otherScopeColour(const Theme& theme);

/// k at the left, the interval as a bar under the same axis of users, its crossing as a dot; a square in
/// the other scope.
void paintLane(QPainter& painter, const XyAxes& axes, const QRectF& row, const CrossoverLane& lane,
               const CrossoverCurves& now, const Theme& theme);
/// A cross on the row at each crossing of the pinned curve of the same k.
void paintPinnedLane(QPainter& painter, const XyAxes& axes, const QRectF& row, const CrossoverLane& lane,
                     const CrossoverCurves& pinned, const Theme& theme);

} // namespace loadline::ui
