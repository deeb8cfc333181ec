// Small kernels: properties of each kind of layer, and bytes.
#include "core/cost/step/layer_kernels.h"

#include "core/cost/engine/small_kernels.h"

#include <algorithm>

namespace loadline {
namespace {

InputQuantising quantisingOf(const StepSetup& setup) {
    if (setup.weightFormat == "fp8") {
        return InputQuantising::PerTensor;
    }
    return setup.weightFormat == "fp8_block" || setup.weightFormat == "nvfp4" ? InputQuantising::PerBlock
                                                                              : InputQuantising::None;
}

/// Bytes of the kernels around attention, per row and layer.
double attentionBytesPerRow(AttentionTraits attention, const ModelShapes& shard) {
    constexpr double headTraffic = 4;
    constexpr int mostRotated = 128;
    const AttentionFacts& facts = *shard.attention;
    switch (attention) {
    case AttentionTraits::Grouped:
        return headTraffic * (facts.qHeads + facts.kvHeads) *
               (std::min(facts.headDim, mostRotated) + (shard.qkNormWithinHead ? facts.headDim : 0));
    case AttentionTraits::Latent:
        return 0;
    case AttentionTraits::Linear: {
        constexpr double copyTraffic = 4, gatedNormTraffic = 6; // bf16: read, written; two read, one written
        const LinearFacts& linear = *shard.linear;
        const double values = static_cast<double>(linear.vHeads) * linear.vDim;
        const double arranged = 2.0 * linear.kHeads * linear.kDim + values;
        return copyTraffic * arranged + gatedNormTraffic * values;
    }
    }
    return 0;
}

/// Bytes of the other kernels, per row and layer.
double otherBytesPerRow(const ModelShapes& shard) {
    constexpr double rowTraffic = 16, activationTraffic = 3;
    double bytes = rowTraffic * static_cast<double>(shard.hidden);
    for (const LayerGemm& gemm : shard.gemms) {
        if (layerPartOf(gemm) == LayerPart::GateUp && !shard.experts) {
            bytes += activationTraffic * static_cast<double>(gemm.size.n) * gemm.perLayer;
        }
    }
    return bytes;
}

} // namespace

LayerKernels layerKernelsOf(const StepSetup& setup, const ModelShapes& shard, bool padsHidden) {
    const AttentionFacts& facts = *shard.attention;
    LayerTraits traits{.attention = AttentionTraits::Grouped,
                       .gatedOutput = shard.linear.has_value(),
                       .hasExperts = shard.experts.has_value(),
                       .hasSharedExperts = shard.experts && shard.experts->sharedWidth > 0,
                       .quantising = quantisingOf(setup),
                       .qkNormAcrossRanks = shard.qkNormAcrossRanks,
                       .qkNormWithinHead = shard.qkNormWithinHead,
                       .fp32Router = shard.experts && shard.experts->fp32Router,
                       .padsHidden = padsHidden};
    LayerKernels sum;
    const auto add = [&](AttentionTraits attention, int layers) {
        traits.attention = attention;
        sum.count += static_cast<double>(layers) * smallKernelsPerLayer(traits);
        sum.bytesPerRow += layers * (attentionBytesPerRow(attention, shard) + otherBytesPerRow(shard));
    };
    const int linearLayers = shard.linear ? facts.layers - facts.fullLayers : 0;
    add(shard.mla ? AttentionTraits::Latent : AttentionTraits::Grouped, facts.layers - linearLayers);
    if (linearLayers > 0) {
        add(AttentionTraits::Linear, linearLayers);
    }
    return sum;
}

} // namespace loadline
