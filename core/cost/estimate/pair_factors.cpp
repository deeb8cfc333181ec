// How the timed pairs correct the sum of their parts.
#include "core/cost/estimate/kernel_times.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace loadline {

bool contradictsParts(double ratio) {
    return std::abs(std::log(ratio)) > std::numbers::ln2;
}

void KernelTimes::comparePairs() {
    for (auto& [key, all] : series_) {
        const auto& [kernel, kBits] = key;
        const KernelParts parts = partsOf(kernel);
        if (!parts.second) {
            continue;
        }
        for (Series& pair : all) {
            if (series(parts.first, pair.size, pair.experts, kBits) == nullptr ||
                series(*parts.second, pair.size, pair.experts, kBits) == nullptr) {
                continue;
            }
            setFactors(pair, parts, kBits);
        }
    }
}

void KernelTimes::setFactors(Series& pair, const KernelParts& parts, int kBits) const {
    const auto flaggedAt = [&](Kernel kernel, double rowsM) {
        const Series& of = *series(kernel, pair.size, pair.experts, kBits);
        const std::size_t left = of.curve.indexAt(rowsM);
        const bool exact = of.curve.at(rowsM).exact || left + 1 == of.flagged.size();
        return of.flagged[left] || (!exact && of.flagged[left + 1]);
    };
    struct Factor {
        double x = 1, y = 1;
        double error = 0; ///< of the pair, or how far it was moved
        double bar = 0;
        bool flagged = false;
    };
    std::vector<CurvePoint> ratios;
    std::vector<Factor> factors;
    for (std::size_t i = 0; i < pair.curve.points().size(); ++i) {
        const CurvePoint& point = pair.curve.points()[i];
        const auto one = time(parts.first, pair.size, pair.experts, point.x, kBits);
        const auto other = time(*parts.second, pair.size, pair.experts, point.x, kBits);
        if (!one || !other) {
            continue;
        }
        const double sum = one->us + other->us;
        const double ratio = point.y / sum;
        const double ofParts =
            std::hypot(one->us * one->relativeError, other->us * other->relativeError) / sum;
        ratios.push_back({.x = point.x, .y = ratio, .error = point.error});
        Factor factor{.x = point.x,
                      .flagged =
                          pair.flagged[i] || flaggedAt(parts.first, 1) || flaggedAt(*parts.second, point.x)};
        const bool believed = !factor.flagged && !contradictsParts(ratio);
        factor.y = believed ? std::max(ratio, other->us / sum) : 1;
        const double moved = std::abs(std::log(factor.y / ratio));
        factor.error = std::max(point.error, moved);
        factor.bar = std::max(factor.error, std::hypot(point.error, ofParts));
        factors.push_back(factor);
    }
    if (!std::ranges::all_of(factors, &Factor::flagged)) {
        std::erase_if(factors, &Factor::flagged);
    }
    std::vector<CurvePoint> own;
    std::vector<CurvePoint> together;
    for (const Factor& factor : factors) {
        own.push_back({.x = factor.x, .y = factor.y, .error = factor.error});
        together.push_back({.x = factor.x, .y = factor.y, .error = factor.bar});
    }
    pair.overParts = LogCurve(std::move(ratios));
    pair.factor = LogCurve(std::move(own));
    pair.factorBar = LogCurve(std::move(together));
}

} // namespace loadline
