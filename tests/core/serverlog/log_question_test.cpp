// A question about a server's log: its fields as text, and what serves.
#include "core/serverlog/study/log_question.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace loadline {
namespace {

bool takes(ask::Fields fields, std::string_view key, std::string_view text, ServerLogQuestion& question) {
    return ask::readText(ask::fieldOf(fields, key), text, &question);
}

TEST(LogQuestion, IsReadAsItIsWritten) {
    for (const ask::Fields fields : {logFields(), logCommandFields()}) {
        for (const ask::Field& field : fields) {
            ServerLogQuestion question;
            const bool isModel = field.key == "model"; // "" is no name that holds one
            EXPECT_EQ(ask::readText(field, ask::textOf(field, &question), &question), !isModel) << field.key;
            EXPECT_EQ(question, ServerLogQuestion()) << field.key;
        }
    }
}

TEST(LogQuestion, FilesHaveCommasToo) {
    ServerLogQuestion question;
    question.files = {"a,b.log", "c\\d.log"};
    ServerLogQuestion again;
    EXPECT_TRUE(takes(logFields(), "log", ask::textOf(ask::fieldOf(logFields(), "log"), &question), again));
    EXPECT_EQ(again.files, question.files);
}

TEST(LogQuestion, AStretchIsJudgedAloneIfAskedFor) {
    ServerLogQuestion question;
    EXPECT_TRUE(takes(logFields(), "log-stretch", "12:345.5", question));
    EXPECT_FALSE(takes(logFields(), "log-stretch", "345:12", question));
    EXPECT_EQ(question.judged(), LogRange());
    question.onlyView = true;
    EXPECT_EQ(question.judged(), (LogRange{12, 345.5}));
}

TEST(LogQuestion, ANameTellsItsBits) {
    ServerLogQuestion question;
    EXPECT_FALSE(takes(logFields(), "log-model", "mlx-community/gemma-3-12b-it-4bit", question));
    EXPECT_FALSE(takes(logCommandFields(), "model", "nobody", question));
    EXPECT_TRUE(takes(logCommandFields(), "model", "mlx-community/gemma-3-12b-it-4bit", question));
    EXPECT_EQ(servedOn(question.served).model->key, "gemma-3-12b");
    EXPECT_EQ(servedOn(question.served).bitsPerWeight, 4.5);
    EXPECT_TRUE(takes(logCommandFields(), "bits", "8", question));
    EXPECT_EQ(servedOn(question.served).bitsPerWeight, 8);
    EXPECT_FALSE(takes(logCommandFields(), "device", "abacus", question));
}

} // namespace
} // namespace loadline
