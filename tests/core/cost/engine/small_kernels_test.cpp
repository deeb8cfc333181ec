// The count of small kernels, by properties of a layer.
#include "core/cost/engine/small_kernels.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(SmallKernels, areCountedByProperties) {
    EXPECT_EQ(smallKernelsPerLayer({}), 5); // dense, bf16
    EXPECT_EQ(smallKernelsPerLayer({.quantising = InputQuantising::PerTensor}), 6);
    EXPECT_EQ(smallKernelsPerLayer({.hasExperts = true}), 5);
    EXPECT_EQ(smallKernelsPerLayer({.hasExperts = true, .padsHidden = true}), 7);
    LayerTraits experts{.hasExperts = true, .qkNormAcrossRanks = true, .fp32Router = true};
    EXPECT_EQ(smallKernelsPerLayer(experts), 9);
    experts.quantising = InputQuantising::PerBlock;
    EXPECT_EQ(smallKernelsPerLayer(experts), 11);
}

TEST(SmallKernels, dependOnTheKindOfAttention) {
    LayerTraits traits{.attention = AttentionTraits::Latent, .hasExperts = true, .hasSharedExperts = true};
    EXPECT_EQ(smallKernelsPerLayer(traits), 5); // 2 norms, top-k, shared experts; the rest is in the module
    traits.quantising = InputQuantising::PerBlock;
    EXPECT_EQ(smallKernelsPerLayer(traits), 5);
    traits.attention = AttentionTraits::Linear;
    traits.gatedOutput = true; // of other layers
    EXPECT_EQ(smallKernelsPerLayer(traits), 9);
    traits.attention = AttentionTraits::Grouped;
    EXPECT_EQ(smallKernelsPerLayer(traits), 10);
    traits.qkNormWithinHead = true;
    EXPECT_EQ(smallKernelsPerLayer(traits), 12);
    traits.attention = AttentionTraits::Linear; // whose own norms are in its kernels
    EXPECT_EQ(smallKernelsPerLayer(traits), 9);
}

TEST(SmallKernels, everyTermHasANameAndACount) {
    for (const SmallKernels& term : smallKernelsOf({.hasExperts = true})) {
        EXPECT_FALSE(term.name.empty());
        EXPECT_GT(term.perLayer, 0) << term.name;
        EXPECT_NE(term.name, "activation");
    }
}

} // namespace
} // namespace loadline
