// Lanes of a strip: many steps on few pixels, each column from its least to its largest value.
#pragma once

#include "ui/theme/theme.h"

#include <QPainter>
#include <QRectF>
#include <QString>

#include <cstdint>
#include <functional>

namespace loadline::ui {

/// The value of a step; below 0: there is none.
using StepValue = std::function<double(std::size_t step)>;

/// The largest of all; at least `least`.
double largestOf(const StepValue& value, std::size_t steps, double least);

struct LaneStyle {
    QString name;
    QColor color;
    double most = 1;  ///< at the top of the lane
    bool log = false; ///< from 1 on
};

/// The height of a value in its lane, 0 to 1.
double shareOf(double value, const LaneStyle& style);

/// Filled from the ground up to the largest value of each pixel column, darker up to the smallest.
void paintLane(QPainter& painter, const QRectF& lane, std::size_t steps, const StepValue& value,
               const LaneStyle& style, const Theme& theme);
/// Ground line, name and the value at the top.
void paintLaneFrame(QPainter& painter, const QRectF& lane, double head, const LaneStyle& style,
                    const Theme& theme);

} // namespace loadline::ui
