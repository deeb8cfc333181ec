// Decides when enough samples of a point have been taken, and sums them up.
#include "gpu/protocol/samples.h"

#include "core/base/statistics.h"

#include <algorithm>
#include <cmath>

namespace loadline::gpu {
namespace {

/// Two clusters: the widest gap between neighbours, with a fifth of the samples or more on either side.
bool isBimodal(const std::vector<double>& sorted, double median) {
    const std::size_t side = std::max<std::size_t>(2, sorted.size() / 5);
    for (std::size_t i = side; i + side <= sorted.size(); ++i) {
        if (sorted[i] - sorted[i - 1] > bimodalShare * median) {
            return true;
        }
    }
    return false;
}

} // namespace

MedianInterval medianInterval(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t n = sorted.size();
    // Largest rank r with P(Binomial(n, 1/2) <= r - 1) <= 2.5 %: the interval is [x_r, x_(n+1-r)].
    double probability = std::pow(0.5, static_cast<double>(n));
    double cumulative = probability;
    std::size_t rank = 0;
    while (cumulative <= 0.025 && rank < n / 2) {
        ++rank;
        probability *= static_cast<double>(n - rank + 1) / static_cast<double>(rank);
        cumulative += probability;
    }
    const std::size_t low = rank == 0 ? 0 : rank - 1;
    return {sorted[low], quantileOfSorted(sorted, 0.5), sorted[n - 1 - low]};
}

int leastOf(const SamplingRule& rule, double sampleMs) {
    return sampleMs >= longSampleMs ? std::min(rule.leastLongSamples, rule.leastSamples) : rule.leastSamples;
}

bool enough(const SamplingRule& rule, std::span<const double> us, double spentMs) {
    const auto taken = static_cast<int>(us.size());
    if (taken == 0 || taken < leastOf(rule, spentMs / taken)) {
        return false;
    }
    if (taken >= rule.mostSamples || spentMs >= rule.mostMs) {
        return true;
    }
    const MedianInterval interval = medianInterval(us);
    const double half = std::max(interval.high - interval.median, interval.median - interval.low);
    return half <= rule.relativeInterval * interval.median;
}

bool isImplausible(double inRowUs, double isolatedUs) {
    constexpr double launchUs = 10;
    return std::abs(isolatedUs - inRowUs) > std::max(inRowUs / 2, launchUs);
}

bool isInterrupted(const Sample& sample) {
    return sample.ranShare < leastSampleRanShare;
}

void ClockTrack::add(double mhz) {
    if (mhz > 0) {
        sorted_.insert(std::lower_bound(sorted_.begin(), sorted_.end(), mhz), mhz);
    }
}

double ClockTrack::median() const {
    return sorted_.empty() ? 0 : quantileOfSorted(sorted_, 0.5);
}

bool ClockTrack::throttled(double mhz) const {
    return mhz > 0 && mhz < throttledShare * median();
}

PointSummary summarise(std::span<const Sample> samples, const ClockTrack& clock) {
    PointSummary summary;
    std::vector<double> clocks;
    int throttled = 0;
    for (const Sample& sample : samples) {
        throttled += clock.throttled(sample.clockMhz) ? 1 : 0;
        summary.interrupted += isInterrupted(sample) ? 1 : 0;
        if (sample.clockMhz > 0) {
            clocks.push_back(sample.clockMhz);
        }
    }
    const auto all = static_cast<int>(samples.size());
    const bool keepThrottled = throttled > manyThrottled * all;
    const bool keepInterrupted = summary.interrupted > 0 && all - summary.interrupted < leastUninterrupted;
    if (keepThrottled) {
        summary.flags.emplace_back("throttled");
    }
    if (keepInterrupted) {
        summary.flags.emplace_back("interrupted");
        summary.interrupted = 0;
    }
    std::vector<double> kept;
    for (const Sample& sample : samples) {
        const bool drop = (!keepThrottled && clock.throttled(sample.clockMhz)) ||
                          (!keepInterrupted && isInterrupted(sample));
        if (!drop) {
            kept.push_back(sample.us);
        }
    }
    if (kept.empty()) { // each sample was throttled or interrupted
        for (const Sample& sample : samples) {
            kept.push_back(sample.us);
        }
        summary.flags.emplace_back("interrupted");
        summary.interrupted = 0;
    }
    summary.dropped = all - static_cast<int>(kept.size());
    std::sort(kept.begin(), kept.end());
    std::sort(clocks.begin(), clocks.end());
    summary.samples = static_cast<int>(kept.size());
    const MedianInterval interval = medianInterval(kept);
    summary.medianError =
        std::max(interval.high - interval.median, interval.median - interval.low) / interval.median;
    summary.minUs = kept.front();
    summary.p25Us = quantileOfSorted(kept, 0.25);
    summary.medianUs = quantileOfSorted(kept, 0.5);
    summary.p75Us = quantileOfSorted(kept, 0.75);
    summary.clockMhz = clocks.empty() ? 0 : quantileOfSorted(clocks, 0.5);
    if (summary.p75Us - summary.p25Us > noisyShare * summary.medianUs) {
        summary.flags.emplace_back("noisy");
    }
    if (isBimodal(kept, summary.medianUs)) {
        summary.flags.emplace_back("bimodal");
    }
    return summary;
}

} // namespace loadline::gpu
