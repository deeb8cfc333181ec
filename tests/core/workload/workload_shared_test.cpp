// The published traces and the real sessions as workloads: counts, sums and means to the last token.
#include "core/workload/source/read_workload.h"
#include "tests/core/everything_selected.h"
#include "tests/core/shared_sessions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>

namespace loadline {
namespace {

std::filesystem::path sharedFile(const std::string& name) {
    return std::filesystem::path(LOADLINE_SHARED_DATA) / name;
}

nlohmann::json expectedOf(const std::string& part) {
    return nlohmann::json::parse(std::ifstream(sharedFile("traces/expected.json"))).at(part);
}

#define LOADLINE_NEED_SHARED_FILE(name)                                                                      \
    if (!std::filesystem::exists(sharedFile(name))) {                                                        \
        GTEST_SKIP() << "the shared data has no " << (name);                                                 \
    }                                                                                                        \
    static_assert(true)

void expectSummary(std::vector<std::int64_t> values, const nlohmann::json& expected, const char* what) {
    const Summary summary = summarize(std::move(values));
    EXPECT_EQ(summary.n, expected.at("n").get<std::uint64_t>()) << what;
    EXPECT_EQ(static_cast<double>(summary.sum), expected.at("sum").get<double>()) << what;
    EXPECT_EQ(static_cast<double>(summary.min), expected.at("min").get<double>()) << what;
    EXPECT_EQ(static_cast<double>(summary.max), expected.at("max").get<double>()) << what;
    EXPECT_NEAR(summary.p50, expected.at("p50").get<double>(), 1e-6) << what;
    EXPECT_NEAR(summary.p90, expected.at("p90").get<double>(), 1e-6) << what;
    EXPECT_NEAR(summary.p99, expected.at("p99").get<double>(), 1e-6) << what;
}

template <typename Field>
std::vector<std::int64_t> each(const std::vector<TraceRequest>& requests, Field field) {
    std::vector<std::int64_t> values;
    values.reserve(requests.size());
    for (const TraceRequest& request : requests) {
        values.push_back(request.*field);
    }
    return values;
}

TEST(SharedTraces, Mooncake) {
    LOADLINE_NEED_SHARED_FILE("traces/mooncake/conversation_trace.jsonl");
    const auto workload = readWorkload(sharedFile("traces/mooncake/conversation_trace.jsonl").string());
    ASSERT_TRUE(workload) << workload.error().sentence();
    const nlohmann::json expected = expectedOf("mooncake_conversation");
    const std::vector<TraceRequest>& requests = workload->requests;
    EXPECT_EQ(requests.size(), expected.at("file_requests").get<std::size_t>());
    EXPECT_NEAR(requests.back().arrivalS, expected.at("duration_s").get<double>(), 1e-6);
    expectSummary(each(requests, &TraceRequest::input), expected.at("input"), "input");
    expectSummary(each(requests, &TraceRequest::output), expected.at("output"), "output");
    double cached = 0;
    for (const TraceRequest& request : requests) {
        cached += static_cast<double>(request.cached);
    }
    EXPECT_NEAR(cached / expected.at("input").at("sum").get<double>(),
                expected.at("infinite_cache").at("prefix_hit_token").get<double>(), 1e-9);
    EXPECT_THAT(workload->notes, testing::SizeIs(1));
    EXPECT_NEAR(summaryOf(*workload).meanInput, expected.at("input").at("mean").get<double>(), 1e-6);
}

TEST(SharedTraces, Azure) {
    LOADLINE_NEED_SHARED_FILE("traces/azure2023/AzureLLMInferenceTrace_code.csv");
    const auto workload =
        readWorkload(sharedFile("traces/azure2023/AzureLLMInferenceTrace_code.csv").string());
    ASSERT_TRUE(workload) << workload.error().sentence();
    const nlohmann::json expected = expectedOf("azure2023_code");
    EXPECT_NEAR(workload->requests.back().arrivalS, expected.at("duration_s").get<double>(), 1e-6);
    expectSummary(each(workload->requests, &TraceRequest::input), expected.at("input"), "input");
    expectSummary(each(workload->requests, &TraceRequest::output), expected.at("output"), "output");
    EXPECT_TRUE(workload->notes.empty());
}

TEST(SharedTraces, WekaSessions) {
    LOADLINE_NEED_SHARED_FILE("traces/weka/requests.csv");
    const auto workload = readWorkload(sharedFile("traces/weka/requests.csv").string());
    ASSERT_TRUE(workload) << workload.error().sentence();
    EXPECT_EQ(workload->kind, WorkloadKind::Sessions);
    const nlohmann::json expected = expectedOf("weka_distinct_sessions");
    EXPECT_EQ(workload->distribution.sessions, expected.at("traces").get<std::uint64_t>());
    std::vector<std::int64_t> prompts;
    std::vector<std::int64_t> fresh;
    std::vector<std::int64_t> outputs;
    double cached = 0;
    for (const WorkloadSession& session : workload->sessions) {
        for (const WorkloadTurn& turn : session.turns) {
            EXPECT_TRUE(turn.gapS >= 0 || turn.gapS == -1);
            if (session.id == session.partOf()) { // the figures are of main agents
                prompts.push_back(turn.context + turn.input);
                fresh.push_back(turn.input);
                outputs.push_back(turn.output);
                cached += static_cast<double>(turn.context);
            }
        }
    }
    EXPECT_EQ(prompts.size(), expected.at("requests_main").get<std::size_t>());
    EXPECT_NEAR(cached / expected.at("input_per_request").at("sum").get<double>(),
                expected.at("aggregate_token_hit").get<double>(), 1e-12);
    expectSummary(std::move(prompts), expected.at("input_per_request"), "prompt");
    expectSummary(std::move(fresh), expected.at("new_input_per_request"), "new input");
    expectSummary(std::move(outputs), expected.at("output_per_request"), "output");
    EXPECT_TRUE(summaryOf(*workload).knowsGaps);
}

TEST(SharedTraces, EngineRuns) {
    for (const char* name : {"rtx4090-llama-3.1-8b", "rtxpro6000-qwen3-32b-tp2"}) {
        const std::string file = std::string("engine_runs/") + name + "/requests.jsonl";
        LOADLINE_NEED_SHARED_FILE(file);
        const auto workload = readWorkload(sharedFile(file).string());
        ASSERT_TRUE(workload) << workload.error().sentence();
        EXPECT_EQ(workload->requests.size(), 300U) << name;
        const double rate = 299 / workload->requests.back().arrivalS; // about 10 a second
        EXPECT_GT(rate, 8) << name;
        EXPECT_LT(rate, 12) << name;
    }
}

TEST(SharedSessions, AreAWorkloadOfTheirCalls) {
    LOADLINE_NEED_SHARED_SESSIONS();
    const Corpus corpus = test::readCorpus(test::sharedSessions());
    const Workload workload = workloadOfSessions(corpus, test::everythingOf(corpus), "sessions", "Sessions");
    ASSERT_FALSE(problemOf(workload));
    Tokens input = 0;
    Tokens output = 0;
    Tokens context = 0;
    std::uint64_t turns = 0;
    for (const WorkloadSession& session : workload.sessions) {
        for (const WorkloadTurn& turn : session.turns) {
            input += turn.input;
            output += turn.output;
            context += turn.context;
            ++turns;
            EXPECT_TRUE(turn.gapS >= 0 || turn.gapS == -1) << session.id;
        }
    }
    const UsageTotals totals = totalsOf(corpus.calls);
    EXPECT_EQ(input, totals.usage.newPrefill());
    EXPECT_EQ(output, totals.usage.output);
    EXPECT_EQ(context, totals.usage.cacheRead);
    EXPECT_LE(turns, totals.calls);
    EXPECT_GT(turns, totals.calls * 95 / 100);
    EXPECT_TRUE(summaryOf(workload).knowsGaps);
}

} // namespace
} // namespace loadline
