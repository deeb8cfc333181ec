// Session files as text: what makes comparisons of whole files readable.
#include "tests/core/session/session_file_text.h"

#include <gtest/gtest.h>

namespace loadline {
namespace {

TEST(SessionFileText, ShowsEveryColumnAndNamesTheFirstDifference) {
    SessionFile a;
    a.calls.emplace_back();
    a.promptTurns.push_back({.userRecord = 0, .preview = "hello"});
    SessionFile b = a;
    EXPECT_EQ(firstDifferentLine(textOf(a), textOf(b)), "");
    b.calls[0].usage.output = 7;
    EXPECT_NE(firstDifferentLine(textOf(a), textOf(b)), "");
    b = a;
    b.promptTurns[0].preview = "hallo";
    EXPECT_EQ(firstDifferentLine(textOf(a), textOf(b)), "promptTurn 0 hello | promptTurn 0 hallo");
}

} // namespace
} // namespace loadline
