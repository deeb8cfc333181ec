// Files as workloads: told apart, read, and refused with a sentence.
#include "core/workload/source/read_workload.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using testing::HasSubstr;

TEST(ReadWorkload, TellsFilesApart) {
    EXPECT_EQ(contentOf("arrival_s,input_tokens,output_tokens\n"), FileContent::Trace);
    EXPECT_EQ(contentOf(toJson(publishedReference())), FileContent::Distribution);
    EXPECT_EQ(contentOf(R"({"type":"user","sessionId":"s","message":{"content":"hi"}})"),
              FileContent::Sessions);
    EXPECT_EQ(contentOf(R"({"type":"user","message":{"content":"{\"input_length\": 3,\"output_length\"}"}})"),
              FileContent::Sessions);
    EXPECT_EQ(contentOf("{}"), FileContent::Unknown);
    EXPECT_EQ(contentOf(""), FileContent::Unknown);
    EXPECT_EQ(contentOf("prose"), FileContent::Unknown);
}

TEST(ReadWorkload, ReadsADistributionFile) {
    const auto workload = workloadFromText(toJson(publishedReference()), "folder/mine.json");
    ASSERT_TRUE(workload) << workload.error().sentence();
    EXPECT_EQ(workload->key, "folder/mine.json");
    EXPECT_EQ(workload->name, "mine.json");
    EXPECT_EQ(workload->kind, WorkloadKind::Distribution);
    EXPECT_EQ(drawTurns(*workload, 1000, 3), drawTurns(referenceWorkload(), 1000, 3));
}

TEST(ReadWorkload, ReadsATraceAndNotesWhatWasLeftOut) {
    const auto workload =
        workloadFromText("arrival_s,input_tokens,output_tokens\n5,1,1\n6,x,1\n7,0,2\n", "t.csv");
    ASSERT_TRUE(workload) << workload.error().sentence();
    EXPECT_EQ(workload->kind, WorkloadKind::Trace);
    EXPECT_EQ(workload->requests.size(), 2U);
    EXPECT_EQ(workload->source, "request table t.csv");
    EXPECT_THAT(workload->notes, testing::UnorderedElementsAre(
                                     "Incomplete: t.csv: line 3 left out: input_tokens is not a count of "
                                     "tokens",
                                     "1 request without input: simulated with 1 token",
                                     "line 3 left out: input_tokens is not a count of tokens"));
}

TEST(ReadWorkload, ReadsSessionsOfATrace) {
    const auto workload = workloadFromText("file,chain,t,in,out,lcp_prev_blocks,api_time\n"
                                           "a,main,0,100,5,0,1\na,main,3,200,6,1,1\n",
                                           "w.csv");
    ASSERT_TRUE(workload) << workload.error().sentence();
    EXPECT_EQ(workload->kind, WorkloadKind::Sessions);
    EXPECT_EQ(workload->sessions.at(0).turns.at(1), (WorkloadTurn{64, 136, 6, 2}));
}

TEST(ReadWorkload, SaysWhatItCannotRead) {
    const auto what = [](const Result<Workload>& workload) {
        return workload ? std::string("read") : workload.error().sentence();
    };
    EXPECT_THAT(what(readWorkload("/there/is/no/such.json")),
                HasSubstr("cannot read the workload: No such file or directory: /there/is/no/such.json"));
    EXPECT_THAT(what(readWorkload("/")), HasSubstr("it is a folder"));
    EXPECT_THAT(what(workloadFromText("prose", "p.txt")),
                HasSubstr("neither a distribution file nor a request trace: p.txt (try: "));
    EXPECT_THAT(what(workloadFromText("{\"input_tokens_per_turn\": 3}", "d.json")),
                HasSubstr("not a distribution file"));
    EXPECT_THAT(what(workloadFromText("arrival_s,input_tokens,output_tokens\n", "t.csv")),
                HasSubstr("there are no requests in it"));
}

} // namespace
} // namespace loadline
