// Real session folders: turns of each method, file by file.
#include "core/workload/scope/turns.h"

#include "core/workload/distribution/histogram.h"
#include "tests/core/shared_sessions.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

using nlohmann::json;

json histogramOf(const std::vector<Tokens>& values) {
    json result = json::object();
    for (const Tokens value : values) {
        if (value > 0) {
            json& count = result[std::to_string(powerOfTwoBucket(value))];
            count = count.is_null() ? 1 : count.get<int>() + 1;
        }
    }
    return result;
}

std::vector<Tokens> columnOf(const std::vector<Turn>& turns, Tokens Turn::*column) {
    std::vector<Tokens> values;
    values.reserve(turns.size());
    for (const Turn& turn : turns) {
        values.push_back(turn.*column);
    }
    return values;
}

TEST(TurnsExpected, PerLineEqualsThePublishedScript) {
    LOADLINE_NEED_SHARED_SESSIONS();
    const json expected = test::expectedResults("expected_turns_per_line.json").at("files");
    const Corpus corpus = test::readCorpus(test::sharedSessions() / "claude");
    std::size_t compared = 0;
    for (std::size_t f = 0; f < corpus.files.size(); ++f) {
        const std::string path = test::relativeToShared(corpus.files[f].file->path);
        SCOPED_TRACE(path);
        const auto entry = expected.find(path);
        if (entry == expected.end() || entry->at("tolerant").is_null()) {
            continue;
        }
        ++compared;
        const std::vector<Turn> turns = turnsOfFile(corpus, static_cast<FileIndex>(f), TurnMethod::PerLine);
        const std::vector<Tokens> input = columnOf(turns, &Turn::input);
        const std::vector<Tokens> output = columnOf(turns, &Turn::output);
        EXPECT_EQ(json(input), entry->at("input_est"));
        EXPECT_EQ(json(output), entry->at("output"));
        EXPECT_EQ(histogramOf(input), entry->at("input_hist"));
        EXPECT_EQ(histogramOf(output), entry->at("output_hist"));
    }
    EXPECT_EQ(compared, corpus.files.size());
}

TEST(TurnsExpected, PromptTurnsHoldTheCallsOfTheMainLane) {
    LOADLINE_NEED_SHARED_SESSIONS();
    const json expected = test::expectedResults("expected_api_calls.json").at("files");
    const Corpus corpus = test::readCorpus(test::sharedSessions() / "claude");
    std::size_t compared = 0;
    for (std::size_t f = 0; f < corpus.files.size(); ++f) {
        const SessionFile& file = *corpus.files[f].file;
        const std::string path = test::relativeToShared(file.path);
        SCOPED_TRACE(path);
        const json& turns = expected.at(path).at("prompt_turns");
        const std::vector<Turn> read = turnsOfFile(corpus, static_cast<FileIndex>(f), TurnMethod::Prompt);
        ASSERT_EQ(read.size(), turns.at("n").get<std::size_t>());
        if (read.empty()) {
            continue;
        }
        ++compared;
        std::vector<std::uint64_t> calls(read.size());
        for (const std::uint32_t turn : turnsOfCalls(file, TurnMethod::Prompt)) {
            if (turn < calls.size()) {
                ++calls[turn];
            }
        }
        EXPECT_EQ(json(calls), turns.at("calls_per_turn"));
        EXPECT_EQ(json(columnOf(read, &Turn::output)), turns.at("output_per_turn"));
    }
    EXPECT_GT(compared, 0U);
}

TEST(TurnsExpected, ApiCallsConserveTheTotals) {
    LOADLINE_NEED_SHARED_SESSIONS();
    const Corpus corpus = test::readCorpus(test::sharedSessions() / "claude");
    const UsageTotals totals = totalsOf(corpus.calls);
    Tokens input = 0;
    Tokens output = 0;
    for (const Turn& turn :
         turnsInScope(corpus, select(corpus, {}, TurnMethod::ApiCall), TurnMethod::ApiCall)) {
        input += turn.input;
        output += turn.output;
    }
    EXPECT_EQ(input, totals.usage.newPrefill());
    EXPECT_EQ(output, totals.usage.output);
}

} // namespace
} // namespace loadline
