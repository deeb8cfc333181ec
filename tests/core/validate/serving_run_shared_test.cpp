// The closed loop of measured servers under made-up step times, against a simulation that was written apart
// from this program: its own scheduler, without KV blocks.
#include "core/validate/serving_run.h"

#include "core/base/file/read_file.h"
#include "core/serving/measured_row.h"
#include "tests/core/validate/linear_prices.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <span>

namespace loadline {
namespace {

/// Figures of the row at a place of the table.
struct SimulatedApart {
    std::size_t row = 0;
    std::int64_t steps = 0;
    double ttftMs = 0;
    double tpotMs = 0;
    double burstTtftMs = 0;
};

const SimulatedApart simulatedApart[] = {
    {.row = 0, .steps = 9580, .ttftMs = 44.774968567, .tpotMs = 1.232192587, .burstTtftMs = 92.552845675},
    {.row = 11, .steps = 10603, .ttftMs = 711.322329773, .tpotMs = 5.768415799, .burstTtftMs = 968.405298532},
    {.row = 22, .steps = 9691, .ttftMs = 307.798112993, .tpotMs = 1.852791394, .burstTtftMs = 659.680878930},
    {.row = 34,
     .steps = 10409,
     .ttftMs = 7164.244054619,
     .tpotMs = 12.282813224,
     .burstTtftMs = 7460.244011659},
    {.row = 70, .steps = 73935, .ttftMs = 45.324239150, .tpotMs = 1.185333441, .burstTtftMs = 103.767227500},
    {.row = 74,
     .steps = 143823,
     .ttftMs = 6963.077936736,
     .tpotMs = 4.057703005,
     .burstTtftMs = 1034.685617356},
    {.row = 95, .steps = 9692, .ttftMs = 301.737266555, .tpotMs = 1.860214977, .burstTtftMs = 598.810053550},
    {.row = 99,
     .steps = 10648,
     .ttftMs = 7043.943496167,
     .tpotMs = 12.369120617,
     .burstTtftMs = 7374.696048492},
    {.row = 116, .steps = 1320, .ttftMs = 178.604241460, .tpotMs = 1.899436569, .burstTtftMs = 180.930342535},
    {.row = 122,
     .steps = 1600,
     .ttftMs = 1023.569508191,
     .tpotMs = 11.952581372,
     .burstTtftMs = 1074.244528504},
    {.row = 136, .steps = 1440, .ttftMs = 618.834560000, .tpotMs = 4.360052883, .burstTtftMs = 627.277695575},
    {.row = 139,
     .steps = 1451,
     .ttftMs = 731.608359289,
     .tpotMs = 60.046950719,
     .burstTtftMs = 4178.457820058},
    {.row = 161, .steps = 9579, .ttftMs = 45.870513400, .tpotMs = 1.230935465, .burstTtftMs = 103.767227500},
    {.row = 173,
     .steps = 10398,
     .ttftMs = 768.677496705,
     .tpotMs = 5.730935604,
     .burstTtftMs = 1034.685617356},
    {.row = 201, .steps = 9692, .ttftMs = 301.737266555, .tpotMs = 1.860214977, .burstTtftMs = 598.810053550},
    {.row = 217,
     .steps = 10648,
     .ttftMs = 7043.943496167,
     .tpotMs = 12.369120617,
     .burstTtftMs = 7374.696048492},
    {.row = 251, .steps = 9579, .ttftMs = 45.870513400, .tpotMs = 1.230935465, .burstTtftMs = 103.767227500},
    {.row = 253, .steps = 9580, .ttftMs = 44.774968567, .tpotMs = 1.232192587, .burstTtftMs = 92.552845675},
    {.row = 263,
     .steps = 10398,
     .ttftMs = 768.677496705,
     .tpotMs = 5.730935604,
     .burstTtftMs = 1034.685617356},
    {.row = 265,
     .steps = 10603,
     .ttftMs = 711.322329773,
     .tpotMs = 5.768415799,
     .burstTtftMs = 968.405298532},
    {.row = 266, .steps = 9691, .ttftMs = 307.798112993, .tpotMs = 1.852791394, .burstTtftMs = 659.680878930},
    {.row = 267, .steps = 9692, .ttftMs = 301.737266555, .tpotMs = 1.860214977, .burstTtftMs = 598.810053550},
    {.row = 276,
     .steps = 10648,
     .ttftMs = 7043.943496167,
     .tpotMs = 12.369120617,
     .burstTtftMs = 7374.696048492},
    {.row = 299, .steps = 76225, .ttftMs = 69.419579116, .tpotMs = 1.751923474, .burstTtftMs = 320.613872159},
    {.row = 301,
     .steps = 143823,
     .ttftMs = 6963.077936736,
     .tpotMs = 4.057703005,
     .burstTtftMs = 1034.685617356},
    {.row = 322, .steps = 9692, .ttftMs = 301.737266555, .tpotMs = 1.860214977, .burstTtftMs = 598.810053550},
    {.row = 330,
     .steps = 10648,
     .ttftMs = 7043.943496167,
     .tpotMs = 12.369120617,
     .burstTtftMs = 7374.696048492},
};

TEST(ServingRunOfMeasuredServers, isTheSameAsOneWrittenApart) {
    const auto path = std::filesystem::path(LOADLINE_SHARED_DATA) / "serving" / "measured_vllm.csv";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "the measured servers are not at " << path;
    }
    const auto text = readWholeFile(path.string(), "the measured servers");
    ASSERT_TRUE(text);
    const auto rows = readMeasuredRows(*text, path.string());
    ASSERT_TRUE(rows);
    for (const SimulatedApart& expected : simulatedApart) {
        ASSERT_LT(expected.row, rows->rows.size());
        ServerSettings settings = rows->rows[expected.row].settings;
        settings.engine.streamInterval = 1;
        const auto plan = servingPlanOf(settings);
        ASSERT_TRUE(plan);
        LinearPrices prices;
        const ServingSetup setup{.engine = settings.engine,
                                 .kvBlocks = 1 << 22,
                                 .frontEnd = {.promptTokenUs = 3, .frontEndUs = 5000, .outputTokenUs = 80}};
        const auto figures = runServing(*plan, setup, prices);
        ASSERT_TRUE(figures);
        SCOPED_TRACE(expected.row);
        EXPECT_EQ(figures->steps, expected.steps);
        EXPECT_NEAR(figures->ttftMs, expected.ttftMs, 1e-8);
        EXPECT_NEAR(figures->tpotMs, expected.tpotMs, 1e-8);
        EXPECT_NEAR(figures->burstTtftMs, expected.burstTtftMs, 1e-8);
    }
}

} // namespace
} // namespace loadline
