// Labels of crossings, in rows above the plot, so that they cover neither curves nor axes.
#pragma once

#include "core/cost/figure/kernel_figure.h"

#include <QFont>
#include <QRectF>
#include <QString>

#include <functional>
#include <vector>

namespace loadline::ui {

QFont crossingLabelFont();
/// Height of all rows of labels, in pixels.
double crossingLabelsHeight();

/// A change of the fastest kernel, and its label as far as it has room; empty: its line alone is drawn.
struct CrossingLabel {
    const KernelCrossing* crossing = nullptr;
    QString text;
    QRectF place;
};

/// Starts of fp16 first, then changes among k-bit kernels. Each takes the longest of its texts ("M = 129
/// rows: own fp16 GEMM (k-bit GEMM not timed beyond)", "129: own fp16 GEMM", "129") that some row has room
/// for beside its line. `xOf`: x of a number of rows M. The labels point into the figure.
std::vector<CrossingLabel> crossingLabelsIn(const KernelFigure& figure, const QRectF& plot,
                                            const std::function<double(double rowsM)>& xOf);

} // namespace loadline::ui
