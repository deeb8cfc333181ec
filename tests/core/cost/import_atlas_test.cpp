// Tables in the atlas's form as a user names them for an import.
#include "core/cost/import/import_atlas.h"

#include "core/cost/import/read_profile.h"
#include "core/cost/profile/profile_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace loadline {
namespace {

const std::string layersHead = "n,k,m,bf16_us,fp8_us\n";

std::string importErrorOf(const std::string& csv, const std::string& path = "x/gemm.csv") {
    const auto read = readProfile(csv, path);
    return read ? "it was read" : read.error().sentence();
}

TEST(AtlasImport, LinearLayersBecomeFp16Points) {
    const std::string csv = layersHead + "64,128,1,2.5,2\n64,128,16,3.5,\n";
    const auto profile = readProfile(csv, "tables/h100_sxm/gemm.csv");
    ASSERT_TRUE(profile) << profile.error().sentence();
    EXPECT_EQ(profile->device, "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(profile->hardware, "H100-SXM");
    ASSERT_EQ(profile->points.size(), 2U);
    const ProfilePoint& last = profile->points[1];
    EXPECT_EQ(last.kernel, Kernel::CublasFp16);
    EXPECT_EQ(last.size, (GemmSize{.k = 128, .n = 64}));
    EXPECT_EQ(last.rowsM, 16);
    EXPECT_EQ(last.timeUs, 3.5);
    EXPECT_EQ(last.origin, PointOrigin::Published);
    EXPECT_EQ(profile->source, "imported from gemm.csv");
    const auto again = profileFromJson(toJson(*profile), "again.json");
    ASSERT_TRUE(again);
    EXPECT_EQ(again->points, profile->points);
    const auto remarks = atlasImportRemarks(*readAtlasCsv(csv, "gemm.csv"));
    ASSERT_EQ(remarks.size(), 1U);
    EXPECT_NE(remarks[0].find(": fp8"), std::string::npos) << remarks[0];
}

TEST(AtlasImport, FourBitWeightsTakeTheirPlace) {
    const auto profile =
        readProfile("n,k,m,bf16_us,int8_weights_us,int4_weights_us\n64,128,1,4,3,2\n", "any.csv");
    ASSERT_TRUE(profile) << profile.error().sentence();
    EXPECT_EQ(profile->device, ""); // --device tells it
    ASSERT_EQ(profile->points.size(), 2U);
    EXPECT_EQ(profile->points[1].kernel, Kernel::SwapAb);
    EXPECT_EQ(profile->points[1].kBits, 4);
    EXPECT_EQ(profile->points[1].timeUs, 2);
    EXPECT_EQ(profile->points[1].name, "int4 weights");
}

TEST(AtlasImport, SaysWhichTableIsNoProfile) {
    const std::string decode = "kv,heads,kv_heads,head_dim,window,batch,kv_tokens,time_us\n"
                               "bfloat16,8,1,128,0,1,2,9.5\n";
    for (const char* path : {"decode_attention.csv", "renamed.csv"}) {
        const std::string words = importErrorOf(decode, path);
        EXPECT_NE(words.find("a table of decode attention in 1 row: a profile holds linear layers alone"),
                  std::string::npos)
            << words;
    }
    EXPECT_NE(importErrorOf("n,k,m,fp8_us\n64,64,1,2\n").find("without times in bf16"), std::string::npos);
}

TEST(AtlasImport, NamesLineAndColumnOfWhatIsWrong) {
    const auto has = [](const std::string& words, std::initializer_list<const char*> parts) {
        return std::ranges::all_of(parts,
                                   [&](const char* part) { return words.find(part) != std::string::npos; });
    };
    const std::string seconds = importErrorOf(layersHead + "64,64,1,2.5e-6,2\n64,64,2,2.6e-6,2\n");
    EXPECT_TRUE(has(seconds, {"bf16_us", "seconds", "line 2"})) << seconds;
    const std::string nan = importErrorOf(layersHead + "64,64,1,2.5,2\n64,64,2,nan,2\n");
    EXPECT_TRUE(has(nan, {"bf16_us", "\"nan\"", "not a finite number", "line 3"})) << nan;
    const std::string missing = importErrorOf("n,m,bf16_us\n64,1,2.5\n");
    EXPECT_TRUE(has(missing, {"does not name the column k", "line 1"})) << missing;
    const std::string twice = importErrorOf("n,k,m,k,bf16_us\n64,64,1,64,2.5\n");
    EXPECT_TRUE(has(twice, {"column k twice", "line 1"})) << twice;
    const std::string large = importErrorOf("n,k,m,bf16_us\n64,64,1e11,2.5\n");
    EXPECT_TRUE(has(large, {"n, k or m above"})) << large;
    const std::string either = importErrorOf("n,k,m,bf16_us\n64,64,1,2.5\n", "mine.csv");
    EXPECT_TRUE(has(either, {"several kinds", "name the file for its kind"})) << either;
}

TEST(AtlasImport, CountsRowsWithEqualKeys) {
    const auto table = readAtlasCsv("n,k,m,bf16_us\n64,64,1,2\n64,64,1,4\n64,64,2,3\n", "gemm.csv");
    ASSERT_TRUE(table);
    const auto remarks = atlasImportRemarks(*table);
    ASSERT_EQ(remarks.size(), 1U);
    EXPECT_EQ(remarks[0], "1 row with keys that stood before, the first in line 3: their median counts");
    EXPECT_EQ(profileFromAtlas(*table)->points[0].timeUs, 3);
}

TEST(AtlasImport, OtherFilesAreWhatTheyWere) {
    EXPECT_FALSE(isAtlasCsv("", "gemm.csv"));
    EXPECT_FALSE(isAtlasCsv("kernel,K,N,M,k_bits,time_us\nmma,64,64,1,4,1\n", "gemm.csv"));
    EXPECT_TRUE(readProfile("kernel,K,N,M,k_bits,time_us\nmma,64,64,1,4,1\n", "gemm.csv"));
    const auto old = readProfile("m,n,k,time_us\n1,64,32,2.5\n", "h100_sxm/gemm.csv");
    ASSERT_TRUE(old);
    EXPECT_NE(old->source.find("AIConfigurator"), std::string::npos);
    EXPECT_FALSE(isAtlasCsv("a,b,c\n1,2,3\n", "table.csv"));
}

TEST(AtlasImport, KnowsTheTablesOfTheAtlas) {
    const std::string folder = std::string(LOADLINE_TEST_DATA) + "/../../resources/atlas";
    const Atlas h200("h200-sxm", shelfInFolder(folder));
    const Atlas l40s("l40s", shelfInFolder(folder));
    AtlasImport import{.path = "gemm.csv", .table = *h200.table(AtlasKind::Gemm)};
    import.table.source = {};
    EXPECT_TRUE(isInAtlas(import, h200));
    EXPECT_FALSE(isInAtlas(import, l40s));
    EXPECT_EQ(profileFromAtlas(import)->points.size(),
              static_cast<std::size_t>(std::ranges::count_if(import.table.timesNamed("bf16")->us,
                                                             [](double us) { return us > 0; })));
    import.table.times[0].us[7] *= 2;
    EXPECT_FALSE(isInAtlas(import, h200));
}

} // namespace
} // namespace loadline
