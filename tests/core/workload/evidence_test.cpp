// The details panel's words: exact numbers with units, quality and place.
#include "core/workload/timeline/evidence.h"

#include "core/text/number_format.h"
#include "tests/core/everything_selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using namespace test;
using testing::HasSubstr;

std::string valueOf(const Details& details, std::string_view label) {
    for (const auto& [name, value] : details) {
        if (name == label) {
            return value;
        }
    }
    return "(none)";
}

TEST(OutputOf, QualityIsPartOfTheNumber) {
    EXPECT_EQ(outputOf(12, OutputQuality::Final), "12");
    EXPECT_EQ(outputOf(12, OutputQuality::LowerBound), "≥ 12");
    EXPECT_EQ(outputOf(12, OutputQuality::Mixed), "≥ 12");
    EXPECT_EQ(outputOf(3, OutputQuality::StartOnly), "≥ 3 (placeholder)");
}

TEST(DetailsOf, ACall) {
    SessionBuilder main("p/s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(2, 1000, 0, 50));
    lasting(main, 10, 0);
    main.call("m2", 20, used(2, 500, 12'000, 7), "opus", OutputQuality::LowerBound);
    const Corpus corpus = corpusOf({main});
    const Timeline timeline = timelineOf(corpus, everythingOf(corpus), 0);
    const Details first = detailsOf(timeline.calls[0], timeline, corpus);
    EXPECT_EQ(valueOf(first, "API call"), "1 of 2, main");
    EXPECT_EQ(valueOf(first, "Model"), "opus");
    EXPECT_EQ(valueOf(first, "Start"), "2026-01-01 00:00:00.000 UTC");
    EXPECT_EQ(valueOf(first, "First line after"), "10.0 s (first token: no later)");
    EXPECT_EQ(valueOf(first, "Output"), "50 tokens, final");
    EXPECT_EQ(valueOf(first, "  speed"), "5 tokens/s over the whole call");
    EXPECT_EQ(valueOf(first, "  grew by"), "(none)");
    EXPECT_EQ(valueOf(first, "After prompt"), "prompt");
    EXPECT_EQ(valueOf(first, "Record"), "p/s.jsonl:2");
    const Details second = detailsOf(timeline.calls[1], timeline, corpus);
    EXPECT_EQ(valueOf(second, "Context"), formatExact(12'502) + " tokens");
    EXPECT_EQ(valueOf(second, "  cache read"), formatExact(12'000) + " tokens (96.0 %)");
    EXPECT_EQ(valueOf(second, "  grew by"), "+" + formatExact(11'500) + " tokens since call 1");
    EXPECT_THAT(valueOf(second, "Output"), HasSubstr("≥ 7 tokens"));
    EXPECT_EQ(valueOf(second, "  visible content"), "about 7 tokens (characters / 4)");
}

TEST(DetailsOf, ACallThatGrewNamesTheToolsBetween) {
    SessionBuilder main("p/s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(2, 1000, 0, 50));
    addTool(main, "t1", "Read", 10, 12, 0);
    addTool(main, "t2", "Bash", 10, 15, 0);
    addTool(main, "t3", "Read", 10, 14, 0);
    addTool(main, "t4", "Grep", 10, -1, 0); // without a result
    main.call("m2", 20, used(2, 500, 12'000, 7));
    addTool(main, "t5", "Edit", 20, 22, 1);
    main.call("m3", 30, used(2, 500, 13'000, 7)).call("m4", 40, used(2, 500, 14'000, 7));
    const Corpus corpus = corpusOf({main});
    const Timeline timeline = timelineOf(corpus, everythingOf(corpus), 0);
    const auto tools = [&](std::size_t call) {
        return valueOf(detailsOf(timeline.calls[call], timeline, corpus), "  results of");
    };
    EXPECT_EQ(tools(0), "(none)");
    EXPECT_EQ(tools(1), "Bash, 2 × Read");
    EXPECT_EQ(tools(2), "Edit");
    EXPECT_EQ(tools(3), "(none)");
}

TEST(DetailsOf, ACallThatLostItsCache) {
    SessionBuilder main("p/s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(0, 1000, 90'000, 50));
    main.call("m2", 4000, used(0, 92'000, 0, 7));
    const Corpus corpus = corpusOf({main});
    const Timeline timeline = timelineOf(corpus, everythingOf(corpus), 0);
    const std::string growth = valueOf(detailsOf(timeline.calls[1], timeline, corpus), "  grew by");
    EXPECT_THAT(growth, HasSubstr(formatExact(91'000) + " of them had been sent before"));
    EXPECT_THAT(growth, HasSubstr("1 h 07 min"));
}

TEST(DetailsOf, WithoutARecordedCacheNothingIsSaidOfIt) {
    SessionBuilder main("p/s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(50'000, 0, 0, 50)).call("m2", 20, used(52'000, 0, 0, 7));
    const Corpus corpus = corpusOf({main});
    const Timeline timeline = timelineOf(corpus, everythingOf(corpus), 0);
    const Details second = detailsOf(timeline.calls[1], timeline, corpus);
    EXPECT_EQ(valueOf(second, "  cache read"), "(none)");
    EXPECT_THAT(valueOf(second, "  from cache"), HasSubstr("not recorded"));
    EXPECT_EQ(valueOf(second, "  grew by"), "+" + formatExact(2'000) + " tokens since call 1");
}

TEST(DetailsOf, AnInheritedCallNamesItsOrigin) {
    SessionBuilder original("p/a.jsonl", "a");
    original.prompt(0).call("m1", 1, used(1, 2, 3, 4)).call("m2", 2, used(1, 2, 3, 4));
    SessionBuilder fork("p/b.jsonl", "b");
    fork.prompt(0).call("m1", 1, used(1, 2, 3, 4)).call("m3", 9, used(1, 2, 3, 4));
    const Corpus corpus = corpusOf({original, fork});
    const Timeline timeline = timelineOf(corpus, everythingOf(corpus), corpus.files[1].session);
    EXPECT_EQ(valueOf(detailsOf(timeline.calls[0], timeline, corpus), "Inherited"), "from p/a.jsonl");
}

TEST(DetailsOf, AToolAndAPrompt) {
    SessionBuilder main("p/s.jsonl", "s");
    main.prompt(0).call("m1", 10, used(2, 1000, 0, 50));
    addTool(main, "t1", "Bash", 10, 14, 0, true);
    addTool(main, "t2", "Read", 10, -1, 0);
    const Corpus corpus = corpusOf({main});
    const Timeline timeline = timelineOf(corpus, everythingOf(corpus), 0);
    const Details bash = detailsOf(timeline.tools[0], timeline, corpus);
    EXPECT_EQ(valueOf(bash, "Tool"), "Bash");
    EXPECT_THAT(valueOf(bash, "Duration"), HasSubstr("4.0 s"));
    EXPECT_EQ(valueOf(bash, "Result"), "error");
    EXPECT_EQ(valueOf(bash, "Asked for by"), "call 1, opus");
    EXPECT_THAT(valueOf(detailsOf(timeline.tools[1], timeline, corpus), "Result"),
                HasSubstr("not in the log"));
    const Details prompt = detailsOf(timeline.marks[0], timeline, corpus);
    EXPECT_EQ(valueOf(prompt, "Prompt"), "prompt");
    EXPECT_EQ(valueOf(prompt, "Set off"), "1 call, 2 tool calls");
    EXPECT_EQ(valueOf(prompt, "Record"), "p/s.jsonl:1");
}

} // namespace
} // namespace loadline
