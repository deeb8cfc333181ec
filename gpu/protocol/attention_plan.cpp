// A grid of batches and tokens, as far as time and memory go.
#include "gpu/protocol/attention_plan.h"

#include "gpu/protocol/permutation.h"
#include "gpu/protocol/rotation.h"

#include <algorithm>

namespace loadline::gpu {
namespace {

bool fits(const Backend& backend, const AttentionCall& call) {
    const auto free = static_cast<double>(backend.device().freeMemoryBytes);
    return free <= 0 || contextBytes(call) * rotationFor(backend, call).copies <= free / 2;
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
    return {.copies = copiesFor(backend.device(), contextBytes(call), 1),
            .calls = callsFor(backend.guessAttentionUs(call))};
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
        const double more = fits(backend, call) ? secondsFor(backend.guessAttentionUs(call),
                                                             rotationFor(backend, call).calls, sampling)
                                                : rule.mostSeconds + 1;
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
