// Part of the context moved out of the prompt, by hand.
#include "core/cache/tier/move_out.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

const CacheModel moved{.key = "plain",
                       .attention = {.layers = 1, .fullLayers = 1, .qHeads = 1, .kvHeads = 1, .headDim = 250},
                       .activeParameters = 1e9,
                       .source = "here",
                       .totalParameters = 1e9}; // 1000 bytes a token

const KvLayout layout{.model = &moved};
const CacheTier slowDrive{"NVMe", 1000, 1, 100, ""};
constexpr MoveOutLoad load{
    .input = 10'000, .hitRate = 0.9, .heldTokens = 20'000, .sessions = 50, .requestsPerS = 5};

TEST(MoveOut, Files) {
    const MoveOut question{.share = 0.5, .index = 0.1, .fetched = 0.2, .bytesPerToken = 4};
    const MoveOutFigure figure = moveOutOf(layout, question, load, slowDrive);
    EXPECT_DOUBLE_EQ(figure.movedTokens, 5000);
    EXPECT_DOUBLE_EQ(figure.fetchedTokens, 1000);
    EXPECT_DOUBLE_EQ(figure.before.hitRate, 0.9);
    EXPECT_DOUBLE_EQ(figure.after.input, 10'000 - 5000 + 500 + 1000);
    EXPECT_DOUBLE_EQ(figure.after.cached, 9000 - 5000 + 500);
    EXPECT_DOUBLE_EQ(figure.after.hitRate, 4500 / 6500.0) << "lower, as cached tokens left";
    EXPECT_DOUBLE_EQ(figure.before.heldGB, 20'000 * 1000 / 1e9);
    EXPECT_DOUBLE_EQ(figure.after.heldGB, 20'000 * 0.55 * 1000 / 1e9);
    EXPECT_DOUBLE_EQ(figure.after.allHeldGB, 50 * figure.after.heldGB);
    EXPECT_DOUBLE_EQ(figure.sessionsPerGB, 1 / 0.55);
    EXPECT_DOUBLE_EQ(figure.readBytes, 4000);
    EXPECT_DOUBLE_EQ(figure.readGBs, 4000 * 5 / 1e9);
    EXPECT_DOUBLE_EQ(figure.bandwidthShare, 2e-5);
    EXPECT_DOUBLE_EQ(figure.readS, 1e-4 + 4e-6);
    EXPECT_DOUBLE_EQ(figure.after.kvReadGBs, 4500 * 1000 * 5 / 1e9);
    EXPECT_GT(figure.after.workLeft, figure.before.workLeft) << "what is fetched is computed again";
}

TEST(MoveOut, LookupsComeBackAsNoTokens) {
    MoveOut question{.share = 0.5, .fetched = 1, .kind = MoveOutKind::Lookup, .bytesPerToken = 1e6};
    const MoveOutFigure figure = moveOutOf(layout, question, load, slowDrive);
    EXPECT_DOUBLE_EQ(figure.after.input, 5000);
    EXPECT_DOUBLE_EQ(figure.after.cached, 4000);
    EXPECT_LT(figure.after.workLeft, figure.before.workLeft);
    EXPECT_DOUBLE_EQ(figure.bandwidthShare, 25) << "too much for this tier";
}

TEST(MoveOut, OnlyWhatIsReplayedCanLeave) {
    const MoveOutFigure all = moveOutOf(layout, {.share = 1, .fetched = 0}, load, slowDrive);
    EXPECT_DOUBLE_EQ(all.movedTokens, 9000);
    EXPECT_DOUBLE_EQ(all.after.hitRate, 0);
    EXPECT_EQ(all.readS, 0);
    const MoveOutFigure none = moveOutOf(layout, {.share = 0}, load, slowDrive);
    EXPECT_EQ(none.after.input, none.before.input);
    EXPECT_EQ(none.sessionsPerGB, 1);
    const MoveOutFigure empty = moveOutOf(layout, {.share = 1}, {}, slowDrive);
    EXPECT_EQ(empty.after.hitRate, 0);
    EXPECT_EQ(empty.after.workLeft, 0);
}

TEST(MoveOut, KindsReadBack) {
    for (const MoveOutKind kind : {MoveOutKind::Files, MoveOutKind::Lookup}) {
        EXPECT_EQ(moveOutKindFromKey(keyOf(kind)), kind);
    }
    EXPECT_EQ(moveOutKindFromKey("engram"), std::nullopt);
}

} // namespace
} // namespace loadline
