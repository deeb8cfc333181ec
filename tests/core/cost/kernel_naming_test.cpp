// Kernel names: those of the device behind a profile, never another's.
#include "core/cost/kernel/kernel_naming.h"

#include "core/cost/figure/kernel_figure.h"
#include "core/cost/figure/kernel_figure_tables.h"
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/profile_naming.h"

#include <gtest/gtest.h>

#include <set>

namespace loadline {
namespace {

Profile cpuProfile() {
    Profile profile;
    profile.name = profile.device = "A CPU";
    profile.deviceFacts["instruction_set"] = "\"AVX2\"";
    profile.methodFacts["kernels"] =
        R"j({"cublas_fp16": "own GEMM, fp16 weights (AVX2)", "dequantise": "dequantise to fp16 (AVX2)"})j";
    for (const std::int64_t m : {1, 64}) {
        ProfilePoint fp16;
        fp16.size = {.k = 64, .n = 128};
        fp16.rowsM = m;
        fp16.timeUs = 10 + static_cast<double>(m) / 10; // always the fastest
        ProfilePoint scalar = fp16;
        scalar.kernel = Kernel::Scalar;
        scalar.kBits = 4;
        scalar.timeUs = 20;
        profile.points.push_back(fp16);
        profile.points.push_back(scalar);
    }
    return profile;
}

TEST(KernelNaming, FollowsTheDevice) {
    const Profile cpu = cpuProfile();
    Profile card;
    card.device = "A GPU";
    Profile invented;
    invented.source = madeUpSource;
    EXPECT_EQ(namingOf(&cpu), KernelNaming::Cpu);
    EXPECT_EQ(namingOf(&card), KernelNaming::Gpu);
    EXPECT_EQ(namingOf(&invented), KernelNaming::Role);
    EXPECT_EQ(namingOf(nullptr), KernelNaming::Gpu);
}

TEST(KernelNaming, NamesAreNeverTheSameAndNeverAnothersLibrary) {
    for (const KernelNaming naming : {KernelNaming::Role, KernelNaming::Gpu, KernelNaming::Cpu}) {
        std::set<std::string> names;
        for (const Kernel kernel : allKernels) {
            const std::string name = nameOf(kernel, naming);
            EXPECT_TRUE(names.insert(name).second) << name;
            EXPECT_TRUE(naming.device == KernelNaming::Gpu || name.find("cuBLAS") == std::string::npos)
                << name;
        }
    }
    EXPECT_EQ(nameOf(Kernel::CublasFp16, KernelNaming::Gpu), "fp16 cuBLAS");
    EXPECT_EQ(nameOf(Kernel::CublasFp16, KernelNaming::Cpu), "own fp16 GEMM");
    EXPECT_EQ(nameOf(Kernel::CublasFp16), "fp16 GEMM");
}

TEST(KernelNaming, TellsTheVeryCodeWhereItIsKnown) {
    const Profile cpu = cpuProfile();
    EXPECT_EQ(codeNameOf(Kernel::CublasFp16, cpu), "own GEMM, fp16 weights (AVX2)");
    EXPECT_EQ(codeNameOf(Kernel::Scalar, cpu), "k-bit GEMV");
    EXPECT_EQ(codeNameOf(Kernel::DequantCublas, cpu),
              "dequantise to fp16 (AVX2), then own GEMM, fp16 weights (AVX2)");
    for (const char* broken : {"", "7", "[]", R"({"scalar": 3})"}) {
        Profile odd = cpu;
        odd.methodFacts["kernels"] = broken;
        EXPECT_EQ(codeNameOf(Kernel::Scalar, odd), "k-bit GEMV") << broken;
    }
}

TEST(KernelNaming, AFigureOfACpuSpeaksOfNoCublas) {
    KernelFigureInputs inputs;
    inputs.profile = std::make_shared<const Profile>(cpuProfile());
    inputs.shape = {{.k = 64, .n = 128}, 1};
    const KernelFigure figure = kernelFigure(inputs);
    EXPECT_EQ(figure.sentence.find("cuBLAS"), std::string::npos) << figure.sentence;
    EXPECT_NE(figure.sentence.find("k-bit GEMV"), std::string::npos) << figure.sentence;
    EXPECT_NE(figure.sentence.find("own fp16 GEMM"), std::string::npos) << figure.sentence;
    for (const Table& table : {timesTable(figure), ceilingTable(figure)}) {
        EXPECT_EQ(table.columns[1], "kernel");
        EXPECT_EQ(table.columns[2], "kernel_name");
        for (const auto& row : table.rows) {
            EXPECT_EQ(row.size(), table.columns.size());
        }
    }
    EXPECT_EQ(std::get<std::string>(timesTable(figure).rows[0][1]), "cublas_fp16"); // the format's key stays
    EXPECT_EQ(std::get<std::string>(timesTable(figure).rows[0][2]), "own GEMM, fp16 weights (AVX2)");
}

} // namespace
} // namespace loadline
