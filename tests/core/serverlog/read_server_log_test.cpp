// Files of logs: rotated, compressed, followed, and those that are none.
#include "core/serverlog/files/read_server_log.h"

#include "core/serverlog/files/log_follower.h"
#include "tests/core/serverlog/log_lines.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace loadline {
namespace {

using namespace test;

class LogFiles : public testing::Test {
protected:
    LogFiles()
        : folder_(std::filesystem::path(testing::TempDir()) /
                  ("server_logs_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                   testing::UnitTest::GetInstance()->current_test_info()->name())) {
        std::filesystem::create_directories(folder_);
    }

    ~LogFiles() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, std::string_view text,
                      std::ios::openmode mode = std::ios::trunc) const {
        const std::string path = (folder_ / name).string();
        std::ofstream(path, mode | std::ios::binary | std::ios::out) << text;
        return path;
    }

    /// A file that libarchive compresses with this filter.
    std::string writeCompressed(const std::string& name, std::string_view text, int filter) const {
        std::string path = (folder_ / name).string();
        archive* writer = archive_write_new();
        archive_write_add_filter(writer, filter);
        archive_write_set_format_raw(writer);
        archive_write_open_filename(writer, path.c_str());
        archive_entry* entry = archive_entry_new();
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_pathname(entry, "log");
        archive_write_header(writer, entry);
        archive_write_data(writer, text.data(), text.size());
        archive_entry_free(entry);
        archive_write_close(writer);
        archive_write_free(writer);
        return path;
    }

    static Result<ServerLog> read(const std::vector<std::string>& paths) {
        Progress progress;
        return readServerLog(paths, {}, progress);
    }

    std::filesystem::path folder_;
};

TEST_F(LogFiles, CompressedOnesTellTheSame) {
    const Result<ServerLog> plain = read({write("log", llamaNew)});
    ASSERT_TRUE(plain);
    for (const auto& [name, filter] : {std::pair("a.gz", ARCHIVE_FILTER_GZIP),
                                       {"a.zst", ARCHIVE_FILTER_ZSTD},
                                       {"a.xz", ARCHIVE_FILTER_XZ}}) {
        const std::string path = writeCompressed(name, llamaNew, filter);
        const Result<ServerLog> log = read({path});
        ASSERT_TRUE(log) << log.error().sentence();
        EXPECT_EQ(textOf(*log), textOf(*plain)) << name;
        const Result<std::vector<std::string>> lines =
            readLogLines(std::vector{path}, std::vector<LogLine>{{0, 2}}, {});
        ASSERT_TRUE(lines);
        EXPECT_THAT((*lines)[0], testing::StartsWith("0.06.560.788 I slot"));
    }
}

TEST_F(LogFiles, ACutCompressedFileIsAnError) {
    std::string text;
    for (int i = 0; i < 2000; ++i) {
        text += std::to_string(i * 7919) + " [BATCH] Step: active=1\n";
    }
    const std::string path = writeCompressed("a.gz", text, ARCHIVE_FILTER_GZIP);
    std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
    const Result<ServerLog> log = read({path});
    ASSERT_FALSE(log);
    EXPECT_THAT(log.error().sentence(), testing::HasSubstr("cut or damaged"));
}

TEST_F(LogFiles, RotatedOnesAreOneLog) {
    const std::string first =
        write("log.1", "[10:00:00] [BATCH] Step: active=1\n[10:00:01] [BATCH] Step: act");
    const std::string second = write("log", "[10:00:05] [BATCH] Step: active=2\n");
    const Result<ServerLog> log = read({first, second});
    ASSERT_TRUE(log);
    EXPECT_EQ(log->files, (std::vector{first, second}));
    EXPECT_EQ(log->lines, 3U);
    ASSERT_EQ(log->steps.size(), 2U);
    EXPECT_EQ(log->steps[1].timeS, 5);
    EXPECT_EQ(log->steps[1].where, (LogLine{1, 1}));
}

TEST_F(LogFiles, LinesAreReadAgainInTheOrderAskedFor) {
    const std::string first = write("a", "one\r\ntwo\n" + std::string(10000, 'x') + "\nlast");
    const std::string second = write("b", "other\n");
    const Result<std::vector<std::string>> lines = readLogLines(
        std::vector{first, second},
        std::vector<LogLine>{{0, 4}, {1, 1}, {0, 1}, {0, 3}, {0, 1}, {0, 9}, {7, 1}, {0, 0}}, {});
    ASSERT_TRUE(lines);
    EXPECT_THAT(*lines,
                testing::ElementsAre("last", "other", "one", std::string(4096, 'x'), "one", "", "", ""));
}

TEST_F(LogFiles, WhatIsNoTextIsRefused) {
    std::string utf16;
    for (const char c : std::string_view("INFO 03-15 20:57:41 metrics.py:481] Avg prompt throughput\n")) {
        utf16 += c;
        utf16 += '\0';
    }
    const auto sentence = [&](const std::string& text) {
        const Result<ServerLog> log = read({write("x", text)});
        return log ? std::string() : log.error().sentence();
    };
    EXPECT_THAT(sentence("\xff\xfe" + utf16), testing::HasSubstr("UTF-16"));
    EXPECT_THAT(sentence(utf16), testing::HasSubstr("UTF-16"));
    std::string bytes;
    for (int i = 0; i < 4000; ++i) {
        bytes += static_cast<char>(i * 37 % 251);
    }
    EXPECT_THAT(sentence("\x7f"
                         "ELF" +
                         bytes),
                testing::HasSubstr("binary"));
    EXPECT_EQ(sentence(std::string(4000, '\0') + std::string(vllmV0)), "");
    EXPECT_EQ(sentence(""), "");
    EXPECT_EQ(sentence("grüße \x1b[31mred\x1b[0m\t\n"), "");
}

TEST_F(LogFiles, WhatCannotBeReadIsNamed) {
    EXPECT_FALSE(read({}));
    EXPECT_THAT(read({folder_.string()}).error().sentence(), testing::HasSubstr("folder"));
    const Result<ServerLog> missing = read({(folder_ / "none").string()});
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().where, testing::HasSubstr("none"));
    EXPECT_TRUE(read({write("notes.txt", "not a server's\n")}));
}

TEST_F(LogFiles, AGrowingOneIsFollowed) {
    const std::string path = write("log", "[10:00:00] [BATCH] Step: active=1\n[10:00:01] [BATCH] Ste");
    LogFollower follower(path);
    Result<bool> more = follower.poll({});
    ASSERT_TRUE(more && *more);
    EXPECT_EQ(follower.log().steps.size(), 1U);
    more = follower.poll({});
    ASSERT_TRUE(more);
    EXPECT_FALSE(*more);
    write("log", "p: active=2\n", std::ios::app);
    more = follower.poll({});
    ASSERT_TRUE(more && *more);
    EXPECT_EQ(follower.log().steps.size(), 2U);
    EXPECT_EQ(textOf(follower.log()), textOf(*read({path})));
}

TEST_F(LogFiles, ARotatedOneIsBegunAnew) {
    const std::string path =
        write("log", "[10:00:00] [BATCH] Step: active=1\n[10:00:01] [BATCH] Step: active=1\n");
    LogFollower follower(path);
    ASSERT_TRUE(follower.poll({}));
    write("log", "[11:00:00] [BATCH] Step: active=3\n"); // shorter
    Result<bool> more = follower.poll({});
    ASSERT_TRUE(more && *more);
    EXPECT_EQ(follower.log().steps.at(0).active, 3);
    std::filesystem::rename(path, path + ".1");
    write("log", "[12:00:00] [BATCH] Step: active=4\n[12:00:01] [BATCH] Step: active=4\n"); // another
    more = follower.poll({});
    ASSERT_TRUE(more && *more);
    EXPECT_EQ(follower.log().steps.size(), 2U);
    EXPECT_EQ(follower.log().steps.at(0).active, 4);
    std::filesystem::remove(path);
    EXPECT_FALSE(follower.poll({}));
}

} // namespace
} // namespace loadline
