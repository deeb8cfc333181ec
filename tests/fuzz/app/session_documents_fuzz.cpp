// Any bytes as two sessions, one of which copies a part of the other: whatever the commands print of them is
// strict JSON without a rate beyond 0..1, and sessions add up to the totals.
#include "app/options/price_option.h"
#include "core/ask/write_json.h"
#include "core/ask/write_text.h"
#include "core/cache/study/cache_report.h"
#include "core/session/study/sessions_report.h"
#include "core/workload/study/turns_report.h"
#include "tests/fuzz/check.h"
#include "tests/strict_json.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>

namespace {

using namespace loadline;
using namespace loadline::app;
using namespace loadline::fuzz;
using Json = nlohmann::ordered_json;

std::shared_ptr<const Corpus> corpusOf(std::string_view text) {
    SessionFiles files;
    files.files.push_back(std::make_shared<SessionFile>(readSessionText("p/a.jsonl", text)));
    files.files.push_back(
        std::make_shared<SessionFile>(readSessionText("p/b.jsonl", text.substr(text.size() / 2))));
    return std::make_shared<const Corpus>(buildCorpus(std::move(files), bundledPrices()));
}

void checkSums(const Json& document) {
    for (const auto& [key, total] : document["totals"].items()) {
        if (!total.is_number_integer()) {
            continue;
        }
        check(total.get<std::int64_t>() >= 0);
        std::int64_t sum = 0;
        for (const Json& session : document["by_session"]) {
            sum += session["totals"][key].get<std::int64_t>();
        }
        check(sum == total.get<std::int64_t>());
    }
}

/// No cell is a number that is none.
void checkTable(const ask::Table& table) {
    for (std::size_t row = 0; row < table.rows; ++row) {
        for (const ask::Column& column : table.columns) {
            const auto number = ask::numberOf(column.at(row).value);
            check(!number || std::isfinite(*number));
        }
    }
}

Json documentOf(const ask::Report& report) {
    const std::string text = ask::jsonOfReport(report);
    const std::string problem = test::documentProblem(text);
    if (!problem.empty()) {
        std::fprintf(stderr, "%s\n%s\n", problem.c_str(), text.c_str());
    }
    check(problem.empty());
    check(!ask::textOfReport(report).empty());
    return Json::parse(text);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::shared_ptr<const Corpus> corpus = corpusOf(fuzz::textOf(data, size));
    const SessionsAnswer answered = sessionsAnswer(corpus, 0);
    checkSums(documentOf(ask::sessionsReport(answered)));
    checkTable(ask::sessionFilesTable(answered));
    for (const TurnMethod method : {TurnMethod::PerLine, TurnMethod::ApiCall, TurnMethod::Prompt}) {
        const TurnsAnswer turns = turnsAnswer(corpus, method);
        documentOf(ask::turnsReport(turns));
    }
    const Selection everything = select(*corpus, {}, TurnMethod::ApiCall);
    CacheRequests requests = cacheRequestsOf(corpus, everything, sessionBlockTokens, {});
    if (!requests.provider || requests.provider->input.n == 0) {
        return 0; // the command says that there is nothing
    }
    const CacheQuestion question{.capacitiesBlocks = {1, 1000}, .ttlsS = {0, 300}};
    const Result<CacheAnswer> answer =
        cacheAnswerOf({{"p"}, std::move(requests), compositionsOf(*corpus, everything)}, question,
                      {}); // as the command asks unasked
    check(answer.hasValue());
    documentOf(ask::cacheReport(*answer, question));
    return 0;
}
