// The tables of coverage: in documents, for people, and as the manual has them.
#include "core/validate/coverage_report.h"

#include "core/ask/write_json.h"
#include "core/ask/write_text.h"
#include "tests/core/validate/shipped_library.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>
#include <string>

namespace loadline {
namespace {

const ask::Report& coverageTables() {
    static const ask::Report report = [] {
        ask::Report made;
        ask::addCoverage(made, made.keep(stepCoverage(shippedLibrary(), 2, {})));
        return made;
    }();
    return report;
}

TEST(CoverageReport, ItsDocumentHasARowForEachPair) {
    const auto json = nlohmann::json::parse(ask::jsonOfReport(coverageTables()));
    const auto& rows = json.at("coverage");
    ASSERT_EQ(rows.size(), atlasNames().size() * coveredModels().size());
    const auto& first = rows[0];
    EXPECT_EQ(first.at("gpu"), "h100-sxm");
    EXPECT_EQ(first.at("model"), "Llama-3.1-8B");
    EXPECT_EQ(first.at("experts"), nullptr);
    EXPECT_EQ(first.at("tp"), 1);
    EXPECT_EQ(first.at("parts").at("decode_attention"), "measured");
    EXPECT_EQ(first.at("parts").at("experts"), nullptr);
    EXPECT_EQ(first.at("not_covered"), nullptr);
    double shares = 0;
    for (const auto& share : first.at("shares")) {
        shares += share.get<double>();
    }
    EXPECT_NEAR(shares, 1, 1e-9);
    for (const auto& row : rows) {
        EXPECT_EQ(row.at("parts").is_null(), row.at("not_covered").is_string());
    }
}

TEST(CoverageReport, NothingWithoutRows) {
    ask::Report report;
    ask::addCoverage(report, report.keep(std::vector<StepCoverage>()));
    EXPECT_TRUE(report.parts.empty());
}

/// The manual's text is this one: where tables or the step model change, it is pasted there.
TEST(CoverageReport, TheManualHasItsTables) {
    std::ifstream file(std::string(LOADLINE_TEST_DATA) + "/../../resources/manual/validation.md");
    std::stringstream manual;
    manual << file.rdbuf();
    const std::string tables = ask::markdownOfReport(coverageTables());
    EXPECT_NE(manual.str().find(tables), std::string::npos)
        << "resources/manual/validation.md is to hold this text:\n"
        << tables;
}

} // namespace
} // namespace loadline
