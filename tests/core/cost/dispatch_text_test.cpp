// Dispatch rules as text: read, written, read back, and every kind of bad text said in words.
#include "core/cost/kernel/dispatch_text.h"

#include "core/base/random.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

DispatchRule read(std::string_view text) {
    const Result<DispatchRule> rule = dispatchRuleFromText(text);
    EXPECT_TRUE(rule) << text << ": " << rule.error().sentence();
    return rule ? *rule : DispatchRule{};
}

TEST(DispatchText, PresetsReadByTheirKeys) {
    for (const DispatchRule& preset : dispatchPresets()) {
        EXPECT_EQ(read(preset.key), preset);
        EXPECT_EQ(textOf(preset), preset.key);
    }
}

TEST(DispatchText, ARangeEndsWhereTheNextBegins) {
    const DispatchRule rule = read("scalar:4, mma : 64 ,dequant_cublas ; grouped_mma:8,grouped_dequant");
    ASSERT_FALSE(problemOf(rule));
    EXPECT_EQ(kernelFor(rule, false, 4), Kernel::Scalar);
    EXPECT_EQ(kernelFor(rule, false, 5), Kernel::Mma);
    EXPECT_EQ(kernelFor(rule, false, 64), Kernel::Mma);
    EXPECT_EQ(kernelFor(rule, false, 65), Kernel::DequantCublas);
    EXPECT_EQ(kernelFor(rule, true, 8), Kernel::GroupedMma);
    EXPECT_EQ(kernelFor(rule, true, 9), Kernel::GroupedDequant);
    EXPECT_EQ(rule.key, "scalar:4,mma:64,dequant_cublas;grouped_mma:8,grouped_dequant");
    EXPECT_EQ(rule.name, "scalar GEMV to M = 4, MMA to 64, dequantise + fp16 GEMM above");
}

TEST(DispatchText, ASideThatIsLeftOutStaysAsItIs) {
    const DispatchRule code = *findDispatchPreset("code");
    DispatchRule rule = read("swap_ab:64,dequant_cublas");
    EXPECT_EQ(rule.grouped, code.grouped);
    EXPECT_EQ(rule.key, "swap_ab:64,dequant_cublas;grouped_mma:16,grouped_dequant");
    rule = read(";grouped_swap_ab");
    EXPECT_EQ(rule.dense, code.dense);
    EXPECT_EQ(kernelFor(rule, true, 1000), Kernel::GroupedSwapAb);
    const DispatchRule before = read("scalar;batched_fp16");
    const auto after = [](std::string_view text, const DispatchRule& was) {
        return *dispatchRuleFromText(text, &was);
    };
    EXPECT_EQ(after("mma", before).key, "mma;batched_fp16");
    EXPECT_EQ(after(" ; grouped_dequant ", before).key, "scalar;grouped_dequant");
    EXPECT_EQ(after("mma;grouped_dequant", before).key, "mma;grouped_dequant") << "nothing is left out";
    EXPECT_EQ(after("code", before), code) << "a preset has both";
    EXPECT_EQ(after("mma", *findDispatchPreset("fastest")).grouped, code.grouped) << "it has no ranges";
    for (const Kernel kernel : servingKernels(false)) {
        EXPECT_TRUE(isGrouped(groupedOf(kernel)));
    }
}

TEST(DispatchText, TheRangesOfAPresetAreThePreset) {
    const DispatchRule rule = read("scalar:4,mma:16,dequant_cublas;grouped_mma:16,grouped_dequant");
    EXPECT_EQ(rule, *findDispatchPreset("code"));
    EXPECT_EQ(read("scalar:4,mma:16,dequant_cublas").key, "code");
}

TEST(DispatchText, WhatIsWrittenReadsBack) {
    const RandomStream stream(7);
    std::uint64_t drawn = 0;
    const auto draw = [&](std::size_t n) { return below(static_cast<std::uint32_t>(n), stream.at(drawn++)); };
    for (int round = 0; round < 500; ++round) {
        const auto ranges = [&](bool grouped) {
            const std::vector<Kernel> kernels = servingKernels(grouped);
            std::vector<KernelRange> made;
            std::int64_t from = 1;
            for (std::uint32_t left = draw(4); left > 0; --left) {
                const std::int64_t to = from + draw(40);
                made.push_back({.kernel = kernels[draw(kernels.size())], .fromM = from, .toM = to});
                from = to + 1;
            }
            made.push_back({.kernel = kernels[draw(kernels.size())], .fromM = from});
            return made;
        };
        const std::vector<KernelRange> dense = ranges(false);
        const DispatchRule rule =
            editedRule(dense, round % 3 == 0 ? dispatchPresets()[0].grouped : ranges(true));
        ASSERT_FALSE(problemOf(rule));
        EXPECT_EQ(read(textOf(rule)), rule);
        EXPECT_EQ(rule.key, textOf(rule));
    }
}

struct BadText {
    const char* name;
    std::string text;
    const char* said;
};

class BadDispatchText : public testing::TestWithParam<BadText> {};

TEST_P(BadDispatchText, IsSaidInWords) {
    const Result<DispatchRule> rule = dispatchRuleFromText(GetParam().text);
    ASSERT_FALSE(rule);
    EXPECT_NE(rule.error().sentence().find(GetParam().said), std::string::npos) << rule.error().sentence();
    EXPECT_FALSE(rule.error().remedy.empty());
    EXPECT_EQ(rule.error().sentence().find('\n'), std::string::npos);
    EXPECT_LT(rule.error().sentence().size(), 400U);
}

std::string manyRanges() {
    std::string text;
    for (int m = 1; m <= 100; ++m) {
        text += "mma:" + std::to_string(m) + ",";
    }
    return text + "dequant_cublas";
}

INSTANTIATE_TEST_SUITE_P(
    All, BadDispatchText,
    testing::Values(
        BadText{"empty", "", "no kernel serves dense GEMMs"},
        BadText{"blank", " \t", "no kernel serves dense GEMMs"},
        BadText{"neither", " ; ", "no kernel serves dense GEMMs"},
        BadText{"no_grouped", "mma;", "no kernel serves experts"},
        BadText{"unknown", "warp:4,mma", "there is no kernel \"warp\""},
        BadText{"preset_mistyped", "coed", "there is no kernel \"coed\""},
        BadText{"unknown_expert", "mma;warp", "there is no kernel \"warp\""},
        BadText{"comma_twice", "scalar:4,,mma", "a kernel is missing between commas"},
        BadText{"comma_last", "scalar:4,", "a kernel is missing between commas"},
        BadText{"no_bound", "scalar,mma", "\"scalar\" has no bound, but another kernel follows"},
        BadText{"bound_last", "scalar:4,mma:16", "no kernel serves dense GEMMs from M = 17 on"},
        BadText{"expert_bound_last", "mma;grouped_mma:8", "no kernel serves experts from M = 9 on"},
        BadText{"descending", "scalar:16,mma:4,dequant_cublas", "mma ends at M = 4, before it starts at 17"},
        BadText{"equal", "scalar:4,mma:4,dequant_cublas", "mma ends at M = 4, before it starts at 5"},
        BadText{"zero", "scalar:0,mma", "the bound \"0\" of scalar is not a whole number from 1"},
        BadText{"negative", "scalar:-4,mma", "the bound \"-4\""},
        BadText{"word", "scalar:four,mma", "the bound \"four\""},
        BadText{"fraction", "scalar:4.5,mma", "the bound \"4.5\""},
        BadText{"missing_number", "scalar:,mma", "the bound \"\""},
        BadText{"two_colons", "scalar:4:5,mma", "the bound \"4:5\""},
        BadText{"absurd", "scalar:99999999999999999999,mma", "the bound \"99999999999999999999\""},
        BadText{"beyond", "scalar:16777217,mma", "the bound \"16777217\""},
        BadText{"grouped_for_dense", "grouped_mma", "grouped MMA cannot serve dense GEMMs"},
        BadText{"dense_for_experts", "mma;mma", "MMA cannot serve experts"},
        BadText{"dequantise_alone", "scalar:4,dequantise", "dequantise cannot serve dense GEMMs"},
        BadText{"two_semicolons", "mma;grouped_mma;grouped_mma", "one semicolon at most"},
        BadText{"control", "a\nb\x01", "there is no kernel \"a\\nb\\x01\""},
        BadText{"long_name", std::string(100'000, 'x'), "there is no kernel \"xxxx"},
        BadText{"many", manyRanges(), "more than 64 ranges"}),
    [](const auto& test) { return test.param.name; });

} // namespace
} // namespace loadline
