// Compactions of real sessions: as many, and as many tokens written behind them, as the raw lines have.
#include "core/cache/provider/prefix_breaks.h"
#include "core/workload/scope/scope.h"
#include "tests/core/shared_sessions.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <string>

namespace loadline {
namespace {

using Json = nlohmann::json;

struct Compacted {
    std::size_t boundaries = 0;
    Tokens written = 0; ///< to the cache, by the next call of the main agent after each
};

void count(const std::filesystem::path& file, Compacted& sum) {
    std::ifstream lines(file);
    std::string line;
    std::size_t open = 0; // boundaries whose next call has not come
    while (std::getline(lines, line)) {
        if (open == 0 && line.find("compact_boundary") == std::string::npos) {
            continue;
        }
        const Json record = Json::parse(line, nullptr, false);
        if (!record.is_object()) {
            continue; // two objects in one line: neither is a boundary in this data
        }
        if (record.value("subtype", "") == "compact_boundary") {
            ++sum.boundaries;
            ++open;
        }
        const bool calls =
            open > 0 && record.value("type", "") == "assistant" && !record.value("isSidechain", false) &&
            record["message"].value("model", "") != "<synthetic>" && record["message"].contains("usage");
        if (calls) {
            sum.written += record["message"]["usage"].value("cache_creation_input_tokens", Tokens{0});
            open = 0;
        }
    }
}

TEST(SharedCompactions, AreThoseOfTheRawLines) {
    LOADLINE_NEED_SHARED_SESSIONS();
    const std::filesystem::path root = test::sharedSessions() / "claude" / "entireio+cli";
    Compacted raw;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        if (entry.path().extension() == ".jsonl") {
            count(entry.path(), raw);
        }
    }
    EXPECT_EQ(raw.boundaries, 8U);
    EXPECT_EQ(raw.written, 171'630);
    const Corpus corpus = test::readCorpus(root);
    const BreakTotals totals =
        totalsOf(prefixBreaksOf(corpus, laneCallsOf(corpus, select(corpus, {}, TurnMethod::ApiCall))));
    EXPECT_EQ(totals.compactions, raw.boundaries);
    EXPECT_EQ(totals.compacted, raw.written);
}

} // namespace
} // namespace loadline
