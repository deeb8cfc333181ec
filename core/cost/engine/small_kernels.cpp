// The count of small kernels, term by term.
#include "core/cost/engine/small_kernels.h"

#include "core/cost/engine/engine_settings.h"

namespace loadline {
namespace {

int quantisersOf(const LayerTraits& traits) {
    if (traits.attention == AttentionTraits::Latent) {
        return 0;
    }
    switch (traits.quantising) {
    case InputQuantising::None:
        return 0;
    case InputQuantising::PerTensor:
        return 1; // attention's output
    case InputQuantising::PerBlock:
        return 2; // attention's input and output
    }
    return 0;
}

} // namespace

std::vector<SmallKernels> smallKernelsOf(const LayerTraits& traits) {
    const bool isGrouped = traits.attention == AttentionTraits::Grouped;
    const bool isLinear = traits.attention == AttentionTraits::Linear;
    const SmallKernels all[] = {
        {.name = "norm with residual", .perLayer = 2},
        {.name = "rotary embedding", .perLayer = isGrouped ? 1 : 0},
        {.name = "norms of q and k within a head", .perLayer = isGrouped && traits.qkNormWithinHead ? 2 : 0},
        {.name = "KV write", .perLayer = isGrouped ? 1 : 0},
        {.name = "gate of attention's output", .perLayer = isGrouped && traits.gatedOutput ? 1 : 0},
        {.name = "linear attention: arranged inputs, gated norm", .perLayer = isLinear ? 2 : 0},
        {.name = "activation", .perLayer = traits.hasExperts ? 0 : 1},
        {.name = "quantise", .perLayer = quantisersOf(traits)},
        {.name = "top-k of experts", .perLayer = traits.hasExperts ? 1 : 0},
        {.name = "shared experts: activation, sum", .perLayer = traits.hasSharedExperts ? 2 : 0},
        {.name = "q/k norm across ranks: two sums, one apply", .perLayer = traits.qkNormAcrossRanks ? 3 : 0},
        {.name = "cast for the FP32 router", .perLayer = traits.fp32Router ? 1 : 0},
        {.name = "pad and slice the hidden size", .perLayer = traits.padsHidden ? 2 : 0},
    };
    std::vector<SmallKernels> terms;
    for (const SmallKernels& term : all) {
        if (term.perLayer > 0) {
            terms.push_back(term);
        }
    }
    return terms;
}

int smallKernelsPerLayer(const LayerTraits& traits) {
    int sum = 0;
    for (const SmallKernels& term : smallKernelsOf(traits)) {
        sum += term.perLayer;
    }
    return sum;
}

int qkNormReducesOf(const EngineVersion& version) {
    return engineDefaultOf(version).qkNormReduces;
}

} // namespace loadline
