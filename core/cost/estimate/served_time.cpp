// Puts a pair's time together from its parts and from where it was timed in one go.
#include "core/cost/estimate/served_time.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double sameExperts = 1e-6;

Result<ServedTime> alone(const KernelTimes& times, Kernel kernel, GemmSize size, double activeExperts,
                         double rowsM, int kBits) {
    const auto estimate = times.time(kernel, size, activeExperts, rowsM, kBits);
    if (!estimate) {
        return estimate.error();
    }
    return ServedTime{.kernels = {kernel, kernel}, .parts = {*estimate, {}}, .count = 1};
}

/// Makes the parts' bars add up to `wanted` without changing how they share it.
void widen(ServedTime& served, double wanted) {
    const double now = served.sum().relativeError;
    served.ownShare = now > 0 && wanted > 0 ? now / wanted : wanted > 0 ? 0 : 1;
    for (TimeEstimate& part : served.parts) {
        part.relativeError = now > 0 ? part.relativeError * (wanted / now) : wanted;
    }
}

void correct(ServedTime& served, const KernelSeries& pairs, double activeExperts, double rowsM) {
    CurveValue factor = pairs.factor.at(rowsM);
    const double least = served.parts[1].us / (served.parts[0].us + served.parts[1].us);
    const double raised = factor.y < least ? std::log(least / factor.y) : 0.0;
    factor.y = std::max(factor.y, least);
    const std::size_t left = pairs.curve.indexAt(rowsM);
    const std::size_t right = std::min(left + 1, pairs.origins.size() - 1);
    const bool isTime = factor.exact && factor.y == pairs.overParts.at(rowsM).y;
    const bool atPair = isTime && std::abs(activeExperts / pairs.experts - 1) <= sameExperts;
    double error = factor.error;
    const double held = pairs.factor.covers(rowsM) ? raised : std::abs(std::log(factor.y)) + raised;
    if (!atPair) {
        error = std::max({error, served.sum().relativeError, held});
    }
    served.factorError = std::max(pairs.factorBar.at(rowsM).error, held);
    for (TimeEstimate& part : served.parts) {
        part.us *= factor.y;
        if (atPair) {
            part.kind = EstimateKind::AtPoint;
            part.origin = pairs.origins[left];
        } else {
            const PointOrigin origin =
                factor.exact ? pairs.origins[left] : std::max(pairs.origins[left], pairs.origins[right]);
            part.kind = std::max(part.kind, EstimateKind::Interpolated);
            part.origin = std::max(part.origin, origin);
        }
    }
    widen(served, error);
}

} // namespace

TimeEstimate ServedTime::sum() const {
    if (count == 1) {
        return parts[0];
    }
    TimeEstimate sum;
    sum.us = parts[0].us + parts[1].us;
    sum.relativeError =
        sum.us > 0
            ? std::hypot(parts[0].us * parts[0].relativeError, parts[1].us * parts[1].relativeError) / sum.us
            : 0;
    sum.kind = std::max(parts[0].kind, parts[1].kind);
    sum.origin = std::max(parts[0].origin, parts[1].origin);
    return sum;
}

Result<ServedTime> servedTime(const KernelTimes& times, Kernel kernel, GemmSize size, double activeExperts,
                              double rowsM, int kBits) {
    const KernelParts parts = partsOf(kernel);
    if (!parts.second) {
        return alone(times, kernel, size, activeExperts, rowsM, kBits);
    }
    activeExperts = std::max(activeExperts, 1.0);
    rowsM = std::max(rowsM, 1.0);
    const bool partsTimed = times.isTimed(parts.first, kBits) && times.isTimed(*parts.second, kBits);
    const KernelSeries* const pairs = times.series(kernel, size, activeExperts, kBits);
    if ((pairs != nullptr && pairs->overParts.empty()) || (!partsTimed && times.isTimed(kernel, kBits))) {
        return alone(times, kernel, size, activeExperts, rowsM, kBits);
    }
    const auto first = times.time(parts.first, size, activeExperts, rowsM, kBits);
    const auto second = times.time(*parts.second, size, activeExperts, rowsM, kBits);
    if (!first || !second) {
        if (times.isTimed(kernel, kBits)) {
            return alone(times, kernel, size, activeExperts, rowsM, kBits);
        }
        return first ? second.error() : first.error();
    }
    ServedTime served{.kernels = {parts.first, *parts.second}, .parts = {*first, *second}, .count = 2};
    if (pairs != nullptr) {
        correct(served, *pairs, activeExperts, rowsM);
    }
    return served;
}

std::optional<Error> missingToServe(const KernelTimes& times, Kernel kernel, int kBits) {
    const KernelParts parts = partsOf(kernel);
    if (parts.second && times.isTimed(kernel, kBits)) {
        return std::nullopt;
    }
    auto error = times.missing(parts.first, kBits);
    return error || !parts.second ? error : times.missing(*parts.second, kBits);
}

} // namespace loadline
