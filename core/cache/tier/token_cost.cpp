// The cost of tokens by rooflines of prefill and decode.
#include "core/cache/tier/token_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double perMillion = 1e6;

std::optional<double> perMillionOf(double gpuS, double tokens) {
    return tokens > 0 ? std::optional(perMillion * gpuS / tokens) : std::nullopt;
}

/// GPU-seconds of generating one token.
double decodeGpuS(const ServingSetup& setup, double context) {
    const CacheModel& model = *setup.layout.model;
    const double bytes = weightsTouched(model, setup.batch) * setup.bytesPerWeight +
                         setup.batch * setup.layout.bytesOf(context);
    const double memory = bytes / (setup.gpuBandwidthGBs * 1e9 * setup.bandwidthShare);
    const double compute = setup.batch * 2 * model.activeParameters / (setup.compute.peakTflops * 1e12);
    return std::max(memory, compute) / setup.batch;
}

/// GPUs for prompts and for decoding at a fixed share work at the pace of the slower kind.
double idleOf(double prefillGpuS, double decodingGpuS, double share) {
    if (!(share > 0 && share < 1)) {
        return 0;
    }
    return std::max(prefillGpuS / share, decodingGpuS / (1 - share)) - prefillGpuS - decodingGpuS;
}

} // namespace

MeanRequest withoutReuse(MeanRequest request) {
    request.hitRate = 0;
    return request;
}

double dollarsOf(double gpuS, double pricePerGpuHour) {
    return gpuS / 3600 * pricePerGpuHour;
}

double batchThatFits(const KvLayout& layout, const CacheTier& memory, double contextTokens) {
    const double each = contextTokens > 0 ? layout.bytesOf(contextTokens) : 0;
    const double fit = each > 0 ? std::floor(memory.capacityGB * 1e9 / each) : usualMostSequences;
    return std::clamp(fit, 1.0, usualMostSequences);
}

TokenCost tokenCostOf(const ServingSetup& setup, const MeanRequest& request) {
    return tokenCostOf(setup, request, loadS(setup.layout, setup.tier, request.hitRate * request.input));
}

TokenCost tokenCostOf(const ServingSetup& setup, const MeanRequest& request, double loadingS) {
    const double cached = request.hitRate * request.input;
    const double gpus = setup.compute.gpus;
    TokenCost cost;
    if (request.input > cached) {
        cost.computeGpuS =
            gpus * (setup.compute.fixedS + computeS(setup.layout, setup.compute, request.input, cached));
    }
    cost.loadGpuS = gpus * loadingS;
    cost.decodeGpuS = request.output * decodeGpuS(setup, request.input + request.output / 2);
    const double prefill = cost.computeGpuS + cost.loadGpuS;
    const double busy = prefill + cost.decodeGpuS;
    cost.balancedShare = busy > 0 ? prefill / busy : 0;
    double ofPrefill = 1; // with what idles of its GPUs
    double ofDecode = 1;
    const double share = setup.prefillShare.value_or(0);
    if (share > 0 && share < 1 && prefill > 0 && cost.decodeGpuS > 0) {
        cost.idleGpuS = idleOf(prefill, cost.decodeGpuS, share);
        ofPrefill = (busy + cost.idleGpuS) * share / prefill;
        ofDecode = (busy + cost.idleGpuS) * (1 - share) / cost.decodeGpuS;
    }
    cost.perRequest = busy + cost.idleGpuS;
    cost.perMillionTokens = perMillionOf(cost.perRequest, request.input + request.output).value_or(0);
    cost.perMillionUncached = perMillionOf(cost.computeGpuS * ofPrefill, request.input - cached);
    cost.perMillionCached = perMillionOf(cost.loadGpuS * ofPrefill, cached);
    cost.perMillionOutput = perMillionOf(cost.decodeGpuS * ofDecode, request.output);
    return cost;
}

std::vector<CostMove> costMoves(const ServingSetup& setup, const MeanRequest& request,
                                const CacheTiers& tiers) {
    std::vector<CostMove> moves;
    for (const double hitRate : {0.0, 0.5, 0.9, 0.99}) {
        MeanRequest moved = request;
        moved.hitRate = hitRate;
        moves.push_back({"hit rate", fmt::format("{}", hitRate), tokenCostOf(setup, moved)});
    }
    for (const CacheTier& tier : tiers) {
        ServingSetup moved = setup;
        moved.tier = tier;
        moves.push_back({"cached in", tier.name, tokenCostOf(moved, request)});
    }
    for (const std::optional<double> share :
         {std::optional<double>(), std::optional(0.25), std::optional(0.5), std::optional(0.75)}) {
        ServingSetup moved = setup;
        moved.prefillShare = share;
        moves.push_back({"GPUs for prompts", share ? fmt::format("{}", *share) : "balanced",
                         tokenCostOf(moved, request)});
    }
    return moves;
}

} // namespace loadline
