// Errors of measured expert layers, transfers, linear attention and MLA on the GPUs.
#include "core/cost/surface/expert_surface.h"

#include "core/base/statistics.h"
#include "core/cost/surface/module_surface.h"
#include "core/cost/surface/transfer_surface.h"
#include "tests/core/cost/surface/table_of_csv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>

namespace loadline {
namespace {

std::string text(const LeftOutError& error) {
    return fmt::format("{:.1f}/{:.1f}", 100 * error.median, 100 * error.p90);
}

class MeasuredSurfaces : public testing::TestWithParam<const char*> {};

TEST_P(MeasuredSurfaces, errorsOfExperts) {
    LOADLINE_NEED_MEASURED(GetParam(), "moe");
    const ExpertSurface surface = ExpertSurface::make(test::readMeasured(GetParam(), "moe")).value();
    std::cout << fmt::format(
        "{}: {} expert layers, left out: tokens {} %, last {} %, proxies {} % (by distance", GetParam(),
        surface.all().size(), text(surface.errors().between), text(surface.errors().beyond),
        text(surface.overallProxyError()));
    for (const LeftOutError& error : surface.proxyErrors()) {
        std::cout << ' ' << text(error);
    }
    std::cout << ")\n";
    EXPECT_LT(surface.errors().between.median, 0.03);
    EXPECT_LT(surface.overallProxyError().median, 0.12);
    EXPECT_LT(surface.proxyErrors()[0].median, 0.08);
    // Qwen3-Coder-Next was not measured.
    const std::optional<ExpertCurve> proxy = surface.nearestExperts(
        {.dtype = "bfloat16", .hidden = 2048, .inter = 512, .topK = 10, .experts = 512});
    ASSERT_TRUE(proxy);
    EXPECT_EQ(proxy->name(), "2048 x 512, top 8 of 256, for top 10 of 512");
    EXPECT_GT(proxy->at(64).us, proxy->at(1).us);
}

TEST_P(MeasuredSurfaces, errorsOfTransfersAndModules) {
    LOADLINE_NEED_MEASURED(GetParam(), "nccl");
    const TransferSurface reduce =
        TransferSurface::ofAllReduce(test::readMeasured(GetParam(), "all_reduce_vllm")).value();
    const TransferSurface nccl =
        TransferSurface::ofCollectives(test::readMeasured(GetParam(), "nccl")).value();
    const LinearAttentionSurface linear =
        LinearAttentionSurface::make(test::readMeasured(GetParam(), "gdn")).value();
    const ModuleSurface decode =
        ModuleSurface::make(test::readMeasured(GetParam(), "mla_decode"), "kv_tokens").value();
    std::vector<double> module;
    for (const auto& [shape, curves] : decode.all()) {
        module.push_back(curves.errors().tokens.median);
    }
    std::cout << fmt::format("{}: left out: all-reduce {} %, NCCL {} %, MLA decode {:.1f} % in the context\n",
                             GetParam(), text(reduce.errors().between), text(nccl.errors().between),
                             100 * medianOf(module));
    EXPECT_LT(reduce.errors().between.median, 0.03);
    EXPECT_LT(nccl.errors().between.median, 0.04);
    EXPECT_LT(medianOf(module), 0.02);
    for (const std::int64_t tp : {1, 2, 4, 8}) { // of Qwen3-Coder-Next
        for (const char* phase : {"context", "generation"}) {
            EXPECT_NE(linear.find({.phase = phase, .kHeads = 16 / tp, .vHeads = 32 / tp}), nullptr) << tp;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, MeasuredSurfaces, testing::Values("h200_sxm", "b200_sxm", "l40s"),
                         [](const auto& named) { return std::string(named.param); });

} // namespace
} // namespace loadline
