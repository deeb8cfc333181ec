// Captured sizes against the list that a recorded engine resolved.
#include "core/cost/engine/capture_sizes.h"

#include "core/base/file/read_file.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace loadline {
namespace {

TEST(CaptureSizesRecorded, areThoseOfTheEngine) {
    const std::filesystem::path meta =
        std::filesystem::path(LOADLINE_SHARED_DATA) / "engine_runs" / "rtx4090-llama-3.1-8b" / "meta.json";
    if (!std::filesystem::exists(meta)) {
        GTEST_SKIP() << "the recorded run is not at " << meta;
    }
    const auto text = readWholeFile(meta.string(), "the recorded run");
    ASSERT_TRUE(text);
    const auto run = nlohmann::json::parse(*text);
    const auto version = engineVersionFrom(run.at("vllm_version").get<std::string>());
    ASSERT_TRUE(version);
    const auto& arguments = run.at("engine_kwargs");
    const EngineSettings settings =
        engineSettingsOf(*version, arguments.at("max_num_batched_tokens"), arguments.at("max_num_seqs"));
    const auto recorded = run.at("resolved_config").at("compilation_config").at("cudagraph_capture_sizes");
    EXPECT_EQ(captureSizes(settings), recorded.get<std::vector<Tokens>>());
}

} // namespace
} // namespace loadline
