// The table of kinds is consistent.
#include "core/cost/atlas/atlas_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace loadline {
namespace {

TEST(AtlasKinds, AreInTheOrderOfTheirEnumAndFoundByKey) {
    std::set<std::string_view> names;
    for (const AtlasKindSpec& spec : atlasKinds()) {
        EXPECT_EQ(&specOf(spec.kind), &spec);
        EXPECT_EQ(findAtlasKind(spec.key), &spec);
        EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    }
    EXPECT_EQ(findAtlasKind("gem"), nullptr);
    EXPECT_EQ(findAtlasKind(""), nullptr);
}

TEST(AtlasKinds, HaveTheAxisAsTheirLastKeyAndItIsANumber) {
    for (const AtlasKindSpec& spec : atlasKinds()) {
        ASSERT_FALSE(spec.keys.empty());
        EXPECT_EQ(spec.keys.back(), spec.axis) << spec.key;
        EXPECT_FALSE(isAtlasWordKey(spec.axis)) << spec.key;
        EXPECT_EQ(std::set(spec.keys.begin(), spec.keys.end()).size(), spec.keys.size()) << spec.key;
        ASSERT_FALSE(spec.times.empty());
        for (const std::string_view time : spec.times) {
            EXPECT_TRUE(time.ends_with("_us")) << spec.key;
        }
    }
}

TEST(AtlasKinds, TakeColumnsOfTimesInTheirOrder) {
    const std::vector<std::string> all{"bf16", "fp8", "fp8_block", "nvfp4"};
    EXPECT_TRUE(areAtlasTimes(AtlasKind::Gemm, all));
    EXPECT_TRUE(areAtlasTimes(AtlasKind::Gemm, std::vector<std::string>{"fp8", "nvfp4"}));
    EXPECT_FALSE(areAtlasTimes(AtlasKind::Gemm, std::vector<std::string>{"nvfp4", "fp8"}));
    EXPECT_FALSE(areAtlasTimes(AtlasKind::Gemm, std::vector<std::string>{"fp8", "fp8"}));
    EXPECT_FALSE(areAtlasTimes(AtlasKind::Gemm, std::vector<std::string>{"time"}));
    EXPECT_FALSE(areAtlasTimes(AtlasKind::Gemm, {}));
    EXPECT_TRUE(areAtlasTimes(AtlasKind::Experts, std::vector<std::string>{"time"}));
}

TEST(AtlasKinds, SayWhatCellsOfKeysCanBe) {
    EXPECT_TRUE(isAtlasWordKey("kv"));
    EXPECT_FALSE(isAtlasWordKey("kv_heads"));
    EXPECT_EQ(leastAtlasNumber("window"), 0);
    EXPECT_EQ(leastAtlasNumber("m"), 1);
    EXPECT_EQ(atlasTimesName("fp8_block_us"), "fp8_block");
    EXPECT_EQ(atlasTimesName("time"), "time");
    EXPECT_TRUE(isAtlasWord("sgl-project/DeepSeek-V4-Flash-FP8"));
    EXPECT_TRUE(isAtlasWord(std::string(63, 'x')));
    for (const std::string& word : {std::string(), std::string("a b"), std::string("\xc3\xa9"),
                                    std::string("a\n"), std::string(64, 'x')}) {
        EXPECT_FALSE(isAtlasWord(word)) << word;
    }
}

} // namespace
} // namespace loadline
