// Painting a composition as horizontal stacked bars with their rates in columns.
#pragma once

#include "ui/chart/composition/composition_geometry.h"

#include <QFont>
#include <QPainter>
#include <QRectF>

namespace loadline::ui {

/// Font of labels and figures.
inline QFont smallFont(bool bold = false) {
    return fontOf(0.92, bold);
}

/// Columns and heights for a width; x positions from 0.
struct RowsLayout {
    double width = 0;
    double labelRight = 0;
    double barLeft = 0, barRight = 0;
    struct Column {
        QString upper, lower; ///< the head's two lines
        double right = 0;
        double width = 0;
        int value = 0; ///< 0 tokens, 1 hit rate of tokens, 2 per request, 3 read / write
    };
    std::vector<Column> columns;
    QRectF heads;          ///< what the columns and the rows are called, from the left edge to the right one
    double headHeight = 0; ///< key, column heads with the axis, and the row of everything
    double rowHeight = 0;
    double allHeight = 0; ///< of the row of everything; the least height of the others
    double maximum = 1;   ///< end of the bar axis: tokens, or 1
    bool models = false;  ///< the rows' names are of models

    [[nodiscard]] double xOf(double amount) const {
        return barLeft + amount / maximum * (barRight - barLeft);
    }
};

/// For rows whose tokens would dwarf the others: named, not drawn.
inline RowsLayout withoutBars(RowsLayout layout) {
    layout.barRight = layout.barLeft;
    return layout;
}

/// Returns the order in which a click on the column's head sorts the rows.
CompositionOrder orderOf(const RowsLayout::Column& column);

/// Few rows grow into the room that there is; many keep the least height.
RowsLayout layOutRows(QSizeF room, const Composition& composition, const std::vector<CompositionRow>& rows,
                      const CompositionView& view);

/// Key with the sums, column heads, axis labels, and the row of everything; at the top left of `origin`.
void paintRowsHead(QPainter& painter, const QPointF& origin, const RowsLayout& layout,
                   const Composition& composition, const CompositionView& view, const Theme& theme);

/// One row at `origin`, with the part of the grid behind it.
void paintRow(QPainter& painter, const QPointF& origin, const RowsLayout& layout, const CompositionRow& row,
              const CompositionView& view, const Theme& theme, bool bold = false);

/// Swatches and names of the classes with the sums of `all`; returns the height used.
double paintTokenKey(QPainter& painter, const QRectF& area, const CompositionRow& all,
                     const CompositionView& view, const Theme& theme);

/// One part of a stack: filled, or hatched where its tokens are a lower bound.
void paintPart(QPainter& painter, const QRectF& rect, const StackedPart& part, const Theme& theme);

} // namespace loadline::ui
