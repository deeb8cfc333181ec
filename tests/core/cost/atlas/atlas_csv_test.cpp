// CSV of kernel times: columns in any order, rows sorted, and what is wrong with its line and column.
#include "tests/core/cost/atlas/made_up_atlas.h"

#include <gmock/gmock.h>

namespace loadline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsNan;

TEST(AtlasCsv, IsReadInAnyOrderOfColumnsAndRows) {
    const AtlasTable table = test::tableOf("\xef\xbb\xbf"
                                           "FP8_us, note,M,k,\"n\",bf16_us,nvfp4_us\r\n"
                                           "3.5,x,2,64,32,2.5307,\r\n"
                                           "\r\n"
                                           ",y,1,64,32,1.0543e+05,\r\n"
                                           "7,z,1,32,128,12.5,\r\n"
                                           "8,z,1,32.0,6.4e1,13,\r\n");
    EXPECT_EQ(table.kind, AtlasKind::Gemm);
    ASSERT_EQ(table.rows, 4U);
    ASSERT_EQ(table.keys.size(), 3U);
    EXPECT_THAT(table.keysNamed("n")->numbers, ElementsAre(32, 32, 64, 128));
    EXPECT_THAT(table.keysNamed("k")->numbers, ElementsAre(64, 64, 32, 32));
    EXPECT_THAT(table.keysNamed("m")->numbers, ElementsAre(1, 2, 1, 1));
    ASSERT_EQ(table.times.size(), 2U); // nothing was measured in nvfp4
    EXPECT_EQ(table.times[0].name, "bf16");
    EXPECT_THAT(table.times[0].us, ElementsAre(105430, 2.5307, 13, 12.5));
    EXPECT_THAT(table.times[1].us, ElementsAre(IsNan(), 3.5, 8, 7));
}

TEST(AtlasCsv, PutsTheAxisLast) {
    const AtlasTable table =
        test::tableOf("kv,heads,kv_heads,head_dim,window,cached_tokens,batch,new_tokens,attn_dtype,time_us\n"
                      "fp8,8,1,64,0,0,2,1,fp8,10\nfp8,8,1,64,0,0,1,16,fp8,11\nfp8,8,1,64,0,0,1,1,bfloat16,"
                      "12\nfp8,8,1,64,0,0,1,1,fp8,13\n",
                      AtlasKind::PrefillAttention);
    EXPECT_THAT(table.times.at(0).us, ElementsAre(12, 13, 11, 10));
    EXPECT_EQ(table.keys.back().name, "new_tokens");
    EXPECT_THAT(table.keysNamed("attn_dtype")->words, ElementsAre("bfloat16", "fp8", "fp8", "fp8"));
}

TEST(AtlasCsv, KnowsTheCollectorsOwnNames) {
    const AtlasTable table =
        test::tableOf("kernel_source,allreduce_dtype,num_gpus,message_size,backend,time_us\n"
                      "vLLM_custom_eager,bfloat16,2,128,vllm_eager,44.379\n",
                      AtlasKind::AllReduce);
    EXPECT_TRUE(isSameAtlasTable(
        table, test::tableOf("dtype,backend,gpus,elements,time_us\nbfloat16,vllm_eager,2,128,44.379\n",
                             AtlasKind::AllReduce)));
}

TEST(AtlasCsv, MakesRowsWithEqualKeysOne) {
    constexpr std::string_view nccl =
        "op,dtype,gpus,elements,time_us\n"
        "all_gather,half,2,256,8\nall_gather,half,2,128,5\n"
        "all_gather,half,2,256,9\nall_gather,half,2,256,70\nall_gather,half,2,128,5.0004\n";
    const Result<AtlasCsv> read = atlasTableFromCsv(nccl, AtlasKind::Collectives, "nccl.csv");
    ASSERT_TRUE(read);
    EXPECT_THAT(read->table.times.at(0).us, ElementsAre(5.0002, 9));
    const Diagnostic odd{DiagnosticKind::RepeatedRow, 4, 3, "their median counts", {5, 6}};
    EXPECT_THAT(read->diagnostics, ElementsAre(odd));

    const Result<AtlasCsv> fastest = atlasTableFromCsv(
        "dtype,hidden,inter,topk,experts,tp,ep,distribution,tokens,time_us\n"
        "fp8,64,64,1,8,1,1,balanced,1,9\nfp8,64,64,1,8,1,1,balanced,1,\nfp8,64,64,1,8,1,1,balanced,1,7.5\n",
        AtlasKind::Experts, "moe.csv");
    ASSERT_TRUE(fastest);
    EXPECT_THAT(fastest->table.times.at(0).us, ElementsAre(7.5));
    EXPECT_THAT(fastest->diagnostics,
                ElementsAre(Diagnostic{DiagnosticKind::RepeatedRow, 3, 2, "the fastest counts", {4}}));
    EXPECT_TRUE(test::tableOf("n,k,m,bf16_us,fp8_us\n1,1,1,3,\n1,1,1,,4\n").times.at(1).us ==
                std::vector<double>{4});
}

TEST(AtlasCsv, LetsDifferencesBeSmallOrNegative) {
    constexpr std::string_view csv =
        "op,dtype,k,m,time_us\nscale,fp8,32,1,-0.024\nscale,fp8,32,2,0\nscale,fp8,32,3,-0\n"
        "scale,fp8,32,4,6.5\n";
    EXPECT_THAT(test::tableOf(csv, AtlasKind::Quantise).times.at(0).us, ElementsAre(-0.024, 0, 0, 6.5));
}

struct BadCsv {
    std::string rows; ///< behind "n,k,m,bf16_us,fp8_us\n1,1,1,5,5\n", in the third line
    std::string what;
};

TEST(AtlasCsv, NamesLineAndColumnOfABadCell) {
    for (const auto& [rows, what] : std::vector<BadCsv>{
             {"1,1,2,five,5", "the column bf16_us holds \"five\", not a finite number"},
             {"1,1,2,5,nan", "the column fp8_us holds \"nan\", not a finite number"},
             {"1,1,2,5,inf", "the column fp8_us holds \"inf\", not a finite number"},
             {"1,1,2,5,1e999", "the column fp8_us holds \"1e999\", not a finite number"},
             {"1,1,2,5,0x10", "not a finite number"},
             {"1,1,2,5 us,5", "not a finite number"},
             {"1,1,2,-5,5", "the column bf16_us holds \"-5\", not a time above 0"},
             {"1,1,2,0,5", "the column bf16_us holds \"0\", not a time above 0"},
             {"1,1,2,1.5e9,5", "the column bf16_us holds \"1.5e9\", a time of more than 1,000 s"},
             {"1,1,0,5,5", "the column m holds \"0\", not a whole number from 1 to 1e12"},
             {"1,1,-2,5,5", "the column m holds \"-2\", not a whole number from 1"},
             {"1,1,2.5,5,5", "the column m holds \"2.5\", not a whole number from 1"},
             {"1,,2,5,5", "the column k holds \"\", not a whole number from 1"},
             {"1,nan,2,5,5", "the column k holds \"nan\", not a whole number from 1"},
             {"1,1,2e12,5,5", "the column m holds \"2e12\", not a whole number from 1 to 1e12"},
             {"1,1,2,5", "it has 4 fields, the first line 5"},
             {"1,1,2,5,5,5", "it has 6 fields, the first line 5"},
             {"1,\x1b[2J,2,5,5", "the column k holds \"\\x1b[2J\""},
             {"1," + std::string(900, '7') + "x,2,5,5",
              "the column k holds \"777777777777777777777777777777"},
         }) {
        const auto read = atlasTableFromCsv("n,k,m,bf16_us,fp8_us\n1,1,1,5,5\n" + rows + "\n1,1,3,5,bad\n",
                                            AtlasKind::Gemm, "x.csv");
        ASSERT_FALSE(read) << rows;
        EXPECT_THAT(read.error().what, HasSubstr(what));
        EXPECT_LT(read.error().what.size(), 200U);
        EXPECT_EQ(read.error().where, "x.csv, line 3") << rows;
        EXPECT_THAT(read.error().remedy, HasSubstr("n, k, m, bf16_us, fp8_us"));
    }
}

std::string problemOf(std::string_view csv, AtlasKind kind = AtlasKind::Gemm) {
    const Result<AtlasCsv> read = atlasTableFromCsv(csv, kind, "x.csv");
    return read ? "" : read.error().sentence();
}

TEST(AtlasCsv, RefusesFirstLinesThatAreNotOfItsKind) {
    EXPECT_THAT(
        problemOf("n,k,bf16_us\n1,1,5\n"),
        HasSubstr("not a table of linear layers: its first line does not name the column m: x.csv, line 1"));
    EXPECT_THAT(problemOf("n,k,m,time_us\n1,1,1,5\n"),
                HasSubstr("names no column of times (bf16_us, fp8_us"));
    EXPECT_THAT(problemOf("n,k,m,m,bf16_us\n1,1,1,1,5\n"), HasSubstr("names the column m twice"));
    EXPECT_THAT(problemOf("n,k,m,bf16_us\n"), HasSubstr("it has no rows: x.csv"));
    EXPECT_THAT(problemOf(""), HasSubstr("does not name the column n"));
    EXPECT_THAT(problemOf("\n\n"), HasSubstr("does not name the column n"));
    EXPECT_THAT(problemOf("n,k,m,bf16_us\n1,1,1,\n"), HasSubstr("it holds no times"));
    EXPECT_THAT(problemOf("op,dtype,heads,tokens,time_us\ngen post,fp8,1,1,5\n", AtlasKind::MlaProducts),
                HasSubstr("the column op holds \"gen post\", not a word"));
    EXPECT_THAT(problemOf("op,dtype,heads,tokens,time_us\n,fp8,1,1,5\n", AtlasKind::MlaProducts),
                HasSubstr("the column op holds \"\", not a word of 1 to 63 ASCII characters: x.csv, line 2"));
}

TEST(AtlasCsv, RefusesOtherUnits) {
    EXPECT_THAT(
        problemOf("n,k,m,bf16_us\n1,1,1,0.62\n1,1,2,2.5e-06\n1,1,3,4e-5\n"),
        HasSubstr(
            "the column bf16_us holds 2.5e-06, less than any kernel takes in microseconds: its times seem "
            "to be in seconds or milliseconds: x.csv, line 3"));
    EXPECT_THAT(
        problemOf("op,dtype,k,m,time_us\nscale,fp8,32,1,9.9e-3\nscale,fp8,32,2,-1e-6\n", AtlasKind::Quantise),
        HasSubstr("seem to be in seconds"));
    EXPECT_THAT(problemOf("op,dtype,k,m,time_us\nscale,fp8,32,1,1e-9\n", AtlasKind::Quantise),
                HasSubstr("a time below 1e-6 us"));
    EXPECT_EQ(problemOf("op,dtype,k,m,time_us\nscale,fp8,32,1,0\n", AtlasKind::Quantise), "");
}

TEST(AtlasCsv, EndsWithTooManyRows) {
    std::string csv = "n,k,m,bf16_us\n";
    for (std::size_t row = 0; row <= mostAtlasRows; ++row) {
        csv += fmt::format("1,1,{},5\n", row + 1);
    }
    EXPECT_THAT(problemOf(csv), HasSubstr("it has more than 262144 rows: x.csv, line 262146"));
}

TEST(AtlasCsv, IsToldByItsFileOrItsColumns) {
    const auto kindOf = [](std::string_view csv, const std::string& path) {
        const Result<AtlasKind> kind = atlasKindOfCsv(csv, path);
        return kind ? std::string(specOf(*kind).key) : kind.error().sentence();
    };
    EXPECT_EQ(kindOf("", "x/kda.csv.xz"), "kda");
    EXPECT_EQ(kindOf("", "moe.csv"), "moe");
    EXPECT_EQ(kindOf("n,k,m,fp8_us\n", "mine.csv"), "gemm");
    EXPECT_EQ(kindOf("n,k,m,bf16_us,int4_weights_us\n", "mine.csv"), "weight_only_gemm_trtllm");
    EXPECT_EQ(kindOf("allreduce_dtype,num_gpus,message_size,backend,time_us\n", "mine.csv"),
              "all_reduce_vllm");
    EXPECT_THAT(kindOf("n,k,m,bf16_us\n", "mine.csv"),
                HasSubstr("like gemm.csv: gemm, weight_only_gemm_trtllm"));
    EXPECT_THAT(kindOf("n,k,m,time\n", "mine.csv"), HasSubstr("the columns of no kind: mine.csv"));
    EXPECT_THAT(kindOf("", ""), HasSubstr("the columns of no kind"));
}

} // namespace
} // namespace loadline
