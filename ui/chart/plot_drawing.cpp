// What every drawing that can be touched shares.
#include "ui/chart/plot_drawing.h"

#include <algorithm>

namespace loadline::ui {

PlotExtents atLeast(PlotExtents extents, const PlotExtents& held) {
    for (std::size_t i = 0; i < extents.size() && i < held.size(); ++i) {
        extents[i] = std::max(extents[i], held[i]);
    }
    return extents;
}

} // namespace loadline::ui
