// The drawings of the Kernels page.
#pragma once

#include "core/cost/figure/kernel_figure.h"
#include "ui/chart/plot_drawing.h"

#include <array>
#include <memory>
#include <optional>

namespace loadline::ui {

enum class KernelChart {
    Times,     ///< microseconds over M, log-log
    Ceiling,   ///< the bound's time as a share of each point's
    Attention, ///< microseconds over tokens, whatever the shape; nothing in it can be picked
};
inline constexpr std::array kernelCharts = {KernelChart::Times, KernelChart::Ceiling, KernelChart::Attention};
QString titleOf(KernelChart chart);

/// A point of a figure, by what it is: it stays the same while others arrive.
struct KernelPick {
    int profile = 0; ///< 1: of the profile that is compared
    Kernel kernel = Kernel::CublasFp16;
    std::int64_t rowsM = 1; ///< as in the profile: 0 for Dequantise
    bool operator==(const KernelPick&) const = default;
};

std::unique_ptr<PlotDrawing> drawingOf(KernelChart chart, std::shared_ptr<const KernelFigure> figure,
                                       const std::optional<KernelPick>& picked = {},
                                       const PlotExtents& held = {});

/// The item of a drawing (PlotDrawing::items) as a pick; nothing where there is no such item.
std::optional<KernelPick> pickOf(KernelChart chart, const KernelFigure& figure, int item);

} // namespace loadline::ui
