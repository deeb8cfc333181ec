// How documents and sentences name weights: k-bit ones by k, those of libraries by their key and name.
#include "core/ask/write_json.h"
#include "core/cost/format/format_cells.h"
#include "core/simulate/answer/comparison.h"
#include "core/simulate/fit/kv_need.h"
#include "core/simulate/report/swept.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loadline {
namespace {

using testing::HasSubstr;
using testing::Not;

/// One user, at each of these weights.
Swept sweptAt(const std::vector<Storage>& weights) {
    Swept swept;
    swept.result.users = {1};
    swept.result.chunks = {512};
    swept.result.weights = weights;
    for (const Storage one : weights) {
        SweepPoint point;
        point.users = 1;
        point.chunkTokens = 512;
        point.weights = one;
        swept.result.points.push_back(point);
    }
    return swept;
}

std::string pointsOf(const std::vector<Storage>& weights) {
    const Swept swept = sweptAt(weights);
    ask::Report report;
    ask::addPoints(report, swept);
    return ask::jsonOfReport(report);
}

std::vector<std::string> csvColumnsOf(const std::vector<Storage>& weights) {
    const Swept swept = sweptAt(weights);
    ask::Report report;
    ask::addPoints(report, swept);
    std::vector<std::string> names;
    for (const ask::Column& column : report.tables.front().columns) {
        names.push_back(column.key);
    }
    return names;
}

TEST(WeightsInDocuments, APointOfKBitWeightsHasItsKAlone) {
    const std::string json = pointsOf({Storage::K4});
    EXPECT_THAT(json, HasSubstr("\"k\": 4"));
    EXPECT_THAT(json, Not(HasSubstr("\"weights\"")));
    EXPECT_THAT(csvColumnsOf({Storage::K2, Storage::K4}), Not(testing::Contains("weights")));
}

TEST(WeightsInDocuments, APointOfALibrarysFormatHasItsKeyBesideNull) {
    const std::string json = pointsOf({Storage::Fp8Block, Storage::K3});
    EXPECT_THAT(json, HasSubstr("\"k\": null"));
    EXPECT_THAT(json, HasSubstr("\"weights\": \"fp8-block\""));
    EXPECT_THAT(json, HasSubstr("\"k\": 3"));
    EXPECT_THAT(json, Not(HasSubstr("\"weights\": \"k3\"")));
    const std::vector<std::string> columns = csvColumnsOf({Storage::Fp8Block, Storage::K3});
    ASSERT_GE(columns.size(), 2U);
    EXPECT_EQ(columns[0], "k");
    EXPECT_EQ(columns[1], "weights");
}

TEST(WeightsInDocuments, ACrossoverIsNamedAsItsPoints) {
    std::vector<Crossover> crossovers(2);
    crossovers[0].weights = Storage::Int4;
    crossovers[1].weights = Storage::K5;
    ask::Report report;
    ask::addCrossovers(report, "crossovers", crossovers);
    const std::string json = ask::jsonOfReport(report);
    EXPECT_THAT(json, HasSubstr("\"weights\": \"int4\""));
    EXPECT_THAT(json, HasSubstr("\"k\": 5"));
}

TEST(WeightsInDocuments, ATableHasAColumnOfKeysWhereOneHasNoK) {
    Table table{{"k"}, {{kCell(Storage::K4)}, {kCell(Storage::Nvfp4)}}};
    addWeightsColumn(table, {Storage::K4, Storage::Nvfp4});
    EXPECT_EQ(table.columns, (std::vector<std::string>{"k", "weights"}));
    EXPECT_EQ(table.rows[0], (std::vector<Cell>{std::int64_t{4}, {}}));
    EXPECT_EQ(table.rows[1], (std::vector<Cell>{{}, std::string("nvfp4")}));

    Table byK{{"k"}, {{kCell(Storage::K4)}}};
    addWeightsColumn(byK, {Storage::K4});
    EXPECT_EQ(byK.columns, std::vector<std::string>{"k"});
}

TEST(WeightsInWords, KBitOnesByKOthersByName) {
    KvNeed need;
    need.steps = 1;
    need.bytesPerToken = 1;
    need.memoryBytes = 1e9;
    EXPECT_THAT(kvNeedSentence(need, Storage::K4), HasSubstr("at k = 4 that"));
    EXPECT_THAT(kvNeedSentence(need, Storage::Fp8Block), HasSubstr("at fp8 by blocks that"));

    SimulationRequest four;
    SimulationRequest three;
    three.weights = Storage::K3;
    SimulationRequest library;
    library.weights = Storage::Fp8;
    EXPECT_EQ(differencesSentence(differencesOf(four, three)), "k 4 instead of 3");
    EXPECT_EQ(differencesSentence(differencesOf(library, four)), "weights fp8 instead of k4");
    library.kv = Storage::Fp8;
    EXPECT_EQ(differencesSentence(differencesOf(library, four)),
              "weights fp8 instead of k4, KV cache fp8 instead of fp16");
}

} // namespace
} // namespace loadline
