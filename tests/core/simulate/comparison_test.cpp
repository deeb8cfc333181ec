// Two settings side by side: every choice that differs is named, numbers are subtracted, gaps stay gaps.
#include "core/simulate/answer/comparison.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(Comparison, AProfilesFileIsToldByItsName) {
    SimulationRequest now;
    now.profile = "/home/somebody/profiles/mine.json";
    SimulationRequest pinned;
    pinned.profile = "/home/somebody/profiles/theirs.json";
    const auto differences = differencesOf(now, pinned);
    ASSERT_EQ(differences.size(), 1U);
    EXPECT_EQ(differences[0].now, "mine");
    EXPECT_EQ(differences[0].pinned, "theirs");
    pinned.profile = "/elsewhere/mine.json"; // another file of the same name
    EXPECT_EQ(differencesOf(now, pinned).size(), 1U);
}

TEST(Comparison, NamesEveryChoice) {
    const SimulationRequest usual;
    EXPECT_TRUE(differencesOf(usual, usual).empty());
    EXPECT_EQ(differencesSentence(differencesOf(usual, usual)), "nothing differs");
    const auto change = [&](auto set) {
        SimulationRequest other = usual;
        set(other);
        const auto differences = differencesOf(other, usual);
        EXPECT_FALSE(other == usual);
        EXPECT_EQ(differences.size(), 1U);
        if (!differences.empty()) {
            EXPECT_NE(differences[0].now, differences[0].pinned) << differences[0].choice;
        }
    };
    using R = SimulationRequest;
    change([](R& r) { r.workload = "x"; });
    change([](R& r) { r.outputs = OutputCounts::Visible; });
    change([](R& r) { r.profile = "x"; });
    change([](R& r) { r.shapes = "x"; });
    change([](R& r) { r.rule = "x"; });
    change([](R& r) { r.weights = Storage::K2; });
    change([](R& r) { r.timeScale[static_cast<std::size_t>(Kernel::Mma)] = 0.5; });
    change([](R& r) { r.policy.policy = Policy::Mlx; });
    change([](R& r) { r.policy.chunkTokens = 512; });
    change([](R& r) { r.policy.budgetTokens = 512; });
    change([](R& r) { r.policy.maxSeqs = 5; });
    change([](R& r) { r.policy.chunkedPrefill = false; });
    change([](R& r) { r.policy.prefixCache = false; });
    change([](R& r) { r.policy.blockTokens = 5; });
    change([](R& r) { r.policy.kvBlocks = 500; });
    change([](R& r) { r.policy.maxModelLen = 5000; });
    change([](R& r) { r.policy.watermark = 0.1; });
    change([](R& r) { r.policy.reserveFullPrompt = false; });
    change([](R& r) { r.policy.order = VllmPolicy::Priority; });
    change([](R& r) { r.policy.async = true; });
    change([](R& r) { r.policy.version = VllmVersion::October2025; });
    change([](R& r) { r.policy.prefillBatch = 4; });
    change([](R& r) { r.policy.fit.promptCap = 4; });
    change([](R& r) { r.policy.fit.freePrompt = 4; });
    change([](R& r) { r.arrivals.kind = ArrivalKind::Trace; });
    change([](R& r) { r.arrivals.users = 3; });
    change([](R& r) { r.arrivals.think = ThinkTime::FromData; });
    change([](R& r) { r.arrivals.order = TurnOrder::Replayed; });
    change([](R& r) { r.modelMissing = true; });
    change([](R& r) { r.scope = StepScope::WholeStep; });
    change([](R& r) { r.hostUs = 3; });
    change([](R& r) { r.length.iterations = 5000; });
    change([](R& r) { r.length.turns = 4; });
    change([](R& r) { r.replicas = 3; });
    change([](R& r) { r.seed = 3; });
}

TEST(Comparison, SaysItInWords) {
    SimulationRequest now;
    SimulationRequest pinned;
    now.policy.chunkTokens = 512;
    now.arrivals.users = 14;
    now.weights = Storage::K3;
    const auto differences = differencesOf(now, pinned);
    EXPECT_EQ(differencesSentence(differences),
              "users 14 instead of 8, chunk 512 instead of none, k 3 instead of 4");
    EXPECT_EQ(nowNameOf(differences), "chunk 512, k 3"); // users are where the marker is
    EXPECT_EQ(pinnedNameOf(differences), "chunk none, k 4");
    SimulationRequest users;
    users.arrivals.users = 14;
    EXPECT_EQ(nowNameOf(differencesOf(users, pinned)), "users 14");
    EXPECT_EQ(nowNameOf({}), "");
}

TEST(Comparison, SubtractsWhatBothHave) {
    const std::vector<Quantity> now = {{"a", 3.0}, {"b", std::nullopt}, {"c", 1.0}};
    const std::vector<Quantity> pinned = {{"a", 1.0}, {"b", 4.0}, {"d", 2.0}};
    const Table table = comparisonTable(now, pinned);
    EXPECT_EQ(table.columns, (std::vector<std::string>{"setting", "a", "b", "c", "d"}));
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_EQ(table.rows[2][1], Cell(2.0));
    for (const std::size_t column : {2U, 3U, 4U}) {
        EXPECT_EQ(table.rows[2][column], Cell(std::monostate())) << column;
    }
    EXPECT_EQ(table.rows[1][2], Cell(4.0));
}

TEST(Comparison, APreviewIsNamedAndNotSubtracted) {
    const std::vector<Quantity> now = {{"a", 3.0}};
    const std::vector<Quantity> pinned = {{"a", 1.0}};
    const Table table = comparisonTable(now, pinned, FigureStage::Preview);
    EXPECT_EQ(table.rows[0], (std::vector<Cell>{std::string("preview"), 3.0}));
    EXPECT_EQ(table.rows[2], (std::vector<Cell>{std::string("difference"), std::monostate()}));
}

TEST(Comparison, AFigureWithoutStepsHasNoNumbers) {
    for (const Quantity& quantity : quantitiesOf(SimulatorFigure{})) {
        EXPECT_FALSE(quantity.value.has_value()) << quantity.name;
    }
}

TEST(Comparison, TablesAreJoinedByColumn) {
    const Table now{{"k", "x"}, {{std::int64_t{4}, 1.0}}};
    const Table pinned{{"x", "y"}, {{2.0, 3.0}}};
    const Table both = joined(now, pinned);
    EXPECT_EQ(both.columns, (std::vector<std::string>{"setting", "k", "x"}));
    EXPECT_EQ(both.rows[1], (std::vector<Cell>{std::string("pinned"), std::monostate(), 2.0}));
}

} // namespace
} // namespace loadline
