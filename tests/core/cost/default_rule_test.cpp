// The rule that a profile gets where nobody chose one.
#include "core/cost/profile/default_rule.h"

#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/analytic/modelled_profile.h"
#include "core/simulate/request/simulation_request.h"
#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>

#include <memory>

namespace loadline {
namespace {

Profile timed(std::initializer_list<Kernel> kernels) {
    Profile profile;
    for (const Kernel kernel : kernels) {
        ProfilePoint point;
        point.kernel = kernel;
        point.size = {4096, 4096};
        point.kBits = readsKBits(kernel) ? 4 : fp16Bits;
        point.timeUs = 12;
        profile.points.push_back(point);
    }
    return profile;
}

TEST(DefaultRule, IsThatOfTheCodeForItsOwnTimesAtEveryKAndModel) {
    const Profile& published = test::bundledProfile();
    for (const ModelShapes& shapes : shapePresets()) {
        for (int k = minKBits; k <= maxKBits; ++k) {
            EXPECT_EQ(defaultRule(&published, k, shapes).key, "code") << shapes.key << ' ' << k;
        }
    }
    EXPECT_EQ(defaultRule(nullptr, 4, *findShapePreset("study")).key, "code");
}

TEST(DefaultRule, IsTheFastestWhereTheCodeKnowsNotAllKernelsOrLacksOne) {
    const ModelShapes& llama = *findShapePreset("llama-3.1-8b");
    const Profile modelled = modelledProfile(*findGpu("B200-HGX"));
    EXPECT_EQ(defaultRule(&modelled, 4, llama).key, "fastest") << "it has swap-AB";
    const Profile noMma = timed({Kernel::CublasFp16, Kernel::Scalar, Kernel::Dequantise});
    EXPECT_EQ(defaultRule(&noMma, 4, llama).key, "fastest");
    const Profile all = timed({Kernel::CublasFp16, Kernel::Scalar, Kernel::Mma, Kernel::Dequantise});
    EXPECT_EQ(defaultRule(&all, 4, llama).key, "code");
    EXPECT_EQ(defaultRule(&all, 3, llama).key, "fastest") << "nothing was timed at k = 3";
}

TEST(DefaultRule, IsDecidedWithTheInputsAndWrittenDown) {
    const SimulationRequest request;
    ASSERT_EQ(request.rule, autoRuleKey);
    SimulationSources sources;
    sources.shapes = *findShapePreset("llama-3.1-8b");
    sources.rule = autoRule();
    sources.profile = std::make_shared<const Profile>(modelledProfile(*findGpu("B200-HGX")));
    const SimulationInputs inputs = inputsOf(request, sources);
    EXPECT_EQ(inputs.cost.rule, *findDispatchPreset("fastest"));
    EXPECT_EQ(resolved(request, inputs).rule, "fastest");
    sources.rule = *findDispatchPreset("code");
    SimulationRequest chosen;
    chosen.rule = "code";
    EXPECT_EQ(inputsOf(chosen, sources).cost.rule.key, "code") << "a rule that was chosen stays";
}

} // namespace
} // namespace loadline
