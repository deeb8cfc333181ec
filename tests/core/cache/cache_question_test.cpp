// A question about caches: its fields as text, the settings that follow, and tiers that follow the weights.
#include "core/cache/study/cache_question.h"

#include <gtest/gtest.h>

#include <string>

namespace loadline {
namespace {

TEST(CacheQuestion, IsReadAsItIsWritten) {
    for (const ask::Fields fields : {cacheFields(), cacheCommandFields()}) {
        for (const ask::Field& field : fields) {
            if (field.access.get == nullptr && field.traits.text.text == nullptr) {
                continue; // of the command alone: never written
            }
            CacheQuestion question;
            EXPECT_TRUE(ask::readText(field, ask::textOf(field, &question), &question)) << field.key;
            EXPECT_EQ(question, CacheQuestion()) << field.key;
        }
    }
}

TEST(CacheQuestion, TakesWhatItsFieldsSay) {
    const auto takes = [](ask::Fields fields, std::string_view key, std::string_view text) {
        CacheQuestion question;
        const bool taken = ask::readText(ask::fieldOf(fields, key), text, &question);
        EXPECT_EQ(taken, question != CacheQuestion()) << key << ' ' << text;
        return taken;
    };
    EXPECT_TRUE(takes(cacheFields(), "cache-model", "llama-3.1-8b"));
    EXPECT_FALSE(takes(cacheFields(), "cache-model", "llama-9"));
    EXPECT_TRUE(takes(cacheFields(), "tiers", "h100-node,HBM:300"));
    EXPECT_FALSE(takes(cacheFields(), "tiers", "none"));
    EXPECT_TRUE(takes(cacheCommandFields(), "tiers", "none")); // what is wrong is told with more words
    EXPECT_TRUE(takes(cacheFields(), "split", "gpus=8,hit=0.5"));
    EXPECT_FALSE(takes(cacheFields(), "split", "gpus=0"));
    EXPECT_TRUE(takes(cacheCommandFields(), "capacity-blocks", "10,1:3"));
    EXPECT_FALSE(takes(cacheCommandFields(), "capacity-blocks", "0"));
    EXPECT_TRUE(takes(cacheCommandFields(), "move-out", "share=0.5,fetch=0.2,tier=NVMe"));
    EXPECT_FALSE(takes(cacheCommandFields(), "move-out", "0.5,fetch=2"));
    EXPECT_FALSE(takes(cacheCommandFields(), "tp", "0"));
}

TEST(CacheQuestion, SettingsAreWrittenBack) {
    CacheQuestion question;
    question.machine.tiers = "h100-node,NVMe:20000";
    question.fleet.hitRate = 0.9;
    EXPECT_EQ(withSettings(CacheQuestion(), settingsOf(question)).machine.tiers,
              "h100-node,NVMe:20000:56:90");
    EXPECT_EQ(withSettings(CacheQuestion(), settingsOf(question)).fleet, question.fleet);
}

TEST(CacheQuestion, TheRoomBesideTheWeightsFollowsThem) {
    CacheQuestion before;
    before.machine.tiers = "h100-node,HBM:300,NVMe:20000";
    CacheQuestion after = before;
    after.machine.model = "llama-3.1-8b";
    EXPECT_EQ(settled(before, after).machine.tiers, "h100-node,NVMe:20000:56:90");
    after = before;
    after.ttlS = 60;
    EXPECT_EQ(settled(before, after), after); // what else changes moves no tier
    after = before;
    after.machine.tensorParallel = 3; // does not divide 8 GPUs
    EXPECT_EQ(settled(before, after).machine.tensorParallel, 2);
}

} // namespace
} // namespace loadline
