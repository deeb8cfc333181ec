// New tokens of prompts whose logs record no cache.
#include "core/workload/distribution/distribution_figure.h"
#include "tests/core/everything_selected.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace loadline {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Usage promptOf(Tokens input) {
    return {.input = input, .output = 10};
}

/// Prompts of 1000, 1500, 1500 and, after a summary, 600 and 900 tokens.
SessionBuilder grownSession() {
    SessionBuilder session("s.jsonl", "s");
    session.prompt(0).call("m1", 1, promptOf(1000)).call("m2", 2, promptOf(1500));
    session.prompt(3).call("m3", 4, promptOf(1500));
    session.user(UserKind::CompactSummary, 5).call("m4", 6, promptOf(600)).call("m5", 7, promptOf(900));
    return session;
}

std::vector<Tokens> inputsOf(const std::vector<Turn>& turns) {
    std::vector<Tokens> inputs;
    for (const Turn& turn : turns) {
        inputs.push_back(turn.input);
    }
    return inputs;
}

TEST(GrownPrompts, OnlyWhatAPromptGrewByIsNew) {
    const Corpus corpus = corpusOf({grownSession()});
    const Selection all = everythingOf(corpus);
    EXPECT_THAT(inputsOf(turnsInScope(corpus, all, TurnMethod::ApiCall)),
                ElementsAre(1000, 500, 0, 600, 300));
    EXPECT_THAT(inputsOf(turnsInScope(corpus, all, TurnMethod::Prompt)), ElementsAre(1500, 900));
    DistributionOptions options;
    options.method = TurnMethod::ApiCall;
    EXPECT_THAT(distributionFigure(corpus, all, {}, options).sentence, HasSubstr("record no cache"));
}

TEST(GrownPrompts, RecordedCachesAreTakenAtTheirWord) {
    SessionBuilder session = grownSession();
    session.call("m6", 8, {.input = 100, .cacheRead = 900, .output = 10});
    const Corpus corpus = corpusOf({session});
    const Selection all = everythingOf(corpus);
    EXPECT_THAT(inputsOf(turnsInScope(corpus, all, TurnMethod::ApiCall)),
                ElementsAre(1000, 1500, 1500, 600, 900, 100));
    DistributionOptions options;
    options.method = TurnMethod::ApiCall;
    EXPECT_THAT(distributionFigure(corpus, all, {}, options).sentence, Not(HasSubstr("record no cache")));
}

} // namespace
} // namespace loadline
