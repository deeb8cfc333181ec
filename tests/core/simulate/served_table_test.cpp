// The table of what two formats serve.
#include "core/simulate/answer/served_table.h"

#include "core/cost/format/format.h"
#include "core/simulate/answer/served_facts.h"
#include "core/simulate/study/format_pair_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace loadline {
namespace {

ServedFormat servedFormatOf(const Format& format, double ttftS) {
    ServedFormat served;
    served.format = format;
    served.memory.roomTokens = 54'400;
    SimulationResult& all = served.all;
    all.simulatedS = 100;
    all.turns = 250;
    all.tokensOut = 2630;
    all.ttftS = {.n = 250, .mean = ttftS, .p50 = ttftS, .p90 = 2 * ttftS, .p99 = 4 * ttftS};
    all.tpotS = {.n = 240, .mean = 0.05, .p50 = 0.0401, .p90 = 0.07, .p99 = 0.35};
    all.e2eS = {.n = 250, .mean = 2 * ttftS, .p50 = ttftS, .p90 = 3 * ttftS, .p99 = 5 * ttftS};
    served.runs.run.emplace();
    served.runs.run->ttftS.p50 = {ttftS, 0.9 * ttftS, 1.1 * ttftS};
    served.runs.run->ttftS.p99 = {4 * ttftS, 3 * ttftS, std::numeric_limits<double>::infinity()};
    return served;
}

FormatPair madeUpPair() {
    FormatPair pair;
    pair.own = servedFormatOf(4, 48.8);
    pair.against = servedFormatOf(fp16Format, 79.8);
    return pair;
}

ServedRow rowNamed(const ServedTable& table, const std::string& name) {
    return *std::ranges::find(table.rows, name, &ServedRow::name);
}

TEST(ServedTable, HasAColumnForEachFormatAndEveryFigure) {
    const ServedTable table = servedTableOf(madeUpPair());
    EXPECT_EQ(table.formats, (std::vector<std::string>{"k = 4", "fp16"}));
    std::vector<std::string> names;
    for (const ServedRow& row : table.rows) {
        names.push_back(row.name);
        ASSERT_EQ(row.cells.size(), 2U) << row.name;
        for (const ServedCell& cell : row.cells) {
            EXPECT_FALSE(cell.value.empty()) << row.name;
        }
    }
    EXPECT_EQ(names, (std::vector<std::string>{"tokens/s", "turns/s", "TTFT p50", "TTFT p99", "TPOT p50",
                                               "TPOT p99", "E2E mean", "KV tokens"}));
    EXPECT_EQ(rowNamed(table, "tokens/s").cells[0].value, "26.3");
    EXPECT_EQ(rowNamed(table, "TPOT p50").cells[1].value, "40.1 ms");
    EXPECT_EQ(rowNamed(table, "KV tokens").cells[1].value, "54.4 k");
}

TEST(ServedTable, HasIntervalsWhereRunsTellThem) {
    FormatPair pair = madeUpPair();
    const ServedTable table = servedTableOf(pair);
    const ServedCell median = rowNamed(table, "TTFT p50").cells[0];
    EXPECT_EQ(median.off, "\u00b110\u202f%");
    EXPECT_EQ(median.interval, "43.9 s to 53.7 s");
    EXPECT_EQ(rowNamed(table, "TTFT p99").cells[0].off, "or more"); // the queue grows: no upper end
    EXPECT_EQ(rowNamed(table, "TPOT p50").cells[0].off, "");
    pair.own.runs.run.reset(); // of a given length
    EXPECT_EQ(rowNamed(servedTableOf(pair), "TTFT p50").cells[0].off, "");
}

TEST(ServedTable, HasNoWaitsWhereAQueueGrows) {
    FormatPair pair = madeUpPair();
    pair.own.runs.replicas = {pair.own.all, pair.own.all};
    pair.against.runs.replicas = {pair.against.all, pair.against.all};
    EXPECT_NE(rowNamed(servedTableOf(pair), "TTFT p50").ratio, "");
    pair.own.all.growingQueues = 1;
    const ServedTable table = servedTableOf(pair);
    for (const char* name : {"TTFT p50", "TTFT p99", "E2E mean"}) {
        const ServedRow row = rowNamed(table, name);
        EXPECT_EQ(row.cells[0].value, "grows") << name;
        EXPECT_EQ(row.cells[0].interval, "") << name;
        EXPECT_NE(row.cells[1].value, "grows") << name;
        EXPECT_EQ(row.ratio, "") << name;
    }
    EXPECT_NE(rowNamed(table, "TPOT p50").ratio, "") << "of answers under way";
    EXPECT_EQ(pairedFiguresOf(pair)[2].own, "grows");
    EXPECT_EQ(pairedFiguresOf(pair)[2].ratio, "-");
    const std::vector<CountedFact> facts = servedFactsOf(pair);
    EXPECT_NE(facts[0].words.find("TTFT grows, TPOT 40.1 ms"), std::string::npos) << facts[0].words;
    EXPECT_EQ(facts[0].more.find("From end to end"), std::string::npos) << facts[0].more;
    EXPECT_NE(facts[1].words.find("TTFT 79.8 s"), std::string::npos) << facts[1].words;
    EXPECT_NE(facts[1].more.find("From end to end"), std::string::npos) << facts[1].more;
}

TEST(ServedTable, SaysWhichFormatDoesNotFit) {
    FormatPair pair = madeUpPair();
    pair.against.fits = false;
    const ServedTable table = servedTableOf(pair);
    EXPECT_EQ(table.formats[1], "fp16: does not fit");
    for (const ServedRow& row : table.rows) {
        EXPECT_EQ(row.cells[1].value, "\u2013") << row.name;
    }
}

TEST(ServedTable, IsCopiedWithItsIntervals) {
    const std::string text = tabbedTextOf(servedTableOf(madeUpPair()));
    EXPECT_EQ(std::ranges::count(text, '\n'), 9);
    EXPECT_NE(text.find("TTFT p50\t48.8 s\t43.9 s to 53.7 s\t79.8 s\t"), std::string::npos) << text;
}

} // namespace
} // namespace loadline
