// Reading whole files and their beginnings: regular files only, never waiting, within a limit.
#include "core/base/file/read_file.h"

#include "core/base/file/byte_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace loadline {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ReadFile : public testing::Test {
public:
    ReadFile() {
        std::string name = (fs::temp_directory_path() / "loadline-file-XXXXXX").string();
        root_ = ::mkdtemp(name.data());
    }

    ~ReadFile() override {
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }

protected:
    [[nodiscard]] std::string made(const std::string& name, const std::string& text) const {
        std::ofstream(root_ + "/" + name, std::ios::binary) << text;
        return root_ + "/" + name;
    }

    static std::string said(const std::string& path, std::size_t most = maxWholeFileBytes) {
        const Result<std::string> text = readWholeFile(path, "the thing", most);
        return text ? "read" : text.error().sentence();
    }

    std::string root_;
};

TEST_F(ReadFile, GivesItsBytes) {
    const std::string text = std::string("a\0b\n", 4) + std::string(200'000, 'x');
    EXPECT_EQ(readWholeFile(made("a", text), "it").value(), text);
    EXPECT_EQ(readHead(made("a", text)), text.substr(0, headBytes));
    EXPECT_EQ(readWholeFile(made("empty", ""), "it").value(), "");
    EXPECT_EQ(readHead(root_ + "/nothing"), "");
    EXPECT_EQ(readHead(root_), "");
    fs::create_symlink(root_ + "/a", root_ + "/link");
    EXPECT_EQ(readWholeFile(root_ + "/link", "it").value(), text);
}

TEST_F(ReadFile, KeepsToItsLimit) {
    constexpr std::size_t most = std::size_t{1} << 20;
    EXPECT_EQ(said(made("full", std::string(most, 'x')), most), "read");
    EXPECT_THAT(said(made("more", std::string(most + 1, 'x')), most),
                HasSubstr("cannot read the thing: it is larger than 1 MiB"));
    const std::string huge = made("huge", "");
    fs::resize_file(huge, std::uintmax_t{1} << 40); // of which nothing is on the disk
    EXPECT_THAT(said(huge), HasSubstr("it is larger than 1024 MiB"));
}

/// Where a size is not told, as in /proc, the bytes are read up to the limit.
TEST_F(ReadFile, DoesNotTrustASizeOfNothing) {
    if (!fs::exists("/proc/self/stat")) {
        GTEST_SKIP() << "no /proc here";
    }
    EXPECT_FALSE(readWholeFile("/proc/self/stat", "it").value().empty());
    EXPECT_THAT(said("/proc/self/stat", 3), HasSubstr("it is larger than"));
}

TEST_F(ReadFile, RefusesWhatIsNoRegularFileWithoutWaiting) {
    const std::string pipe = root_ + "/pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string socket = root_ + "/socket";
    std::strncpy(address.sun_path, socket.c_str(), sizeof(address.sun_path) - 1);
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    fs::create_symlink(pipe, root_ + "/link");
    for (const std::string& path :
         {pipe, socket, root_ + "/link", std::string("/dev/zero"), std::string("/dev/null")}) {
        EXPECT_THAT(said(path),
                    HasSubstr("cannot read the thing: it is a pipe, a socket or a device: " + path));
        EXPECT_EQ(readHead(path), "");
    }
    ::close(descriptor);
    EXPECT_THAT(said(root_), HasSubstr("it is a folder"));
    EXPECT_THAT(said(root_ + "/nothing"), HasSubstr("No such file or directory"));
}

} // namespace
} // namespace loadline
