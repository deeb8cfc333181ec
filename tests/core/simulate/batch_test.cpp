// A recording says of every step what the run did.
#include "core/simulate/answer/batch.h"

#include "core/simulate/run/exact.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/simulate.h"
#include "tests/core/simulate/made_inputs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(Batch, EveryPolicyAddsUp) {
    for (const Policy policy : {Policy::VllmV1, Policy::SinglePrefill, Policy::Mlx}) {
        SimulationInputs inputs = madeInputs();
        inputs.policy.policy = policy;
        inputs.policy.maxSeqs = 12;
        inputs.arrivals.users = 20;
        inputs.length.iterations = 3000;
        const auto recording = recordBatch(inputs);
        ASSERT_TRUE(recording) << recording.error().what;
        const auto tables = CostTables::make(inputs, {4}, 16'384);
        const auto run = runExact(inputs, (*tables)->at(4), inputs.seed);
        ASSERT_TRUE(run);
        EXPECT_FALSE(recording->cut);
        EXPECT_EQ(recording->steps(), 3000);
        std::uint64_t prefill = 0;
        double us = 0;
        for (std::int64_t i = 0; i < recording->steps(); ++i) {
            const BatchStep step = batchStepOf(*recording, i);
            std::int64_t tokens = 0;
            for (const BatchRow& row : step.rows) {
                tokens += row.tokens;
                EXPECT_EQ(row.kind == BatchRow::Kind::Waiting, row.reason != WaitReason::None);
                if (row.kind == BatchRow::Kind::Prefill) {
                    prefill += static_cast<std::uint64_t>(row.tokens);
                }
            }
            EXPECT_LE(tokens, step.rowsM); // MLX pads
            if (policy != Policy::Mlx) {
                EXPECT_EQ(tokens, step.rowsM);
                ASSERT_EQ(step.forwards.size(), 1U);
            }
            EXPECT_EQ(step.forwards.front().services.size(), recording->inputs.cost.model.gemms.size());
            EXPECT_EQ(step.rows.size(), 20U); // a closed loop: everybody runs or waits
            us += step.us;
        }
        EXPECT_EQ(prefill, run->tokensIn);
        EXPECT_NEAR(us, run->gemm.us, 1e-4 * us);
        EXPECT_EQ(tableOf(*recording).rows.size(), 3000U);
    }
}

TEST(Batch, SaysWhoWaitsAndWhy) {
    SimulationInputs inputs = tracedInputs(std::vector<TraceRequest>(6, {0, 100, 60, 0}));
    inputs.policy.kvBlocks = 25;
    const auto recording = recordBatch(inputs);
    ASSERT_TRUE(recording) << recording.error().what;
    const BatchStep first = batchStepOf(*recording, 0);
    // 24 blocks hold three prompts of 7 blocks.
    EXPECT_EQ(first.rows[3].reason, WaitReason::NoBlocks);
    EXPECT_EQ(first.rows[4].reason, WaitReason::BehindOther);
    EXPECT_EQ(first.usedBlocks, 21);
    EXPECT_EQ(first.totalBlocks, 24);
    const Table table = tableOf(*recording, first);
    EXPECT_EQ(table.columns.back(), "kernels_us");
    const auto& service = first.forwards.front().services.front();
    for (const auto& row : table.rows) {
        EXPECT_EQ(std::get<std::string>(row.back()),
                  fmt::format("only: {} {:.4g}", keyOf(service.kernel), service.us));
    }
    EXPECT_EQ(batchStepSentence(*recording, first),
              "Step 0 at 0 s: 3 prefill 300 tokens together; M = 300 rows. 3 wait: the free KV blocks do not "
              "hold the prompt.");
    std::int64_t preempted = 0;
    bool seen = false;
    for (std::int64_t i = 0; i < recording->steps(); ++i) {
        const BatchStep step = batchStepOf(*recording, i);
        for (const BatchRow& row : step.rows) {
            if (row.kind == BatchRow::Kind::Preempted) {
                ++preempted;
                EXPECT_GT(row.emittedBefore, 0);
            }
            if (row.resumed) {
                seen = true;
                EXPECT_EQ(row.kind, BatchRow::Kind::Prefill);
                EXPECT_EQ(row.tokens, 100 + row.emittedBefore);
            }
        }
    }
    EXPECT_GT(preempted, 0);
    EXPECT_TRUE(seen);
    for (const BatchRequest& request : recording->requests) {
        EXPECT_GE(request.firstTokenStep, request.firstScheduledStep);
        EXPECT_GT(request.finishStep, request.firstTokenStep);
    }
}

TEST(Batch, SaysWhatLimits) {
    SimulationInputs inputs = tracedInputs(std::vector<TraceRequest>(6, {0, 100, 60, 0}));
    inputs.policy.maxSeqs = 2;
    EXPECT_EQ(recordBatch(inputs)->rowsOf(0).back().reason, WaitReason::NoPlace);
    inputs.policy.maxSeqs = 256;
    inputs.policy.budgetTokens = 256;
    EXPECT_EQ(recordBatch(inputs)->rowsOf(0).back().reason, WaitReason::NoBudget);
    inputs.policy.policy = Policy::SinglePrefill;
    EXPECT_EQ(recordBatch(inputs)->rowsOf(0).back().reason, WaitReason::OnePrefill);
    inputs.policy.policy = Policy::Mlx;
    inputs.policy.prefillBatch = 2;
    const auto mlx = recordBatch(inputs);
    EXPECT_EQ(mlx->rowsOf(0).back().reason, WaitReason::BatchFull);
    EXPECT_EQ(batchStepOf(*mlx, 0).forwards.front().name, "prefill");
}

TEST(Batch, EndsWhereItWasTold) {
    SimulationInputs inputs = madeInputs();
    const auto recording = recordBatch(inputs, 17);
    ASSERT_TRUE(recording);
    EXPECT_EQ(recording->steps(), 17);
    EXPECT_TRUE(recording->cut);
    inputs.workload = nullptr;
    EXPECT_FALSE(recordBatch(inputs));
}

TEST(Batch, AWholeStepShowsAllOfItsTime) {
    SimulationInputs inputs = madeInputs();
    inputs.profile = nullptr;
    inputs.hardware = findHardware("H800");
    inputs.scope = StepScope::WholeStep;
    inputs.hostUs = 200;
    inputs.cost.model = *std::ranges::find(shapePresets(), "llama-3.1-8b", &ModelShapes::key);
    inputs.length = {50, std::nullopt};
    const auto recording = recordBatch(inputs, 50);
    ASSERT_TRUE(recording) << recording.error().sentence();
    const BatchStep step = batchStepOf(*recording, recording->steps() - 1);
    EXPECT_EQ(step.hostUs, 200);
    EXPECT_GT(step.attentionUs, 0);
    double services = 0;
    for (const BatchForward& forward : step.forwards) {
        for (const GemmService& service : forward.services) {
            services += service.us;
        }
    }
    EXPECT_NEAR(step.gemmUs, services, 1e-3 * services) << "the head among them";
    EXPECT_NEAR(step.gemmUs + step.attentionUs + step.hostUs, step.us, 1e-3 * step.us);
    for (std::int64_t i = 0; i < recording->steps(); ++i) {
        const BatchStep each = batchStepOf(*recording, i);
        const auto computed =
            std::ranges::count_if(each.rows, [](const BatchRow& row) { return row.tokens > 0; });
        EXPECT_EQ(each.forwards.front().headRows, computed) << i;
        EXPECT_EQ(recording->strip.headRows[static_cast<std::size_t>(i)], computed);
    }
    EXPECT_NE(batchStepSentence(*recording, step).find("GEMMs take "), std::string::npos);
    inputs.scope = StepScope::GemmOnly;
    const auto gemms = recordBatch(inputs, 50);
    ASSERT_TRUE(gemms);
    EXPECT_EQ(batchStepOf(*gemms, 0).attentionUs, 0);
    EXPECT_EQ(batchStepOf(*gemms, 0).hostUs, 0);
}

} // namespace
} // namespace loadline
