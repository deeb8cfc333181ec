// Block traces: what neighbours share, what files and archives hold, what is written reads back.
#include "core/cache/reuse/trace_figures.h"
#include "core/trace/read_block_traces.h"
#include "core/trace/trace.h"
#include "core/trace/weka_document.h"
#include "core/trace/write_trace.h"
#include "tests/core/trace/pack_archive.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

namespace loadline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto sessionText = R"({"id": "A", "block_size": 64, "hash_id_scope": "local", "requests": [
    {"t": 0, "in": 200, "out": 3, "hash_ids": [1, 2, 3, 4], "api_time": 2.5},
    {"t": 1, "type": "subagent", "agent_id": "agent_001", "requests": [
        {"t": 0, "in": 90, "out": 1, "hash_ids": [70, 80]},
        {"t": 5, "in": 95, "out": 2, "hash_ids": [70, 90]}]},
    {"t": 12.5, "in": 300, "out": 4, "hash_ids": [1, 2, 3, 5, 18446744073709551615]}]})";

constexpr auto otherText = R"({"id": "B", "block_size": 64, "hash_id_scope": "local", "requests": [
    {"t": 0, "in": 64, "out": 3, "hash_ids": [1]}, {"t": 2, "in": 65, "out": 3, "hash_ids": [1, 2]}]})";

std::string renamed(std::string text) {
    return text.replace(text.find("\"A\""), 3, "\"C\"");
}

WekaDocument documentOf(std::string text) {
    Result<WekaDocument> document = readWekaDocument(text, "x.json");
    EXPECT_TRUE(document) << (document ? "" : document.error().sentence());
    return document ? std::move(*document) : WekaDocument{};
}

/// A folder of its own that goes away.
class BlockTraceFilesTest : public testing::Test {
protected:
    BlockTraceFilesTest() : folder_(testing::TempDir() + "block_trace_" + std::to_string(::getpid())) {
        std::filesystem::create_directories(folder_);
    }

    ~BlockTraceFilesTest() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, std::string_view text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return (folder_ / name).string();
    }

    /// A .tar.xz of these files.
    std::string pack(const std::string& name, const std::vector<std::pair<std::string, std::string>>& files,
                     int filters = 1) {
        const std::string path = (folder_ / name).string();
        packArchive(path, files, filters);
        return path;
    }

    static Result<BlockTraceFiles> read(const std::vector<std::string>& paths,
                                        const BlockTraceOptions& options = {}) {
        Progress progress;
        return readBlockTraces(paths, options, {}, progress);
    }

private:
    std::filesystem::path folder_;
};

TEST(BlockTraceTest, NumbersIdsInTheOrderOfTheirFirstComingWhateverTheirSize) {
    BlockTraceBuilder builder(64, true);
    builder.beginScope();
    builder.beginChain("x", false);
    std::vector<std::int64_t> ids = {5'000, 7, -1, INT64_MAX, 4'194'303};
    std::vector<std::uint32_t> numbers = {0, 1, 2, 3, 4};
    for (std::int64_t id = 0; id < 3'000;
         ++id) { // more ids: 5,000 lies within the table of small ones by now
        ids.push_back(10'000 + id);
        numbers.push_back(static_cast<std::uint32_t>(numbers.size()));
    }
    ids.insert(ids.end(), {4'194'303, 5'000, -1, 7, INT64_MAX, 6});
    numbers.insert(numbers.end(), {4, 0, 2, 1, 3, 3'005});
    builder.add({}, ids);
    const BlockTrace trace = builder.finish();
    EXPECT_EQ(trace.blocks, numbers);
    EXPECT_THAT(trace.blocksOfScope, ElementsAre(3'006U));
}

TEST(BlockTraceTest, KeepsWhatARequestAddsToTheOneBefore) {
    const WekaDocument document = documentOf(sessionText);
    const BlockTrace& trace = document.trace;
    EXPECT_EQ(trace.blockTokens, 64);
    EXPECT_TRUE(trace.conversations);
    ASSERT_EQ(trace.chains.size(), 2U);
    EXPECT_EQ(trace.chains[0].id, "A");
    EXPECT_EQ(trace.chains[1].id, "agent_001");
    EXPECT_TRUE(trace.chains[1].subAgent);
    EXPECT_EQ(trace.chains[1].beginsS, 1);
    ASSERT_EQ(trace.requests.size(), 4U);
    EXPECT_EQ(trace.requests[1].shared, 3U);
    EXPECT_THAT(trace.addedBy(trace.requests[1]), ElementsAre(4U, 5U));
    EXPECT_EQ(trace.requests[0].answerS, 2.5);
    EXPECT_EQ(trace.requests[1].answerS, -1);
    EXPECT_EQ(trace.requests[2].shared, 0U); // a chain of its own
    EXPECT_THAT(trace.blocksOfScope, ElementsAre(9U));
    PromptBlocks prompts(trace);
    prompts.next(trace.requests[0]);
    EXPECT_THAT(prompts.next(trace.requests[1]), ElementsAre(0U, 1U, 2U, 4U, 5U));
}

TEST(BlockTraceTest, SortsRequestsThatCameOutOfOrder) {
    BlockTraceBuilder builder(64, true);
    builder.beginScope();
    builder.beginChain("a", false);
    builder.add({.startS = 5, .input = 128}, std::vector<std::int64_t>{7, 8});
    builder.add({.startS = 9, .input = 192}, std::vector<std::int64_t>{7, 8, 9});
    builder.add({.startS = 1, .input = 64}, std::vector<std::int64_t>{7});
    const BlockTrace trace = builder.finish();
    PromptBlocks prompts(trace);
    EXPECT_THAT(prompts.next(trace.requests[0]), ElementsAre(0U));
    EXPECT_THAT(prompts.next(trace.requests[1]), ElementsAre(0U, 1U));
    EXPECT_THAT(prompts.next(trace.requests[2]), ElementsAre(0U, 1U, 2U));
    EXPECT_EQ(trace.requests[2].shared, 2U);
    EXPECT_EQ(trace.requests[0].startS, 1);
}

TEST(BlockTraceTest, LeavesOutWhatMakesNoSense) {
    const WekaDocument document = documentOf(R"({"block_size": 16, "requests": [7,
        {"t": 0, "in": -1, "out": 1}, {"t": 0, "in": 9, "out": 1.5}, {"in": 9, "out": 1},
        {"t": 0, "in": 9, "out": 1, "hash_ids": [1, "x"]}, {"t": 0, "requests": 4},
        {"t": 0, "in": 9, "out": 1, "hash_ids": "1"},
        {"t": 1, "in": 9, "out": 1, "hash_ids": [1]}]})");
    EXPECT_EQ(document.trace.requests.size(), 1U);
    std::uint64_t count = 0;
    for (const Diagnostic& diagnostic : document.diagnostics) {
        count += diagnostic.count;
    }
    EXPECT_EQ(count, 7U);
}

TEST(BlockTraceTest, LeavesOutRequestsOfMoreBlocksThanTheirInputCanHold) {
    const auto idsUpTo = [](int count) {
        std::string ids = "0";
        for (int i = 1; i < count; ++i) {
            ids += "," + std::to_string(i);
        }
        return ids;
    };
    const WekaDocument document = documentOf(
        R"({"block_size": 64, "requests": [{"t": 0, "in": 640, "out": 1, "hash_ids": [)" + idsUpTo(104) +
        R"(]}, {"t": 0, "in": 640, "out": 1, "hash_ids": [)" + idsUpTo(105) + "]}]}");
    ASSERT_EQ(document.trace.requests.size(), 1U);
    EXPECT_EQ(document.trace.requests[0].blocks(), 104U);
    ASSERT_EQ(document.diagnostics.size(), 1U);
    EXPECT_THAT(document.diagnostics[0].detail, HasSubstr("more blocks than its input can hold"));

    std::string lines;
    for (int i = 0; i < 20; ++i) {
        lines += fmt::format(R"({{"timestamp": {}, "input_length": 1000, "output_length": 2, )"
                             R"("hash_ids": [{}]}})"
                             "\n",
                             i, idsUpTo(i == 7 ? 300 : 2));
    }
    const Result<Trace> trace = readTrace(lines, "made");
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->requests.size(), 19U);
    ASSERT_EQ(trace->diagnostics.size(), 1U);
    EXPECT_EQ(trace->diagnostics[0].line, 8U);
}

TEST_F(BlockTraceFilesTest, LeavesOutSessionsThatRepeatAnother) {
    const std::string first = write("1.json", sessionText);
    const auto files = read({write("3.json", renamed(sessionText)), write("2.json", otherText), first});
    ASSERT_TRUE(files);
    EXPECT_EQ(files->files, 3U);
    EXPECT_EQ(files->repeats, 1U);
    EXPECT_EQ(files->trace.chains.size(), 3U);
    EXPECT_EQ(files->trace.chains[0].id, "A");
    EXPECT_EQ(files->trace.chains[2].scope, 1U);
    EXPECT_EQ(files->trace.requests.back().input, 65);
    EXPECT_THAT(files->trace.addedBy(files->trace.requests.back()), ElementsAre(1U));
    ASSERT_EQ(files->diagnostics.size(), 1U);
    EXPECT_THAT(files->diagnostics[0].path, HasSubstr("3.json"));
    EXPECT_EQ(files->diagnostics[0].what, "left out: it repeats the requests of " + first);
}

TEST_F(BlockTraceFilesTest, AnotherAnswerTimeIsNoRepetition) {
    std::string slower = renamed(sessionText);
    slower.replace(slower.find("2.5"), 3, "3.5");
    const auto files = read({write("1.json", sessionText), write("2.json", slower)});
    ASSERT_TRUE(files);
    EXPECT_EQ(files->repeats, 0U);
    EXPECT_EQ(files->trace.chains.size(), 4U);
}

TEST_F(BlockTraceFilesTest, ReadsAnArchiveLikeTheFilesInIt) {
    const auto plain = read({write("1.json", sessionText), write("2.json", otherText)});
    const auto packed =
        read({pack("t.tar.xz", {{"traces/2.json", otherText}, {"traces/1.json", sessionText}})});
    ASSERT_TRUE(plain && packed);
    EXPECT_EQ(plain->trace, packed->trace);
    EXPECT_EQ(packed->files, 2U);
    EXPECT_THAT(packed->diagnostics, IsEmpty());
}

TEST_F(BlockTraceFilesTest, ReadsWhatACutArchiveStillHolds) {
    std::vector<std::pair<std::string, std::string>> many;
    std::uint64_t word = 1;
    for (int i = 0; i < 400; ++i) { // too odd to be packed into one block of output
        std::string ids = "1";
        for (int n = 0; n < 200; ++n) {
            word = word * 6364136223846793005ULL + 1442695040888963407ULL;
            ids += ", " + std::to_string(word >> 20);
        }
        many.emplace_back(fmt::format("{:03}.json", i),
                          fmt::format(R"({{"block_size": 64, "requests": [{{"t": {}, "in": 12800, "out": 1, )"
                                      R"("hash_ids": [{}]}}]}})",
                                      i, ids));
    }
    const std::string path = pack("t.tar.xz", many);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    const auto files = read({path});
    ASSERT_TRUE(files) << files.error().sentence();
    EXPECT_GT(files->trace.chains.size(), 10U);
    EXPECT_LT(files->trace.chains.size(), 400U);
    ASSERT_EQ(files->diagnostics.size(), 1U);
    EXPECT_EQ(files->diagnostics[0].what, "the rest is not read: it is cut or damaged");
}

TEST_F(BlockTraceFilesTest, StopsAtTheLimitsOfArchives) {
    const std::string bomb =
        pack("bomb.tar.xz",
             {{"1.json", sessionText}, {"2.json", std::string(50'000'000, ' ')}, {"3.json", otherText}});
    BlockTraceOptions options;
    options.archive.entryBytes = 1'000'000;
    const auto ofEntry = read({bomb}, options);
    ASSERT_TRUE(ofEntry);
    EXPECT_EQ(ofEntry->trace.chains.size(), 2U);
    EXPECT_EQ(ofEntry->diagnostics.at(0).what,
              "the rest is not read: it holds more than 1000000 bytes in one file, the limit");
    options.archive = {.entries = 100, .bytes = 40'000'000, .entryBytes = 60'000'000};
    EXPECT_THAT(read({bomb}, options)->diagnostics.at(0).what,
                HasSubstr("more than 40000000 bytes, the limit"));
    EXPECT_EQ(ArchiveLimits{}.entryBytes, std::uint64_t{128} << 20);
    options.archive = {.entries = 1};
    EXPECT_THAT(read({bomb}, options)->diagnostics.at(0).what, HasSubstr("more than 1 entries"));
}

/// An uncompressed tar archive of one entry of this type.
std::string tarOf(char type, std::size_t bytes) {
    return tarHead(type, bytes) + std::string((bytes + 511) / 512 * 512, ' ') + std::string(1024, '\0');
}

TEST_F(BlockTraceFilesTest, LimitsHoldForEntriesThatAreNoFiles) {
    const std::string path = write("d.tar", tarOf('D', 3'000'000));
    const auto take = [](const std::string&, const std::string&) { return true; };
    const auto within = readArchive(path, {}, {}, take);
    ASSERT_TRUE(within);
    EXPECT_EQ(within->problem, "");
    EXPECT_EQ(within->files, 0U);
    const auto beyond = readArchive(path, {.entryBytes = 1'000'000}, {}, take);
    ASSERT_TRUE(beyond);
    EXPECT_THAT(beyond->problem, HasSubstr("1000000 bytes in one file"));
}

TEST_F(BlockTraceFilesTest, RefusesWhatIsCompressedTwice) {
    const std::string path = pack("twice.tar.xz", {{"1.json", sessionText}}, 2);
    EXPECT_FALSE(read({path}));
    const auto end = readArchive(path, {}, {}, [](const std::string&, const std::string&) { return true; });
    ASSERT_TRUE(end);
    EXPECT_EQ(end->problem, "it is compressed more than once");
}

TEST_F(BlockTraceFilesTest, SaysWhyNothingWasRead) {
    EXPECT_FALSE(read({write("x.json", "{\"block_size\": 64, \"requests\": [")}));
    EXPECT_FALSE(read({write("x.tar.xz", "\xfd"
                                         "7zXZ, or not")}));
    EXPECT_FALSE(read({"/nowhere/at/all.json"}));
    const auto mixed =
        read({write("1.json", sessionText), write("2.csv", "arrival_s,input_tokens,output_tokens\n"
                                                           "1,2,3\n")});
    ASSERT_FALSE(mixed);
    EXPECT_THAT(mixed.error().what, HasSubstr("different kinds"));
}

TEST(TraceFormatsTest, ReadsTimesInNanosecondsAsText) {
    const auto trace = readTrace(
        R"({"timestamp": "1700000000500000000", "input_length": 70, "output_length": 5, "hash_ids": [4294967295, 7]}
{"timestamp": "1700000000000000000", "input_length": 34, "output_length": 5, "hash_ids": [4294967295]}
{"timestamp": "soon", "input_length": 34, "output_length": 5, "hash_ids": [1]})",
        "gmi");
    ASSERT_TRUE(trace);
    ASSERT_EQ(trace->requests.size(), 2U);
    EXPECT_NEAR(trace->requests[1].arrivalS, 0.5, 1e-6);
    EXPECT_EQ(trace->diagnostics.size(), 1U);
}

TEST(TraceFormatsTest, TellsTheSizeOfBlocksByTheirCounts) {
    const auto lines = [](Tokens block, int extra) {
        std::string text;
        for (int i = 1; i < 40; ++i) {
            const Tokens input = 37 * i;
            text +=
                fmt::format(R"({{"chat_id": {}, "timestamp": {}, "input_length": {}, "output_length": 2, )"
                            R"("hash_ids": [)",
                            i, i, input);
            for (Tokens b = 0; b < (input + block - 1) / block + extra * (i % 3); ++b) {
                text += fmt::format("{}{}", b == 0 ? "" : ",", b);
            }
            text += "]}\n";
        }
        return readTrace(text, "made");
    };
    EXPECT_EQ(lines(16, 0)->blockTokens, 16);
    EXPECT_EQ(lines(16, 0)->format->key, "bailian");
    EXPECT_EQ(lines(16, 0)->requests.back().arrivalS, 38); // seconds
    EXPECT_EQ(lines(512, 0)->blockTokens, 512);
    const auto odd = lines(34, 3);
    EXPECT_THAT(odd->notes.at(0), HasSubstr("blocks of about"));
    EXPECT_EQ(odd->requests.back().cached,
              static_cast<Tokens>(odd->requests.back().blocks.size()) * odd->blockTokens);
}

TEST(TraceFormatsTest, ReadsBurstGpt) {
    const auto trace = readTrace("Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
                                 "5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,230,1317,API log\n",
                                 "burst");
    ASSERT_TRUE(trace);
    EXPECT_EQ(trace->format->key, "burstgpt");
    EXPECT_THAT(trace->requests, ElementsAre(TraceRequest{0, 472, 18}, TraceRequest{40, 1087, 230}));
}

TEST(WriteTraceTest, WekaDocumentsReadBackEqual) {
    BlockTrace trace = documentOf(sessionText).trace;
    append(trace, documentOf(otherText).trace);
    BlockTrace again;
    for (const WekaFile& file : wekaFiles(trace)) {
        EXPECT_THAT(file.text, testing::Not(HasSubstr("\"A\"")));
        append(again, documentOf(file.text).trace);
    }
    EXPECT_EQ(again.requests, trace.requests);
    EXPECT_EQ(again.blocks, trace.blocks);
    EXPECT_EQ(again.chains.size(), trace.chains.size());
}

TEST(WriteTraceTest, SubAgentsThatCountStayWithTheirSession) {
    BlockTrace trace = documentOf(sessionText).trace;
    const std::string text = wekaFiles(trace).at(0).text;
    ASSERT_EQ(countSubAgents(trace), 1U);
    EXPECT_EQ(wekaFiles(trace).at(0).text, text);
}

TEST(WriteTraceTest, MooncakeLinesReadBackWithTheirBlocks) {
    BlockTrace trace = documentOf(sessionText).trace;
    append(trace, documentOf(otherText).trace);
    const std::string text = mooncakeLines(trace);
    const auto read = readTrace(text, "made");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->format->key, "mooncake");
    EXPECT_EQ(read->blockTokens, 64);
    ASSERT_EQ(read->requests.size(), 6U);
    EXPECT_EQ(read->requests.back().arrivalS, 12.5);
    EXPECT_EQ(read->requests.back().cached, 192);
    EXPECT_THAT(read->diagnostics, IsEmpty());
}

} // namespace
} // namespace loadline
