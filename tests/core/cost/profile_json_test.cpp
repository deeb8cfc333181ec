// Profiles out and in again, and what is said of broken ones.
#include "core/cost/profile/profile_json.h"

#include "core/cost/profile/time_bar.h"

#include <gtest/gtest.h>

#include <cmath>

namespace loadline {
namespace {

Profile madeUp() {
    return {.name = "made up",
            .source = "",
            .device = "Some GPU",
            .hardware = "H100-SXM",
            .method = "graph-node",
            .date = "2026-03-01T10:00:00Z",
            .deviceFacts = {{"driver", "\"555.1\""}, {"sm_count", "132"}},
            .methodFacts = {{"seed", "7"}},
            .ceilings = {{"read_gb_s", "3012.5"}},
            .rowTiles = {{"mma", 8}},
            .points = {{.kernel = Kernel::Mma,
                        .size = {.k = 2048, .n = 512},
                        .rowsM = 8,
                        .kBits = 4,
                        .timeUs = 4.1,
                        .p25Us = 4.0,
                        .p75Us = 4.3,
                        .repeatUs = 4.2,
                        .samples = 9,
                        .flags = {"noisy"},
                        .origin = PointOrigin::Measured,
                        .source = "",
                        .isolatedUs = 4.5,
                        .driftedUs = 5.25},
                       {.kernel = Kernel::Dequantise,
                        .size = {.k = 2048, .n = 512},
                        .experts = 8,
                        .rowsM = 0,
                        .kBits = 3,
                        .timeUs = 0.1 + 0.2,
                        .p25Us = {},
                        .p75Us = {},
                        .repeatUs = {},
                        .flags = {},
                        .origin = PointOrigin::Modelled,
                        .source = "\"a model\" – with ü"},
                       {.kernel = Kernel::CublasFp16,
                        .size = {.k = 1, .n = 1},
                        .rowsM = 8192,
                        .timeUs = 1e-3,
                        .p25Us = {},
                        .p75Us = {},
                        .repeatUs = {},
                        .flags = {},
                        .origin = PointOrigin::Published,
                        .source = "someone"}},
            .attention = {{.call = {AttentionPhase::Decode, {32, 8, 128}, 4, 1024},
                           .timeUs = 21.5,
                           .minUs = 21,
                           .p25Us = 21.25,
                           .p75Us = 22,
                           .samples = 9,
                           .clockMhz = 1755,
                           .flags = {"throttled"},
                           .origin = PointOrigin::Measured},
                          {.call = {AttentionPhase::Prefill, {1, 1, 64}, 1, 1},
                           .timeUs = 3,
                           .minUs = {},
                           .p25Us = {},
                           .p75Us = {},
                           .flags = {},
                           .origin = PointOrigin::Modelled}}};
}

TEST(ProfileJson, BrokenAttentionSaysWhere) {
    const auto problemOf = [](const std::string& entries) {
        const std::string text =
            R"({"schema": "loadline.profile/1", "points": [{"kernel": "mma", "shape": "64x64",
            "rows_m": 1, "k_bits": 4, "time_us": 1}], "attention": )" +
            entries + "}";
        const auto profile = profileFromJson(text, "x.json");
        return profile ? std::string() : profile.error().what;
    };
    const std::string good = R"({"phase": "decode", "q_heads": 8, "kv_heads": 2, "head_dim": 64, "batch": 1,
                                 "tokens": 128, "time_us": 5})";
    EXPECT_EQ(problemOf("[" + good + "]"), "");
    EXPECT_NE(problemOf("3").find("not a list"), std::string::npos);
    EXPECT_NE(problemOf("[" + good + "," + good + "]").find("stands twice"), std::string::npos);
    EXPECT_NE(problemOf(R"([{"phase": "encode"}])").find("attention point 1"), std::string::npos);
    std::string without = good;
    without.replace(without.find("\"batch\": 1"), 10, "\"batch\": 0");
    EXPECT_NE(problemOf("[" + without + "]").find("\"batch\""), std::string::npos);
}

TEST(ProfileJson, ReadsBackEqual) {
    const Profile profile = madeUp();
    const auto back = profileFromJson(toJson(profile), "p.json");
    ASSERT_TRUE(back) << back.error().sentence();
    EXPECT_EQ(*back, profile);
    EXPECT_EQ(toJson(*back), toJson(profile));
}

TEST(ProfileJson, PointsInheritTheDocumentsOrigin) {
    const auto profile = profileFromJson(
        R"({"schema":"loadline.profile/1","origin":"published","points":[
            {"kernel":"cublas_fp16","shape":"8x8","rows_m":1,"time_us":2},
            {"kernel":"cublas_fp16","shape":"8x8","rows_m":2,"time_us":2,"origin":"modelled"}]})",
        "p.json");
    ASSERT_TRUE(profile) << profile.error().sentence();
    EXPECT_EQ(profile->points[0].origin, PointOrigin::Published);
    EXPECT_EQ(profile->points[0].kBits, fp16Bits);
    EXPECT_EQ(profile->points[1].origin, PointOrigin::Modelled);
}

TEST(ProfileJson, SaysWhatIsWrongAndWhere) {
    const auto withPoint = [](const std::string& point) {
        return R"({"schema":"loadline.profile/1","points":[)" + point + "]}";
    };

    struct Case {
        std::string json, said;
    };

    const std::vector<Case> cases = {
        {"", "it is not JSON"},
        {"[1]", "it is not a JSON object"},
        {"{}", "its \"schema\" is not \"loadline.profile/1\""},
        {R"({"schema":"loadline.profile/2","points":[]})", "its \"schema\" is not"},
        {R"({"schema":7})", "\"schema\" is not text"},
        {R"({"schema":"loadline.profile/1"})", "its \"points\" are missing or empty"},
        {R"({"schema":"loadline.profile/1","points":[]})", "its \"points\" are missing or empty"},
        {R"({"schema":"loadline.profile/1","device":3,"points":[{}]})", "\"device\" is not an object"},
        {R"({"schema":"loadline.profile/1","method":{"row_tiles":{"mma":0}},"points":[{}]})",
         "\"method.row_tiles.mma\" is not a kernel with a number of rows"},
        {withPoint("3"), "point 1: it is not an object"},
        {withPoint("{}"), "point 1: \"kernel\" is missing"},
        {withPoint(R"({"kernel":"warp"})"), "the kernel \"warp\" is not known"},
        {withPoint(R"({"kernel":"mma","shape":"big"})"), "the shape \"big\" is not K x N"},
        {withPoint(R"({"kernel":"mma","shape":"8x8","k_bits":4,"time_us":1})"),
         "\"rows_m\" is not a whole number"},
        {withPoint(R"({"kernel":"mma","shape":"8x8","rows_m":0,"k_bits":4,"time_us":1})"), "\"rows_m\""},
        {withPoint(R"({"kernel":"mma","shape":"8x8","rows_m":1,"k_bits":6,"time_us":1})"), "\"k_bits\""},
        {withPoint(R"({"kernel":"mma","shape":"8x8","rows_m":1,"k_bits":4})"), "\"time_us\" is missing"},
        {withPoint(R"({"kernel":"mma","shape":"8x8","rows_m":1,"k_bits":4,"time_us":0})"),
         "\"time_us\" is not a number"},
        {withPoint(R"({"kernel":"mma","shape":"8x8","rows_m":1,"k_bits":4,"time_us":-1})"), "\"time_us\""},
        {withPoint(R"({"kernel":"mma","shape":"8x8","rows_m":1,"k_bits":4,"time_us":1e300})"), "\"time_us\""},
        {withPoint(R"({"kernel":"mma","shape":"8x8","rows_m":1e3,"k_bits":4,"time_us":1})"), "\"rows_m\""},
        {withPoint(
             R"({"kernel":"mma","shape":"8x8","rows_m":1,"k_bits":4,"time_us":1,"p25_us":3,"p75_us":2})"),
         "\"p25_us\" is above \"p75_us\""},
        {withPoint(R"({"kernel":"mma","shape":"8x8","rows_m":1,"k_bits":4,"time_us":1,"flags":[1]})"),
         "flag"},
        {withPoint(R"({"kernel":"mma","shape":"8x8","rows_m":1,"k_bits":4,"time_us":1,"origin":"guessed"})"),
         "origin \"guessed\" is not measured, published or modelled"},
        {withPoint(R"({"kernel":"mma","shape":"8x8","rows_m":1,"k_bits":4,"time_us":1},
                      {"kernel":"mma","shape":"8x8","rows_m":1,"k_bits":4,"time_us":2})"),
         "point 2: mma 8x8 at M = 1 and k = 4 stands twice"},
    };
    for (const Case& wrong : cases) {
        const auto result = profileFromJson(wrong.json, "p.json");
        ASSERT_FALSE(result) << wrong.json;
        EXPECT_NE(result.error().sentence().find(wrong.said), std::string::npos) << wrong.json << "\n"
                                                                                 << result.error().sentence();
        EXPECT_EQ(result.error().where, "p.json");
    }
}

TEST(Profile, ErrorBarsComeFromQuartilesAndRepeats) {
    ProfilePoint point{
        .size = {}, .timeUs = 100, .p25Us = {}, .p75Us = {}, .repeatUs = {}, .flags = {}, .source = {}};
    EXPECT_DOUBLE_EQ(relativeErrorOf(point), 0.02);
    point.p25Us = 90;
    point.p75Us = 110;
    EXPECT_DOUBLE_EQ(relativeErrorOf(point), 0.1);
    point.repeatUs = 200;
    EXPECT_DOUBLE_EQ(relativeErrorOf(point), std::log(2.0));
}

// As samples are where other work ran beside them: one quartile near the median, the other far above.
TEST(Profile, ASkewedSampleGivesNoErrorBeyondItsQuartiles) {
    ProfilePoint point{
        .size = {}, .timeUs = 68.4, .p25Us = 65.9, .p75Us = 2509, .repeatUs = {}, .flags = {}, .source = {}};
    EXPECT_DOUBLE_EQ(relativeErrorOf(point), std::log(2509 / 65.9) / 2);
    EXPECT_EQ(barOf(point).low, 65.9);
    EXPECT_EQ(barOf(point).high, 2509);
    point.repeatUs = 40;
    EXPECT_EQ(barOf(point).low, 40);
    point.repeatUs = {};
    double before = 0;
    for (double above = 1; above < 1e6; above *= 1.01) { // no jump where the one takes over from the other
        point.p75Us = point.timeUs + above;
        const double error = relativeErrorOf(point);
        EXPECT_GE(error, before);
        EXPECT_LT(error, before == 0 ? 1 : before + 0.01);
        EXPECT_LE(error, std::max(0.02, (*point.p75Us - *point.p25Us) / 2 / point.timeUs));
        before = error;
    }
}

TEST(Profile, ABarIsTwoPerCentAtLeastAndAnAxisFollowsItToAFactorOfTwo) {
    ProfilePoint point{
        .size = {}, .timeUs = 100, .p25Us = 99.9, .p75Us = 110, .repeatUs = {}, .flags = {}, .source = {}};
    EXPECT_DOUBLE_EQ(barOf(point).low, 100 * std::exp(-leastBarShare));
    EXPECT_EQ(barOf(point).high, 110);
    EXPECT_EQ(barOnAxis(100, barOf(point)), barOf(point));
    EXPECT_EQ(barOnAxis(100, {.low = 1, .high = 1e9}), (TimeBar{.low = 50, .high = 200}));
    point.p25Us = point.p75Us = {};
    EXPECT_EQ(relativeErrorOf(point), leastBarShare);
    point.flags = {std::string(unvalidatedFlag)};
    EXPECT_EQ(barOf(point), (TimeBar{.low = 100, .high = 100}));
}

TEST(Profile, ProvenanceTellsOriginsApart) {
    const auto lines = provenanceLines(madeUp());
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0], "measured: 1 points, 1 of them flagged, on Some GPU");
    EXPECT_EQ(lines[1], "published: 1 points, 1 of them with an assumed error of 2 %, as none is stated, on "
                        "Some GPU; someone");
}

} // namespace
} // namespace loadline
