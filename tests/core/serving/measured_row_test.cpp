// Tables of measured servers: settings, defaults, and what is wrong with a table.
#include "core/serving/measured_row.h"

#include "core/base/file/read_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace loadline {
namespace {

std::string madeUp() {
    const auto text =
        readWholeFile(std::string(LOADLINE_TEST_DATA) + "/serving/servers.csv", "the made-up servers");
    return text ? *text : "";
}

/// The header and the first row, with `from` replaced by `to` in the row.
std::string oneRow(const std::string& from, const std::string& to) {
    const std::string all = madeUp();
    const std::size_t end = all.find('\n') + 1;
    std::string row = all.substr(end, all.find('\n', end) + 1 - end);
    const std::size_t at = row.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return all.substr(0, end) + row.replace(at, from.size(), to);
}

MeasuredRows rowsOf(const std::string& csv) {
    const auto rows = readMeasuredRows(csv, "servers.csv");
    EXPECT_TRUE(rows);
    return rows ? *rows : MeasuredRows{};
}

std::string errorOf(const std::string& csv) {
    const auto rows = readMeasuredRows(csv, "servers.csv");
    EXPECT_FALSE(rows);
    return rows ? "" : rows.error().sentence();
}

TEST(MeasuredRow, keepsSettingsAndMeasurementsApart) {
    const MeasuredRows rows = rowsOf(madeUp());
    ASSERT_EQ(rows.rows.size(), 4U);
    EXPECT_TRUE(rows.diagnostics.empty());
    const MeasuredRow& first = rows.rows[0];
    EXPECT_EQ(first.line, 2U);
    EXPECT_EQ(first.settings.model, "made/Dense-7B");
    EXPECT_EQ(first.settings.users, 4);
    EXPECT_EQ(first.settings.measuredFrom, 20251029);
    EXPECT_EQ(first.settings.engine.kv, KvType::Fp8);
    EXPECT_EQ(first.settings.engine.graphs, GraphMode::FullDecodeOnly);
    EXPECT_EQ(first.settings.engine.fusion, ReduceFusion::ScriptWithAttention);
    EXPECT_EQ(first.settings.engine.maxModelLen, 2048);
    EXPECT_EQ(first.measured, (ServerMeasurement{.ttftMs = 30.5, .tpotMs = 5.25}));
    EXPECT_EQ(first.label.source, "dense_c4");
    EXPECT_EQ(first.label.tier, "A");
    EXPECT_TRUE(first.refusal.empty());
    EXPECT_EQ(rows.rows[2].measured, ServerMeasurement{});
    EXPECT_TRUE(rows.rows[2].label.isKvBound);
    EXPECT_EQ(rows.rows[2].label.note, "a note, with a comma");
    EXPECT_FALSE(rows.rows[3].settings.measuredFrom);
}

TEST(MeasuredRow, takesTheVersionsDefaults) {
    const MeasuredRows rows = rowsOf(madeUp());
    const EngineSettings& old = rows.rows[1].settings.engine;
    EXPECT_EQ(old.cudagraphMax, 512);
    EXPECT_EQ(old.graphs, GraphMode::Piecewise);
    EXPECT_TRUE(old.asyncScheduling); // stated
    const EngineSettings& newest = rows.rows[2].settings.engine;
    EXPECT_EQ(newest.version, newestVersion);
    EXPECT_EQ(newest.graphs, GraphMode::FullAndPiecewise);
    EXPECT_TRUE(newest.asyncScheduling);
    EXPECT_EQ(newest.streamInterval, 20); // budget of two prompts, FP8 KV, graphs to 2,048
    EXPECT_EQ(old.streamInterval, 1);
    EXPECT_DOUBLE_EQ(rows.rows[3].settings.engine.memoryUtilisation, 0.95);
}

TEST(MeasuredRow, doesNotDependOnTheOrderOfColumns) {
    std::string turned;
    const std::string all = madeUp();
    for (std::size_t begin = 0; begin < all.size();) {
        const std::size_t end = all.find('\n', begin);
        const std::string line = all.substr(begin, end - begin);
        const std::size_t comma = line.find(','); // the first column becomes the last
        turned += line.substr(comma + 1) + "," + line.substr(0, comma) + "\n";
        begin = end + 1;
    }
    const MeasuredRows rows = rowsOf(madeUp());
    const MeasuredRows others = rowsOf(turned);
    ASSERT_EQ(others.rows.size(), rows.rows.size());
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
        EXPECT_EQ(others.rows[i].settings, rows.rows[i].settings);
        EXPECT_EQ(others.rows[i].measured, rows.rows[i].measured);
        EXPECT_EQ(others.rows[i].label, rows.rows[i].label);
    }
}

struct BadField {
    const char* from;
    const char* to;
    const char* column;
};

class BadSetting : public testing::TestWithParam<BadField> {};

TEST_P(BadSetting, refusesTheRowWithLineAndColumn) {
    const MeasuredRows rows = rowsOf(oneRow(GetParam().from, GetParam().to));
    ASSERT_EQ(rows.rows.size(), 1U);
    ASSERT_EQ(rows.diagnostics.size(), 1U);
    EXPECT_EQ(rows.diagnostics[0].line, 2U);
    EXPECT_EQ(rows.diagnostics[0].column, GetParam().column);
    EXPECT_THAT(rows.diagnostics[0].sentence(),
                testing::StartsWith("line 2, column " + std::string(GetParam().column) + ": "));
    EXPECT_THAT(rows.rows[0].refusal, testing::HasSubstr(GetParam().column));
}

INSTANTIATE_TEST_SUITE_P(All, BadSetting,
                         testing::Values(BadField{"64,16,4,1,1", "64,16,4,0,1", "tp"},
                                         BadField{"64,16,4,1,1", "64,16,4,-1,1", "tp"},
                                         BadField{"64,16,4,1,1", "64,16,4,1,0", "dp"},
                                         BadField{"64,16,4,1,1", "0,16,4,1,1", "isl"},
                                         BadField{"64,16,4,1,1", "1e12,16,4,1,1", "isl"},
                                         BadField{"64,16,4,1,1", "64,99999999999,4,1,1", "osl"},
                                         BadField{"64,16,4,1,1", "64,16,,1,1", "concurrency"},
                                         BadField{"64,16,4,1,1", "64,16,4.5,1,1", "concurrency"},
                                         BadField{"0.10.2", "newest", "engine_version"},
                                         BadField{"made/Dense-7B", "", "model"},
                                         BadField{",0,fp8,", ",0,int3,", "kv_dtype"},
                                         BadField{",1,0.8,", ",yes,0.8,", "async"},
                                         BadField{",1,0.8,", ",1,1.8,", "length_ratio"},
                                         BadField{",1,0.8,", ",1,nan,", "length_ratio"},
                                         BadField{"FULL_DECODE_ONLY", "SOMETIMES", "cudagraph_mode"},
                                         BadField{"script+attn", "maybe", "allreduce_fusion"}));

class BadMeasurement : public testing::TestWithParam<BadField> {};

TEST_P(BadMeasurement, isLeftOutAndTheRowIsKept) {
    const MeasuredRows rows =
        rowsOf(madeUp() + oneRow(GetParam().from, GetParam().to).substr(madeUp().find('\n') + 1));
    ASSERT_EQ(rows.rows.size(), 5U);
    EXPECT_TRUE(rows.rows[4].refusal.empty());
    EXPECT_THAT(rows.diagnostics,
                testing::Contains(
                    testing::AllOf(testing::Field(&RowDiagnostic::line, 6U),
                                   testing::Field(&RowDiagnostic::column, std::string(GetParam().column)))));
    const bool isTtft = std::string(GetParam().column) == "ttft_ms";
    EXPECT_FALSE(isTtft ? rows.rows[4].measured.ttftMs : rows.rows[4].measured.tpotMs);
    EXPECT_TRUE(isTtft ? rows.rows[4].measured.tpotMs : rows.rows[4].measured.ttftMs);
}

INSTANTIATE_TEST_SUITE_P(All, BadMeasurement,
                         testing::Values(BadField{"30.5", "nan", "ttft_ms"},
                                         BadField{"30.5", "-3", "ttft_ms"}, BadField{"30.5", "0", "ttft_ms"},
                                         BadField{"30.5", "fast", "ttft_ms"},
                                         BadField{"30.5", "0.0305", "ttft_ms"},
                                         BadField{"5.25", "inf", "tpot_ms"},
                                         BadField{"5.25", "1e300", "tpot_ms"}));

TEST(MeasuredRows, areRefusedInSeconds) {
    EXPECT_THAT(errorOf(oneRow("30.5", "0.0305")), testing::HasSubstr("column ttft_ms"));
    EXPECT_THAT(errorOf(oneRow("5.25", "0.00525")), testing::HasSubstr("in seconds"));
}

TEST(MeasuredRows, areRefusedWithoutTheirColumns) {
    std::string csv = madeUp();
    csv.replace(csv.find("tpot_ms"), 7, "tpot_s");
    EXPECT_THAT(errorOf(csv), testing::HasSubstr("no column tpot_ms"));
    EXPECT_THAT(errorOf("a,b\n1,2\n"), testing::HasSubstr("no column model, system"));
    EXPECT_THAT(errorOf(""), testing::HasSubstr("empty"));
    EXPECT_THAT(errorOf(csv.substr(0, csv.find('\n')).replace(csv.find("tpot_s"), 6, "tpot_ms")),
                testing::HasSubstr("no rows"));
    csv = madeUp();
    csv.replace(csv.find("family"), 6, "tpot_ms");
    EXPECT_THAT(errorOf(csv), testing::HasSubstr("tpot_ms twice"));
}

TEST(MeasuredRows, keepsRowsWithEqualSettings) {
    const std::string all = madeUp();
    const std::string row = oneRow("30.5", "31.5").substr(all.find('\n') + 1);
    const MeasuredRows rows = rowsOf(all + row);
    EXPECT_EQ(rows.rows.size(), 5U);
    ASSERT_EQ(rows.diagnostics.size(), 1U);
    EXPECT_EQ(rows.diagnostics[0].sentence(),
              "line 6 has the settings of line 2; 1 row like this, all are kept");
}

TEST(MeasuredRows, aLineOfOtherFieldsIsRefusedAsAWhole) {
    const MeasuredRows rows = rowsOf(madeUp() + "made/Dense-7B,h100_sxm\n\"made/Dense-7B,h100_sxm\n");
    ASSERT_EQ(rows.rows.size(), 6U);
    EXPECT_EQ(rows.rows[4].refusal, "has 2 fields, the header 35");
    EXPECT_EQ(rows.rows[5].refusal, "has a quoted field that does not end on its line");
    ASSERT_EQ(rows.diagnostics.size(), 2U);
    EXPECT_EQ(rows.diagnostics[0].sentence(), "line 6 has 2 fields, the header 35");
    EXPECT_TRUE(rows.rows[4].label.tier.empty()); // so it is not judged
}

TEST(MeasuredRows, anEmptyShareOfExpertsIsWhatExpertParallelismLeaves) {
    std::string table = madeUp();
    ASSERT_NE(table.find(",8,2,1,2,1,"), std::string::npos);
    table.replace(table.find(",8,2,1,2,1,"), 11, ",8,2,1,,1,");
    EXPECT_EQ(rowsOf(table).rows[2].settings.moeTensorParallel, 2);
}

TEST(MeasuredRows, anUnknownTierIsSaid) {
    std::string table = madeUp();
    const std::size_t at = table.find("dense_c4,A");
    ASSERT_NE(at, std::string::npos);
    table.replace(at, 10, "dense_c4,Z");
    const MeasuredRows rows = rowsOf(table);
    ASSERT_EQ(rows.diagnostics.size(), 1U);
    EXPECT_EQ(rows.diagnostics[0].sentence(), "line 2, column tier: \"Z\" is none of A, B, C, X");
}

} // namespace
} // namespace loadline
