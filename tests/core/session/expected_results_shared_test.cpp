// Every session file of the shared data against its expected results, to the last token.
#include "core/session/files/read_sessions.h"
#include "core/session/lines/reader_limits.h"
#include "tests/core/session/session_file_text.h"
#include "tests/core/shared_sessions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

namespace loadline {
namespace {

using nlohmann::json;

const std::string dataFolder = test::sharedSessions().string() + "/";

SessionFiles readNames(const std::vector<std::string>& names, unsigned threads) {
    std::vector<std::string> paths;
    paths.reserve(names.size());
    for (const std::string& name : names) {
        paths.push_back(dataFolder + name);
    }
    Progress progress;
    const FoundFiles found = findSessionFiles(paths, {});
    SessionFiles files = readSessionFiles(found, {.threads = threads, .onFile = {}}, {}, progress);
    EXPECT_TRUE(files.complete);
    EXPECT_EQ(progress.bytesDone, progress.bytesTotal);
    EXPECT_EQ(progress.filesDone, names.size());
    return files;
}

std::string nameOf(const SessionFile& file) {
    return test::relativeToShared(file.path);
}

std::vector<std::string> keysOf(const json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) {
        keys.push_back(key);
    }
    return keys;
}

UsageTotals totalsOf(const std::vector<const ApiCall*>& calls) {
    UsageTotals totals;
    for (const ApiCall* call : calls) {
        totals.add(call->usage, call->quality, call->contentCharacters / 4, unpriced);
    }
    return totals;
}

json jsonOf(const UsageTotals& t) {
    if (t.calls == 0) {
        return {{"calls", 0}};
    }
    return {{"calls", t.calls},
            {"input_tokens", t.usage.input},
            {"cache_creation_input_tokens", t.usage.cacheWrite},
            {"cache_read_input_tokens", t.usage.cacheRead},
            {"output_tokens", t.usage.output},
            {"cache_creation_5m", t.usage.cacheWrite5m},
            {"cache_creation_1h", t.usage.cacheWrite1h},
            {"calls_final_output", t.callsFinalOutput},
            {"output_tokens_of_final_calls", t.outputOfFinalCalls},
            {"content_est_tokens", t.contentEstimate}};
}

template <typename Keep>
json totalsWhere(const SessionFile& file, Keep keep) {
    std::vector<const ApiCall*> kept;
    for (const ApiCall& call : file.calls) {
        if (keep(call)) {
            kept.push_back(&call);
        }
    }
    return jsonOf(totalsOf(kept));
}

json fileFields(const SessionFile& file) {
    json fields = {{"bytes", file.bytes}};
    const auto add = [&](const char* key, std::uint64_t value) {
        if (value > 0) {
            fields[key] = value;
        }
    };
    add("physical_lines", file.physicalLines);
    add("no_final_newline", file.noFinalNewline ? 1 : 0);
    add("blank_lines", file.blankLines);
    add("bad_lines", file.badLines);
    add("bad_tail_last_line", file.badLastLine ? 1 : 0);
    add("extra_objects_on_line", file.extraObjects);
    add("bom", file.byteOrderMark ? 1 : 0);
    return fields;
}

json userKinds(const SessionFile& file) {
    static constexpr const char* names[] = {"tool_result",      "compact_summary", "meta",
                                            "sidechain_prompt", "interrupt",       "slash_command",
                                            "bash_input",       "injected",        "human"};
    json kinds = json::object();
    for (std::size_t i = 0; i < userKindCount; ++i) {
        if (file.userKinds[i] > 0) {
            kinds[names[i]] = file.userKinds[i];
        }
    }
    return kinds;
}

json promptTurns(const SessionFile& file) {
    std::vector<std::int64_t> calls(file.promptTurns.size());
    std::vector<std::int64_t> output(file.promptTurns.size());
    for (const ApiCall& call : file.calls) {
        if (call.promptTurn >= 0) {
            ++calls[static_cast<std::size_t>(call.promptTurn)];
            output[static_cast<std::size_t>(call.promptTurn)] += call.usage.output;
        }
    }
    return {{"n", file.promptTurns.size()}, {"calls_per_turn", calls}, {"output_per_turn", output}};
}

/// The answers of a SessionFile under the names of expected_api_calls.json.
json answersOf(const SessionFile& file) {
    json byModel = json::object();
    std::set<std::string> models;
    for (const ApiCall& call : file.calls) {
        models.insert(file.name(call.model));
    }
    for (const std::string& model : models) {
        byModel[model] = totalsWhere(file, [&](const ApiCall& c) { return file.name(c.model) == model; });
    }
    std::uint64_t several = 0;
    std::uint64_t grew = 0;
    for (const ApiCall& call : file.calls) {
        several += call.lines > 1 ? 1 : 0;
        grew += call.outputGrew ? 1 : 0;
    }
    json tools = json::object();
    for (const ToolUse& tool : file.tools) {
        json& count = tools[file.name(tool.name)];
        count = count.is_null() ? json(1) : json(count.get<int>() + 1);
    }
    json preTokens = json::array();
    std::uint64_t micro = 0;
    for (const SessionEvent& event : file.events) {
        if (event.kind == EventKind::Compaction) {
            preTokens.push_back(event.tokens);
        }
        micro += event.kind == EventKind::MicroCompaction ? 1 : 0;
    }
    const auto sidechain = [](const ApiCall& c) { return c.sidechain; };
    const json sidechainTotals = totalsWhere(file, sidechain);
    return {
        {"file", fileFields(file)},
        {"records", file.recordTypes},
        {"versions", file.versions},
        {"duplicate_uuids", file.duplicateUuids},
        {"user_records", userKinds(file)},
        {"prompts", humanPrompts(file)},
        {"slash_commands", file.userKinds[static_cast<std::size_t>(UserKind::SlashCommand)]},
        {"first_timestamp", formatIso8601(file.firstTime)},
        {"last_timestamp", formatIso8601(file.lastTime)},
        {"api_calls", file.calls.size()},
        {"assistant_lines", file.recordTypes.contains("assistant") ? file.recordTypes.at("assistant") : 0},
        {"totals", totalsWhere(file, [](const ApiCall&) { return true; })},
        {"by_model", byModel},
        {"sidechain_calls", sidechainTotals["calls"]},
        {"sidechain_totals", sidechainTotals},
        {"calls_with_several_lines", several},
        {"calls_whose_output_grows", grew},
        {"tool_calls", tools},
        {"tool_result_errors", file.toolResultErrors},
        {"compactions", preTokens.size()},
        {"compaction_pre_tokens", preTokens},
        {"prompt_turns", promptTurns(file)},
        {"kind", file.role == FileRole::Main ? "main" : "subagent"}};
}

/// The first field that differs, readable; "" if none.
std::string firstDifference(const json& expected, const json& answers) {
    for (const auto& [key, answer] : answers.items()) {
        const json wanted = expected.contains(key) ? expected[key] : json();
        if (wanted != answer) {
            return key + ": expected " + wanted.dump().substr(0, 400) + ", read " +
                   answer.dump().substr(0, 400);
        }
    }
    return {};
}

class ExpectedResults : public testing::Test {
protected:
    void SetUp() override { LOADLINE_NEED_SHARED_SESSIONS(); }
};

TEST_F(ExpectedResults, ApiCallsOfEveryFile) {
    const json expected = test::expectedResults("expected_api_calls.json")["files"];
    const SessionFiles read = readNames(keysOf(expected), 0);
    ASSERT_EQ(read.files.size(), expected.size());
    for (const auto& file : read.files) {
        EXPECT_EQ(firstDifference(expected[nameOf(*file)], answersOf(*file)), "") << nameOf(*file);
    }
}

TEST_F(ExpectedResults, PublishedMethodOfEveryFile) {
    const json expected = test::expectedResults("expected_turns_per_line.json")["files"];
    const SessionFiles read = readNames(keysOf(expected), 0);
    ASSERT_EQ(read.files.size(), expected.size());
    for (const auto& file : read.files) {
        std::vector<std::int64_t> input;
        std::vector<std::int64_t> output;
        for (const UserRecord& user : file->userRecords) {
            input.push_back(user.inputCharacters / 4);
            output.push_back(user.outputPerLine);
        }
        const json& wanted = expected[nameOf(*file)];
        EXPECT_EQ(json(input), wanted["input_est"]) << nameOf(*file);
        EXPECT_EQ(json(output), wanted["output"]) << nameOf(*file);
    }
}

TEST_F(ExpectedResults, LiveAndDerivedFiles) {
    const json expected = test::expectedResults("expected_live_and_derived.json");
    const SessionFiles read = readNames(keysOf(expected), 0);
    ASSERT_EQ(read.files.size(), expected.size());
    for (const auto& file : read.files) {
        const json& wanted = expected[nameOf(*file)];
        EXPECT_EQ(file->calls.size(), wanted["api_calls"]) << nameOf(*file);
        EXPECT_EQ(totalsWhere(*file, [](const ApiCall&) { return true; }), wanted["totals"]) << nameOf(*file);
        if (wanted.contains("prompts")) {
            EXPECT_EQ(humanPrompts(*file), wanted["prompts"]) << nameOf(*file);
            EXPECT_EQ(json(formatIso8601(file->lastTime)), wanted["last"]) << nameOf(*file);
        }
        if (wanted.contains("file")) {
            EXPECT_EQ(fileFields(*file), wanted["file"]) << nameOf(*file);
        }
        if (wanted.contains("seed_exact") && !wanted["seed_exact"].is_null()) {
            EXPECT_EQ(file->userRecords.size(), wanted["seed_exact"]) << nameOf(*file);
        }
    }
}

TEST_F(ExpectedResults, NumberOfThreadsChangesNothing) {
    const std::vector<std::string> names = keysOf(test::expectedResults("expected_api_calls.json")["files"]);
    const SessionFiles one = readNames(names, 1);
    for (const unsigned threads : {2U, 4U}) {
        const SessionFiles several = readNames(names, threads);
        ASSERT_EQ(several.files.size(), one.files.size());
        for (std::size_t i = 0; i < one.files.size(); ++i) {
            EXPECT_EQ(one.files[i]->path, several.files[i]->path);
            EXPECT_EQ(firstDifferentLine(textOf(*one.files[i]), textOf(*several.files[i])), "")
                << one.files[i]->path;
        }
    }
}

TEST_F(ExpectedResults, CutsIntoPartsAndChunksChangeNothing) {
    for (const std::string& name : keysOf(test::expectedResults("expected_live_and_derived.json"))) {
        std::ifstream in(dataFolder + name, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const std::string whole = textOf(readSessionText(name, text));
        for (const std::uint64_t segment : {777U, 5000U, 70000U}) {
            const ReaderLimits limits{.maxLineBytes = 1U << 20U, .chunkBytes = 333, .segmentBytes = segment};
            EXPECT_EQ(firstDifferentLine(whole, textOf(readSessionText(name, text, limits))), "")
                << name << segment;
        }
    }
}

/// Calls that only agent_progress records tell of, of which no transcript of the root has one.
TEST_F(ExpectedResults, CallsKnownOnlyFromProgress) {
    const json expected = test::expectedResults("expected_api_calls.json");
    std::map<std::string, std::set<Hash128>> transcripts;
    const SessionFiles read = readNames(keysOf(expected["files"]), 0);
    const auto rootOf = [](const SessionFile& file) {
        const std::string name = nameOf(file); // claude/ROOT/...
        return name.substr(7, name.find('/', 7) - 7);
    };
    for (const auto& file : read.files) {
        for (const ApiCall& call : file->calls) {
            transcripts[rootOf(*file)].insert(call.key);
        }
    }
    for (const auto& file : read.files) {
        std::vector<const ApiCall*> only;
        for (const ApiCall& call : file->progressCalls) {
            if (!transcripts[rootOf(*file)].contains(call.key)) {
                only.push_back(&call);
            }
        }
        EXPECT_EQ(jsonOf(totalsOf(only)), expected["files"][nameOf(*file)]["progress_only_calls"])
            << nameOf(*file);
    }
}

} // namespace
} // namespace loadline
