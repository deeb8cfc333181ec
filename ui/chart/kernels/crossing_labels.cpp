// Finds room for the labels of crossings.
#include "ui/chart/kernels/crossing_labels.h"

#include "ui/chart/kernels/kernel_paint.h"
#include "ui/chart/paint_help.h"
#include "ui/theme/format.h"

#include <QStringList>

#include <algorithm>

namespace loadline::ui {
namespace {

constexpr int labelRows = 2;
constexpr double labelsApart = 10;
constexpr double axisTitleReach = 28;

double labelRowHeight() {
    return heightOf(crossingLabelFont()) + 1;
}

QStringList textsOf(const KernelFigure& figure, const KernelCrossing& crossing) {
    const QString rows = exactText(crossing.rowsM);
    return {crossingLabel(figure, crossing),
            QStringLiteral("%1: %2").arg(rows, nameText(crossing.to, namingOf(figure, 0))), rows};
}

} // namespace

QFont crossingLabelFont() {
    return fontOf(0.78);
}

double crossingLabelsHeight() {
    return labelRows * labelRowHeight();
}

std::vector<CrossingLabel> crossingLabelsIn(const KernelFigure& figure, const QRectF& plot,
                                            const std::function<double(double rowsM)>& xOf) {
    std::vector<CrossingLabel> labels;
    for (const KernelCrossing& start : figure.fp16Starts) {
        if (start.rowsM > 1) {
            labels.push_back({&start, {}, {}});
        }
    }
    for (const KernelCrossing& crossing : figure.crossings) {
        labels.push_back({&crossing, {}, {}});
    }
    const QFont font = crossingLabelFont();
    // In the lowest row the title of the axis stands at the left.
    const auto isFree = [&](const QRectF& place, int row) {
        const double left = plot.left() + (row == labelRows ? axisTitleReach : 0);
        return place.left() >= left && place.right() <= plot.right() &&
               std::ranges::none_of(labels, [&](const CrossingLabel& other) {
                   return other.place.adjusted(-labelsApart, 0, labelsApart, 0).intersects(place);
               });
    };
    for (CrossingLabel& label : labels) {
        const double x = xOf(static_cast<double>(label.crossing->rowsM));
        for (const QString& text : textsOf(figure, *label.crossing)) {
            const double width = widthOf(font, text) + 4;
            for (int row = labelRows; row > 0 && label.text.isEmpty(); --row) {
                const double top = plot.top() - (labelRows + 1 - row) * labelRowHeight();
                for (const double left : {x + 3, x - 3 - width}) {
                    const QRectF place(left, top, width, heightOf(font));
                    if (label.text.isEmpty() && isFree(place, row)) {
                        label.text = text;
                        label.place = place;
                    }
                }
            }
        }
    }
    return labels;
}

} // namespace loadline::ui
