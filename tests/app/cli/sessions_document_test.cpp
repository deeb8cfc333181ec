// The documents of `sessions` and `turns`: their keys, their sums, and text that is not UTF-8.
#include "app/options/price_option.h"
#include "core/ask/write_csv.h"
#include "core/ask/write_json.h"
#include "core/ask/write_text.h"
#include "core/session/study/sessions_report.h"
#include "core/workload/study/turns_report.h"
#include "tests/core/session_builder.h"
#include "tests/strict_json.h"

#include <QTest>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

using namespace loadline;
using namespace loadline::app;
using test::SessionBuilder;
using test::used;
using Json = nlohmann::ordered_json;

namespace {

/// An original, its fork, a sub-agent of the original, and a call known from progress records alone.
Corpus corpus(const PriceList& prices = {}) {
    SessionBuilder original("p/one.jsonl", "one");
    original.project("", "/home/ada/code").title("First \x1b[31m title");
    original.prompt(1).call("m1", 2, used(1, 20, 300, 4)).call("m2", 3, used(5, 60, 700, 8));
    original.progressCall("m9", 4, used(9, 9, 9, 1));
    original.file().versions = {{"2.1.9", 2}, {"2.1.12", 3}, {"2.0.64", 1}};
    original.file().recordTypes = {{"user", 1}, {"assistant", 2}};
    original.file().diagnostics = {{DiagnosticKind::BadLine, 7, 1, "cut"}};
    SessionBuilder fork("p/two.jsonl", "two");
    fork.project("", "/home/ada/code");
    fork.prompt(1).call("m1", 2, used(1, 20, 300, 4)).call("m2", 3, used(5, 60, 700, 8));
    fork.prompt(9).call("m3", 10, used(7, 0, 80, 90), "haiku", OutputQuality::LowerBound);
    SessionBuilder agent("p/one/subagents/agent-\xff.jsonl", "one");
    agent.subAgent("x").call("m4", 5, used(11, 0, 0, 2), "haiku", OutputQuality::StartOnly).sidechain();
    SessionFiles files;
    files.files = {original.done(), fork.done(), agent.done()};
    return buildCorpus(std::move(files), prices);
}

std::vector<std::string> keysOf(const Json& object) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : object.items()) {
        keys.push_back(key);
    }
    return keys;
}

std::string cellIn(const ask::Table& table, std::size_t row, const std::string& key) {
    const auto column = std::ranges::find(table.columns, key, &ask::Column::key);
    return column == table.columns.end() ? "no such column" : plainText(column->at(row).value);
}

std::shared_ptr<const Corpus> shared(const Corpus& corpus) {
    return std::make_shared<const Corpus>(corpus);
}

Json sessionsDocument(const Corpus& corpus, double seconds) {
    return Json::parse(ask::jsonOfReport(ask::sessionsReport(sessionsAnswer(shared(corpus), seconds))));
}

std::string sessionsText(const Corpus& corpus, double seconds) {
    return ask::textOfReport(ask::sessionsReport(sessionsAnswer(shared(corpus), seconds)));
}

Json turnsDocument(const Corpus& corpus, TurnMethod method) {
    return Json::parse(ask::jsonOfReport(ask::turnsReport(turnsAnswer(shared(corpus), method))));
}

std::string turnsText(const Corpus& corpus, TurnMethod method) {
    return ask::textOfReport(ask::turnsReport(turnsAnswer(shared(corpus), method)));
}

/// Qt Test cannot compare the JSON type itself.
std::string dumped(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

class SessionsDocumentTest : public QObject {
    Q_OBJECT

private slots:
    void hasTheKeysOfTheContract();
    void countsEachCallOnce();
    void describesEachFile();
    void countsTurnsOfEachMethod();
    void survivesTextThatIsNotUtf8();
    void printsForATerminal();
    void listsTheLinesOfEachOddity();
    void makesATable();
    void tellsWhatCallsCost();
    void theTableHasTheCostsOfTheDocument();
    void sessionsAddUpToTheTotals();
    void whatWasLostIsNotComplete();
    void manyNamesTakeTimeInProportion();
    void namesThatLookAlikeAreOneKey();
    void takesNothing();
};

void SessionsDocumentTest::hasTheKeysOfTheContract() {
    const Json document = sessionsDocument(corpus(), 0.5);
    QCOMPARE(keysOf(document).front(), std::string("schema"));
    QCOMPARE(dumped(document["schema"]), dumped(Json("loadline.sessions/1")));
    for (const char* key : {"files", "bytes", "seconds", "totals", "by_model", "by_utc_day", "progress_only",
                            "sessions", "diagnostics"}) {
        QVERIFY2(document.contains(key), key);
    }
    for (const char* key :
         {"calls", "input_tokens", "cache_creation_input_tokens", "cache_creation_5m", "cache_creation_1h",
          "cache_read_input_tokens", "output_tokens", "calls_final_output", "output_tokens_of_final_calls"}) {
        QVERIFY2(document["totals"].contains(key), key);
        QVERIFY2(document["sessions"][0]["totals"][key].is_number_integer(), key);
    }
}

void SessionsDocumentTest::countsEachCallOnce() {
    const Json document = sessionsDocument(corpus(), 0.5);
    QCOMPARE(dumped(document["files"]), dumped(Json(3)));
    QCOMPARE(dumped(document["totals"]["calls"]), dumped(Json(4)));
    QCOMPARE(dumped(document["totals"]["output_tokens"]), dumped(Json(4 + 8 + 90 + 2)));
    QCOMPARE(dumped(document["totals"]["calls_final_output"]), dumped(Json(2)));
    QCOMPARE(dumped(document["totals"]["output_tokens_of_final_calls"]), dumped(Json(12)));
    QCOMPARE(dumped(document["progress_only"]["input_tokens"]), dumped(Json(9)));
    QCOMPARE(keysOf(document["by_model"]), (std::vector<std::string>{"haiku", "opus"}));
    QCOMPARE(dumped(document["by_utc_day"]["2026-01-01"]["calls"]), dumped(Json(4)));
}

void SessionsDocumentTest::describesEachFile() {
    const Json document = sessionsDocument(corpus(), 0.5);
    const Json& agent = document["sessions"][1];
    const Json& one = document["sessions"][0];
    const Json& two = document["sessions"][2];
    QCOMPARE(dumped(one["path"]), dumped(Json("p/one.jsonl")));
    QCOMPARE(dumped(one["session_id"]), dumped(Json("one")));
    QCOMPARE(dumped(one["project"]), dumped(Json("/home/ada/code")));
    QCOMPARE(dumped(one["cli_versions"]), dumped(Json{"2.0.64", "2.1.9", "2.1.12"}));
    QCOMPARE(dumped(one["first_timestamp"]), dumped(Json("2026-01-01T00:00:01.000Z")));
    QCOMPARE(dumped(one["records"]["assistant"]), dumped(Json(2)));
    QCOMPARE(dumped(one["prompts"]), dumped(Json(1)));
    QCOMPARE(dumped(one["turns"]), dumped(Json(1)));
    QCOMPARE(dumped(one["inherited_calls"]), dumped(Json(0)));
    QCOMPARE(dumped(one["output_quality"]), dumped(Json("final")));
    QCOMPARE(dumped(one["diagnostics"]), dumped(Json(1)));
    QCOMPARE(dumped(two["inherited_calls"]), dumped(Json(2)));
    QCOMPARE(dumped(two["inherited_from"]), dumped(Json{"p/one.jsonl"}));
    QCOMPARE(dumped(two["totals"]["calls"]), dumped(Json(3)));
    QCOMPARE(dumped(two["output_quality"]), dumped(Json("mixed")));
    QCOMPARE(dumped(agent["sidechain_calls"]), dumped(Json(1)));
    QCOMPARE(dumped(agent["output_quality"]), dumped(Json("start_only")));
    QCOMPARE(document["diagnostics"].size(), std::size_t{1});
    QCOMPARE(dumped(document["diagnostics"][0]["path"]), dumped(Json("p/one.jsonl")));
    QCOMPARE(dumped(document["diagnostics"][0]["line"]), dumped(Json(7)));
    QVERIFY(document["diagnostics"][0]["what"].get<std::string>().find("cut") != std::string::npos);
}

void SessionsDocumentTest::countsTurnsOfEachMethod() {
    const Json calls = turnsDocument(corpus(), TurnMethod::ApiCall);
    QCOMPARE(keysOf(calls).front(), std::string("schema"));
    QCOMPARE(dumped(calls["method"]), dumped(Json("api-call")));
    QCOMPARE(dumped(calls["turns"]), dumped(Json(4)));
    QCOMPARE(dumped(calls["sum_input_est"]), dumped(Json(21 + 65 + 7 + 11)));
    QCOMPARE(dumped(calls["input_hist"]), dumped(Json{{"8", 2}, {"16", 1}, {"64", 1}}));
    QCOMPARE(dumped(turnsDocument(corpus(), TurnMethod::Prompt)["turns"]), dumped(Json(2)));
    QCOMPARE(dumped(turnsDocument(corpus(), TurnMethod::PerLine)["turns"]), dumped(Json(3)));
    for (const TurnMethod method : {TurnMethod::PerLine, TurnMethod::ApiCall, TurnMethod::Prompt}) {
        const Json document = turnsDocument(corpus(), method);
        for (const char* key :
             {"turns", "turns_input_gt0", "turns_output_gt0", "sum_input_est", "sum_output"}) {
            std::int64_t sum = 0;
            for (const Json& file : document["files"]) {
                sum += file[key].get<std::int64_t>();
            }
            QCOMPARE(dumped(document[key]), dumped(Json(sum)));
        }
    }
}

void SessionsDocumentTest::survivesTextThatIsNotUtf8() {
    QVERIFY(dumped(sessionsDocument(corpus(), 0.5)).find("\uFFFD") != std::string::npos);
    QVERIFY(dumped(turnsDocument(corpus(), TurnMethod::ApiCall)).find("\uFFFD") != std::string::npos);
}

void SessionsDocumentTest::printsForATerminal() {
    const std::string text = sessionsText(corpus(), 0.5);
    QVERIFY2(text.find("2 sessions") == 0, text.c_str());
    QVERIFY2(text.find('\x1b') == std::string::npos, "titles must not steer the terminal");
    QVERIFY2(text.find("≥ 98") != std::string::npos || text.find("≥ 102") != std::string::npos, text.c_str());
    QVERIFY2(text.find("Most tokens: one  First ") != std::string::npos, "not the fork, by what it inherits");
    QVERIFY2(text.find("1.1 k in prompts and ") != std::string::npos, text.c_str());
    QVERIFY2(text.find("p/one.jsonl:7") != std::string::npos, text.c_str());
    const auto note = [](const std::string& said) { return said.find("Inherited calls stand in the rows"); };
    QVERIFY2(note(text) != std::string::npos && note(text) < text.find("Distinct API calls"), text.c_str());
    QVERIFY(note(sessionsText(buildCorpus({}), 0)) == std::string::npos);
    QVERIFY(turnsText(corpus(), TurnMethod::ApiCall).find("4 turns in 2 sessions") == 0);
}

/// Lines that are counted as one are all named, and where too many are, that is said.
void SessionsDocumentTest::listsTheLinesOfEachOddity() {
    auto file = std::make_shared<SessionFile>();
    file->path = "p/odd.jsonl";
    Diagnostic few{DiagnosticKind::BadLine, 7, 3, "no value", {9, 30}};
    Diagnostic many{DiagnosticKind::UnknownType, 1, 100, "new", {}};
    for (std::uint64_t line = 2; line <= 100; ++line) {
        listLine(many, line);
    }
    file->diagnostics = {few, many};
    Corpus odd;
    odd.files.emplace_back().file = file;
    odd.sessions.emplace_back();
    const Json all = sessionsDocument(odd, 0)["diagnostics"];
    QCOMPARE(dumped(all[0]["line"]), dumped(Json(7)));
    QCOMPARE(dumped(all[0]["other_lines"]), dumped(Json{9, 30}));
    QCOMPARE(dumped(all[0]["all_lines_listed"]), dumped(Json(true)));
    QCOMPARE(all[1]["other_lines"].size(), maxOtherLines);
    QCOMPARE(dumped(all[1]["all_lines_listed"]), dumped(Json(false)));
    const std::string text = sessionsText(odd, 0);
    QVERIFY2(text.find("(3 times), lines 7, 9 and 30") != std::string::npos, text.c_str());
    QVERIFY2(text.find("(100 times), lines 1, 2, 3, 4, 5, 6, 7, 8 and more") != std::string::npos,
             text.c_str());
}

void SessionsDocumentTest::makesATable() {
    const SessionsAnswer answer = sessionsAnswer(shared(corpus()), 0);
    const ask::Table table = ask::sessionFilesTable(answer);
    QCOMPARE(table.rows, std::size_t{3});
    QCOMPARE(table.columns.front().key, std::string("path"));
    QCOMPARE(cellIn(table, 2, "inherited_calls"), std::string("2"));
}

void SessionsDocumentTest::tellsWhatCallsCost() {
    QCOMPARE(dumped(sessionsDocument(corpus(), 0)["totals"]["cost_usd"]), dumped(Json()));
    QVERIFY(sessionsText(corpus(), 0).find("list prices") == std::string::npos);
    const PriceList& bundled = bundledPrices();
    QVERIFY(bundled.models.size() > 40);
    QVERIFY(bundled.source.find("ccusage") != std::string::npos);
    QCOMPARE(pricesOf(bundled, "claude-opus-4-5-20251101")->each.output, 25.0);

    PriceList prices;
    prices.source = "made up";
    prices.models["opus"] = {
        .each = {.input = 1e6, .output = 2e6, .cacheRead = 1e6, .cacheWrite5m = 1e6, .cacheWrite1h = 1e6},
        .beyond = {}};
    const Corpus priced = corpus(prices);
    const Json document = sessionsDocument(priced, 0);
    const Json& opus = document["by_model"]["opus"];
    QCOMPARE(opus["cost_usd"].get<double>(),
             opus["input_tokens"].get<double>() + opus["cache_creation_input_tokens"].get<double>() +
                 opus["cache_read_input_tokens"].get<double>() + 2 * opus["output_tokens"].get<double>());
    QCOMPARE(dumped(document["by_model"]["haiku"]["cost_usd"]), dumped(Json()));
    QCOMPARE(dumped(document["totals"]["cost_usd"]), dumped(opus["cost_usd"]));
    QCOMPARE(dumped(document["totals"]["calls_unpriced"]), dumped(document["by_model"]["haiku"]["calls"]));
    QCOMPARE(dumped(document["prices"]), dumped(Json{{"source", "made up"}, {"unpriced_models", {"haiku"}}}));
    QVERIFY(sessionsText(priced, 0).find("no price is known of haiku.\n") != std::string::npos);
    QCOMPARE(dumped(document["cost_is_lower_bound"]), dumped(Json(true)));
    QCOMPARE(dumped(document["totals"]["calls_partly_unpriced"]), dumped(Json(0)));
}

PriceList madeUpPrices() {
    PriceList prices;
    prices.source = "made up";
    prices.models["opus"] = {
        .each = {.input = 5, .output = 25, .cacheRead = 0.5, .cacheWrite5m = 6.25, .cacheWrite1h = 10},
        .beyond = {}};
    return prices;
}

/// A cost is a real number wherever it is written: cut to whole dollars, most files cost nothing.
void SessionsDocumentTest::theTableHasTheCostsOfTheDocument() {
    const Corpus priced = corpus(madeUpPrices());
    const Json document = sessionsDocument(priced, 0);
    const SessionsAnswer answer = sessionsAnswer(shared(priced), 0);
    const ask::Table table = ask::sessionFilesTable(answer);
    for (std::size_t row = 0; row < table.rows; ++row) {
        const Json& cost = document["sessions"][row]["totals"]["cost_usd"];
        QCOMPARE(cellIn(table, row, "cost_usd"), cost.is_null() ? std::string() : dumped(cost));
    }
    QCOMPARE(cellIn(table, 0, "cost_usd"), std::string("0.00133"));
    QCOMPARE(cellIn(table, 1, "cost_usd"), std::string()); // no price is no number
}

void SessionsDocumentTest::sessionsAddUpToTheTotals() {
    const Json document = sessionsDocument(corpus(madeUpPrices()), 0);
    QCOMPARE(document["sessions"].size(), std::size_t{3});
    QCOMPARE(document["by_session"].size(), std::size_t{2});
    Json sum = document["by_session"][0]["totals"];
    for (const auto& [key, value] : document["by_session"][1]["totals"].items()) {
        if (!value.is_null()) { // haiku has no price
            sum[key] = value.is_number_float() || sum[key].is_number_float()
                           ? Json(sum[key].get<double>() + value.get<double>())
                           : Json(sum[key].get<std::int64_t>() + value.get<std::int64_t>());
        }
    }
    QCOMPARE(dumped(sum), dumped(document["totals"]));
    const Json& one = document["by_session"][0];
    const Json& fork = document["by_session"][1];
    QCOMPARE(dumped(one["session_id"]), dumped(Json("one")));
    QCOMPARE(one["files"].size(), std::size_t{2});
    QCOMPARE(dumped(one["inherited"]), dumped(Json{{"calls", 0}, {"cost_usd", 0.0}}));
    QCOMPARE(dumped(fork["files"]), dumped(Json{"p/two.jsonl"}));
    QCOMPARE(dumped(fork["totals"]["calls"]), dumped(Json(1)));
    QCOMPARE(dumped(fork["inherited"]["calls"]), dumped(Json(2)));
    QCOMPARE(dumped(fork["inherited"]["cost_usd"]), dumped(document["by_model"]["opus"]["cost_usd"]));
}

void SessionsDocumentTest::whatWasLostIsNotComplete() {
    QCOMPARE(dumped(sessionsDocument(buildCorpus({}), 0)["complete"]), dumped(Json(true)));
    const Corpus lost = corpus(); // a line of it does not decode
    const Json document = sessionsDocument(lost, 0);
    QCOMPARE(dumped(document["complete"]), dumped(Json(false)));
    QCOMPARE(dumped(document["diagnostics"][0]["loses_data"]), dumped(Json(true)));
    QCOMPARE(dumped(turnsDocument(lost, TurnMethod::Prompt)["complete"]), dumped(Json(false)));
    const SessionsAnswer answer = sessionsAnswer(shared(lost), 0);
    const ask::Table table = ask::sessionFilesTable(answer);
    QCOMPARE(table.columns.back().key, std::string("incomplete"));
    QCOMPARE(cellIn(table, 2, "incomplete"),
             std::string("Incomplete: one.jsonl: line does not decode as JSON: cut"));
    QVERIFY(sessionsText(lost, 0).find("(incomplete)") != std::string::npos);
    QVERIFY(turnsText(lost, TurnMethod::Prompt).find("Incomplete: one.jsonl") != std::string::npos);
    SessionFiles others; // a file of another program is no loss of sessions
    others.diagnostics.push_back({"p/rollout.jsonl", {.kind = DiagnosticKind::OtherLog, .detail = ""}});
    QCOMPARE(dumped(sessionsDocument(buildCorpus(others), 0)["complete"]), dumped(Json(true)));
}

/// With a search through all keys for each, 80 000 models took 9 s.
void SessionsDocumentTest::manyNamesTakeTimeInProportion() {
    constexpr int models = 100'000;
    SessionBuilder session("p/many.jsonl", "many");
    session.prompt(1).call("m", 2, used(1, 2, 3, 4));
    SessionFile& file = session.file();
    for (int i = 0; i < models; ++i) {
        ApiCall call = file.calls.front();
        call.key.low += static_cast<std::uint64_t>(i) + 1;
        call.messageId = call.key.low;
        call.model = static_cast<NameIndex>(file.names.size());
        file.names.push_back("model-" + std::to_string(i));
        file.recordTypes["type-" + std::to_string(i)] = 1;
        file.calls.push_back(call);
    }
    SessionFiles files;
    files.files = {session.done()};
    const Corpus many = buildCorpus(std::move(files));
    const std::clock_t begin = std::clock(); // of this process, whatever else the machine does
    const SessionsAnswer answer = sessionsAnswer(shared(many), 0);
    const std::string text = ask::jsonOfReport(ask::sessionsReport(answer));
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    QVERIFY2(seconds < 10, qPrintable(QString::number(seconds))); // quadratic: a minute
    const auto document = nlohmann::json::parse(text); // the ordered kind looks at every key before
    QCOMPARE(document["by_model"].size(), std::size_t{models + 1});
    QCOMPARE(document["sessions"][0]["records"].size(), std::size_t{models});
}

void SessionsDocumentTest::namesThatLookAlikeAreOneKey() {
    SessionBuilder session("p/a.jsonl", "a");
    session.prompt(1);
    session.call("m1", 2, used(1, 2, 3, 4), "odd\xff").call("m2", 3, used(1, 2, 3, 4), "odd\xfe");
    SessionFiles files;
    files.files = {session.done()};
    const Json document = sessionsDocument(buildCorpus(std::move(files)), 0);
    QCOMPARE(loadline::test::documentProblem(dumped(document)), std::string());
    QCOMPARE(dumped(document["by_model"]["odd\uFFFD"]["calls"]), dumped(Json(2)));
}

void SessionsDocumentTest::takesNothing() {
    const Corpus nothing = buildCorpus({});
    QCOMPARE(dumped(sessionsDocument(nothing, 0)["totals"]["calls"]), dumped(Json(0)));
    QVERIFY(sessionsDocument(nothing, 0)["sessions"].is_array());
    QVERIFY(sessionsDocument(nothing, 0)["by_model"].is_object());
    QVERIFY(turnsDocument(nothing, TurnMethod::Prompt)["input_hist"].is_object());
    QVERIFY(!sessionsText(nothing, 0).empty());
    QVERIFY(!turnsText(nothing, TurnMethod::PerLine).empty());
}

QTEST_MAIN(SessionsDocumentTest)
#include "sessions_document_test.moc"
