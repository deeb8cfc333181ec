// Bytes over bandwidth against operations over peak.
#include "core/cache/tier/load_or_recompute.h"

#include "core/cache/split/prefill_decode_split.h"

namespace loadline {

double computeS(const KvLayout& layout, const PrefillCompute& compute, double n, double cached) {
    return prefillFlops(layout.model->activeParameters, layout.model->attention, n, cached) /
           (compute.gpus * compute.peakTflops * 1e12 * compute.mfu);
}

double loadS(const KvLayout& layout, const CacheTier& tier, double tokens) {
    const double bytes = layoutIn(layout, tier).bytesOf(tokens);
    return tokens > 0 ? tier.latencyUs * 1e-6 + bytes / (tier.bandwidthGBs * 1e9) : 0;
}

double breakEvenGBs(const KvLayout& layout, const PrefillCompute& compute, double n) {
    const double seconds = computeS(layout, compute, n, 0);
    return seconds > 0 ? layoutOffGpu(layout).bytesOf(n) / seconds / 1e9 : 0;
}

std::optional<double> breakEvenTokens(const KvLayout& layout, const PrefillCompute& compute,
                                      const CacheTier& tier) {
    const auto pays = [&](double n) { return loadS(layout, tier, n) < computeS(layout, compute, n, 0); };
    if (!pays(longestPrefix)) {
        return std::nullopt;
    }
    double never = 0;
    double always = longestPrefix;
    while (always - never > 1) { // both are whole
        const double middle = never + static_cast<double>(static_cast<std::int64_t>((always - never) / 2));
        (pays(middle) ? always : never) = middle;
    }
    return always;
}

PromptTime promptTimeOf(const KvLayout& layout, const PrefillCompute& compute, const CacheTier& tier,
                        double n, double cached) {
    return promptTimeOf(layout, compute, n, cached, loadS(layout, tier, cached));
}

PromptTime promptTimeOf(const KvLayout& layout, const PrefillCompute& compute, double n, double cached,
                        double loadingS) {
    PromptTime time{.loadS = loadingS, .computeS = computeS(layout, compute, n, cached)};
    time.ttftS = compute.fixedS + time.loadS + time.computeS;
    time.recomputeS = compute.fixedS + computeS(layout, compute, n, 0);
    return time;
}

} // namespace loadline
