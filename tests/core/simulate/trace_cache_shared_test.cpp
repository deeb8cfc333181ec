// The published Mooncake trace through vLLM's prefix cache: hits as a plain LRU of its blocks has them.
#include "core/simulate/run/simulate.h"
#include "core/workload/source/read_workload.h"
#include "tests/core/simulate/made_inputs.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace loadline {
namespace {

std::filesystem::path traces() {
    return std::filesystem::path(LOADLINE_SHARED_DATA) / "traces";
}

class MooncakeCache : public testing::TestWithParam<std::int64_t> {};

TEST_P(MooncakeCache, HitsAsAPlainLruDoes) {
    const auto path = traces() / "mooncake/conversation_trace.jsonl";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "the shared data has no " << path;
    }
    auto read = readWorkload(path.string());
    ASSERT_TRUE(read) << read.error().sentence();
    SimulationInputs inputs = madeInputs(); // fast enough that hardly anybody waits or holds blocks for long
    inputs.workload = std::make_shared<const Workload>(std::move(*read));
    inputs.arrivals.kind = ArrivalKind::Trace;
    inputs.length = {.iterations = std::nullopt, .turns = std::nullopt};
    inputs.policy = {};
    inputs.policy.prefixCache = true;
    constexpr std::int64_t blocksOfOne = traceBlockTokens / 16;
    inputs.policy.kvBlocks = GetParam() * blocksOfOne + 1;
    const auto run = simulate(inputs, 1);
    ASSERT_TRUE(run) << run.error().sentence();
    const SimulationResult& result = run->replicas.front();
    EXPECT_EQ(result.turns, inputs.workload->requests.size());
    const auto cached = static_cast<double>(result.cachedTokens);
    const double hit = cached / (cached + static_cast<double>(result.tokensIn));
    const auto expected = nlohmann::json::parse(std::ifstream(traces() / "expected.json"));
    const double plain =
        expected["mooncake_conversation"]["lru_contiguous"][std::to_string(GetParam())]["token"];
    EXPECT_NEAR(hit, plain, 0.03 * plain);
}

INSTANTIATE_TEST_SUITE_P(Capacities, MooncakeCache, testing::Values(1000, 10'000, 30'000),
                         [](const auto& blocks) { return std::to_string(blocks.param); });

} // namespace
} // namespace loadline
