// Interpolates the measured routers.
#include "core/cost/engine/router_times.h"

#include "core/cost/device/hardware.h"
#include "core/cost/engine/constants.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

namespace loadline {
namespace {

constexpr std::array<double, 16> hopperRows{1,   2,   4,   8,    16,   24,   32,   64,
                                            128, 256, 512, 1024, 2048, 4096, 8192, 16384};

struct MeasuredRouter {
    RouterShape shape;
    std::array<std::array<double, hopperRows.size()>, 2> us{}; ///< by RouterArithmetic, by hopperRows
};

/// One H100 80GB HBM3, medians of CUDA graph replays. By experts, then hidden, ascending.
constexpr std::array<MeasuredRouter, 6> hopperRouters{{
    {.shape = {.hidden = 2048, .experts = 128},
     .us = {{{5.218, 8.2098, 8.0605, 8.093, 8.3215, 8.2635, 8.502, 8.9478, 9.2562, 12.016, 15.907, 22.933,
              38.258, 61.364, 101.69, 183.9},
             {5.0885, 6.692, 6.5848, 6.6887, 6.614, 6.657, 6.678, 7.5695, 7.8689, 7.992, 9.8126, 11.548,
              12.402, 20.094, 31.252, 59.166}}}},
    {.shape = {.hidden = 4096, .experts = 128},
     .us = {{{5.5603, 10.508, 9.2611, 10.525, 10.724, 9.6953, 9.8006, 10.395, 12.976, 16.443, 24.044, 39.374,
              56.928, 100.3, 183.48, 353.25},
             {5.5296, 7.8176, 7.0981, 7.219, 7.3572, 7.3846, 7.4661, 8.5741, 8.9108, 9.3694, 11.985, 15,
              20.448, 39.542, 54.834, 103.59}}}},
    {.shape = {.hidden = 3072, .experts = 256},
     .us = {{{4.2748, 10.434, 10.38, 14.171, 14.762, 12.447, 12.53, 13.378, 16.047, 21.145, 30.411, 45.604,
              77.684, 136.97, 260.8, 516.95},
             {4.4395, 7.6871, 7.7925, 7.8448, 7.8885, 8.0418, 8.0245, 8.1369, 8.825, 10.523, 13.032, 14.182,
              21.906, 32.232, 48.572, 90.148}}}},
    {.shape = {.hidden = 6144, .experts = 256},
     .us = {{{6.592, 15.312, 14.9, 20.265, 20.256, 16.378, 16.437, 17.739, 23.063, 32.18, 54.664, 78.568,
              139.66, 262.39, 522.36, 1085.2},
             {6.7812, 8.8819, 9.0654, 9.9906, 10.051, 10.403, 10.425, 9.6709, 11.392, 15.504, 18.672, 26.756,
              38.692, 58.3, 92.548, 165.98}}}},
    {.shape = {.hidden = 7168, .experts = 256},
     .us = {{{7.6587, 16.62, 17.327, 21.421, 21.488, 18.069, 18.363, 20.304, 26.155, 36.41, 62.746, 90.028,
              162.39, 304.31, 608.03, 1262},
             {7.6576, 9.4357, 9.7621, 10.555, 10.726, 10.811, 10.875, 10.317, 12.086, 16.338, 20.538, 29.452,
              43.31, 66.244, 105.64, 188.76}}}},
    {.shape = {.hidden = 2048, .experts = 512},
     .us = {{{3.8598, 11.727, 9.9744, 15.732, 15.994, 13.093, 13.304, 15.022, 17.317, 22.888, 37.967, 56.441,
              100.82, 183.69, 356.6, 707.08},
             {4.1715, 8.0115, 8.0224, 8.0877, 8.1523, 8.1353, 8.2, 8.1913, 9.5048, 10.993, 10.777, 16.508,
              19.008, 28.482, 51.132, 98.632}}}},
}};

constexpr RouterShape publishedShape{.hidden = 6144, .experts = 256};
constexpr std::array<double, 10> publishedRows{1, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
/// GB200, vLLM pull request 47973. By RouterArithmetic, by publishedRows.
constexpr std::array<std::array<double, publishedRows.size()>, 2> publishedUs{
    {{7.52, 20.2, 16.7, 22.3, 63.2, 63.3, 69.3, 77.8, 96.8, 111},
     {10.9, 12.0, 12.0, 12.2, 19.9, 20.1, 20.2, 22.6, 25.8, 32.8}}};

double valueBetween(double x0, double y0, double x1, double y1, double x) {
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

/// Linear between points; constant before the first, the last slope beyond the last.
double routerCurveAt(std::span<const double> xs, std::span<const double> ys, double x) {
    if (x <= xs.front()) {
        return ys.front();
    }
    const auto place = static_cast<std::size_t>(std::ranges::lower_bound(xs, x) - xs.begin());
    const std::size_t i = std::min(place, xs.size() - 1);
    return valueBetween(xs[i - 1], ys[i - 1], xs[i], ys[i], x);
}

double routerWeightsOf(const RouterShape& shape) {
    return shape.hidden * shape.experts;
}

double measuredRouterUs(const MeasuredRouter& router, RouterArithmetic arithmetic, double rows) {
    return routerCurveAt(hopperRows, router.us[static_cast<std::size_t>(arithmetic)], rows);
}

/// How far apart shapes are: of ratios, whichever way round.
double routerDistance(const RouterShape& one, const RouterShape& other) {
    return std::abs(std::log(one.hidden / other.hidden)) + std::abs(std::log(one.experts / other.experts));
}

/// The measured shape itself, or those around it with as many experts: null where there is none.
struct RoutersAround {
    const MeasuredRouter* below = nullptr;
    const MeasuredRouter* above = nullptr;
};

RoutersAround routersAround(const RouterShape& shape) {
    RoutersAround around;
    for (const MeasuredRouter& router : hopperRouters) {
        if (router.shape.experts != shape.experts) {
            continue;
        }
        if (router.shape.hidden <= shape.hidden) {
            around.below = &router;
        }
        if (router.shape.hidden >= shape.hidden && around.above == nullptr) {
            around.above = &router;
        }
    }
    return around;
}

RouterTime hopperRouterTime(RouterArithmetic arithmetic, const RouterShape& shape, double rows) {
    const RoutersAround around = routersAround(shape);
    if (around.below != nullptr && around.below == around.above) {
        return {.us = measuredRouterUs(*around.below, arithmetic, rows), .isOwnShape = true};
    }
    if (around.below != nullptr && around.above != nullptr) {
        return {.us = valueBetween(around.below->shape.hidden,
                                   measuredRouterUs(*around.below, arithmetic, rows),
                                   around.above->shape.hidden,
                                   measuredRouterUs(*around.above, arithmetic, rows), shape.hidden)};
    }
    const MeasuredRouter& nearest =
        *std::ranges::min_element(hopperRouters, {}, [&shape](const MeasuredRouter& router) {
            return routerDistance(router.shape, shape);
        });
    const double launchUs = measuredRouterUs(nearest, arithmetic, 1);
    return {.us = launchUs + (measuredRouterUs(nearest, arithmetic, rows) - launchUs) *
                                 routerWeightsOf(shape) / routerWeightsOf(nearest.shape)};
}

RouterTime blackwellRouterTime(RouterArithmetic arithmetic, const RouterShape& shape, double rows) {
    const double tabled = routerCurveAt(publishedRows, publishedUs[static_cast<std::size_t>(arithmetic)],
                                        std::min(rows, publishedRows.back())) *
                          routerWeightsOf(shape) / routerWeightsOf(publishedShape);
    const double flopPerUs = constant::fp32Share.value * constant::blackwellFp32Tflops.value *
                             flopPerUsOfTflops *
                             (arithmetic == RouterArithmetic::Tf32 ? constant::tf32Factor.value : 1);
    return {.us = std::max(tabled, 2 * rows * routerWeightsOf(shape) / flopPerUs),
            .isOwnShape = shape == publishedShape && rows <= publishedRows.back()};
}

} // namespace

std::optional<RouterTime> routerTime(GpuGeneration generation, RouterArithmetic arithmetic,
                                     const RouterShape& shape, double rows) {
    switch (generation) {
    case GpuGeneration::Hopper:
        return hopperRouterTime(arithmetic, shape, rows);
    case GpuGeneration::BlackwellDataCentre:
        return blackwellRouterTime(arithmetic, shape, rows);
    case GpuGeneration::Other:
    case GpuGeneration::Ampere:
    case GpuGeneration::Ada:
    case GpuGeneration::BlackwellWorkstation:
        break;
    }
    return std::nullopt;
}

} // namespace loadline
