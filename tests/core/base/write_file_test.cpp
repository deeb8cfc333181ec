// Files that appear whole or not at all, and are refused before the work where they cannot.
#include "core/base/file/write_file.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>

namespace loadline {
namespace {

namespace fs = std::filesystem;

class WriteFileTest : public testing::Test {
protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("loadline_write_" + std::to_string(::getpid()) + "_" +
                                               testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "sub");
        put("old", "old");
    }

    void TearDown() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

    void put(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

    [[nodiscard]] std::string content(const std::string& name) const {
        std::ostringstream text;
        text << std::ifstream(path(name)).rdbuf();
        return text.str();
    }

    [[nodiscard]] std::set<std::string> names() const {
        std::set<std::string> found;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
            found.insert(entry.path().filename().string());
        }
        return found;
    }

    fs::path folder_;
};

TEST_F(WriteFileTest, isThereOnlyOnceItIsWhole) {
    {
        NewFile file(path("new"));
        file.append("one ");
        file.append("two");
        EXPECT_FALSE(fs::exists(path("new")));
        EXPECT_TRUE(file.commit());
    }
    EXPECT_EQ(content("new"), "one two");
    { NewFile(path("old")).append("never committed"); }
    EXPECT_EQ(content("old"), "old");
    EXPECT_EQ(names(), (std::set<std::string>{"new", "old", "sub"}));
}

TEST_F(WriteFileTest, replacesTheFileBehindALinkWithItsRights) {
    fs::permissions(path("old"), fs::perms(0640));
    fs::create_symlink("old", path("link"));
    ASSERT_TRUE(writeFile(path("link"), "new"));
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(content("old"), "new");
    EXPECT_EQ(fs::status(path("old")).permissions(), fs::perms(0640));
}

TEST_F(WriteFileTest, doesNotFollowALinkInTheWayOfItsTemporaryName) {
    fs::create_symlink("old", path("new." + std::to_string(::getpid()) + ".part"));
    ASSERT_TRUE(writeFile(path("new"), "new"));
    EXPECT_EQ(content("old"), "old");
    EXPECT_EQ(content("new"), "new");
}

TEST_F(WriteFileTest, aFileThatMayNotGrowLeavesTheOldOne) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit tight{1000, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
    const Status status = writeFile(path("old"), std::string(5000, 'x'));
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().what, "cannot write: File too large");
    EXPECT_EQ(status.error().where, path("old"));
    EXPECT_NE(status.error().remedy, "");
    EXPECT_EQ(content("old"), "old");
    EXPECT_EQ(names(), (std::set<std::string>{"old", "sub"}));
}

TEST_F(WriteFileTest, aFullDiskSaysSo) {
    if (!fs::exists("/dev/full")) {
        GTEST_SKIP() << "no /dev/full here";
    }
    const Status status = writeFile("/dev/full", "text");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error(), (Error{"cannot write: No space left on device", "/dev/full",
                                     "free some space, or write to another disk"}));
}

TEST_F(WriteFileTest, aDiskThatFillsUpLeavesTheOldFile) {
    // A disk of 64 KiB that only this process sees.
    const bool alone =
        ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
    if (!alone || ::mount("none", path("sub").c_str(), "tmpfs", 0, "size=64k") != 0) {
        GTEST_SKIP() << "mounting a small disk is not allowed here";
    }
    ASSERT_TRUE(writeFile(path("sub/kept"), "old"));
    const Status status = writeFile(path("sub/kept"), std::string(1'000'000, 'x'));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error(), (Error{"cannot write: No space left on device", path("sub/kept"),
                                     "free some space, or write to another disk"}));
    EXPECT_EQ(content("sub/kept"), "old");
    EXPECT_TRUE(writeFile(path("sub/kept"), std::string(40'000, 'y'))); // nothing is left in its way
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "sub"), {}), 1);
    ::umount2(path("sub").c_str(), MNT_DETACH);
}

TEST_F(WriteFileTest, aProgramOnItsWayOutRemovesWhatIsNotWhole) {
    ASSERT_TRUE(writeFile(path("whole"), "whole"));
    NewFile first(path("first"));
    NewFile second(path("old"));
    first.append("half");
    { const NewFile givenUp(path("third")); }
    EXPECT_EQ(names().size(), 5U); // two of them parts
    removeUnfinishedFiles();
    EXPECT_EQ(names(), (std::set<std::string>{"old", "sub", "whole"}));
    EXPECT_EQ(content("old"), "old");
    EXPECT_FALSE(first.commit());
    EXPECT_FALSE(second.commit());
    EXPECT_EQ(content("old"), "old");
}

TEST_F(WriteFileTest, aPlaceIsFreeAgainForTheNextFile) {
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(writeFile(path("new"), "x"));
    }
    {
        std::vector<std::unique_ptr<NewFile>> many; // more than are remembered: written all the same
        for (int i = 0; i < 40; ++i) {
            many.push_back(std::make_unique<NewFile>(path("many" + std::to_string(i))));
        }
        for (const auto& file : many) {
            EXPECT_TRUE(file->commit());
        }
    }
    const NewFile last(path("last"));
    EXPECT_EQ(names().size(), 44U);
    removeUnfinishedFiles();
    EXPECT_EQ(names().size(), 43U);
}

TEST_F(WriteFileTest, whatCannotBeWrittenIsKnownBefore) {
    for (const char* name : {"none/x", "sub", "sub/", "old/x", "new/", ""}) {
        const std::string given = *name == '\0' ? "" : path(name);
        EXPECT_FALSE(canWrite(given)) << name;
        EXPECT_FALSE(writeFile(given, "x")) << name;
    }
    EXPECT_TRUE(canWrite(path("new")));
    EXPECT_TRUE(canWrite(path("old")));
    EXPECT_TRUE(canWriteInto(path("sub")));
    EXPECT_TRUE(canWriteInto(path("a/b/c")));
    EXPECT_FALSE(canWriteInto(path("old")));
    EXPECT_FALSE(canWriteInto(path("old/below")));
    if (::geteuid() != 0) { // root may write everywhere
        fs::permissions(path("old"), fs::perms(0444));
        EXPECT_FALSE(canWrite(path("old")));
        EXPECT_FALSE(writeFile(path("old"), "x"));
        fs::permissions(path("sub"), fs::perms(0555));
        EXPECT_FALSE(canWrite(path("sub/x")));
        EXPECT_FALSE(canWriteInto(path("sub/x")));
        fs::permissions(path("sub"), fs::perms(0755));
    }
    EXPECT_EQ(content("old"), "old");
    EXPECT_EQ(names(), (std::set<std::string>{"old", "sub"}));
}

TEST_F(WriteFileTest, knowsAnInputByEveryName) {
    fs::create_symlink("old", path("link"));
    fs::create_hard_link(path("old"), path("hard"));
    fs::create_directory_symlink(".", path("loop"));
    put("sub/deep", "deep");
    const std::vector<std::string> read = {path("old"), path("sub"), path("not there"), "reference", ""};
    for (const char* name :
         {"old", "link", "hard", "sub/../old", "loop/loop/old", "sub/deep", "loop/sub/deep"}) {
        EXPECT_FALSE(refuseToOverwrite(std::vector{path("fine"), path(name)}, read)) << name;
    }
    for (const char* name : {"new", "sub/new", "loop/new", "none/old"}) {
        EXPECT_TRUE(refuseToOverwrite(std::vector{path(name)}, read)) << name;
    }
}

} // namespace
} // namespace loadline
