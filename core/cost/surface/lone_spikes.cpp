// Smoothing of isolated slow cells.
#include "core/cost/surface/lone_spikes.h"

#include "core/cost/surface/cleaned.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace loadline {
namespace {

/// The time on the line between two cells; nothing if one of them is missing.
std::optional<double> neighbourLine(const std::vector<double>& axis, std::size_t at, const GemmCell& left,
                                    const GemmCell& right) {
    const double us = lineAt(axis[at - 1], left.us, axis[at + 1], right.us, axis[at]);
    return std::isnan(us) ? std::nullopt : std::optional(us);
}

} // namespace

std::size_t smoothLoneSpikes(const GemmCells& grid, std::vector<GemmCell>& clean) {
    std::vector<std::pair<std::size_t, double>> lowered;
    const auto cell = [&](std::size_t n, std::size_t k, std::size_t m) -> const GemmCell& {
        return clean[grid.at(n, k, m)];
    };
    const auto examine = [&](std::size_t n, std::size_t k, std::size_t m) {
        const GemmCell& spike = cell(n, k, m);
        if (!spike.isAnomalous) {
            return;
        }
        std::optional<double> inN;
        std::optional<double> inK;
        if (n > 0 && n + 1 < grid.n.size()) {
            inN = neighbourLine(grid.n, n, cell(n - 1, k, m), cell(n + 1, k, m));
        }
        if (k > 0 && k + 1 < grid.k.size()) {
            inK = neighbourLine(grid.k, k, cell(n, k - 1, m), cell(n, k + 1, m));
        }
        const double most = std::max(inN.value_or(0), inK.value_or(0));
        if (most > 0 && spike.us > (1 + noiseShare) * most) {
            lowered.emplace_back(grid.at(n, k, m), most);
        }
    };
    for (std::size_t n = 0; n < grid.n.size(); ++n) {
        for (std::size_t k = 0; k < grid.k.size(); ++k) {
            for (std::size_t m = 0; m < grid.m.size(); ++m) {
                examine(n, k, m);
            }
        }
    }
    for (const auto& [at, us] : lowered) {
        clean[at].us = us;
    }
    return lowered.size();
}

} // namespace loadline
