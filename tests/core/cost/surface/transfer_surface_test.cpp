// Transfers, whole modules and linear attention over small made-up tables.
#include "core/cost/surface/transfer_surface.h"

#include "core/cost/surface/module_surface.h"
#include "tests/core/cost/surface/table_of_csv.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(TransferSurface, isLinearInElements) {
    const AtlasTable table = test::tableOfCsv("dtype,backend,gpus,elements,time_us\n"
                                              "bfloat16,vllm_eager,2,128,20\nbfloat16,vllm_graph,2,128,4\n"
                                              "bfloat16,vllm_graph,2,384,8\nbfloat16,vllm_graph,4,128,6\n");
    const TransferSurface surface = TransferSurface::ofAllReduce(table).value();
    const MeasuredCurve& graph = *surface.find({.what = "vllm_graph", .gpus = 2});
    EXPECT_DOUBLE_EQ(graph.at(1).us, 4);
    EXPECT_DOUBLE_EQ(graph.at(256).us, 6);
    EXPECT_DOUBLE_EQ(graph.at(768).us, 16);
    EXPECT_DOUBLE_EQ(surface.find({.what = "vllm_eager", .gpus = 2})->at(128).us, 20);
    EXPECT_EQ(surface.find({.what = "vllm_graph", .gpus = 8}), nullptr);
}

TEST(TransferSurface, namesAMissingColumn) {
    const AtlasTable table = test::tableOfCsv("op,dtype,elements,time_us\nall_gather,half,128,44\n");
    EXPECT_EQ(TransferSurface::ofCollectives(table).error().what,
              "the table has no column \"gpus\" of numbers");
}

TEST(TransferSurface, takesTheMedianOfRuns) {
    const AtlasTable table = test::tableOfCsv("op,dtype,gpus,elements,time_us\nall_gather,half,2,256,5\n"
                                              "all_gather,half,2,256,9\nall_gather,half,2,256,6\n");
    const TransferSurface surface = TransferSurface::ofCollectives(table).value();
    EXPECT_DOUBLE_EQ(surface.find({.what = "all_gather", .dtype = "half", .gpus = 2})->at(256).us, 6);
}

TEST(ModuleSurface, leavesOutCachedTokensAndTakesTheFastest) {
    const AtlasTable table =
        test::tableOfCsv("model,gemm_type,kv,heads,tp,batch,cached_tokens,new_tokens,time_us\n"
                         "V3,fp8_block,fp8,16,1,1,0,100,50\nV3,fp8_block,fp8,16,1,1,0,100,40\n"
                         "V3,fp8_block,fp8,16,1,1,128,100,1\nV3,fp8_block,fp8,16,1,1,0,300,80\n");
    const ModuleSurface surface = ModuleSurface::make(table, "new_tokens").value();
    const ModuleShape shape{.model = "V3", .gemmType = "fp8_block", .kv = "fp8", .heads = 16};
    EXPECT_DOUBLE_EQ(surface.find(shape)->at(1, 100).us, 40);
    EXPECT_DOUBLE_EQ(surface.find(shape)->at(1, 200).us, 60);
    EXPECT_EQ(ModuleSurface::make(table, "kv_tokens").error().what,
              "the table has no column \"kv_tokens\" of numbers");
}

TEST(LinearAttentionSurface, addsTheKernelsOfAPhase) {
    const AtlasTable table =
        test::tableOfCsv("phase,kernel,model,k_heads,v_heads,k_dim,v_dim,conv,batch,new_tokens,time_us\n"
                         "generation,conv,A,16,32,128,128,4,1,1,2\ngeneration,delta,A,16,32,128,128,4,1,1,5\n"
                         "generation,conv,B,16,32,128,128,4,1,1,4\ngeneration,delta,B,16,32,128,128,4,1,1,5\n"
                         "generation,conv,A,16,32,128,128,4,8,1,3\ncontext,conv,A,16,32,128,128,4,1,64,9\n");
    const LinearAttentionSurface surface = LinearAttentionSurface::make(table).value();
    const BatchCurves& curves = *surface.find({.phase = "generation", .kHeads = 16, .vHeads = 32});
    EXPECT_DOUBLE_EQ(curves.at(1, 1).us, 3 + 5);
    EXPECT_EQ(curves.batches(), std::vector<double>{1}); // of batch 8 the delta rule is missing
    EXPECT_DOUBLE_EQ(surface.find({.phase = "context", .kHeads = 16, .vHeads = 32})->at(1, 64).us, 9);
}

} // namespace
} // namespace loadline
