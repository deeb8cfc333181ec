// The study's tables: figures as printed; ours within what an independent program found.
#include "core/simulate/study/study_tables.h"

#include "tests/core/cost/bundled_profile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace loadline {
namespace {

StudyTables tablesOf() {
    SimulationInputs base;
    base.profile = std::make_shared<const Profile>(test::bundledProfile());
    auto tables = studyTables(base);
    EXPECT_TRUE(tables) << (tables ? "" : tables.error().what);
    return *tables;
}

TEST(StudyTables, RowsAreThoseOfAnIndependentProgram) {
    // spec/published_study section 7: mean +- standard deviation of 16 seeds; two means of 16 seeds each
    // differ by less than 4 standard errors.
    struct Expected {
        StudyReading reading;
        std::size_t line;
        double averageM, averageMSd, decodeOnly, decodeOnlySd;
    };
    const StudyTables tables = tablesOf();
    for (const Expected& expected : {Expected{StudyReading::Plain, 3, 203, 17, 0.541, 0.03},
                                     Expected{StudyReading::Plain, 4, 356, 18, 0.197, 0.03},
                                     Expected{StudyReading::Plain, 5, 442, 4, 0.0, 0.002},
                                     Expected{StudyReading::StudyLike, 3, 164, 12, 0.679, 0.026},
                                     Expected{StudyReading::StudyLike, 4, 314, 21, 0.389, 0.042},
                                     Expected{StudyReading::StudyLike, 5, 498, 6, 0.030, 0.015}}) {
        const ReproducedUsers& ours =
            tables.readings[static_cast<std::size_t>(expected.reading)].users[expected.line];
        EXPECT_NEAR(ours.averageM.mean, expected.averageM, expected.averageMSd * 4 * 0.354) << ours.users;
        EXPECT_NEAR(ours.decodeOnlyFraction.mean, expected.decodeOnly, expected.decodeOnlySd * 4 * 0.354)
            << ours.users;
    }
}

TEST(StudyTables, TheSingleUsersTurnIsThatOfTheDistributions) {
    // spec/published_study section 7: 56.9 us x 114.14 tokens = 6,499 us. One first token comes with the
    // prompt under vLLM V1.
    const StudyTables tables = tablesOf();
    const auto seeds = static_cast<double>(tables.seeds);
    for (const Reproduction& reproduction : tables.readings) {
        const Spread& decode = reproduction.turn.decodeUs;
        const double tokens = reproduction.reading == StudyReading::VllmV1 ? 113.14 : 114.14;
        EXPECT_NEAR(decode.mean, 56.94 * tokens, 4 * decode.sd / std::sqrt(seeds))
            << keyOf(reproduction.reading);
        EXPECT_LT(decode.sd, 0.1 * decode.mean) << "long runs";
    }
}

TEST(StudyTables, ListEveryReadingBesideThePublished) {
    const StudyTables tables = tablesOf();
    ASSERT_EQ(tables.readings.size(), 3U);
    EXPECT_EQ(usersTable(tables).rows.size(), 18U);
    EXPECT_EQ(turnTable(tables).rows.size(), 3U);
    for (const auto& row : usersTable(tables).rows) {
        EXPECT_EQ(row.size(), usersTable(tables).columns.size());
    }
    for (const auto& row : turnTable(tables).rows) {
        EXPECT_EQ(row.size(), turnTable(tables).columns.size());
    }
    for (const Reproduction& reproduction : tables.readings) {
        for (const ReproducedUsers& ours : reproduction.users) {
            EXPECT_GT(ours.averageM.sd, 0);
            EXPECT_NEAR(ours.scalarShare.mean + ours.mmaShare.mean + ours.dequantShare.mean, 1, 1e-6);
        }
        EXPECT_GT(reproduction.turn.decodeUs.mean, 0);
        EXPECT_GT(reproduction.turn.prefillUs.mean, 0);
    }
    EXPECT_NE(studyNotes(tables)[3].find("printed are 495 and 5.1"), std::string::npos)
        << studyNotes(tables)[3];
    EXPECT_EQ(publishedUsersOf(16)->averageM, 163);
    EXPECT_EQ(publishedUsersOf(17), nullptr);
}

TEST(StudyTables, AnotherKHasTimesOfItsOwnAndNoPrintedOnes) {
    SimulationInputs base;
    base.profile = std::make_shared<const Profile>(test::bundledProfile());
    std::vector<double> ratios;
    for (const int k : {2, 4, 5}) {
        base.cost.format = k;
        const auto tables = studyTables(base, 2, 500);
        ASSERT_TRUE(tables) << tables.error().sentence();
        EXPECT_EQ(tables->weights, storageOfBits(k));
        ratios.push_back(tables->readings[0].users[0].timeVsFp16.mean);
        const Table table = usersTable(*tables);
        const auto place = static_cast<std::size_t>(
            std::ranges::find(table.columns, "published_time_vs_fp16") - table.columns.begin());
        EXPECT_EQ(table.rows[0][place] == Cell(), k != publishedKBits);
        EXPECT_EQ(printedAt(*tables, 0.57).has_value(), k == publishedKBits);
    }
    EXPECT_LT(ratios[0], ratios[1]) << "fewer bits are read faster";
    EXPECT_LT(ratios[1], ratios[2]);
}

TEST(StudyTables, InputToOutputStandsBesideOthers) {
    const auto reference = inputToOutputOf(referenceWorkload());
    ASSERT_TRUE(reference);
    EXPECT_NEAR(reference->ratio, 1298.46 / 114.14, 0.01) << "means over the buckets";
    EXPECT_FALSE(reference->withContext);
    WorkloadSession session;
    session.turns.resize(2);
    session.turns[0].input = 100;
    session.turns[0].output = 10;
    session.turns[1].context = 110;
    session.turns[1].input = 40;
    session.turns[1].output = 10;
    const auto workload = workloadOfTurns({session}, "mine", "Mine", "a test");
    ASSERT_TRUE(workload);
    const auto mine = inputToOutputOf(*workload);
    ASSERT_TRUE(mine);
    EXPECT_NEAR(mine->ratio, 7, 1e-9);
    ASSERT_TRUE(mine->withContext);
    EXPECT_NEAR(*mine->withContext, 12.5, 1e-9);
    StudyTables tables;
    tables.ratios = {*reference, *mine};
    bool found = false;
    for (const std::string& note : studyNotes(tables)) {
        found = found || (note.find("printed 13.7 : 1") != std::string::npos &&
                          note.find("100 : 1") != std::string::npos &&
                          note.find("Mine, a turn: 7.0 : 1, 12 : 1") != std::string::npos);
    }
    EXPECT_TRUE(found);
}

TEST(StudyTables, StopsWithAnError) {
    SimulationInputs base;
    base.profile = std::make_shared<const Profile>(test::bundledProfile());
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(studyTables(base, 2, 100, 1, source.get_token()));
}

} // namespace
} // namespace loadline
