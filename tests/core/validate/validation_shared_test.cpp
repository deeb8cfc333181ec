// The errors of predictions for the published measurements of vLLM servers.
#include "core/validate/validation.h"

#include "tests/core/validate/shipped_library.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace loadline {
namespace {

/// The goal for the half of the measurements that nobody sees here; what is seen must meet it too.
TEST(ValidationOfPublishedServers, MeetsTheGoal) {
    const auto path = std::filesystem::path(LOADLINE_SHARED_DATA) / "serving" / "measured_vllm.csv";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "the measured servers are not at " << path;
    }
    const auto made = validationOf({path.string()}, shippedLibrary(), {});
    ASSERT_TRUE(made) << made.error().what;
    const ServerErrors& judged = made->errors.judged;
    EXPECT_EQ(judged.n, 146U);
    EXPECT_EQ(judged.notModelled, 0U);
    ASSERT_TRUE(judged.tpot && judged.ttft);
    EXPECT_LT(judged.tpot->median, tpotGoal.median);
    EXPECT_LT(judged.tpot->mape, tpotGoal.mape);
    EXPECT_LT(judged.tpot->p90, tpotGoal.p90);
    EXPECT_LT(judged.ttft->median, ttftGoal.median);
    EXPECT_LT(judged.ttft->mape, ttftGoal.mape);
    EXPECT_LT(judged.ttft->p90, ttftGoal.p90);
    for (const KeyedErrors& pair : made->judged) {
        if (pair.errors.n >= 10) {
            EXPECT_LT(pair.errors.tpot->median, 0.10) << pair.key;
            EXPECT_LT(pair.errors.ttft->median, 0.20) << pair.key;
        }
        if (pair.key.starts_with("meta-llama/Llama-3.1-70B, h")) { // Hopper
            EXPECT_LT(pair.errors.tpot->median, 0.045) << pair.key;
            EXPECT_LT(pair.errors.ttft->median, 0.07) << pair.key;
        }
    }
}

} // namespace
} // namespace loadline
