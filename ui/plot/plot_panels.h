// The places of several plots in one picture.
#pragma once

#include <QRectF>

#include <vector>

namespace loadline::ui {

/// Parts of the room that a plot takes beside others.
struct PanelShare {
    int width = 1, height = 1;
};

/// The places of panels: one above the other where heights differ, in a row where widths do, else in as many
/// columns as give the panels a good shape.
std::vector<QRectF> panelPlaces(const std::vector<PanelShare>& panels, const QRectF& area);

} // namespace loadline::ui
