// A grid of batches and tokens, as far as time and memory go.
#include "gpu/protocol/attention_plan.h"

#include "gpu/protocol/permutation.h"

#include <algorithm>
#include <cmath>

namespace loadline::gpu {
namespace {

double beyondCache(const DeviceInfo& device) {
    return std::max(4.0 * static_cast<double>(device.lastLevelCacheBytes), 256e6);
}

bool fits(const Backend& backend, const AttentionCall& call) {
    const auto free = static_cast<double>(backend.device().freeMemoryBytes);
    return free <= 0 || contextBytes(call) * rotationFor(backend, call).copies <= free / 2;
}

double secondsOf(const Backend& backend, const AttentionCall& call, const SamplingRule& rule) {
    const double sampleMs = backend.guessAttentionUs(call) / 1000 * rotationFor(backend, call).calls;
    const double least = sampleMs * (leastOf(rule, sampleMs) + 2); // two are not counted
    return std::max(least, std::min(sampleMs * rule.mostSamples, rule.mostMs)) / 1000;
}

std::vector<AttentionCall> gridOf(const AttentionHeads& heads, const AttentionRule& rule) {
    std::vector<AttentionCall> calls;
    for (const int batch : rule.batches) {
        for (const std::int64_t tokens : rule.cachedTokens) {
            calls.push_back({AttentionPhase::Decode, heads, batch, tokens});
        }
    }
    for (const std::int64_t tokens : rule.promptTokens) {
        calls.push_back({AttentionPhase::Prefill, heads, 1, tokens});
    }
    return calls;
}

/// Odd lengths, so that tiles and pieces of the context are not all full.
std::vector<AttentionCall> checksOf(const AttentionHeads& heads) {
    return {{AttentionPhase::Decode, heads, 1, 1},
            {AttentionPhase::Decode, heads, 3, 777},
            {AttentionPhase::Prefill, heads, 1, 1},
            {AttentionPhase::Prefill, heads, 2, 131}};
}

} // namespace

Rotation rotationFor(const Backend& backend, const AttentionCall& call) {
    const DeviceInfo device = backend.device();
    const double copies = std::ceil(beyondCache(device) / std::max(1.0, contextBytes(call)));
    const double us = std::max(1.0, backend.guessAttentionUs(call));
    Rotation rotation;
    rotation.copies = static_cast<int>(std::clamp(copies, 1.0, static_cast<double>(device.mostCopies)));
    rotation.calls = us >= 20'000  ? 1
                     : us >= 2'000 ? 2
                                   : static_cast<int>(std::clamp(std::ceil(1000 / us), 8.0, 512.0));
    return rotation;
}

AttentionPlan planAttention(const Backend& backend, const ModelShapes& model, const AttentionRule& rule,
                            const SamplingRule& sampling, std::uint64_t seed) {
    AttentionPlan plan;
    if (!model.attention) {
        return plan;
    }
    const AttentionHeads heads{model.attention->qHeads, model.attention->kvHeads, model.attention->headDim};
    std::vector<AttentionCall> calls;
    for (const AttentionCall& call : gridOf(heads, rule)) {
        if (backend.supportsAttention(call)) {
            calls.push_back(call);
        }
    }
    std::stable_sort(calls.begin(), calls.end(), [&](const AttentionCall& a, const AttentionCall& b) {
        return backend.guessAttentionUs(a) < backend.guessAttentionUs(b);
    });
    for (const AttentionCall& call : calls) {
        const double more = fits(backend, call) ? secondsOf(backend, call, sampling) : rule.mostSeconds + 1;
        if (plan.guessedSeconds + more > rule.mostSeconds) {
            plan.leftOut.push_back(call);
        } else {
            plan.guessedSeconds += more;
            plan.calls.push_back(call);
        }
    }
    std::sort(plan.calls.begin(), plan.calls.end());
    for (const AttentionCall& check : checksOf(heads)) {
        const bool timed = std::any_of(plan.calls.begin(), plan.calls.end(),
                                       [&](const AttentionCall& call) { return call.phase == check.phase; });
        if (timed) {
            plan.checks.push_back(check);
        }
    }
    Random random(seed);
    shuffle(plan.calls, random);
    return plan;
}

} // namespace loadline::gpu
