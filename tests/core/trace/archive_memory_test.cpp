// Memory of archives: in proportion to what is read of their members, whatever number or sizes are stated.
#include "core/trace/read_block_traces.h"
#include "tests/core/peak_memory.h"
#include "tests/core/trace/pack_archive.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace loadline {
namespace {

constexpr std::int64_t mib = 1 << 20;

using Members = std::vector<std::pair<std::string, std::string>>;

class ArchiveMemoryTest : public testing::Test {
protected:
    void SetUp() override {
        if (!measuresMemory) {
            GTEST_SKIP() << "not measured under a sanitizer";
        }
    }

    ~ArchiveMemoryTest() override { std::filesystem::remove(path_); }

    /// Peak of reading an archive, of which `sessions` can be used.
    std::int64_t peakOf(const Members& members, std::size_t sessions) {
        packArchive(path_, members, 0); // uncompressed: packing would take most of the time
        return peakOfFile(sessions);
    }

    std::int64_t peakOfBytes(const std::string& bytes, std::size_t sessions) {
        std::ofstream(path_, std::ios::binary) << bytes;
        return peakOfFile(sessions);
    }

private:
    std::int64_t peakOfFile(std::size_t sessions) {
        return peakGrowthBytes([&] {
            Progress progress;
            const auto files = readBlockTraces(std::vector{path_}, {.threads = 2}, {}, progress);
            if ((files ? files->trace.chains.size() : 0) != sessions) {
                ::_exit(1);
            }
        });
    }

    std::string path_ = testing::TempDir() + "archive_memory_" + std::to_string(::getpid()) + ".tar";
};

std::string sessionOf(std::size_t i, std::int64_t id, std::size_t blanks = 0) {
    return fmt::format(R"({{"id": "s{}", "block_size": 64, "requests": [{{"t": {}, "in": 64, "out": 1, )"
                       R"("hash_ids": [{}]}}]{}}})",
                       i, i, id, std::string(blanks, ' '));
}

Members manySessions(std::size_t n, std::int64_t id, std::size_t blanks = 0) {
    Members members;
    for (std::size_t i = 0; i < n; ++i) {
        members.emplace_back(fmt::format("{}.json", i), sessionOf(i, id, blanks));
    }
    return members;
}

TEST_F(ArchiveMemoryTest, SmallMembersTakeLittleEach) {
    constexpr std::int64_t mostOfMember = 4096;
    const std::int64_t once = peakOf(manySessions(1500, 1), 1500);
    const std::int64_t twice = peakOf(manySessions(3000, 1), 3000);
    EXPECT_LT(twice - once, 1500 * mostOfMember);
    EXPECT_LT(twice, 3000 * mostOfMember + 16 * mib);
}

TEST_F(ArchiveMemoryTest, MembersThatAreNoTraceTakeLittleEach) {
    Members members;
    for (std::size_t i = 0; i < 3000; ++i) {
        members.emplace_back(fmt::format("{}.txt", i), i % 2 == 0 ? "nothing" : "");
    }
    EXPECT_LT(peakOf(members, 0), 28 * mib);
}

TEST_F(ArchiveMemoryTest, TextIsFreedOnceItIsParsed) {
    constexpr std::size_t textBytes = std::size_t{1} << 20;
    const std::int64_t once = peakOf(manySessions(80, 1, textBytes), 80);
    const std::int64_t twice = peakOf(manySessions(160, 1, textBytes), 160);
    EXPECT_LT(twice - once, 24 * mib); // of 80 MiB more text
}

TEST_F(ArchiveMemoryTest, MemoryDoesNotFollowTheLargestBlockId) {
    const std::int64_t low = peakOf(manySessions(20, 1), 20);
    const std::int64_t high = peakOf(manySessions(20, (1 << 22) - 1), 20);
    EXPECT_LT(high - low, 4 * mib);
}

TEST_F(ArchiveMemoryTest, MemoryDoesNotFollowTheSizeThatAHeadStates) {
    EXPECT_LT(peakOfBytes(tarHead('0', std::uint64_t{7} << 30) + "{}", 0), 8 * mib);
}

} // namespace
} // namespace loadline
