// The places of several plots in one picture.
#include "ui/plot/plot_panels.h"

#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadline::ui {
namespace {

bool differ(const std::vector<PanelShare>& panels, int PanelShare::*share) {
    return std::ranges::any_of(panels,
                               [&](const PanelShare& one) { return one.*share != panels.front().*share; });
}

/// Returns the start and the length of one panel's share of `length`, with gaps between the panels.
std::pair<double, double> stretchOf(std::size_t i, const std::vector<PanelShare>& panels,
                                    int PanelShare::*share, double length) {
    double before = 0, all = 0;
    for (std::size_t j = 0; j < panels.size(); ++j) {
        before += j < i ? panels[j].*share : 0;
        all += panels[j].*share;
    }
    const double room = std::max(0.0, length - spacing * (static_cast<double>(panels.size()) - 1));
    return {room * before / all + spacing * static_cast<double>(i), room * (panels[i].*share) / all};
}

/// Returns the columns for panels that are all alike: no place stays empty, and each panel is shaped about
/// like a window.
std::size_t columnsOf(std::size_t panels, const QRectF& area) {
    constexpr double shape = 1.6; // width over height
    std::size_t best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t columns = 1; columns <= panels; ++columns) {
        const auto rows = static_cast<double>(panels / columns), across = static_cast<double>(columns);
        const double away = std::abs(std::log((area.width() / across) / (area.height() / rows) / shape));
        if (panels % columns == 0 && away < least) {
            least = away;
            best = columns;
        }
    }
    return best;
}

} // namespace

std::vector<QRectF> panelPlaces(const std::vector<PanelShare>& panels, const QRectF& area) {
    const bool isStack = differ(panels, &PanelShare::height), isRow = differ(panels, &PanelShare::width);
    const std::size_t columns = isStack ? 1 : isRow ? panels.size() : columnsOf(panels.size(), area);
    const std::vector<PanelShare> across = isRow ? panels : std::vector<PanelShare>(columns);
    const std::vector<PanelShare> down = isStack ? panels : std::vector<PanelShare>(panels.size() / columns);
    std::vector<QRectF> places;
    for (std::size_t i = 0; i < panels.size(); ++i) {
        const auto [left, width] = stretchOf(i % columns, across, &PanelShare::width, area.width());
        const auto [top, height] = stretchOf(i / columns, down, &PanelShare::height, area.height());
        places.emplace_back(area.left() + left, area.top() + top, width, height);
    }
    return places;
}

} // namespace loadline::ui
