// Copies and calls by size and time alone.
#include "gpu/protocol/rotation.h"

#include <algorithm>
#include <cmath>

namespace loadline::gpu {

int copiesFor(const DeviceInfo& device, double bytes, int least) {
    const double beyondCache = std::max(4.0 * static_cast<double>(device.lastLevelCacheBytes), 256e6);
    const double copies = std::ceil(beyondCache / std::max(1.0, bytes));
    return static_cast<int>(
        std::clamp(copies, static_cast<double>(least), static_cast<double>(device.mostCopies)));
}

int callsFor(double callUs) {
    if (callUs >= 20'000) {
        return 1;
    }
    if (callUs >= 2'000) {
        return 2; // eight such calls would take longer than a point may
    }
    return static_cast<int>(std::clamp(std::ceil(1000 / std::max(1.0, callUs)), 8.0, 512.0));
}

double secondsFor(double callUs, int calls, const SamplingRule& rule) {
    const double sampleMs = callUs / 1000 * calls;
    // two samples that are not counted; at least `leastSamples`, then until the time is up
    const double least = sampleMs * (leastOf(rule, sampleMs) + 2);
    return std::max(least, std::min(sampleMs * rule.mostSamples, rule.mostMs)) / 1000;
}

} // namespace loadline::gpu
