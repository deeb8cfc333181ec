// The list of judged servers that comes with the program: made from today's predictions, and worth something.
#include "core/validate/judge_servers.h"

#include "core/base/file/read_file.h"
#include "core/base/statistics.h"
#include "core/serving/nearest_servers.h"
#include "core/validate/predict.h"
#include "core/validate/priced_server.h"
#include "tests/core/validate/shipped_library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace loadline {
namespace {

constexpr const char* makeAnew =
    "the predictions have changed: ninja -C build/release loadline_judge_servers && "
    "build/release/tests/loadline_judge_servers makes resources/serving/judged_servers.csv anew";

/// The judged servers of today's predictions, and their families; empty where the measurements are absent.
struct JudgedToday {
    std::vector<JudgedServer> servers;
    std::vector<std::string> families;
};

const JudgedToday& judgedToday() {
    static const JudgedToday made = [] {
        JudgedToday today;
        const auto path = std::filesystem::path(LOADLINE_SHARED_DATA) / "serving" / "measured_vllm.csv";
        if (!std::filesystem::exists(path)) {
            return today;
        }
        const auto text = readWholeFile(path.string(), "the measured servers");
        const auto read = text ? readMeasuredRows(*text, path.string()) : Result<MeasuredRows>(text.error());
        EXPECT_TRUE(read);
        if (!read) {
            return today;
        }
        today.servers =
            judgedServersOf(read->rows, predictServers(read->rows, priceByAtlas(shippedLibrary())));
        EXPECT_EQ(today.servers.size(), read->rows.size());
        for (const MeasuredRow& row : read->rows) {
            today.families.push_back(row.label.family);
        }
        return today;
    }();
    return made;
}

class JudgedServersToday : public testing::Test {
protected:
    void SetUp() override {
        if (judgedToday().servers.empty()) {
            GTEST_SKIP() << "the measured servers are not in " << LOADLINE_SHARED_DATA;
        }
    }
};

void expectSameError(const std::optional<double>& listed, const std::optional<double>& today) {
    constexpr double tolerance = 0.001; // a tenth of a point
    ASSERT_EQ(listed.has_value(), today.has_value()) << makeAnew;
    if (listed) {
        ASSERT_NEAR(*listed, *today, tolerance) << makeAnew;
    }
}

TEST_F(JudgedServersToday, AreThoseOfTheProgram) {
    const std::string path = LOADLINE_TEST_DATA "/../../resources/serving/judged_servers.csv";
    const auto text = readWholeFile(path, "the judged servers");
    ASSERT_TRUE(text);
    const auto listed = judgedServersFrom(*text, path);
    ASSERT_TRUE(listed) << listed.error().sentence();
    EXPECT_TRUE(listed->diagnostics.empty());
    EXPECT_EQ(listed->licence, "Apache-2.0");
    EXPECT_FALSE(listed->source.empty() || listed->date.empty() || listed->program.empty());
    const std::vector<JudgedServer>& today = judgedToday().servers;
    ASSERT_EQ(listed->servers.size(), today.size()) << makeAnew;
    for (std::size_t i = 0; i < today.size(); ++i) {
        SCOPED_TRACE(i);
        ASSERT_EQ(listed->servers[i].model, today[i].model) << makeAnew;
        ASSERT_EQ(listed->servers[i].at, today[i].at) << makeAnew;
        ASSERT_EQ(listed->servers[i].tier, today[i].tier) << makeAnew;
        expectSameError(listed->servers[i].ttftError, today[i].ttftError);
        expectSameError(listed->servers[i].tpotError, today[i].tpotError);
    }
}

std::vector<double> ranksOf(const std::vector<double>& values) {
    std::vector<double> ranks;
    for (const double value : values) {
        const auto below = std::ranges::count_if(values, [&](double other) { return other < value; });
        const auto equal = std::ranges::count(values, value);
        ranks.push_back(static_cast<double>(below) + static_cast<double>(equal - 1) / 2);
    }
    return ranks;
}

/// Spearman's rank correlation.
double rankCorrelation(const std::vector<double>& one, const std::vector<double>& other) {
    const std::vector<double> a = ranksOf(one);
    const std::vector<double> b = ranksOf(other);
    const double mean = (static_cast<double>(a.size()) - 1) / 2;
    double both = 0;
    double first = 0;
    double second = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        both += (a[i] - mean) * (b[i] - mean);
        first += (a[i] - mean) * (a[i] - mean);
        second += (b[i] - mean) * (b[i] - mean);
    }
    return both / std::sqrt(first * second);
}

/// How well the errors of other families foretell a server's own.
struct Foretold {
    std::vector<double> own;  ///< errors of the servers that have something near
    std::vector<double> near; ///< medians of the nearest servers of other families
    double nearMiss = 0;      ///< mean of | own - near |
    double allMiss = 0;       ///< mean of | own - median of all servers of other families |
    double withinNearP90 = 0; ///< share of own errors up to the nearest servers' p90
    double withinAllP90 = 0;  ///< up to that of all servers of other families
    std::size_t nothingNear = 0;
};

Foretold foretold(std::optional<double> JudgedServer::*error,
                  std::optional<NearestErrors> NearestServers::*figure, std::string_view tiers) {
    const JudgedToday& today = judgedToday();
    Foretold made;
    for (std::size_t i = 0; i < today.servers.size(); ++i) {
        const JudgedServer& server = today.servers[i];
        if (!(server.*error) || tiers.find(server.tier) == std::string_view::npos) {
            continue;
        }
        std::vector<JudgedServer> others;
        std::vector<double> sizes;
        for (std::size_t j = 0; j < today.servers.size(); ++j) {
            const JudgedServer& other = today.servers[j];
            if (today.families[j] != today.families[i] && other.*error &&
                tiers.find(other.tier) != std::string_view::npos) {
                others.push_back(other);
                sizes.push_back(std::abs(*(other.*error)));
            }
        }
        const NearestServers nearest = nearestServers(others, server.at);
        if (!(nearest.*figure)) {
            ++made.nothingNear;
            continue;
        }
        const double own = std::abs(*(server.*error));
        const NearestErrors& near = *(nearest.*figure);
        made.own.push_back(own);
        made.near.push_back(near.median);
        made.nearMiss += std::abs(own - near.median);
        made.allMiss += std::abs(own - medianOf(sizes));
        made.withinNearP90 += own <= near.p90 ? 1 : 0;
        made.withinAllP90 += own <= quantileOf(sizes, 0.9) ? 1 : 0;
    }
    for (double* const sum : {&made.nearMiss, &made.allMiss, &made.withinNearP90, &made.withinAllP90}) {
        *sum /= static_cast<double>(made.own.size());
    }
    return made;
}

/// Into the test's XML: what the closing note of a change reports.
void record(const std::string& name, const Foretold& made) {
    testing::Test::RecordProperty(name + "_servers", std::to_string(made.own.size()));
    testing::Test::RecordProperty(name + "_nothing_near", std::to_string(made.nothingNear));
    testing::Test::RecordProperty(name + "_rank_correlation",
                                  std::to_string(rankCorrelation(made.own, made.near)));
    testing::Test::RecordProperty(name + "_miss_near", std::to_string(made.nearMiss));
    testing::Test::RecordProperty(name + "_miss_all", std::to_string(made.allMiss));
    testing::Test::RecordProperty(name + "_within_near_p90", std::to_string(made.withinNearP90));
    testing::Test::RecordProperty(name + "_within_all_p90", std::to_string(made.withinAllP90));
}

/// Each row is judged by rows of other families alone.
TEST_F(JudgedServersToday, ForetellTheErrorsOfOtherFamilies) {
    const Foretold tpot = foretold(&JudgedServer::tpotError, &NearestServers::tpot, "ABC");
    const Foretold ttft = foretold(&JudgedServer::ttftError, &NearestServers::ttft, "ABC");
    record("tpot", tpot);
    record("ttft", ttft);
    record("tpot_tier_a", foretold(&JudgedServer::tpotError, &NearestServers::tpot, "A"));
    record("ttft_tier_a", foretold(&JudgedServer::ttftError, &NearestServers::ttft, "A"));
    for (const Foretold* const made : {&tpot, &ttft}) {
        EXPECT_GT(made->own.size(), 200U);
        EXPECT_GT(rankCorrelation(made->own, made->near), 0.3);
        EXPECT_LT(made->nearMiss, made->allMiss);
        EXPECT_GT(made->withinNearP90, 0.7);
    }
}

} // namespace
} // namespace loadline
