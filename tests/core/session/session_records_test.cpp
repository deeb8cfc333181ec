// User records, turns, lanes, tools, events and titles of made-up sessions.
#include "core/session/files/read_sessions.h"
#include "tests/core/session/record_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using testing::ElementsAre;

TEST(SessionUsers, KindsAreTheFirstRuleThatFits) {
    struct Row {
        std::string content, extra;
        UserKind kind;
    };
    for (const Row& row : {Row{"'fix it'", "", UserKind::Human},
                           Row{"[{'type':'image'},{'type':'text','text':'look'}]", "", UserKind::Human},
                           Row{"[{'type':'text','text':'x'},{'type':'tool_result','content':'y'}]",
                               ",'isMeta':true", UserKind::ToolResult},
                           Row{"'x'", ",'isCompactSummary':true,'isMeta':true", UserKind::CompactSummary},
                           Row{"'x'", ",'isMeta':true,'isSidechain':true", UserKind::Meta},
                           Row{"'x'", ",'isSidechain':true", UserKind::SidechainPrompt},
                           Row{"'x'", ",'isSidechain':false,'isMeta':null", UserKind::Human},
                           Row{"'[Request interrupted by user for tool use]'", "", UserKind::Interrupt},
                           Row{"'  \\n<command-name>/clear</command-name>'", "", UserKind::SlashCommand},
                           Row{"'<command-message>init</command-message>'", "", UserKind::SlashCommand},
                           Row{"'<bash-input>ls</bash-input>'", "", UserKind::BashInput},
                           Row{"'<local-command-stdout>x'", "", UserKind::Injected},
                           Row{"'\\u00a0Caveat: The messages below were'", "", UserKind::Injected},
                           Row{"'[SUGGESTION MODE: x'", "", UserKind::Injected},
                           Row{"'x'", ",'origin':{'kind':'task-notification'}", UserKind::Injected},
                           Row{"'x'", ",'origin':{'kind':'human'}", UserKind::Human},
                           Row{"'" + std::string(20000, ' ') + "<bash-input>'", "", UserKind::BashInput}}) {
        const SessionFile file = readSessionText("x", userLine("u", row.content, row.extra));
        ASSERT_EQ(file.userRecords.size(), 1U);
        EXPECT_EQ(file.userRecords[0].kind, row.kind) << row.content.substr(0, 80) << row.extra;
        EXPECT_EQ(file.userKinds[static_cast<std::size_t>(row.kind)], 1U);
    }
}

TEST(SessionUsers, InputCharactersAreThoseOfThePublishedScript) {
    struct Row {
        std::string content;
        std::int64_t characters;
    };
    for (const Row& row :
         {Row{"'h\\u00e9llo😀\\n'", 7},
          Row{"[{'type':'text','text':'abc'},{'type':'image','source':{'data':'AAAA'}}]", 3},
          Row{"[{'type':'tool_result','content':'abc'},{'type':'tool_result','content':'de'}]", 5},
          // {"type": "text", "text": "\u00e9"} and {}
          Row{"[{'type':'tool_result','content':[{'type':'text','text':'é'},{}]}]", 34 + 2},
          Row{"[{'type':'tool_result'}]", 0}, Row{"null", 0}, Row{"[1,'x']", 0}}) {
        EXPECT_EQ(readSessionText("x", userLine("u", row.content)).userRecords.at(0).inputCharacters,
                  row.characters)
            << row.content;
    }
}

TEST(SessionUsers, OutputPerLineCountsEveryLineUpToTheNextUserRecord) {
    const SessionFile file = readSessionText(
        "x", callLine({.output = 100}) + userLine("u1", "'a'") + callLine({.uuid = "a2", .output = 5}) +
                 callLine({.uuid = "a3", .output = 7}) + userLine("u2", "'b'") + userLine("u3", "'c'") +
                 callLine({.id = "m2", .uuid = "a4", .output = 2}));
    std::vector<std::int64_t> output;
    for (const UserRecord& user : file.userRecords) {
        output.push_back(user.outputPerLine);
    }
    EXPECT_THAT(output, ElementsAre(12, 0, 2));
}

TEST(SessionTurns, HoldTheCallsUpToTheNextPrompt) {
    const SessionFile file =
        readSessionText("x", callLine({.id = "m0", .uuid = "a0"}) + userLine("u1", "'first'") +
                                 callLine({.id = "m1", .uuid = "a1"}) +
                                 userLine("u2", "[{'type':'tool_result','content':'x'}]") +
                                 callLine({.id = "m2", .uuid = "a2"}) +
                                 callLine({.id = "s", .uuid = "a3", .extra = ",'isSidechain':true"}) +
                                 userLine("u3", "'<command-name>/fix</command-name>\\n<command-message>fix</"
                                                "command-message><command-args>the bug</command-args>'") +
                                 callLine({.id = "m2", .uuid = "a4"}) + callLine({.id = "m3", .uuid = "a5"}) +
                                 userLine("u4", "'<bash-input>ls -l</bash-input>'") +
                                 userLine("u4", "'<bash-input>ls -l</bash-input>'"));
    std::vector<std::string> previews;
    for (const PromptTurn& turn : file.promptTurns) {
        previews.push_back(turn.preview);
    }
    EXPECT_THAT(previews, ElementsAre("first", "/fix the bug", "! ls -l"));
    std::vector<std::int32_t> turns;
    for (const ApiCall& call : file.calls) {
        turns.push_back(call.promptTurn);
    }
    EXPECT_THAT(turns, ElementsAre(-1, 0, 0, -1, 1));
    EXPECT_EQ(file.title, "first");
}

TEST(SessionTurns, RequestTimeIsThatOfTheLatestUnansweredRecordOfTheLane) {
    const SessionFile file = readSessionText(
        "x", userLine("u1", "'go'", "", "2026-01-01T00:00:01Z") +
                 record("{'type':'attachment','uuid':'t1','timestamp':'2026-01-01T00:00:02Z'}") +
                 userLine("s1", "'task'", ",'isSidechain':true", "2026-01-01T00:00:05Z") +
                 callLine({.id = "m1", .uuid = "a1", .time = "2026-01-01T00:00:07Z"}) +
                 callLine({.id = "m2", .uuid = "a2", .time = "2026-01-01T00:00:08Z"}) +
                 callLine({.id = "s1",
                           .uuid = "a3",
                           .extra = ",'isSidechain':true,'parentUuid':'s1'",
                           .time = "2026-01-01T00:00:09Z"}) +
                 toolResult("u2", "x", "2026-01-01T00:00:30Z") +
                 callLine({.id = "m3", .uuid = "a4", .time = "2026-01-01T00:00:20Z"}));
    std::vector<std::string> times;
    for (const ApiCall& call : file.calls) {
        times.push_back(isKnown(call.requestTime) ? formatIso8601(call.requestTime).substr(17, 2) : "-");
    }
    EXPECT_THAT(times, ElementsAre("02", "-", "05", "-"));
}

TEST(SessionTools, AreJoinedWithTheirResultsAlsoAcrossLanes) {
    const std::string use = "[{'type':'tool_use','id':'t1','name':'Bash','input':{}},{'type':'tool_use','id':"
                            "'t2','name':'Read','input':{}}]";
    const SessionFile file =
        readSessionText("x", toolResult("u0", "t2", "2026-01-01T00:00:15Z") + callLine({.content = use}) +
                                 callLine({.uuid = "a2", .content = use}) +
                                 userLine("u1", "[{'type':'tool_result','tool_use_id':'t1','is_error':true}]",
                                          ",'isSidechain':true", "2026-01-01T00:00:20Z") +
                                 toolResult("u2", "gone", "2026-01-01T00:00:21Z", ",'is_error':true"));
    ASSERT_EQ(file.tools.size(), 2U);
    EXPECT_EQ(file.name(file.tools[0].name), "Bash");
    EXPECT_TRUE(file.tools[0].isError);
    EXPECT_EQ(formatIso8601(file.tools[0].resultTime), "2026-01-01T00:00:20.000Z");
    EXPECT_EQ(formatIso8601(file.tools[1].resultTime), "2026-01-01T00:00:15.000Z");
    EXPECT_EQ(file.tools[0].call, 0U);
    EXPECT_EQ(file.toolResultErrors, 2U);
    const SessionFile synthetic = readSessionText("x", callLine({.content = use, .model = "<synthetic>"}));
    EXPECT_EQ(synthetic.tools.at(0).call, synthetic.calls.size());
}

TEST(SessionLanes, InlineSidechainsAreToldApartByTheirParents) {
    const std::string side = ",'isSidechain':true,'parentUuid':";
    const SessionFile file = readSessionText(
        "p/projects/-slug/s1.jsonl",
        userLine("u1", "'go'") +
            callLine({.content = "[{'type':'tool_use','id':'t1','name':'Task','input':{'prompt':'look "
                                 "around','subagent_type':'Explore'}}]"}) +
            userLine("s1", "'look around'", side + "null") + userLine("s2", "'warm up'", side + "null") +
            callLine({.id = "x1", .uuid = "b1", .extra = side + "'s1'"}) +
            callLine({.id = "x2", .uuid = "b2", .extra = side + "'s2'"}) +
            callLine({.id = "x3", .uuid = "b3", .extra = side + "'b1'"}) +
            callLine({.id = "m9", .uuid = "a9"}) +
            callLine({.id = "x4", .uuid = "b4", .extra = ",'isSidechain':true,'agentId':'a77'"}) +
            callLine({.id = "x5", .uuid = "b5", .extra = ",'isSidechain':true,'agentId':'a77'"}));
    std::vector<int> lanes;
    for (const ApiCall& call : file.calls) {
        lanes.push_back(call.lane);
    }
    EXPECT_THAT(lanes, ElementsAre(0, 1, 2, 1, 0, 3, 3));
    ASSERT_EQ(file.lanes.size(), 4U);
    EXPECT_EQ(file.lanes[1], (Lane{LaneKind::InlineSidechain, "", "Explore"}));
    EXPECT_EQ(file.lanes[2], (Lane{LaneKind::InlineSidechain, "", ""}));
    EXPECT_EQ(file.lanes[3], (Lane{LaneKind::InlineSidechain, "a77", ""}));
}

TEST(SessionLanes, AFileOfItsOwnIsOneLane) {
    const std::string text = userLine("s1", "'look\\naround'", ",'isSidechain':true,'sessionId':'parent'") +
                             callLine({.extra = ",'isSidechain':true"});
    const SessionFile agent = readSessionText("r/projects/-a-b/dir-id/subagents/agent-a12.jsonl", text);
    EXPECT_EQ(agent.role, FileRole::SubAgent);
    EXPECT_EQ(agent.sessionId, "dir-id");
    EXPECT_EQ(agent.agentId, "a12");
    EXPECT_EQ(agent.projectSlug, "-a-b");
    EXPECT_EQ(agent.title, "look around");
    const std::string suggests = userLine("s0", "'[SUGGESTION MODE: Suggest'", ",'isSidechain':true");
    EXPECT_EQ(readSessionText("r/x/subagents/agent-a12.jsonl", suggests).title, "") << "nobody wrote it";
    EXPECT_EQ(readSessionText("r/x/subagents/agent-a12.jsonl", suggests + text).title, "look around");
    EXPECT_THAT(agent.lanes, ElementsAre(Lane{LaneKind::SubAgent, "a12", ""}));
    EXPECT_EQ(readSessionText("projects/-a/agent-x1.jsonl", text).sessionId, "parent");
    EXPECT_EQ(readSessionText("s/subagents/agent-acompact-9.jsonl", text).lanes[0].kind,
              LaneKind::Compaction);
    EXPECT_EQ(readSessionText("s/subagents/agent-aprompt_suggestion-9.jsonl", text).lanes[0].kind,
              LaneKind::PromptSuggestion);
}

TEST(SessionEvents, OfEveryKind) {
    const SessionFile file = readSessionText(
        "x",
        record("{'type':'system','subtype':'compact_boundary','compactMetadata':{'trigger':'auto','preTokens'"
               ":170485}}") +
            record("{'type':'system','subtype':'microcompact_boundary','microcompactMetadata':{'trigger':'"
                   "auto','preTokens':9,'tokensSaved':5}}") +
            record("{'type':'system','subtype':'api_error','error':{'status':529,'error':{'type':'error','"
                   "error':{'type':'overloaded_error'}}}}") +
            record("{'type':'system','subtype':'api_error','error':{'cause':{'code':'ECONNRESET'}}}") +
            record("{'type':'system','subtype':'model_refusal_fallback','fallbackModel':'claude-y'}") +
            callLine({.content = "[{'type':'fallback','from':{'model':'a'},'to':{'model':'claude-z'}}]"}) +
            record("{'type':'queue-operation','operation':'enqueue'}") +
            record("{'type':'queue-operation','operation':'dequeue'}") +
            userLine("u", "'[Request interrupted by user]'") +
            record("{'type':'system','subtype':'turn_duration'}"));
    std::vector<std::string> events;
    for (const SessionEvent& e : file.events) {
        events.push_back(fmt::format("{} {} {}", static_cast<int>(e.kind), e.tokens, file.name(e.detail)));
    }
    const auto text = [](EventKind kind, const char* rest) {
        return fmt::format("{} {}", static_cast<int>(kind), rest);
    };
    EXPECT_THAT(events, ElementsAre(text(EventKind::Compaction, "170485 auto"),
                                    text(EventKind::MicroCompaction, "5 auto"),
                                    text(EventKind::ApiError, "0 overloaded_error"),
                                    text(EventKind::ApiError, "0 ECONNRESET"),
                                    text(EventKind::ModelFallback, "0 claude-y"),
                                    text(EventKind::ModelFallback, "0 claude-z"),
                                    text(EventKind::PromptQueued, "0 "), text(EventKind::Interrupt, "0 ")));
}

TEST(SessionProgress, CallsInsideProgressRecordsAreKeptApart) {
    const SessionFile file = readSessionText(
        "x", record("{'type':'progress','uuid':'p','timestamp':'2026-01-01T00:00:09Z','data':{'type':'agent_"
                    "progress','message':{'type':'assistant','requestId':'r','timestamp':'2026-01-01T00:00:"
                    "08Z','message':{'id':'m','model':'claude-x','content':[{'type':'tool_use','id':'t','"
                    "name':'Bash','input':{}}],'usage':{'output_tokens':3}}}}}") +
                 record("{'type':'progress','uuid':'q','data':{'type':'agent_progress','message':{'type':'"
                        "user','message':{'content':'x'}}}}") +
                 record("{'type':'progress','uuid':'r','data':{'type':'hook_progress'}}"));
    EXPECT_TRUE(file.calls.empty());
    EXPECT_TRUE(file.tools.empty());
    ASSERT_EQ(file.progressCalls.size(), 1U);
    EXPECT_EQ(file.progressCalls[0].key, hashOf("m", "r"));
    EXPECT_EQ(file.progressCalls[0].usage.output, 3);
    EXPECT_EQ(formatIso8601(file.progressCalls[0].firstTime), "2026-01-01T00:00:08.000Z");
}

TEST(SessionTitle, TakesTheBestSourceAndItsLastWord) {
    const std::string prompt = userLine("u1", "'do it'");
    const std::string own = record("{'type':'summary','summary':'mine','leafUuid':'u1'}");
    const std::string foreign = record("{'type':'summary','summary':'theirs','leafUuid':'zz'}");
    const std::string ai =
        record("{'type':'ai-title','aiTitle':'AI one'}") + record("{'type':'ai-title','aiTitle':'AI two'}");
    const std::string custom = record("{'type':'custom-title','customTitle':'My own'}");
    EXPECT_EQ(readSessionText("x", prompt).title, "do it");
    EXPECT_EQ(readSessionText("x", foreign + prompt).title, "do it");
    EXPECT_EQ(readSessionText("x", foreign).title, "theirs");
    EXPECT_EQ(readSessionText("x", own + foreign + prompt).title, "mine");
    EXPECT_EQ(readSessionText("x", own + ai + prompt).title, "AI two");
    EXPECT_EQ(readSessionText("x", custom + ai + own + prompt).title, "My own");
    const std::string cut =
        readSessionText("x", userLine("u", "'" + std::string(119, 'x') + "é\\t  y'")).title;
    EXPECT_EQ(cut, std::string(119, 'x') + "…");
    EXPECT_EQ(readSessionText("x", userLine("u", "'" + std::string(119, 'x') + "é'")).title,
              std::string(119, 'x') + "é");
}

TEST(SessionHead, NamesComeFromTheRecords) {
    const SessionFile file = readSessionText(
        "x", record("{'type':'user','sessionId':'b','cwd':'/"
                    "one','gitBranch':'main','version':'2.0.1','timestamp':'2026-01-02T00:00:00Z'}") +
                 record("{'type':'user','sessionId':'a','cwd':'/two','gitBranch':'dev','version':'2.0.1'}") +
                 record("{'type':'mode','sessionId':'a','timestamp':'2026-01-01T00:00:00Z'}"));
    EXPECT_EQ(file.sessionId, "a");
    EXPECT_EQ(file.cwd, "/one");
    EXPECT_EQ(file.gitBranch, "dev");
    EXPECT_EQ(utcDay(file.firstTime), "2026-01-01");
    EXPECT_EQ(utcDay(file.lastTime), "2026-01-02");
    EXPECT_EQ(file.versions.at("2.0.1"), 2U);
    EXPECT_EQ(file.recordTypes.at("user"), 2U);
}

} // namespace
} // namespace loadline
