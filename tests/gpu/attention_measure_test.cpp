// Attention in a measurement: which calls, their times in the profile, and what becomes of wrong ones.
#include "core/cost/estimate/attention_table.h"
#include "core/cost/shapes/shapes.h"
#include "fake_run.h"

#include <gtest/gtest.h>

#include <set>

namespace loadline::gpu {
namespace {

const ModelShapes& llama() {
    return *findShapePreset("llama-3.1-8b");
}

AttentionPlan planOf(const FakeDevice& device, const AttentionRule& rule, std::uint64_t seed = 1) {
    FakeDevice copy = device;
    const FakeBackend backend(copy);
    return planAttention(backend, llama(), rule, {}, seed);
}

TEST(AttentionPlan, IsAGridInASeededOrder) {
    FakeDevice device;
    device.hasAttention = true;
    const AttentionRule rule{{1, 8}, {256, 1024}, {512, 2048}, 60};
    const AttentionPlan plan = planOf(device, rule);
    EXPECT_EQ(plan.calls.size(), 6U);
    EXPECT_EQ(std::set<AttentionCall>(plan.calls.begin(), plan.calls.end()).size(), 6U);
    for (const AttentionCall& call : plan.calls) {
        EXPECT_EQ(call.heads, (AttentionHeads{32, 8, 128}));
    }
    EXPECT_EQ(planOf(device, rule).calls, plan.calls);
    EXPECT_NE(planOf(device, rule, 2).calls, plan.calls);
    EXPECT_GT(plan.guessedSeconds, 0);
    std::set<AttentionPhase> checked;
    for (const AttentionCall& call : plan.checks) {
        checked.insert(call.phase);
    }
    EXPECT_EQ(checked.size(), 2U);
}

TEST(AttentionPlan, LeavesOutWhatIsTooLongOrTooLarge) {
    FakeDevice device;
    device.hasAttention = true;
    const AttentionRule rule{{1, 256}, {1024, 65536}, {}, 1};
    const AttentionPlan plan = planOf(device, rule);
    const AttentionCall huge{AttentionPhase::Decode, {32, 8, 128}, 256, 65536}; // 69 GB of 8 GiB
    EXPECT_EQ(std::count(plan.leftOut.begin(), plan.leftOut.end(), huge), 1);
    EXPECT_EQ(plan.calls.size() + plan.leftOut.size(), 4U);
    EXPECT_LE(plan.guessedSeconds, 1);
    for (const AttentionCall& check : plan.checks) {
        EXPECT_EQ(check.phase, AttentionPhase::Decode) << "no prefill is timed";
    }
}

TEST(AttentionPlan, IsEmptyWithoutShapesOrKernels) {
    FakeDevice device;
    EXPECT_TRUE(planOf(device, {{1}, {256}, {}, 60}).calls.empty());
    device.hasAttention = true;
    const FakeBackend backend(device);
    EXPECT_TRUE(planAttention(backend, studyShapes(), {{1}, {256}, {}, 60}, {}, 1).calls.empty())
        << "the study says nothing of attention";
}

TEST(AttentionPlan, OneCopyIsEnoughBeyondTheCache) {
    FakeDevice device;
    const FakeBackend backend(device);
    const AttentionHeads heads{32, 8, 128};
    EXPECT_EQ(rotationFor(backend, {AttentionPhase::Decode, heads, 64, 4096}).copies, 1);
    EXPECT_EQ(rotationFor(backend, {AttentionPhase::Decode, heads, 1, 8191}).copies, 8); // 33.6 of 256 MB
    EXPECT_EQ(rotationFor(backend, {AttentionPhase::Decode, heads, 1, 15}).copies, 64);
}

TEST(MeasureAttention, EndsInTheProfileAndServesAsATable) {
    FakeDevice device;
    device.hasAttention = true;
    const Measured measured = run(device, Preset::Quick, llama());
    ASSERT_TRUE(measured.profile) << measured.profile.error().sentence();
    const Profile& profile = *measured.profile;
    EXPECT_EQ(profile.attention.size(), 8U);
    EXPECT_EQ(profile.attention.size(), device.attentionOrder.size());
    EXPECT_EQ(measured.run.profile.attention, profile.attention) << "what was told";
    EXPECT_EQ(measured.run.plan.points, measured.run.progress.total);
    for (const AttentionTiming& point : profile.attention) {
        EXPECT_DOUBLE_EQ(point.timeUs, fakeAttentionUs(point.call));
        EXPECT_GE(point.samples, 5);
        EXPECT_EQ(point.origin, PointOrigin::Measured);
    }
    const auto table = attentionTableOf(profile);
    ASSERT_TRUE(table);
    const auto time = timeIn(table->decode, {32, 8, 128}, 16, 1024);
    ASSERT_TRUE(time);
    EXPECT_DOUBLE_EQ(time->y, fakeAttentionUs({AttentionPhase::Decode, {32, 8, 128}, 16, 1024}));
    EXPECT_EQ(table->origin, PointOrigin::Measured);
}

TEST(MeasureAttention, AWrongPhaseIsNotTimed) {
    FakeDevice device;
    device.hasAttention = true;
    device.wrongAttention = AttentionPhase::Prefill;
    const Measured measured = run(device, Preset::Quick, llama());
    ASSERT_TRUE(measured.profile);
    EXPECT_EQ(measured.profile->attention.size(), 6U);
    for (const AttentionTiming& point : measured.profile->attention) {
        EXPECT_EQ(point.call.phase, AttentionPhase::Decode);
    }
    EXPECT_NE(measured.profile->methodFacts.at("failed_checks").find("prefill attention"), std::string::npos);
}

TEST(MeasureAttention, AMadeUpDevicesAttentionIsNotMeasured) {
    FakeDevice device;
    device.hasAttention = true;
    device.madeUp = true;
    const Measured measured = run(device, Preset::Quick, llama());
    ASSERT_TRUE(measured.profile);
    EXPECT_EQ(attentionTableOf(*measured.profile)->origin, PointOrigin::Modelled);
}

} // namespace
} // namespace loadline::gpu
