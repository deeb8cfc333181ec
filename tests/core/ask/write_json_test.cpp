// Reports as documents: paths, shapes of tables, tables within rows, what is left out.
#include "core/ask/write_json.h"

#include "core/ask/summary.h"
#include "core/ask/write_csv.h"
#include "core/ask/write_text.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace loadline::ask {
namespace {

struct MadeReason {
    std::size_t row = 0;
    std::string cause;
};

struct MadeBreak {
    std::string path;
    std::optional<double> again;
    double p50 = 0;
};

/// Two breaks: the first has two reasons, the second none.
Report madeReport() {
    struct Held {
        std::vector<MadeBreak> breaks = {{"a\"b", 3.0, 1.5}, {"c,d", std::nullopt, 2}};
        std::vector<MadeReason> reasons = {{0, "=ttl"}, {0, "model"}};
        std::vector<std::pair<int, double>> hits = {{300, 0.5}, {3600, 1}};
    };
    auto held = std::make_shared<const Held>();
    Report report;
    report.keeps.push_back(held);
    report.schema = "loadline.made/1";
    report.headline = "Half is found again.";
    report.add("requests", 3);
    report.add("composition.cached", 0.25);
    report.add({.key = "hit",
                .cell = on(Basis::AtLeast, 0.982),
                .label = "hit rate",
                .form = Form::Share,
                .shown = Shown::Text});
    report.add("composition.output", std::numeric_limits<double>::quiet_NaN());
    report.add({.path = "breaks",
                .title = "Breaks",
                .rows = held->breaks.size(),
                .columns = {columnOf(held->breaks, "path", "File", &MadeBreak::path, Form::Text),
                            columnOf(held->breaks, "tokens_paid_again", "Paid again", &MadeBreak::again),
                            columnOf(held->breaks, "held.p50", "Held", &MadeBreak::p50, Form::Tokens)}});
    report.add({.path = "breaks.reasons",
                .title = {},
                .rows = held->reasons.size(),
                .columns = {columnOf(held->reasons, "cause", "Cause", &MadeReason::cause, Form::Text)},
                .within = [](std::size_t outer) {
                    return outer == 0 ? std::pair<std::size_t, std::size_t>(0, 2)
                                      : std::pair<std::size_t, std::size_t>(2, 2);
                }});
    const auto seconds = [](const auto& hit) { return hit.first; };
    const auto share = [](const auto& hit) { return hit.second; };
    report.add(
        {.path = "ttl",
         .title = {},
         .rows = 2,
         .columns = {columnOf(held->hits, "s", "s", seconds), columnOf(held->hits, "hit", "hit", share)},
         .shape = Shape::Map});
    report.add(
        {.path = "by_ttl",
         .title = {},
         .rows = 2,
         .columns = {columnOf(held->hits, "s", "s", seconds), columnOf(held->hits, "hit", "hit", share)},
         .shape = Shape::MapRows});
    report.add(listOf("notes", std::vector<std::string>{"one", "t\u202Ewo"}));
    report.add("largest", std::numeric_limits<std::uint64_t>::max());
    report.add("money", Decimal{-5, 2});
    report.notes.push_back({"Lengths are estimated."});
    return report;
}

TEST(WriteJson, PathsBecomeObjectsAndTablesArrays) {
    EXPECT_EQ(jsonOfReport(madeReport()), R"({
  "schema": "loadline.made/1",
  "requests": 3,
  "composition": {
    "cached": 0.25,
    "output": null
  },
  "hit": 0.982,
  "breaks": [
    {
      "path": "a\"b",
      "tokens_paid_again": 3.0,
      "held": {
        "p50": 1.5
      },
      "reasons": [
        {
          "cause": "=ttl"
        },
        {
          "cause": "model"
        }
      ]
    },
    {
      "path": "c,d",
      "tokens_paid_again": null,
      "held": {
        "p50": 2.0
      },
      "reasons": []
    }
  ],
  "ttl": {
    "300": 0.5,
    "3600": 1.0
  },
  "by_ttl": {
    "300": {
      "hit": 0.5
    },
    "3600": {
      "hit": 1.0
    }
  },
  "notes": [
    "one",
    "t\u202ewo"
  ],
  "largest": 18446744073709551615,
  "money": -0.05,
  "caveats": [
    "Lengths are estimated."
  ]
}
)");
}

TEST(WriteJson, EveryDocumentHasItsCaveats) {
    Report report;
    report.schema = "loadline.made/1";
    const auto caveats = [&report] { return nlohmann::json::parse(jsonOfReport(report))["caveats"]; };
    EXPECT_EQ(caveats(), nlohmann::json::array());
    report.notes.push_back({"Try --tp 2.", Note::Kind::Hint});
    report.addCaveat("");
    report.addCaveat("all outputs are lower bounds; 2 calls have no price");
    report.addCaveat("2 calls have no price"); // the one before holds it
    report.addCaveat("Costs are at list prices.", true);
    EXPECT_EQ(caveats(), (nlohmann::json{"all outputs are lower bounds; 2 calls have no price.",
                                         "Costs are at list prices."}));
    EXPECT_EQ(textOfReport(report), "Try --tp 2.\nall outputs are lower bounds; 2 calls have no price.\n");
}

TEST(WriteJson, NumbersAreAsNlohmannWritesThem) {
    for (const double number :
         {0.1, 1e-7, 1e22, 123456789012345680.0, 5e-324, 0.30000000000000004, 1e15, -0.0}) {
        Report report;
        report.add("x", number);
        EXPECT_EQ(jsonOfReport(report), "{\n  \"x\": " + nlohmann::json(number).dump() + "\n}\n");
    }
}

TEST(WriteJson, WhatIsForgottenIsNullWhereItStood) {
    Report report = madeReport();
    report.forget("composition");
    report.forget("breaks");
    report.forget("never_there");
    const auto document = nlohmann::ordered_json::parse(jsonOfReport(report));
    EXPECT_TRUE(document["composition"].is_null());
    EXPECT_TRUE(document["breaks"].is_null());
    EXPECT_TRUE(document["never_there"].is_null());
    EXPECT_EQ(std::next(document.begin(), 2).key(), "composition");
}

TEST(WriteJson, AColumnThatOmitsIsLeftOutAndAGroupOfThemToo) {
    const auto held = std::make_shared<const std::vector<MadeBreak>>(
        std::vector<MadeBreak>{{"a", 1.0, 1}, {"b", std::nullopt, 2}});
    Report report;
    report.keeps.push_back(held);
    Column again = columnOf(*held, "paid.again", "", &MadeBreak::again);
    again.omitsEmpty = true;
    report.add({.path = "rows",
                .title = {},
                .rows = 2,
                .columns = {columnOf(*held, "path", "", &MadeBreak::path), again}});
    const auto rows = nlohmann::json::parse(jsonOfReport(report))["rows"];
    EXPECT_EQ(rows[0]["paid"]["again"], 1.0);
    EXPECT_FALSE(rows[1].contains("paid"));
}

TEST(WriteJson, AGroupOfItsOwnNameIsNullWithoutAnyValue) {
    const auto gpuS = [](std::size_t row) { return row == 0 ? Cell(2.0) : Cell(); };
    const std::vector<Column> cost = {groupOf("all"), columnAt("all.gpu_s", gpuS),
                                      columnAt("all.usd", [](std::size_t) { return Cell(); }),
                                      columnAt("idle.gpu_s", gpuS)};
    Report report;
    report.add("moves", {}, 2, cost);
    report.addRow("with_reuse", cost, 0);
    report.addRow("without", cost, 1);
    const auto document = nlohmann::json::parse(jsonOfReport(report));
    const auto priced =
        nlohmann::json::parse(R"({"all": {"gpu_s": 2.0, "usd": null}, "idle": {"gpu_s": 2.0}})");
    const auto empty = nlohmann::json::parse(R"({"all": null, "idle": {"gpu_s": null}})");
    EXPECT_EQ(document["moves"], nlohmann::json({priced, empty}));
    EXPECT_EQ(document["with_reuse"], priced);
    EXPECT_EQ(document["without"], empty);
}

TEST(WriteJson, AnIntervalIsAPairWhoseOpenEndIsNull) {
    Report report;
    report.add("band", Interval{0.5, std::numeric_limits<double>::infinity()}, "band", Form::Share);
    EXPECT_EQ(jsonOfReport(report), "{\n  \"band\": [0.5, null]\n}\n");
    EXPECT_EQ(plainText(Interval{0.5, 2}), "0.5..2");
    EXPECT_EQ(wordsOf(Interval{0.25, 0.5}, Form::Share), "25.0 % .. 50.0 %");
}

TEST(WriteJson, ListsAreRowsOfBareValues) {
    Report report;
    report.add("summary", {}, 2,
               {columnAt("id", [](std::size_t row) { return row + 7; }),
                columnAt("end", [](std::size_t row) { return row == 0 ? Cell() : Cell("x"); })},
               Shape::Lists);
    EXPECT_EQ(nlohmann::json::parse(jsonOfReport(report))["summary"],
              nlohmann::json::parse(R"([[7, null], [8, "x"]])"));
}

TEST(WriteJson, TablesWithinGroupsAreLeftOutOrNullWithTheirColumn) {
    const std::vector<std::size_t> rows = {0, 1, 2};
    Column omitted = groupOf("left.list", [](std::size_t row) { return row != 2; });
    omitted.isThere = [](std::size_t row) { return row != 1; };
    Report report;
    report.add("rows", {}, rows.size(),
               {groupOf("left", [](std::size_t row) { return row != 2; }),
                columnAt("left.n", [](std::size_t row) { return row == 2 ? Cell() : Cell(row); }), omitted,
                groupOf("list", [](std::size_t row) { return row == 0; })});
    for (const char* path : {"rows.left.list", "rows.list"}) {
        Table list = listOf(path, std::vector<int>{10, 11, 12});
        list.within = [](std::size_t outer) { return std::pair(outer, outer + 1); };
        report.add(std::move(list));
    }
    EXPECT_EQ(nlohmann::json::parse(jsonOfReport(report))["rows"], nlohmann::json::parse(R"([
        {"left": {"n": 0, "list": [10]}, "list": [10]}, {"left": {"n": 1}, "list": null},
        {"left": null, "list": null}])"));
}

TEST(WriteJson, AllButSomePartsAndColumnsAreForgotten) {
    Report report = madeReport();
    report.say("Half is found again.");
    report.forgetAllBut(1, {"composition", "notes"});
    Table table = *madeReport().find("breaks");
    table.columns = {columnAt("path.name", [](std::size_t row) { return row; }),
                     columnAt("held", [](std::size_t row) { return row; })};
    table.path = "rows";
    table.forgetRows([](std::size_t row) { return row == 1; }, {"path"});
    report.add(std::move(table));
    const auto document = nlohmann::json::parse(jsonOfReport(report));
    EXPECT_EQ(document["requests"], 3) << "a part before the first";
    EXPECT_EQ(document["composition"]["cached"], 0.25);
    EXPECT_EQ(document["notes"].size(), 2U);
    EXPECT_TRUE(document["breaks"].is_null() && document["ttl"].is_null());
    EXPECT_EQ(
        document["rows"],
        nlohmann::json::parse(R"([{"path": {"name": 0}, "held": 0}, {"path": {"name": 1}, "held": null}])"));
    EXPECT_EQ(report.parts.size(), 11U) << "what was for people alone is gone";
}

TEST(WriteJson, ASummaryIsARowOfItsQuantiles) {
    RealSummary summary{.n = 3, .sum = 6, .mean = 2, .min = 1, .max = 3};
    summary.p50 = 2;
    Report report;
    addSummary(report, "input", summary);
    Below(report, "input").add("frac_le_10", 0.5);
    const auto input = nlohmann::json::parse(jsonOfReport(report))["input"];
    EXPECT_EQ(input.size(), 13U);
    EXPECT_EQ(input["n"], 3);
    EXPECT_EQ(input["p50"], 2.0);
    EXPECT_EQ(input["sum"], 6.0);
    EXPECT_EQ(input["frac_le_10"], 0.5);
}

TEST(WriteJson, ASinkThatRefusesEndsTheWriting) {
    Report report;
    std::size_t read = 0;
    report.add({.path = "rows",
                .title = {},
                .rows = 10'000'000,
                .columns = {{"n", "", Form::Plain, [&read](std::size_t row) {
                                 ++read;
                                 return Cell(row);
                             }}}});
    EXPECT_FALSE(writeJson(report, [](std::string_view) { return false; }));
    EXPECT_LT(read, 100'000U);
}

TEST(WriteCsv, HasTheColumnsAndGuardsSpreadsheets) {
    const Report report = madeReport();
    EXPECT_EQ(csvOfTable(*report.find("breaks")), "path,tokens_paid_again,held_p50\n"
                                                  "\"a\"\"b\",3,1.5\n"
                                                  "\"c,d\",,2\n");
    EXPECT_EQ(csvOfTable(*report.find("breaks.reasons")), "cause\n'=ttl\nmodel\n");
}

TEST(WriteText, WordsStandInsteadOfCells) {
    Report report;
    report.add("hit", 0.5, "hit rate", Form::Share, "at least 50 %, perhaps 90 %");
    report.add("weights", Cell(), "weights", Form::Text, "16 GB");
    report.add("document", 3);
    Column hit = columnAt(
        "hit", [](std::size_t) { return 0.25; }, "Hit", Form::Share);
    hit.words = [](std::size_t row) { return row == 0 ? "25\u201390 %" : "none"; };
    const Column room = columnAt(
        "gb", [](std::size_t) { return 2.5; }, "Room", Form::Gigabytes);
    report.add("tiers", "Tiers", 2, {columnAt("source", [](std::size_t) { return "?"; }), room, hit});
    EXPECT_EQ(textOfReport(report), "hit rate  at least 50 %, perhaps 90 %\n"
                                    "weights                         16 GB\n"
                                    "\n"
                                    "Tiers\n"
                                    "  Room      Hit\n"
                                    "2.5 GB  25\u201390 %\n"
                                    "2.5 GB     none\n");
}

TEST(WriteText, TellsHeadlineFactsTablesAndNotes) {
    EXPECT_EQ(textOfReport(madeReport()), "Half is found again.\n"
                                          "\n"
                                          "hit rate  ≥ 98.2 %\n"
                                          "\n"
                                          "Breaks\n"
                                          "File  Paid again  Held\n"
                                          "a\"b            3   1.5\n"
                                          "c,d            –     2\n"
                                          "\n"
                                          "Lengths are estimated.\n");
    EXPECT_NE(markdownOfReport(madeReport())
                  .find("| File | Paid again | Held |\n| --- | ---: | ---: |\n| a\"b | 3 |"),
              std::string::npos);
}

TEST(WriteCsv, WhatIsNotFiniteIsEmpty) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    EXPECT_EQ(plainText(Value(inf)), "");
    EXPECT_EQ(plainText(Value(Interval{-inf, 2})), "..2");
    EXPECT_EQ(plainText(Value(1.5)), "1.5");
}

} // namespace
} // namespace loadline::ask
