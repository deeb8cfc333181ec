// The text form of judged servers.
#include "core/serving/judged_servers.h"

#include <gtest/gtest.h>

#include <string>

namespace loadline {
namespace {

JudgedServers twoServers() {
    JudgedServer dense{.model = "meta-llama/Llama-3.1-70B",
                       .at = {.gpu = "h200-sxm",
                              .totalBytes = 72'653'733'888,
                              .activeBytes = 70'552'387'584,
                              .weights = "fp8",
                              .experts = "",
                              .kv = "fp8",
                              .tensorParallel = 4,
                              .context = 1386.5,
                              .newTokens = 926.7,
                              .cachedShare = 0,
                              .batch = 16,
                              .isKvBound = true},
                       .tier = "A",
                       .ttftError = -0.0312,
                       .tpotError = 0.05};
    JudgedServer sparse = dense;
    sparse.model = "made/up MoE";
    sparse.at.experts = "nvfp4";
    sparse.at.cachedShare = 0.875;
    sparse.at.isKvBound = false;
    sparse.tier = "";
    sparse.ttftError.reset();
    return {.source = "somebody: 2026",
            .licence = "Apache-2.0",
            .date = "2026-11-27",
            .program = "0.1.0",
            .servers = {dense, sparse},
            .diagnostics = {}};
}

TEST(JudgedServersText, ReadsBackAsItWasWritten) {
    const JudgedServers written = twoServers();
    const auto read = judgedServersFrom(judgedServersCsv(written), "x.csv");
    ASSERT_TRUE(read) << read.error().sentence();
    EXPECT_EQ(read->servers, written.servers);
    EXPECT_EQ(read->source, "somebody: 2026");
    EXPECT_EQ(read->licence, "Apache-2.0");
    EXPECT_EQ(read->date, "2026-11-27");
    EXPECT_EQ(read->program, "0.1.0");
    EXPECT_TRUE(read->diagnostics.empty());
}

TEST(JudgedServersText, LeavesOutRowsThatAreNone) {
    const struct {
        const char *field, *bad, *column;
    } changes[] = {
        {"h200-sxm", "", "gpu"},
        {"h200-sxm", "h\x01", "gpu"},
        {",72653733888", ",0", "total_bytes"},
        {",4,1386.5", ",0,1386.5", "tensor_parallel"},
        {"1386.5", "nan", "context"},
        {"926.7", "-1", "new_tokens"},
        {",0,16,", ",1.5,16,", "cached_share"},
        {"16,1,A", "16,yes,A", "kv_bound"},
        {"0.05", "-1.2", "tpot_error"},
        {"0.05", "inf", "tpot_error"},
    };
    const std::string good = judgedServersCsv(twoServers());
    for (const auto& change : changes) {
        std::string text = good;
        const std::size_t at = text.find(change.field, text.find("tpot_error"));
        ASSERT_NE(at, std::string::npos) << change.field;
        text.replace(at, std::string(change.field).size(), change.bad);
        const auto read = judgedServersFrom(text, "x.csv");
        ASSERT_TRUE(read) << read.error().sentence();
        ASSERT_EQ(read->servers.size(), 1U) << change.column;
        EXPECT_EQ(read->servers[0], twoServers().servers[1]);
        ASSERT_EQ(read->diagnostics.size(), 1U);
        EXPECT_EQ(read->diagnostics[0].column, change.column);
        EXPECT_EQ(read->diagnostics[0].line, 6U);
    }
}

TEST(JudgedServersText, SaysWhatIsNoList) {
    const std::string good = judgedServersCsv(twoServers());
    const std::size_t rows = good.find("h200-sxm");
    EXPECT_FALSE(judgedServersFrom("", "x.csv"));
    EXPECT_FALSE(judgedServersFrom("# source: somebody\n", "x.csv"));
    EXPECT_FALSE(judgedServersFrom(good.substr(0, rows), "x.csv"));
    std::string other = good;
    other.replace(other.find("cached_share"), 6, "kept__");
    const auto read = judgedServersFrom(other, "x.csv");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().what, "not a list of judged servers: it has no column cached_share");
    const auto cut = judgedServersFrom(good.substr(0, good.size() - 9), "x.csv");
    ASSERT_TRUE(cut);
    EXPECT_EQ(cut->servers.size(), 1U);
    EXPECT_EQ(cut->diagnostics.size(), 1U);
}

} // namespace
} // namespace loadline
