// The hardware table against ../shared/data/models/hardware.json: every figure.
#include "core/cost/device/hardware.h"

#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/device/atlas_name.h"
#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace loadline {
namespace {

/// 0 where the file has null or nothing.
double figureOf(const nlohmann::json& gpu, const char* name) {
    const auto found = gpu.find(name);
    return found != gpu.end() && found->is_number() ? found->get<double>() : 0;
}

TEST(HardwareShared, EveryFigureIsThatOfTheFile) {
    LOADLINE_NEED_SHARED_TEXT(text, "models/hardware.json");
    const auto gpus = nlohmann::json::parse(text)["gpus"];
    EXPECT_EQ(gpus.size(), hardwareTable().size());
    for (const Hardware& hardware : hardwareTable()) {
        SCOPED_TRACE(hardware.key);
        ASSERT_TRUE(gpus.contains(hardware.key));
        const auto& gpu = gpus[hardware.key];
        EXPECT_EQ(hardware.memoryGb, figureOf(gpu, "mem_gb"));
        EXPECT_EQ(hardware.bandwidthGbS, figureOf(gpu, "bw_gbs"));
        EXPECT_EQ(hardware.fp16Tflops, figureOf(gpu, "fp16"));
        EXPECT_EQ(hardware.fp8Tflops, figureOf(gpu, "fp8"));
        EXPECT_EQ(hardware.int8Tflops, figureOf(gpu, "int8"));
        EXPECT_EQ(hardware.fp4Tflops, figureOf(gpu, "fp4"));
        if (const double stated = figureOf(gpu, "sms"); stated > 0) {
            ASSERT_NE(findGpu(hardware.key), nullptr);
            EXPECT_EQ(findGpu(hardware.key)->multiprocessors, stated);
        }
        EXPECT_EQ(hardware.l2Mb, figureOf(gpu, "l2_mb"));
        EXPECT_EQ(hardware.pcieGbS, figureOf(gpu, "pcie_gbs"));
        const double nvlink = figureOf(gpu, "nvlink_gbs");
        EXPECT_EQ(hardware.linkGbS, nvlink > 0 ? nvlink : hardware.pcieGbS);
    }
}

TEST(HardwareShared, TheFoldersOfTheAtlasAreThoseOfTheTables) {
    const auto folder = std::filesystem::path(LOADLINE_SHARED_DATA) / "kernels/measured";
    if (!std::filesystem::exists(folder)) {
        GTEST_SKIP() << "the shared tables are not at " << folder;
    }
    for (const AtlasName& gpu : atlasNames()) {
        EXPECT_TRUE(std::filesystem::is_directory(folder / gpu.folder)) << gpu.folder;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.is_directory()) {
            const AtlasName* const gpu = findAtlasName(entry.path().filename().string());
            ASSERT_NE(gpu, nullptr) << entry.path();
            EXPECT_EQ(gpu->folder, entry.path().filename().string());
        }
    }
}

TEST(HardwareShared, SystemsOfMeasuredServersAreKnown) {
    LOADLINE_NEED_SHARED_TEXT(text, "serving/measured_vllm.csv");
    std::istringstream lines(text);
    std::string line;
    std::getline(lines, line);
    ASSERT_TRUE(line.starts_with("model,system,"));
    while (std::getline(lines, line)) {
        const std::size_t first = line.find(',') + 1;
        const std::string system = line.substr(first, line.find(',', first) - first);
        const AtlasName* const gpu = findAtlasName(system);
        ASSERT_NE(gpu, nullptr) << system;
        EXPECT_EQ(gpu->folder, system);
    }
}

} // namespace
} // namespace loadline
