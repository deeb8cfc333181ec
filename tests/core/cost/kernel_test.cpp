// Kernels as specs, and dispatch rules: presets, edits, and what is wrong with them.
#include "core/cost/kernel/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

TEST(KernelSpecs, AgreeWithEachOther) {
    for (const KernelSpec& spec : kernelSpecs) {
        EXPECT_EQ(kernelFromKey(spec.key), spec.kernel); // each key stands once
        EXPECT_FALSE(spec.name.empty());
        EXPECT_GE(spec.designedRows, 1) << spec.key;
        const Kernel forExperts = groupedOf(spec.kernel);
        EXPECT_EQ(isGrouped(forExperts), spec.grouped || spec.forExperts) << spec.key;
        EXPECT_EQ(specOf(forExperts).family, spec.family) << spec.key;
        EXPECT_EQ(specOf(forExperts).kBits, spec.kBits) << spec.key;
        EXPECT_EQ(designedRows(forExperts), spec.designedRows) << spec.key;
        if (const std::optional<Kernel> second = partsOf(spec.kernel).second) {
            EXPECT_TRUE(spec.kBits) << spec.key;
            EXPECT_FALSE(readsKBits(*second)) << spec.key;
            EXPECT_TRUE(canServe(*second, spec.grouped)) << spec.key;
        }
    }
    EXPECT_FALSE(kernelFromKey("warp"));
}

TEST(KernelDispatch, TextAndCodeDifferFrom17To32) {
    const DispatchRule& text = *findDispatchPreset("published");
    const DispatchRule& code = *findDispatchPreset("code");
    for (const double m : {1, 4}) {
        EXPECT_EQ(kernelFor(text, false, m), Kernel::Scalar);
        EXPECT_EQ(kernelFor(code, false, m), Kernel::Scalar);
    }
    for (const double m : {5, 8, 16}) {
        EXPECT_EQ(kernelFor(text, false, m), Kernel::Mma);
        EXPECT_EQ(kernelFor(code, false, m), Kernel::Mma);
    }
    for (const double m : {17, 32}) {
        EXPECT_EQ(kernelFor(text, false, m), Kernel::Mma);
        EXPECT_EQ(kernelFor(code, false, m), Kernel::DequantCublas);
    }
    for (const double m : {33.0, 512.0, 1e6}) {
        EXPECT_EQ(kernelFor(text, false, m), Kernel::DequantCublas);
        EXPECT_EQ(kernelFor(code, false, m), Kernel::DequantCublas);
    }
    EXPECT_EQ(kernelFor(code, true, 16.5), Kernel::GroupedDequant);
}

TEST(KernelDispatch, TheFastestIsChosenFromEveryServingKernel) {
    const DispatchRule& fastest = *findDispatchPreset("fastest");
    for (const Kernel kernel : allKernels) {
        const bool serves = readsKBits(kernel) && kernel != Kernel::Dequantise;
        for (const bool grouped : {false, true}) {
            const std::vector<Kernel> candidates = candidatesOf(fastest, grouped);
            EXPECT_EQ(std::ranges::count(candidates, kernel), serves && isGrouped(kernel) == grouped ? 1 : 0)
                << keyOf(kernel);
        }
    }
}

TEST(KernelDispatch, PresetsAreSoundAndEditedRulesAreChecked) {
    for (const DispatchRule& rule : dispatchPresets()) {
        EXPECT_FALSE(problemOf(rule)) << rule.key;
        EXPECT_FALSE(candidatesOf(rule, false).empty());
        EXPECT_FALSE(candidatesOf(rule, true).empty());
    }
    DispatchRule rule = *findDispatchPreset("code");
    rule.dense[1].fromM = 7;
    EXPECT_EQ(problemOf(rule), "no kernel serves dense GEMMs at M = 5 to 6");
    rule.dense[1].fromM = 3;
    EXPECT_EQ(problemOf(rule), "two kernels serve dense GEMMs at M = 3");
    rule.dense = {{.kernel = Kernel::Scalar, .toM = 4}};
    EXPECT_EQ(problemOf(rule), "no kernel serves dense GEMMs from M = 5 on");
    rule.dense = {{.kernel = Kernel::GroupedMma}};
    EXPECT_EQ(problemOf(rule), "grouped MMA cannot serve dense GEMMs");
    rule.dense.clear();
    EXPECT_EQ(problemOf(rule), "no kernel serves dense GEMMs");
}

TEST(KernelDispatch, DequantiseAndCublasAreTwoParts) {
    EXPECT_EQ(partsOf(Kernel::DequantCublas),
              (KernelParts{.first = Kernel::Dequantise, .second = Kernel::CublasFp16}));
    EXPECT_EQ(partsOf(Kernel::Mma), (KernelParts{.first = Kernel::Mma, .second = std::nullopt}));
}

} // namespace
} // namespace loadline
