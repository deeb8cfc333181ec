// Events of a measuring run: out and back, broken lines, and the run they add up to.
#include "core/cost/profile/bench_event.h"

#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_json.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

ProfilePoint pointAt(std::int64_t rowsM, double us) {
    ProfilePoint point;
    point.kernel = Kernel::SwapAb;
    point.size = {.k = 2048, .n = 5120};
    point.rowsM = rowsM;
    point.kBits = 4;
    point.timeUs = us;
    point.minUs = us * 0.9;
    point.p25Us = us * 0.95;
    point.p75Us = us * 1.1;
    point.samples = 9;
    point.clockMhz = 1755;
    point.flags = {"noisy"};
    return point;
}

Profile profileOf(const std::vector<ProfilePoint>& points) {
    Profile profile;
    profile.name = profile.device = "made-up \"card\"\n";
    profile.method = methodName("quick");
    profile.methodFacts["seed"] = "7";
    profile.points = points;
    return profile;
}

AttentionTiming attentionAt(int batch, double us) {
    return {.call = {AttentionPhase::Prefill, {32, 8, 128}, batch, 1024},
            .timeUs = us,
            .minUs = us - 1,
            .p25Us = us - 0.5,
            .p75Us = us + 0.5,
            .samples = 9,
            .clockMhz = 1755,
            .flags = {"noisy"},
            .origin = PointOrigin::Measured};
}

std::vector<BenchEvent> everyEvent() {
    return {
        BenchDevice{"cuda:0", "A \"card\"", "H100-SXM", "", true, {{"cores", "4"}, {"os", "\"made up\""}}},
        BenchPlan{"before the change",
                  "2026-01-01T00:00:00Z",
                  "standard",
                  "study",
                  {2, 4},
                  600,
                  20,
                  31.5,
                  {"one, M = 8192"},
                  {{"seed", "7"}},
                  {{"mma", 16}}},
        BenchCeiling{"read_gb_s", 3012.25},
        BenchProgress{"timing", 3, 600, 1.5, 30.25},
        BenchPoint{pointAt(8, 12.5), {{12.5, 1755}, {12.75, 0}}, 1},
        BenchAttentionTiming{attentionAt(64, 21.5)},
        BenchCheckFailure{Kernel::GroupedMma, {64, 128}, 8, 3, 2, "relative error 0.4"},
        BenchRemark{"throttled: power cap"},
        BenchDone{profileOf({pointAt(8, 12.5), pointAt(16, 13)}), "out.json", "stopped by the user"},
        BenchFailed{{"no such device", "cuda:7", "cuda:0"}},
    };
}

TEST(BenchEvent, EveryEventComesBackEqualFromOneLine) {
    for (const BenchEvent& event : everyEvent()) {
        const std::string line = toJsonLine(event);
        EXPECT_EQ(line.find('\n'), line.size() - 1) << line;
        const Result<BenchEvent> back = benchEventFromJson(line);
        ASSERT_TRUE(back) << back.error().sentence() << "\n" << line;
        EXPECT_TRUE(*back == event) << line;
    }
}

TEST(BenchEvent, ALineThatIsCutAnywhereIsAnError) {
    for (const BenchEvent& event : everyEvent()) {
        const std::string line = toJsonLine(event);
        for (std::size_t length = 0; length + 2 < line.size(); ++length) {
            EXPECT_FALSE(benchEventFromJson(std::string_view(line).substr(0, length))) << length;
        }
    }
}

TEST(BenchEvent, MissingOrForeignMembersAreErrors) {
    for (
        const char* line :
        {"null", "[]", "{}", R"({"event": 3})", R"({"event": "news"})", R"({"event": "remark"})",
         R"({"event": "ceiling", "name": "x", "value": "fast"})",
         R"({"event": "progress", "doing": "x", "done": -1, "total": 2, "spent_s": 0, "left_s": 0})",
         R"({"event": "plan", "date": "", "preset": "quick", "shapes": "s", "k_bits": [2, "4"], "points": 1,
              "checks": 1, "estimated_s": 1, "left_out": []})",
         R"({"event": "plan", "date": "", "preset": "quick", "shapes": "s", "k_bits": [4], "points": 1,
              "checks": 1, "estimated_s": 1, "left_out": [], "facts": {}, "row_tiles": {"swp_ab": 8}})",
         R"({"event": "plan", "date": "", "preset": "quick", "shapes": "s", "k_bits": [4], "points": 1,
              "checks": 1, "estimated_s": 1, "left_out": [], "facts": {}, "row_tiles": {"mma": 0}})",
         R"({"event": "point", "point": {"kernel": "mma"}, "samples_us": [], "clocks_mhz": [], "dropped": 0})",
         R"({"event": "attention_point", "point": {"phase": "decode"}})",
         R"({"event": "check_failed", "kernel": "best", "shape": "2x3", "experts": 1, "rows_m": 1,
              "k_bits": 4, "what": ""})",
         R"({"event": "done", "profile_path": "", "cut": "", "profile": {}})"}) {
        const Result<BenchEvent> event = benchEventFromJson(line);
        ASSERT_FALSE(event) << line;
        EXPECT_NE(event.error().what.find("not an event"), std::string::npos) << event.error().what;
    }
}

TEST(BenchRun, IsACutProfileUntilItIsDone) {
    BenchRun run;
    apply(run, BenchDevice{"cuda:0", "card", "RTX4090", "", false, {{"cores", "4"}}});
    apply(
        run,
        BenchPlan{
            "", "2026-01-01T00:00:00Z", "quick", "study", {4}, 3, 1, 1, {}, {{"seed", "7"}}, {{"mma", 16}}});
    apply(run, BenchCeiling{"read_gb_s", 1000});
    apply(run, BenchPoint{pointAt(8, 10), {{10, 0}}, 0});
    apply(run, BenchPoint{pointAt(16, 11), {{11, 0}}, 0});
    apply(run, BenchPoint{pointAt(8, 12), {{12, 0}}, 0});
    EXPECT_EQ(run.points.size(), 2U);
    ASSERT_EQ(run.profile.points.size(), 2U);
    EXPECT_EQ(run.profile.points[0].timeUs, 12);
    EXPECT_EQ(run.profile.ceilings.at("read_gb_s"), "1000");
    apply(run, BenchAttentionTiming{attentionAt(1, 10)});
    apply(run, BenchAttentionTiming{attentionAt(2, 12)});
    apply(run, BenchAttentionTiming{attentionAt(1, 11)});
    ASSERT_EQ(run.profile.attention.size(), 2U);
    EXPECT_EQ(run.profile.attention[0].timeUs, 11);
    EXPECT_EQ(run.profile.date, "2026-01-01T00:00:00Z");
    EXPECT_FALSE(cutOf(run.profile).empty());
    EXPECT_EQ(run.profile.methodFacts.at("seed"), "7");
    EXPECT_EQ(run.profile.rowTiles.at("mma"), 16);
    const Result<Profile> back = profileFromJson(toJson(run.profile), "saved");
    ASSERT_TRUE(back) << back.error().sentence();
    EXPECT_EQ(*back, run.profile);

    ProfilePoint flagged = pointAt(16, 11);
    flagged.flags = {"drift"};
    apply(run, BenchDone{profileOf({flagged}), "p.json", ""});
    EXPECT_TRUE(run.done);
    EXPECT_EQ(cutOf(run.profile), "");
    EXPECT_EQ(run.points[1].point.flags, std::vector<std::string>{"drift"});
    EXPECT_EQ(run.points[1].samples.size(), 1U); // the samples stay
}

TEST(BenchRun, HasEachPointOnceWhateverComesAfterItsEnd) {
    BenchRun run;
    apply(run, BenchPoint{pointAt(8, 10), {}, 0});
    apply(run, BenchPoint{pointAt(16, 11), {}, 0});
    apply(run, BenchDone{profileOf({pointAt(16, 11), pointAt(32, 14)}), "p.json", ""});
    apply(run, BenchPoint{pointAt(32, 15), {}, 0});
    apply(run, BenchPoint{pointAt(16, 12), {}, 0});
    apply(run, BenchPoint{pointAt(8, 13), {}, 0});
    ASSERT_EQ(run.profile.points.size(), 3U);
    EXPECT_EQ(run.profile.points[0].timeUs, 12);
    EXPECT_EQ(run.profile.points[1].timeUs, 15);
    EXPECT_EQ(run.profile.points[2].timeUs, 13);
    EXPECT_TRUE(profileFromJson(toJson(run.profile), "saved"));
}

TEST(BenchRun, OfAMadeUpDeviceSaysSo) {
    BenchRun run;
    apply(run, BenchDevice{"made-up", "made-up device", "", "", true, {}});
    EXPECT_EQ(run.profile.source, madeUpSource);
}

TEST(BenchRun, MarksAndUnmarksAProfile) {
    Profile profile;
    markCut(profile, "stopped \"here\"");
    EXPECT_EQ(cutOf(profile), "stopped \"here\"");
    markCut(profile, "");
    EXPECT_EQ(cutOf(profile), "");
    EXPECT_TRUE(profile.methodFacts.empty());
}

} // namespace
} // namespace loadline
