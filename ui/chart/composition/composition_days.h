// Painting a by-day composition: stacked columns over the calendar, hit rates below.
#pragma once

#include "ui/chart/composition/composition_geometry.h"

#include <QPainter>
#include <QRectF>

namespace loadline::ui {

/// Places of the by-day chart's parts in an area; the slots may scroll under a fixed scale.
struct DaysLayout {
    QRectF bars, rates; ///< plots without their labels
    double slotWidth = 1;
    double scroll = 0; ///< pixels that have left on the left side
    double maximum = 1;
    DayAxis axis;

    [[nodiscard]] QRectF columnOf(std::size_t row) const; ///< over both plots
    [[nodiscard]] double contentWidth() const { return slotWidth * axis.count; }
};

/// `narrowestSlot`: pixels a day needs at least; 0 squeezes all days into the area.
DaysLayout layOutDays(const QRectF& area, const Composition& composition, const CompositionView& view,
                      double narrowestSlot, double scroll);

void paintDays(QPainter& painter, const QRectF& area, const DaysLayout& layout,
               const Composition& composition, const CompositionView& view, const Theme& theme);

} // namespace loadline::ui
