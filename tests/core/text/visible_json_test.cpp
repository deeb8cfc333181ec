// JSON on a terminal: nothing of it steers, and it means the same.
#include "core/text/json/visible_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace loadline {
namespace {

TEST(VisibleJson, escapesWhatIsHiddenAndKeepsTheValue) {
    const nlohmann::json value = {{"name\u202e", "a\u009b31mb\x7f\u2028\u200f\ufeff\U000e0041z"},
                                  {"kept", "naïve 日本 \U0001f600 ≥"}};
    const std::string shown = visibleJson(value.dump());
    EXPECT_EQ(
        shown,
        R"({"kept":"naïve 日本 😀 ≥","name\u202e":"a\u009b31mb\u007f\u2028\u200f\ufeff\udb40\udc41z"})");
    EXPECT_EQ(nlohmann::json::parse(shown), value);
}

TEST(VisibleJson, leavesPlainDocumentsAsTheyAre) {
    const std::string document = "{\n\t\"a\": [1, 2.5e-3, true, null, \"x\\u001b\\n\"]\n}\n";
    EXPECT_EQ(visibleJson(document), document);
    EXPECT_EQ(visibleJson(""), "");
}

} // namespace
} // namespace loadline
