// The published tables of kernel times, named for an import one by one.
#include "core/cost/import/import_atlas.h"

#include "core/base/file/archive.h"
#include "core/base/file/read_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace loadline {
namespace {

TEST(AtlasImportOfPublishedTables, EachIsWhatTheProgramComesWith) {
    const auto folder = std::filesystem::path(LOADLINE_SHARED_DATA) / "kernels" / "measured" / "h200_sxm";
    if (!std::filesystem::exists(folder)) {
        GTEST_SKIP() << "the measured tables are not at " << folder;
    }
    const Atlas atlas("h200-sxm", shelfInFolder(std::string(LOADLINE_TEST_DATA) + "/../../resources/atlas"));
    std::size_t tables = 0;
    std::size_t profiles = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string path = entry.path().string();
        if (path.find(".csv") == std::string::npos) {
            continue;
        }
        const auto packed = readWholeFile(path, "a table");
        ASSERT_TRUE(packed) << packed.error().what;
        const auto text = isArchive(*packed) ? unpackedBytes(*packed, std::uint64_t{1} << 28) : packed;
        ASSERT_TRUE(text) << text.error().what;
        EXPECT_TRUE(isAtlasCsv(*text, path)) << path;
        const auto import = readAtlasCsv(*text, path);
        ASSERT_TRUE(import) << import.error().sentence();
        ASSERT_NE(import->gpu, nullptr) << path;
        EXPECT_EQ(import->gpu->key, "h200-sxm");
        EXPECT_TRUE(isInAtlas(*import, atlas)) << path;
        ++tables;
        if (const auto profile = profileFromAtlas(*import)) {
            ++profiles;
            EXPECT_EQ(profile->hardware, "H200-SXM");
            EXPECT_GT(profile->points.size(), 9000U);
        }
    }
    EXPECT_EQ(tables, 21U);
    EXPECT_EQ(profiles, 2U); // linear layers, and those with weight-only kernels
}

} // namespace
} // namespace loadline
