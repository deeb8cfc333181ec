// Predictions depend on settings alone.
#include "core/validate/predict.h"

#include "core/base/file/read_file.h"
#include "tests/core/validate/linear_prices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace loadline {
namespace {

std::vector<MeasuredRow> madeUpRows(const std::string& from = "", const std::string& to = "") {
    const auto text =
        readWholeFile(std::string(LOADLINE_TEST_DATA) + "/serving/servers.csv", "the made-up servers");
    std::string csv = text ? *text : "";
    for (std::size_t at = csv.find(from); !from.empty() && at != std::string::npos;
         at = csv.find(from, at + to.size())) {
        csv.replace(at, from.size(), to);
    }
    const auto rows = readMeasuredRows(csv, "servers.csv");
    return rows ? rows->rows : std::vector<MeasuredRow>();
}

std::vector<ServerPrediction> predictionsOf(const std::vector<MeasuredRow>& rows) {
    return predictServers(rows, linearServer, 2);
}

TEST(Predict, doesNotDependOnWhatWasMeasured) {
    const auto rows = madeUpRows();
    const auto predictions = predictionsOf(rows);
    ASSERT_EQ(predictions.size(), 4U);
    for (const ServerPrediction& prediction : predictions) {
        EXPECT_EQ(prediction.notModelled, "");
        EXPECT_GT(prediction.ttftMs, 0);
        EXPECT_GT(prediction.tpotMs, 0);
    }
    EXPECT_EQ(predictionsOf(madeUpRows(",30.5,5.25,1,0.0,0.0,dense_c4,A,", ",,,,,,renamed,,")), predictions);
    EXPECT_EQ(predictionsOf(madeUpRows(",210,9.5,2,0.1,0.1,experts_c130,C,", ",,,,,,,A,")), predictions);
    EXPECT_EQ(predictionsOf(madeUpRows("2026-04-22", "")), predictions);
}

TEST(Predict, doesNotDependOnTheOrderOfRows) {
    auto rows = madeUpRows();
    const auto predictions = predictionsOf(rows);
    std::ranges::reverse(rows);
    auto turned = predictionsOf(rows);
    std::ranges::reverse(turned);
    EXPECT_EQ(turned, predictions);
}

TEST(Predict, saysWhatIsNotModelled) {
    auto rows = madeUpRows();
    rows[0].refusal = "column tp: 0";
    const auto price = [](const ServerSettings& settings) -> Result<PricedServer> {
        if (settings.system == "b200_sxm") {
            return Error{"no table for this GPU", "", ""};
        }
        return linearServer(settings);
    };
    const auto predictions = predictServers(rows, price, 1);
    EXPECT_EQ(predictions[0].notModelled, "column tp: 0");
    EXPECT_EQ(predictions[1].notModelled, "");
    EXPECT_EQ(predictions[2].notModelled, "no table for this GPU");
    std::stop_source source;
    source.request_stop();
    EXPECT_NE(predictServers(rows, price, 1, source.get_token())[1].notModelled, "");
}

} // namespace
} // namespace loadline
