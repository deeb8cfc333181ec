// Files as they are on disk: which are found, behind which links, in which order.
#include "core/session/files/read_sessions.h"
#include "core/session/files/session_formats.h"
#include "tests/core/session/files_fixture.h"
#include "tests/core/session/record_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace loadline {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

TEST_F(Files, AreFoundRecursivelyInPathOrderEachOnce) {
    write("projects/-b/2.jsonl", "");
    write("projects/-b/2/subagents/agent-x.jsonl", "");
    write("projects/-b/2/subagents/workflows/wf_1/journal.jsonl", "");
    write("projects/-b/sessions-index.json", "");
    write("projects/-a/1.jsonl", "");
    write("notes.txt", "");
    fs::create_symlink(root_ + "/projects/-a/1.jsonl", root_ + "/projects/-b/link.jsonl");
    fs::create_directory_symlink(root_ + "/projects/-a", root_ + "/projects/-c");
    const std::vector<std::string> all{"projects/-a/1.jsonl", "projects/-b/2.jsonl",
                                       "projects/-b/2/subagents/agent-x.jsonl"};
    EXPECT_EQ(found(), all);
    EXPECT_EQ(found({"projects/", "projects/-a", "projects/-a/1.jsonl"}), all);
    EXPECT_THAT(found({"notes.txt"}), ElementsAre("notes.txt"));
    EXPECT_THAT(found({"projects/-c/1.jsonl"}), ElementsAre("projects/-c/1.jsonl"));
}

TEST_F(Files, LinkLoopsAndMissingPathsAreSaid) {
    write("a/1.jsonl", "");
    fs::create_directory_symlink(root_, root_ + "/a/up");
    fs::create_symlink(root_ + "/nowhere", root_ + "/a/gone.jsonl");
    const std::vector<std::string> paths{root_, root_ + "/missing"};
    const FoundFiles files = findSessionFiles(paths, {});
    EXPECT_EQ(files.files.size(), 1U);
    std::vector<std::string> said;
    for (const PathDiagnostic& d : files.diagnostics) {
        said.push_back(d.path.substr(root_.size()) + " " + std::string(keyOf(d.diagnostic.kind)));
    }
    EXPECT_THAT(said, ElementsAre("/a/gone.jsonl cannot_open", "/a/up link_loop", "/missing cannot_open"));
}

TEST_F(Files, BehindLinksOutOfTheFolderAreNotRead) {
    write("in/1.jsonl", userLine("u", "'x'"));
    write("out/2.jsonl", userLine("v", "'x'"));
    write("out/deep/3.jsonl", userLine("w", "'x'"));
    write("in.jsonl/4.jsonl", userLine("y", "'x'")); // its name begins like the folder's
    fs::create_directory_symlink(root_ + "/out", root_ + "/in/folder");
    fs::create_directory_symlink("../in.jsonl", root_ + "/in/beside");
    fs::create_symlink("../out/2.jsonl", root_ + "/in/file.jsonl");
    fs::create_symlink("/dev/zero", root_ + "/in/device.jsonl");
    fs::create_symlink("../out/2.jsonl", root_ + "/in/unread.txt");
    const std::vector<std::string> paths{root_ + "/in"};
    const FoundFiles files = findSessionFiles(paths, {});
    ASSERT_EQ(files.files.size(), 1U);
    EXPECT_EQ(files.files[0].path, root_ + "/in/1.jsonl");
    std::vector<std::string> said;
    for (const PathDiagnostic& d : files.diagnostics) {
        said.push_back(d.path.substr(root_.size()) + " " + std::string(keyOf(d.diagnostic.kind)));
        EXPECT_TRUE(leavesOut(d.diagnostic.kind));
    }
    EXPECT_THAT(said, ElementsAre("/in/beside link_leads_out", "/in/device.jsonl link_leads_out",
                                  "/in/file.jsonl link_leads_out", "/in/folder link_leads_out"));
}

TEST_F(Files, BehindLinksThatAreNamedAreRead) {
    write("in/1.jsonl", "");
    write("out/2.jsonl", "");
    write("out/3.jsonl", "");
    fs::create_directory_symlink(root_ + "/out", root_ + "/in/folder");
    fs::create_symlink("../out/2.jsonl", root_ + "/in/file.jsonl");
    EXPECT_THAT(found({"in/folder/"}), ElementsAre("in/folder/2.jsonl", "in/folder/3.jsonl"));
    EXPECT_THAT(found({"in/file.jsonl"}), ElementsAre("in/file.jsonl"));
    EXPECT_THAT(found({"in", "in/file.jsonl"}), ElementsAre("in/1.jsonl", "in/file.jsonl"));
    // Out of the one folder, but into the other: each file once, nothing to say.
    EXPECT_THAT(found({"in", "out"}), ElementsAre("in/1.jsonl", "out/2.jsonl", "out/3.jsonl"));
    const std::vector<std::string> both{root_ + "/in", root_ + "/out"};
    EXPECT_TRUE(findSessionFiles(both, {}).diagnostics.empty());
}

TEST_F(Files, LinkedWithinTheFolderAreReadOnceByTheirOwnPath) {
    write("z/1.jsonl", "");
    write("objects/data", "");
    fs::create_symlink("z/1.jsonl", root_ + "/a.jsonl");
    fs::create_directory_symlink("z", root_ + "/b");
    fs::create_symlink("objects/data", root_ + "/c.jsonl"); // its own name is no session file's
    fs::create_symlink("d.jsonl", root_ + "/d.jsonl");
    EXPECT_EQ(found(), (std::vector<std::string>{"c.jsonl", "z/1.jsonl"}));
    const std::vector<std::string> paths{root_};
    const FoundFiles files = findSessionFiles(paths, {});
    ASSERT_EQ(files.diagnostics.size(), 1U); // the link to itself
    EXPECT_EQ(files.diagnostics[0].path, root_ + "/d.jsonl");
}

TEST_F(Files, OfTheUserAreFoundByItself) {
    const auto set = [](const char* name, const std::string& value) { ::setenv(name, value.c_str(), 1); };
    const std::string home = std::getenv("HOME") ? std::getenv("HOME") : "";
    const std::string configured = std::getenv("CLAUDE_CONFIG_DIR") ? std::getenv("CLAUDE_CONFIG_DIR") : "";
    write("home/.claude/projects/-a/1.jsonl", "");
    write("home/.config/claude/projects/-a/1.jsonl", "");
    write("one/projects/-a/1.jsonl", "");
    fs::create_directories(root_ + "/two");
    set("HOME", root_ + "/home");
    set("CLAUDE_CONFIG_DIR", "");
    EXPECT_THAT(defaultSessionFolders(),
                ElementsAre(root_ + "/home/.claude/projects", root_ + "/home/.config/claude/projects"));
    set("CLAUDE_CONFIG_DIR", root_ + "/one/, ~/.claude ," + root_ + "/two," + root_ + "/one");
    EXPECT_THAT(defaultSessionFolders(),
                ElementsAre(root_ + "/one/projects", root_ + "/home/.claude/projects"));
    set("HOME", home);
    set("CLAUDE_CONFIG_DIR", configured);
}

} // namespace
} // namespace loadline
