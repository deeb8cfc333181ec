// Prefix breaks of prompt suggestions and compactions: they follow the conversation that they continue.
#include "core/cache/provider/call_before.h"
#include "core/cache/provider/prefix_breaks.h"
#include "core/session/corpus/corpus.h"
#include "tests/core/everything_selected.h"
#include "tests/core/session/files_fixture.h"
#include "tests/core/session/record_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace loadline {
namespace {

using testing::HasSubstr;

std::string timeAt(int s) {
    return fmt::format("2026-01-01T{:02}:{:02}:{:02}Z", s / 3600, s / 60 % 60, s % 60);
}

std::string parentOf(const std::string& uuid) {
    return ",'parentUuid':" + (uuid.empty() ? "null" : "'" + uuid + "'") +
           ",'sessionId':'s1','version':'2.1.0'";
}

std::string user(const std::string& uuid, const std::string& parent, int s, const char* text = "'go on'") {
    return userLine(uuid, text, parentOf(parent), timeAt(s));
}

std::string call(const std::string& uuid, const std::string& parent, int s, const std::string& message,
                 int write, int read, const char* model = "opus") {
    return record(
        fmt::format("{{'type':'assistant','uuid':'{}','requestId':'r-{}','timestamp':'{}'{},'message':"
                    "{{'id':'{}','model':'{}','stop_reason':'end_turn','content':[],'usage':"
                    "{{'input_tokens':3,'cache_creation_input_tokens':{},'cache_read_input_tokens':{},"
                    "'output_tokens':9}}}}}}",
                    uuid, message, timeAt(s), parentOf(parent), message, model, write, read));
}

constexpr const char* suggest = "'[SUGGESTION MODE: what comes next?]'";

/// A conversation of two calls, 20 minutes apart, each with a prompt suggestion right behind it.
class HelperBreaks : public Files {
protected:
    HelperBreaks() {
        write("p/s1.jsonl", user("u1", "", 0) + call("a1", "u1", 10, "m1", 80'000, 0) +
                                user("u2", "a1", 1'100) + call("a2", "u2", 1'110, "m2", 90'000, 0) +
                                user("u3", "a2", 1'300));
        write(helper("aaaaaa"), call("b1", "u1", 10, "m1", 80'000, 0) + user("b2", "b1", 10, suggest) +
                                    call("b3", "b2", 28, "m3", 60'000, 19'000));
        write(helper("bbbbbb"),
              user("c1", "a2", 1'110, suggest) + call("c2", "c1", 1'120, "m4", 70'000, 19'000));
    }

    static std::string helper(const std::string& id) {
        return "p/s1/subagents/agent-aprompt_suggestion-" + id + ".jsonl";
    }

    void readBreaks() {
        corpus_ = buildCorpus(read());
        const auto lanes = laneCallsOf(corpus_, test::everythingOf(corpus_));
        breaks_ = prefixBreaksOf(corpus_, lanes);
        missing_ = callsWithoutParent(corpus_, lanes);
    }

    [[nodiscard]] const PrefixBreak& breakIn(const std::string& file) const {
        const auto found = std::ranges::find_if(breaks_, [&](const PrefixBreak& one) {
            return corpus_.files[one.file].file->path.ends_with(file);
        });
        static const PrefixBreak none = [] {
            PrefixBreak made;
            made.reasons.emplace_back();
            return made;
        }();
        EXPECT_NE(found, breaks_.end()) << file;
        return found == breaks_.end() ? none : *found;
    }

    Corpus corpus_;
    std::vector<PrefixBreak> breaks_;
    std::uint64_t missing_ = 0;
};

TEST_F(HelperBreaks, ASuggestionFollowsItsCallAndNotTheSuggestionBefore) {
    readBreaks();
    const PrefixBreak& copied = breakIn("aaaaaa.jsonl"); // the first of its lane: it was missing
    EXPECT_EQ(copied.cause(), BreakCause::HelperPrefix) << copied.reasons[0].evidence;
    EXPECT_EQ(copied.place.line, 3U);
    EXPECT_EQ(copied.cachedBefore, 80'000);
    EXPECT_EQ(copied.paidAgain, 79'003 - 19'000);
    const PrefixBreak& linked = breakIn("bbbbbb.jsonl"); // 18 min behind the one before in its lane
    EXPECT_EQ(linked.cause(), BreakCause::HelperPrefix) << linked.reasons[0].evidence;
    EXPECT_EQ(linked.cachedBefore, 90'000);
    EXPECT_THAT(linked.reasons[0].evidence, HasSubstr("line 4 of s1.jsonl"));
    EXPECT_EQ(missing_, 0U);
}

TEST_F(HelperBreaks, ItsCallIsFoundOverRecordsInBetween) {
    write("p/s1/subagents/agent-acompact-cccccc.jsonl",
          user("d1", "u3", 1'301, "'summarise'") + call("d2", "d1", 1'310, "m5", 80'000, 0));
    readBreaks();
    const PrefixBreak& one = breakIn("cccccc.jsonl"); // u3 is a prompt behind the second call
    EXPECT_EQ(one.cachedBefore, 90'000);
    EXPECT_EQ(one.cause(), BreakCause::NothingRead);
}

TEST_F(HelperBreaks, AnotherModelAndAPauseAreOfItsOwnConversation) {
    write(helper("bbbbbb"),
          user("c1", "a1", 1'120, suggest) + call("c2", "c1", 1'120, "m4", 70'000, 19'000, "haiku"));
    readBreaks();
    const PrefixBreak& one = breakIn("bbbbbb.jsonl");
    EXPECT_EQ(one.cause(), BreakCause::ModelChange);
    EXPECT_EQ(one.reasons[0].evidence, "the call before went to opus, this one to haiku");
    ASSERT_EQ(one.reasons.size(), 2U);
    EXPECT_EQ(one.reasons[1].cause, BreakCause::PauseOver5Min);
    EXPECT_THAT(one.reasons[1].evidence, HasSubstr("18 min 40 s after"));
}

TEST_F(HelperBreaks, WhatContinuesAConversationThatIsNotThereIsCountedApart) {
    write(helper("bbbbbb"),
          user("c1", "elsewhere", 1'110, suggest) + call("c2", "c1", 1'120, "m4", 70'000, 19'000));
    readBreaks();
    EXPECT_TRUE(std::ranges::none_of(breaks_, [&](const PrefixBreak& one) {
        return corpus_.files[one.file].file->path.ends_with("bbbbbb.jsonl");
    }));
    EXPECT_EQ(missing_, 1U);
    EXPECT_THAT(wordsOfMissingParents(missing_),
                HasSubstr("1 helper call continues a conversation that is in"));
    EXPECT_EQ(wordsOfMissingParents(0), "");
}

TEST_F(HelperBreaks, OneThatBeginsAConversationHasNoneBefore) {
    write(helper("bbbbbb"), user("c1", "", 1'110, suggest) + call("c2", "c1", 1'120, "m4", 70'000, 19'000));
    readBreaks();
    EXPECT_EQ(missing_, 0U);
    EXPECT_TRUE(std::ranges::none_of(breaks_, [&](const PrefixBreak& one) {
        return corpus_.files[one.file].file->path.ends_with("bbbbbb.jsonl");
    }));
}

} // namespace
} // namespace loadline
