// The atlas as devices in a list and as profiles of kernels.
#include "core/cost/step/atlas_profile.h"

#include "core/cost/figure/kernel_figure.h"
#include "core/cost/profile/profile_json.h"
#include "tests/core/validate/shipped_library.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

namespace loadline {
namespace {

constexpr GemmSize down70{.k = 28672, .n = 8192};

Profile shippedProfile(const char* gpu) {
    auto made = atlasProfile(*shippedLibrary().find(gpu));
    EXPECT_TRUE(made) << made.error().what;
    return made ? std::move(*made) : Profile();
}

const ProfilePoint* pointIn(const Profile& profile, Kernel kernel, GemmSize size, std::int64_t rowsM) {
    const auto found = std::ranges::find_if(profile.points, [&](const ProfilePoint& point) {
        return point.kernel == kernel && point.size == size && point.rowsM == rowsM;
    });
    return found == profile.points.end() ? nullptr : &*found;
}

TEST(AtlasProfile, HoldsTheModelsLayersOffTheSurface) {
    const Profile profile = shippedProfile("h200-sxm");
    EXPECT_EQ(profile.device, "NVIDIA H200");
    EXPECT_EQ(profile.hardware, "H200-SXM");
    EXPECT_NE(profile.source.find("vllm 0.24.0"), std::string::npos) << profile.source;
    EXPECT_NE(profile.source.find("Apache-2.0"), std::string::npos) << profile.source;
    const GemmSurface& bf16 = **shippedLibrary().find("h200-sxm")->gemms("bf16");
    const ProfilePoint* const one = pointIn(profile, Kernel::CublasFp16, down70, 16);
    ASSERT_NE(one, nullptr);
    EXPECT_DOUBLE_EQ(one->timeUs, bf16.curveOf(8192, 28672).at(16).us);
    EXPECT_EQ(one->origin, PointOrigin::Modelled); // 28,672 lies between 16,384 and 51,200
    const ProfilePoint* const cell = pointIn(profile, Kernel::CublasFp16, {.k = 4096, .n = 4096}, 16);
    ASSERT_NE(cell, nullptr);
    EXPECT_EQ(cell->origin, PointOrigin::Published);
    const ProfilePoint* const int4 = pointIn(profile, Kernel::SwapAb, {.k = 4096, .n = 4096}, 16);
    ASSERT_NE(int4, nullptr);
    EXPECT_EQ(int4->kBits, 4);
    EXPECT_EQ(int4->name, "int4 of TensorRT-LLM");
    EXPECT_GT(int4->timeUs, 5);
    EXPECT_LT(int4->timeUs, 50);
}

TEST(AtlasProfile, OfEachGpuDrawsAFigureAndReadsBack) {
    for (const AtlasName& name : atlasNames()) {
        const Profile profile = shippedProfile(std::string(name.key).c_str());
        const bool hasInt4 =
            shippedLibrary().find(name.key)->atlas().table(AtlasKind::WeightOnlyGemm) != nullptr;
        EXPECT_EQ(std::ranges::any_of(profile.points, [](const auto& p) { return p.kBits == 4; }), hasInt4)
            << name.key;
        const auto shared = std::make_shared<const Profile>(profile);
        const auto shape = shapeShown(profile, "4096x4096");
        ASSERT_TRUE(shape);
        const KernelFigure figure = kernelFigure({.profile = shared, .compared = nullptr, .shape = *shape});
        EXPECT_EQ(figure.curves.size(), hasInt4 ? 2U : 1U) << name.key;
        const auto read = profileFromJson(toJson(profile), "atlas.json");
        ASSERT_TRUE(read) << read.error().what;
        EXPECT_EQ(read->points.size(), profile.points.size());
    }
}

TEST(AtlasProfile, SaysWhatAKernelMustReach) {
    const AtlasSurfaces& h200 = *shippedLibrary().find("h200-sxm");
    const std::vector<TimesToBeat> times = timesToBeat(h200, {.k = 4096, .n = 4096});
    ASSERT_EQ(times.size(), 4U);
    EXPECT_EQ(times[0].rowsM, 1);
    EXPECT_DOUBLE_EQ(times[0].bf16Us, (*h200.gemms("bf16"))->curveOf(4096, 4096).at(1).us);
    ASSERT_TRUE(times[0].int4Us && times[0].ownBf16Us);
    EXPECT_LT(*times[0].int4Us, times[0].bf16Us);
    EXPECT_NEAR(*times[0].ownBf16Us / times[0].bf16Us, 1, 0.5); // two engines, one library
    const std::string words = timesToBeatText(h200, {.k = 4096, .n = 4096});
    EXPECT_TRUE(words.starts_with("To win at 4096x4096 on H200-SXM, a kernel for k = 4 must take less than "))
        << words;
    EXPECT_NE(words.find("int4 of TensorRT-LLM"), std::string::npos) << words;
    const std::string without = timesToBeatText(*shippedLibrary().find("h100-sxm"), {.k = 4096, .n = 4096});
    EXPECT_NE(without.find("Nobody measured 4-bit weights"), std::string::npos) << without;
}

TEST(AtlasProfile, NothingWithoutTables) {
    const AtlasSurfaces none(std::make_shared<const Atlas>("l40s", shelfInFolder("/nowhere")),
                             *findHardware("L40S"));
    EXPECT_FALSE(atlasProfile(none));
    EXPECT_EQ(timesToBeatText(none, down70), "");
}

TEST(AtlasDevices, StandInTheListOfDevices) {
    const AtlasDevice h200 = atlasDeviceOf(shippedLibrary().find("h200-sxm")->atlas());
    EXPECT_EQ(h200.key, "h200-sxm");
    EXPECT_EQ(h200.name, "NVIDIA H200");
    EXPECT_EQ(h200.date, "2026-08-21");
    EXPECT_NE(std::ranges::find(h200.engines, "vllm 0.24.0"), h200.engines.end());
    EXPECT_GT(h200.tables, 10U);
    EXPECT_GT(h200.times, 290'459U); // rows of its tables, several times in those of linear layers
    EXPECT_TRUE(h200.problems.empty());
    const auto json = nlohmann::json::parse(devicesDocument({}, {"a remark"}, {h200}));
    EXPECT_EQ(json.at("schema"), "loadline.devices/1");
    EXPECT_EQ(json.at("atlas")[0].at("key"), "h200-sxm");
    EXPECT_EQ(json.at("atlas")[0].at("times"), h200.times);
    EXPECT_EQ(json.at("remarks")[0], "a remark");
}

} // namespace
} // namespace loadline
