// Generated sessions: the same for the same seed, of the size asked for, and what a reader finds in them is
// what the generator counted.
#include "tests/tools/generate/generate.h"

#include "core/session/corpus/corpus.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace loadline {
namespace {

namespace fs = std::filesystem;

/// A folder of this test's own, gone at its end.
class GenerateTest : public ::testing::Test {
protected:
    void SetUp() override {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::temp_directory_path() /
                  (std::string("loadline_") + info->name() + std::to_string(::getpid()));
        fs::remove_all(folder_);
    }

    void TearDown() override { fs::remove_all(folder_); }

    GeneratedLedger generated(const std::string& name, const GenerateOptions& options) {
        Progress progress;
        Result<GeneratedLedger> ledger = generateSessions((folder_ / name).string(), options, {}, progress);
        EXPECT_TRUE(ledger) << (ledger ? "" : ledger.error().sentence());
        return ledger ? *ledger : GeneratedLedger{};
    }

    [[nodiscard]] std::map<std::string, std::string> contents(const std::string& name) const {
        std::map<std::string, std::string> result;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_ / name)) {
            if (entry.is_regular_file()) {
                std::ostringstream text;
                text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
                result[fs::relative(entry.path(), folder_ / name).string()] = text.str();
            }
        }
        return result;
    }

    [[nodiscard]] Corpus read(const std::string& name) const {
        const std::string path = (folder_ / name).string();
        Progress progress;
        return buildCorpus(
            readSessionFiles(findSessionFiles(std::vector<std::string>{path}, {}), {}, {}, progress));
    }

    fs::path folder_;
};

/// Without the estimate and the placeholders, which the generator does not keep.
UsageTotals counted(UsageTotals totals) {
    totals.contentEstimate = 0;
    totals.callsStartOnly = 0;
    return totals;
}

std::map<std::string, UsageTotals> counted(std::map<std::string, UsageTotals> groups) {
    for (auto& [name, totals] : groups) {
        totals = counted(totals);
    }
    return groups;
}

void expectLedger(const Corpus& corpus, const GeneratedLedger& ledger) {
    EXPECT_EQ(corpus.files.size(), ledger.files);
    EXPECT_EQ(corpus.bytes, ledger.bytes);
    EXPECT_EQ(counted(totalsOf(corpus.calls)), counted(ledger.totals));
    EXPECT_EQ(counted(totalsOf(corpus.progressOnly)), counted(ledger.progressOnly));
    EXPECT_EQ(counted(totalsByModel(corpus)), counted(ledger.byModel));
    EXPECT_EQ(counted(totalsByUtcDay(corpus)), counted(ledger.byUtcDay));
    std::map<std::string, std::uint64_t> recordTypes;
    std::uint64_t prompts = 0;
    std::uint64_t promptTurns = 0;
    std::uint64_t inherited = 0;
    for (const FileInCorpus& file : corpus.files) {
        for (const auto& [type, n] : file.file->recordTypes) {
            recordTypes[type] += n;
        }
        prompts += humanPrompts(*file.file);
        promptTurns += file.file->promptTurns.size();
        inherited += file.inheritedCalls;
    }
    EXPECT_EQ(recordTypes, ledger.recordTypes);
    EXPECT_EQ(prompts, ledger.prompts);
    EXPECT_EQ(promptTurns, ledger.promptTurns);
    EXPECT_EQ(inherited > 0, ledger.forks > 0);
}

TEST_F(GenerateTest, theSameSeedGivesTheSameFiles) {
    const GenerateOptions options{.sessions = 9, .bytes = 900'000, .seed = 5, .odd = true};
    EXPECT_EQ(generated("a", options), generated("b", options));
    EXPECT_EQ(contents("a"), contents("b"));
    GenerateOptions other = options;
    other.seed = 6;
    generated("c", other);
    EXPECT_NE(contents("a"), contents("c"));
}

TEST_F(GenerateTest, meetsTheNumberOfBytesAndSessions) {
    for (const std::uint64_t bytes :
         {std::uint64_t{1'000'000}, std::uint64_t{6'000'000}, std::uint64_t{30'000'000}}) {
        const GeneratedLedger ledger =
            generated(std::to_string(bytes), {.sessions = 20, .bytes = bytes, .seed = 11});
        EXPECT_NEAR(static_cast<double>(ledger.bytes), static_cast<double>(bytes),
                    0.04 * static_cast<double>(bytes));
        EXPECT_EQ(ledger.files - ledger.subAgentFiles, 20U);
    }
}

TEST_F(GenerateTest, aReaderFindsExactlyWhatWasCounted) {
    for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
        const std::string name = std::to_string(seed);
        const GeneratedLedger ledger = generated(name, {.sessions = 40, .bytes = 16'000'000, .seed = seed});
        const Corpus corpus = read(name);
        SCOPED_TRACE("seed " + name);
        expectLedger(corpus, ledger);
        EXPECT_GT(ledger.subAgentFiles, 10U);
        EXPECT_GT(ledger.progressOnly.calls, 0U);
        EXPECT_GT(ledger.forks, 0U);
        EXPECT_GT(ledger.compactions, 0U);
        for (const FileInCorpus& file : corpus.files) {
            EXPECT_EQ(file.file->diagnostics, std::vector<Diagnostic>{}) << file.file->path;
        }
    }
}

TEST_F(GenerateTest, oddLinesLoseNothing) {
    for (const std::uint64_t seed : {21U, 22U, 23U}) {
        const std::string name = std::to_string(seed);
        const GeneratedLedger ledger =
            generated(name, {.sessions = 24, .bytes = 5'000'000, .seed = seed, .odd = true});
        const Corpus corpus = read(name);
        SCOPED_TRACE("seed " + name);
        expectLedger(corpus, ledger);
        std::set<DiagnosticKind> kinds;
        for (const FileInCorpus& file : corpus.files) {
            for (const Diagnostic& diagnostic : file.file->diagnostics) {
                kinds.insert(diagnostic.kind);
            }
        }
        for (const DiagnosticKind kind : {DiagnosticKind::BadLine, DiagnosticKind::BadLastLine,
                                          DiagnosticKind::GluedObjects, DiagnosticKind::UnknownType}) {
            EXPECT_TRUE(kinds.contains(kind)) << keyOf(kind);
        }
    }
}

TEST_F(GenerateTest, smallFoldersHoldEveryQualityAndACopy) {
    const GeneratedLedger ledger =
        generated("s", {.sessions = 8, .bytes = 900'000, .seed = 1, .largestResult = 700});
    const Corpus corpus = read("s");
    std::set<OutputQuality> qualities;
    for (const CorpusCall& call : corpus.calls) {
        qualities.insert(call.quality);
    }
    EXPECT_EQ(qualities, (std::set<OutputQuality>{OutputQuality::Final, OutputQuality::LowerBound,
                                                  OutputQuality::StartOnly}));
    EXPECT_EQ(ledger.forks, 1U);
    EXPECT_GT(totalsOf(corpus.calls).hitRate(), 0.7);
}

TEST_F(GenerateTest, wrongRequestsAreRefusedInWords) {
    Progress progress;
    const std::string folder = folder_.string();
    const auto refusal = [&](const std::string& where, const GenerateOptions& options) {
        const Result<GeneratedLedger> result = generateSessions(where, options, {}, progress);
        return result ? std::string() : result.error().sentence();
    };
    EXPECT_NE(refusal(folder, {.sessions = 0}), "");
    EXPECT_NE(refusal(folder, {.sessions = 100, .bytes = 1000}), "");
    EXPECT_NE(refusal("", {}), "");
    EXPECT_FALSE(fs::exists(folder_)) << "a refused request leaves nothing behind";

    fs::create_directories(folder_);
    std::ofstream(folder_ / "mine.txt") << "keep";
    EXPECT_NE(refusal(folder, {}).find("not empty"), std::string::npos);
    EXPECT_NE(refusal((folder_ / "mine.txt").string(), {}).find("not a folder"), std::string::npos);
    EXPECT_NE(refusal("/proc/none/such", {}), "");
}

TEST_F(GenerateTest, anEmptyFolderKeepsItsPlace) {
    fs::create_directories(folder_ / "there");
    generated("there", {.sessions = 2, .bytes = 20'000});
    const fs::directory_iterator inside(folder_ / "there");
    ASSERT_NE(inside, fs::directory_iterator());
    EXPECT_EQ(inside->path().filename(), "projects");
    EXPECT_EQ(std::distance(inside, fs::directory_iterator()), 1);
}

TEST_F(GenerateTest, stopsSoonAndSaysSo) {
    std::stop_source source;
    source.request_stop();
    Progress progress;
    const Result<GeneratedLedger> ledger = generateSessions(
        (folder_ / "x").string(), {.sessions = 50, .bytes = 50'000'000}, source.get_token(), progress);
    ASSERT_TRUE(ledger);
    EXPECT_FALSE(ledger->complete);
    EXPECT_TRUE(fs::is_empty(folder_)) << "what is not whole is not left";
    EXPECT_LT(ledger->bytes, 1'000'000U);
}

} // namespace
} // namespace loadline
