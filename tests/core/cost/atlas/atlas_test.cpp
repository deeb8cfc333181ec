// The atlas of a GPU: each table is read once, and a bad one costs itself alone.
#include "core/cost/atlas/atlas.h"

#include "tests/core/cost/atlas/made_up_atlas.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

namespace loadline {
namespace {

using testing::HasSubstr;

/// Holds two tables, one of them damaged, and one in another's place; counts what is read.
struct MadeUpShelf {
    std::atomic<int> opened = 0;
    std::string gemm = test::packedBytes(test::linearLayers());

    AtlasShelf shelf() {
        return {[this](const std::string& file) -> Result<std::string> {
            ++opened;
            if (file == "h200-sxm/gemm.atlas" || file == "h200-sxm/moe.atlas") {
                return gemm;
            }
            if (file == "h200-sxm/quantise.atlas") {
                return gemm.substr(0, 100);
            }
            return Error{"cannot read the kernel table: there is none", file, "another"};
        }};
    }
};

TEST(Atlas, ReadsATableOnceWhoeverAsks) {
    MadeUpShelf made;
    const Atlas atlas("h200-sxm", made.shelf());
    std::vector<std::jthread> threads;
    std::array<const AtlasTable*, 8> tables{};
    for (std::size_t i = 0; i < tables.size(); ++i) {
        threads.emplace_back([&, i] {
            tables[i] = atlas.table(AtlasKind::Gemm);
            static_cast<void>(atlas.table(i % 2 == 0 ? AtlasKind::Quantise : AtlasKind::Collectives));
            static_cast<void>(atlas.diagnostics());
        });
    }
    threads.clear();
    ASSERT_NE(tables[0], nullptr);
    EXPECT_TRUE(isSameAtlasTable(*tables[0], test::linearLayers()));
    EXPECT_THAT(tables, testing::Each(tables[0]));
    EXPECT_EQ(made.opened, 3);
    EXPECT_EQ(atlas.diagnostics().size(), 2U);
    EXPECT_EQ(atlas.gpu(), "h200-sxm");
}

TEST(Atlas, LosesOnlyTheTableThatIsDamagedOrMissing) {
    MadeUpShelf made;
    const Atlas atlas("h200-sxm", made.shelf());
    EXPECT_TRUE(atlas.diagnostics().empty());
    EXPECT_EQ(atlas.table(AtlasKind::Collectives), nullptr);
    EXPECT_EQ(atlas.table(AtlasKind::Quantise), nullptr);
    EXPECT_EQ(atlas.table(AtlasKind::Quantise), nullptr);
    EXPECT_EQ(atlas.table(AtlasKind::Experts), nullptr);
    EXPECT_NE(atlas.table(AtlasKind::Gemm), nullptr);
    EXPECT_EQ(made.opened, 4);
    const std::vector<Diagnostic> odd = atlas.diagnostics();
    ASSERT_EQ(odd.size(), 3U);
    EXPECT_EQ(odd[0].kind, DiagnosticKind::ReadError);
    EXPECT_EQ(odd[0].detail, "moe of h200-sxm is damaged: it holds linear layers");
    EXPECT_EQ(odd[1].kind, DiagnosticKind::ReadError);
    EXPECT_THAT(odd[1].detail, HasSubstr("quantise of h200-sxm is damaged: "));
    EXPECT_EQ(odd[2].kind, DiagnosticKind::CannotOpen);
    EXPECT_THAT(odd[2].detail, HasSubstr("there is none: h200-sxm/nccl.atlas"));
}

TEST(Atlas, ReadsAFolder) {
    const Atlas atlas("h200-sxm", shelfInFolder(testing::TempDir() + "no such folder"));
    EXPECT_EQ(atlas.table(AtlasKind::Gemm), nullptr);
    ASSERT_EQ(atlas.diagnostics().size(), 1U);
    EXPECT_THAT(atlas.diagnostics()[0].detail, HasSubstr("cannot read the kernel table"));
}

} // namespace
} // namespace loadline
